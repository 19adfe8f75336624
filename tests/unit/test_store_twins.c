#include "store_fixture.h"

static int64_t put_coded(
	struct fixture *fixture, const char *config, const char *optimisation, const char *code)
{
	struct build_row row = build_row("5.5.4", config);

	row.labels.v[LABEL_OPTIMISATION] = optimisation;
	row.code_sha256 = code;
	row.key_program = config;
	return put_build(fixture, row);
}

static void put_coded_cell(
	struct fixture *fixture, const char *config, const char *optimisation, const char *code)
{
	g_autofree char *name = g_strdup_printf("%s %s", config, optimisation);

	put_cell(fixture, name, put_coded(fixture, config, optimisation, code), 0);
}

static void are_those_of_one_code_against_the_fewest_flags(void)
{
	struct fixture fixture = {0};
	g_autoptr(GPtrArray) twins = NULL;

	fixture_open(&fixture);
	begin_run(&fixture, "earlier");
	put_coded_cell(&fixture, "sp+TFM_NO_ASM", "-O2", "cc");
	int64_t run = begin_run(&fixture, NULL);
	put_coded_cell(&fixture, "fasthugemath+fastmath", "-O2", "aa");
	put_coded_cell(&fixture, "fastmath+TFM_NO_ASM", "-O2", "bb");
	put_coded_cell(&fixture, "fastmath", "-O2", "bb");
	put_coded_cell(&fixture, "armasm+default_like", "-O2", "dd");
	put_coded_cell(&fixture, "default", "-O2", "dd");
	put_coded_cell(&fixture, "armasm", "-O2", "dd");
	put_coded_cell(&fixture, "sp", "-O2", "cc"); /* its twin is in another run only */
	put_coded_cell(&fixture, "sp", "-Os", "bb"); /* the same code, but not all else is equal */
	put_coded_cell(&fixture, "one", "-O3", NULL);
	put_coded_cell(&fixture, "two", "-O3", NULL); /* unknown is not equal */
	g_assert_true(store_twins(fixture.store, &twins, run, NULL));
	static const char *const expected[][2] = {{"fastmath+TFM_NO_ASM", "fastmath"}, {"armasm", "default"},
		{"armasm+default_like", "default"}};
	g_assert_cmpuint(twins->len, ==, G_N_ELEMENTS(expected));
	for (guint i = 0; i < twins->len; i++) {
		const struct twin_info *twin = twins->pdata[i];
		g_assert_cmpstr(twin->place, ==, "aarch64-gcc wolfssl-5.5.4 crypto -O2");
		g_assert_cmpstr(twin->config, ==, expected[i][0]);
		g_assert_cmpstr(twin->same_as, ==, expected[i][1]);
	}
	fixture_close(&fixture);
}

static void of_a_build_are_found_in_every_run(void)
{
	struct fixture fixture = {0};
	g_autoptr(GPtrArray) configs = NULL, none = NULL;

	fixture_open(&fixture);
	put_coded(&fixture, "fastmath", "-O2", "bb");
	put_coded(&fixture, "fastmath+TFM_NO_ASM", "-O2", "bb");
	put_coded(&fixture, "sp", "-Os", "bb");
	int64_t build = put_coded(&fixture, "fasthugemath+fastmath", "-O2", "bb");
	int64_t unknown = put_coded(&fixture, "armasm", "-O2", NULL);
	g_assert_true(store_build_twins(fixture.store, &configs, build, NULL));
	g_assert_cmpuint(configs->len, ==, 2);
	g_assert_cmpstr(configs->pdata[0], ==, "fastmath");
	g_assert_cmpstr(configs->pdata[1], ==, "fastmath+TFM_NO_ASM");
	g_assert_true(store_build_twins(fixture.store, &none, unknown, NULL));
	g_assert_cmpuint(none->len, ==, 0);
	fixture_close(&fixture);
}

static const char mixed[] =
	"{\"r\":\"header\",\"wire\":1,\"mode\":\"time\",\"invocation\":0,\"library_version\":\"5.5.4\"}\n"
	"{\"r\":\"samples\",\"name\":\"sha-256 hash\",\"block\":1024,\"metric\":\"time\",\"iterations\":1,"
	"\"values\":[5]}\n"
	"{\"r\":\"benchmark\",\"name\":\"sha-256 hash\",\"block\":1024,\"state\":\"ok\"}\n"
	"{\"r\":\"benchmark\",\"name\":\"rsa-2048 private\",\"state\":\"wrong-answer\",\"reason\":\"r\"}\n"
	"{\"r\":\"benchmark\",\"name\":\"dh-2048 agree\",\"state\":\"unavailable\",\"reason\":\"r\"}\n"
	"{\"r\":\"end\",\"records\":5}\n";

static void good_benchmarks_are_told_with_their_block(void)
{
	struct fixture fixture = {0};
	g_autoptr(GPtrArray) goods = NULL;
	g_autofree char *whole = rsa_stream(9);

	fixture_open(&fixture);
	int64_t platform = put_platform(&fixture, "rock5", ENVIRONMENT_HARDWARE);
	begin_run(&fixture, NULL);
	int64_t partial =
		put_cell(&fixture, "partial", put_build(&fixture, build_row("5.5.4", "sp")), platform);
	int64_t ok = put_cell(&fixture, "ok", put_build(&fixture, build_row("5.5.4", "armasm")), platform);
	put_cell(&fixture, "pending", put_build(&fixture, build_row("5.5.4", "default")), platform);
	take_in(&fixture, attempt_row(partial, "u1", 1), ENVIRONMENT_HARDWARE, mixed);
	take_in(&fixture, attempt_row(ok, "u2", 2), ENVIRONMENT_HARDWARE, whole);
	g_assert_true(store_good(fixture.store, &goods, fixture.run, NULL));
	g_assert_cmpuint(goods->len, ==, 2);
	const struct good_info *first = goods->pdata[0], *second = goods->pdata[1];
	g_assert_cmpstr(first->cell, ==, "partial");
	g_assert_cmpstr(first->benchmark, ==, "sha-256 hash 1024");
	g_assert_false(first->cell_ok);
	g_assert_cmpstr(second->cell, ==, "ok");
	g_assert_cmpstr(second->benchmark, ==, "rsa-2048 private");
	g_assert_true(second->cell_ok);
	fixture_close(&fixture);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/twins/are_those_of_one_code_against_the_fewest_flags",
		are_those_of_one_code_against_the_fewest_flags);
	g_test_add_func("/twins/of_a_build_are_found_in_every_run", of_a_build_are_found_in_every_run);
	g_test_add_func("/twins/good_benchmarks_are_told_with_their_block",
		good_benchmarks_are_told_with_their_block);
	return g_test_run();
}
