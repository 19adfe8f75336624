/* Carrying exact results forward. */
#include "diag.h"
#include "store_fixture.h"
#include "store_private.h"

static int64_t number(struct fixture *fixture, const char *text)
{
	g_autoptr(GError) err = NULL;
	int64_t value = -1;

	sql_number(fixture->store->sql, &value, text, NULL, &err);
	g_assert_no_error(err);
	return value;
}

static void exact_results_are_carried_and_marked(void)
{
	struct fixture fixture = {0};
	g_autofree char *stream = count_stream(123456);
	g_autoptr(GError) err = NULL;
	struct store_description *shown = NULL;
	int64_t found;

	fixture_open(&fixture);
	begin_run(&fixture, NULL);
	int64_t platform = put_platform(&fixture, "qemu", ENVIRONMENT_EMULATOR);
	int64_t cell = put_cell(&fixture, "c", put_build(&fixture, build_row("5.5.4", "sp")), platform);
	struct attempt_row measured = attempt_row(cell, "measured", 10);
	measured.exact_key = "e1";
	int64_t from = take_in(&fixture, measured, ENVIRONMENT_EMULATOR, stream);
	g_assert_true(sql_script(fixture.store->sql, "UPDATE cell SET mode = 'count'", NULL));
	g_assert_true(store_exact_find(fixture.store, &found, "e1", NULL));
	g_assert_cmpint(found, ==, from);
	g_assert_true(store_exact_find(fixture.store, &found, "e2", NULL));
	g_assert_cmpint(found, ==, 0);

	/* Another version whose program is byte for byte the same. */
	begin_run(&fixture, NULL);
	int64_t later = put_cell(&fixture, "c", put_build(&fixture, build_row("5.6.0", "sp")), platform);
	struct attempt_row carried = attempt_row(later, "carried", 20);
	carried.exact_key = "e1";
	g_assert_true(store_attempt_carry(fixture.store, &carried, from, NULL));
	g_assert_true(store_attempt_carry(fixture.store, &carried, from, NULL)); /* idempotent */
	g_autoptr(GArray) results = results_of(&fixture, "version=5.6.0");
	g_assert_cmpuint(results->len, ==, 1); /* the elapsed time of the region is no exact result */
	g_assert_cmpfloat(result_at(results, 0)->figure.median, ==, 123456);
	g_assert_true(result_at(results, 0)->carried);
	g_assert_true(
		store_describe(fixture.store, &shown, STORE_ATTEMPT, result_at(results, 0)->attempt, NULL));
	g_assert_true(g_ptr_array_find_with_equal_func(shown->keys, "carried from", g_str_equal, NULL));
	/* Nothing ran, so nothing is said of how long it took. */
	g_assert_false(g_ptr_array_find_with_equal_func(shown->keys, "took", g_str_equal, NULL));
	store_description_free(shown);
	g_assert_cmpint(result_at(results, 0)->metric, ==, METRIC_INSTRUCTIONS);
	g_assert_cmpint(result_at(results, 0)->started_at, ==, 20);
	g_autoptr(GArray) old = results_of(&fixture, "version=5.5.4,kind=exact");
	g_assert_false(result_at(old, 0)->carried);
	/* What is found is the one that was measured, never a carried one. */
	g_assert_true(store_exact_find(fixture.store, &found, "e1", NULL));
	g_assert_cmpint(found, ==, from);
	g_assert_cmpint(number(&fixture, "SELECT count(*) FROM outcome"), ==, 2);
	g_assert_cmpint(number(&fixture, "SELECT count(*) FROM result WHERE version = '5.6.0' AND carried = 1"
					 " AND value = 123456 AND per = 'operation' AND kind = 'exact'"),
		==, 1);
	g_assert_cmpint(number(&fixture, "SELECT count(DISTINCT out_raw_id) FROM attempt"), ==, 1);

	struct attempt_row wrong = attempt_row(later, "wrong", 30);
	wrong.exact_key = "e2";
	wrong.number = 2;
	g_assert_false(store_attempt_carry(fixture.store, &wrong, from, &err));
	g_assert_error(err, DIAG_ERROR, DIAG_FAILED);
	g_assert_cmpint(number(&fixture, "SELECT count(*) FROM attempt"), ==, 2);
	fixture_close(&fixture);
}

/* Takes the stream in as a measured attempt of its own key. */
static void take_in_exact(
	struct fixture *fixture, int64_t cell, int number, const char *key, const char *stream)
{
	struct attempt_row row = attempt_row(cell, key, 10);

	row.number = number;
	row.exact_key = key;
	take_in(fixture, row, ENVIRONMENT_EMULATOR, stream);
}

#define HEADER	  "{\"r\":\"header\",\"wire\":1,\"mode\":\"count\",\"invocation\":0}\n"
#define BENCHMARK "{\"r\":\"benchmark\",\"name\":\"rsa-2048 private\",\"state\":\"%s\",\"reason\":\"r\"}\n"

static void what_failed_or_could_not_be_read_is_measured_again(void)
{
	static const struct {
		const char *state, *line;
		bool found;
	} cases[] = {
		{"ok", "", true},
		{"unavailable", "", true},
		{"skipped", "", true},
		{"flaky", "", false},
		{"wrong-answer", "", false},
		{"ok", "rubbish\n", false},
	};
	struct fixture fixture = {0};

	fixture_open(&fixture);
	begin_run(&fixture, NULL);
	int64_t cell = put_cell(&fixture, "c", put_build(&fixture, build_row("5.5.4", "sp")),
		put_platform(&fixture, "qemu", ENVIRONMENT_EMULATOR));
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *key = g_strdup_printf("key %zu", i);
		g_autofree char *stream = g_strdup_printf(
			HEADER BENCHMARK "%s{\"r\":\"end\",\"records\":2}\n", cases[i].state, cases[i].line);
		struct attempt_row carried = attempt_row(cell, "carried", 20);
		g_autoptr(GError) err = NULL;
		int64_t found, from = number(&fixture, "SELECT coalesce(max(id), 0) + 1 FROM attempt");

		take_in_exact(&fixture, cell, (int)i + 1, key, stream);
		g_test_message("%s %s", cases[i].state, cases[i].line);
		g_assert_true(store_exact_find(fixture.store, &found, key, NULL));
		g_assert_cmpint(found, ==, cases[i].found ? from : 0);
		if (cases[i].found)
			continue;
		carried.exact_key = key;
		carried.number = 99;
		g_assert_false(store_attempt_carry(fixture.store, &carried, from, &err));
		g_assert_error(err, DIAG_ERROR, DIAG_FAILED);
	}
	fixture_close(&fixture);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/store/exact_results_are_carried_and_marked", exact_results_are_carried_and_marked);
	g_test_add_func("/store/what_failed_or_could_not_be_read_is_measured_again",
		what_failed_or_could_not_be_read_is_measured_again);
	return g_test_run();
}
