#include "core_harness.h"

#include <signal.h>

/* "null operation,sha-256 hash 16,...": what was begun, in order. */
static char *begun(const struct run *run)
{
	GString *items = g_string_new(NULL);

	for (guint i = 0; i < run->records->len; i++) {
		json_t *record = run->records->pdata[i];
		if (strcmp(text(record, "r"), "start") != 0)
			continue;
		g_string_append_printf(items, "%s%s", items->len > 0 ? "," : "", text(record, "name"));
		if (json_object_get(record, "block") != NULL)
			g_string_append_printf(
				items, " %d", (int)json_integer_value(json_object_get(record, "block")));
	}
	return g_string_free(items, FALSE);
}

/* The order is the null operation, then that of the adapter, each bulk benchmark with the blocks as given. */
static void goes_on_from_an_item_and_leaves_others_out(void)
{
	static const struct {
		const char *arguments, *items;
	} cases[] = {
		{"", "null operation,sha-256 hash 64,sha-256 hash 16,ecdh-p256 agree,ecdsa-p256 sign"},
		{"|--from|null operation",
			"null operation,sha-256 hash 64,sha-256 hash 16,ecdh-p256 agree,ecdsa-p256 sign"},
		{"|--from|sha-256 hash 16", "sha-256 hash 16,ecdh-p256 agree,ecdsa-p256 sign"},
		{"|--from|ecdsa-p256 sign", "ecdsa-p256 sign"},
		{"|--skip|null operation", "sha-256 hash 64,sha-256 hash 16,ecdh-p256 agree,ecdsa-p256 sign"},
		{"|--skip|ecdsa-p256 sign,sha-256 hash 64,null operation", "sha-256 hash 16,ecdh-p256 agree"},
		{"|--from|sha-256 hash 16|--skip|sha-256 hash 16", "ecdh-p256 agree,ecdsa-p256 sign"},
		{"|--from|ecdh-p256 agree|--skip|sha-256 hash 16,ecdh-p256 agree", "ecdsa-p256 sign"},
		{"|--from|ecdsa-p256 sign|--skip|ecdsa-p256 sign", ""},
	};

	for (size_t i = 0; i < 2 * G_N_ELEMENTS(cases); i++) {
		g_autofree char *line = g_strconcat(i % 2 ? "--count" : "--time|--budget-ms|1",
			"|--block|64,16|--benchmarks|null*,sha*,ecd*", cases[i / 2].arguments, NULL);
		AUTO_RUN run = run_fake("", line);
		g_autofree char *items = begun(&run);
		assert_whole_stream(&run);
		g_assert_cmpstr(items, ==, cases[i / 2].items);
	}
}

static void does_one_item_and_names_the_next(void)
{
	static const char *const chain[] = {
		"null operation", "sha-256 hash 64", "sha-256 hash 16", "ecdsa-p256 sign", ""};

	for (size_t i = 0; i < 2 * (G_N_ELEMENTS(chain) - 1); i++) {
		g_autofree char *line = g_strconcat(i % 2 ? "--count" : "--time|--budget-ms|1",
			"|--one|--block|64,16|--benchmarks|null*,sha*,ecdsa*|--from|", chain[i / 2], NULL);
		AUTO_RUN run = run_fake("", line);
		g_autofree char *items = begun(&run);
		assert_whole_stream(&run);
		g_assert_cmpstr(items, ==, chain[i / 2]);
		g_assert_cmpstr(text(find(&run, "end", NULL, 0), "next"), ==, chain[i / 2 + 1]);
	}
}

static void refuses_an_item_that_would_not_run(void)
{
	static const struct {
		const char *arguments, *says;
	} cases[] = {
		{"--from|sha-256 hash", "--from sha-256 hash: not among what would run"},
		{"--from|sha-256 hash 64", "--from sha-256 hash 64: "},
		{"--from|sha-256", "--from sha-256: "},
		{"--from|sha-256 hash 16 ", "--from sha-256 hash 16 : "},
		{"--from|ecdh-p256 agree 16", "--from ecdh-p256 agree 16: "},
		{"--from|rsa-2048 private", "--from rsa-2048 private: "},
		{"--from|", "--from : "},
		{"--skip|sha-256 hash 16,rsa-2048 private", "--skip rsa-2048 private: "},
		{"--skip|sha-256 hash 16,", "--skip : "},
		{"--skip|*", "--skip *: "},
		{"--from", "--from: its value is missing"},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *line = g_strconcat(
			"--count|--block|16|--benchmarks|null*,sha*,ecd*|", cases[i].arguments, NULL);
		AUTO_RUN run = run_fake("", line);
		g_assert_true(WIFEXITED(run.status));
		g_assert_cmpint(WEXITSTATUS(run.status), ==, 2);
		g_assert_cmpuint(run.records->len, ==, 0);
		if (strstr(run.errors, cases[i].says) == NULL)
			g_error("\"%s\" does not say \"%s\"", run.errors, cases[i].says);
	}
}

static void leaves_out_what_is_slow_unless_it_is_named(void)
{
	static const struct {
		const char *arguments, *items;
	} cases[] = {
		{"--benchmarks|ecdsa*,rsa-3*", "ecdsa-p256 sign"},
		{"--benchmarks|ecdsa*,rsa-3*|--slow",
			"ecdsa-p256 sign,rsa-3072 keygen,rsa-3072 keygen-fixed"},
		{"--benchmarks|ecdsa*,rsa-3072 keygen", "ecdsa-p256 sign,rsa-3072 keygen"},
		{"--benchmarks|rsa-3072 keygen", "rsa-3072 keygen"},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *line = g_strconcat("--count|", cases[i].arguments, NULL);
		AUTO_RUN run = run_fake("", line);
		g_autofree char *items = begun(&run);
		assert_whole_stream(&run);
		g_assert_cmpstr(items, ==, cases[i].items);
	}
	AUTO_RUN nothing = run_fake("", "--count|--benchmarks|rsa-3*");
	g_assert_cmpint(WEXITSTATUS(nothing.status), ==, 2);
}

/* The fake's AES leaves something behind that makes its SHA-256 go wrong. */
static void what_ran_before_does_not_reach_a_count(void)
{
	AUTO_RUN apart = run_fake("spoils", "--count");
	AUTO_RUN in_process = run_fake("spoils", "--count|--in-process");
	AUTO_RUN timed = run_fake("spoils", "--time|--budget-ms|1");

	assert_whole_stream(&apart);
	assert_whole_stream(&in_process);
	assert_outcome(&apart, "sha-256 hash", "ok", "");
	assert_outcome(&in_process, "sha-256 hash", "wrong-answer", "");
	assert_outcome(&timed, "sha-256 hash", "wrong-answer", "");
}

/* One benchmark takes one region at most. */
static void regions_of_one_process_have_numbers_of_their_own(void)
{
	AUTO_RUN run = run_fake("", "--count|--block|16,64,256");
	g_autoptr(GHashTable) seen = g_hash_table_new(g_direct_hash, g_direct_equal);
	json_t *region;

	for (guint i = 0; (region = find(&run, "region", NULL, i)) != NULL; i++) {
		json_int_t number = json_integer_value(json_object_get(region, "region"));
		g_assert_cmpint(number, >=, 1);
		g_assert_cmpint(number, <=, WIRE_REGION_MAX);
		g_assert_true(g_hash_table_add(seen, GINT_TO_POINTER((int)number)));
	}
	/* Null operation, three of SHA-256, RSA, agreement and signature. */
	g_assert_cmpuint(g_hash_table_size(seen), ==, 7);
}

static void dies_of_the_signal_that_a_benchmark_died_of(void)
{
	static const struct {
		const char *behaviour, *mode;
		int number;
	} cases[] = {
		{"crash", "--count", SIGSEGV},
		{"bus", "--count", SIGBUS},
		{"kill", "--count", SIGKILL},
		{"bus", "--count|--in-process", SIGBUS},
		{"bus", "--time|--budget-ms|1", SIGBUS},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		AUTO_RUN run = run_fake(cases[i].behaviour, cases[i].mode);
		json_t *last = run.records->pdata[run.records->len - 1];
		g_assert_true(WIFSIGNALED(run.status));
		g_assert_cmpint(WTERMSIG(run.status), ==, cases[i].number);
		g_assert_cmpstr(text(last, "r"), ==, "start");
		g_assert_cmpstr(text(last, "name"), ==, "ecdh-p256 agree");
		assert_outcome(&run, "sha-256 hash", "ok", "");
		/* Each line once: what was buffered before is not written again by a child. */
		g_assert_null(find(&run, "header", NULL, 1));
		g_assert_null(find(&run, "benchmark", "sha-256 hash", 1));
	}
}

static void goes_on_behind_what_has_crashed(void)
{
	AUTO_RUN run = run_fake("bus", "--count|--from|ecdh-p256 agree|--skip|ecdh-p256 agree");

	assert_whole_stream(&run);
	assert_outcome(&run, "ecdsa-p256 sign", "ok", "");
	/* Header, start, region, stack, outcome, end. */
	g_assert_cmpuint(run.records->len, ==, 6);
}

/* A library that ends the program, be it with success. */
static void is_not_done_when_a_benchmark_ends_it(void)
{
	AUTO_RUN run = run_fake("exit", "--count");
	json_t *last = run.records->pdata[run.records->len - 1];

	g_assert_true(WIFEXITED(run.status));
	g_assert_cmpint(WEXITSTATUS(run.status), ==, 1);
	g_assert_cmpstr(text(last, "name"), ==, "ecdh-p256 agree");
	g_assert_null(find(&run, "end", NULL, 0));
	g_assert_nonnull(strstr(run.errors, "ended before its time"));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/core_items/goes_on_from_an_item_and_leaves_others_out",
		goes_on_from_an_item_and_leaves_others_out);
	g_test_add_func("/core_items/does_one_item_and_names_the_next", does_one_item_and_names_the_next);
	g_test_add_func("/core_items/refuses_an_item_that_would_not_run", refuses_an_item_that_would_not_run);
	g_test_add_func("/core_items/leaves_out_what_is_slow_unless_it_is_named",
		leaves_out_what_is_slow_unless_it_is_named);
	g_test_add_func(
		"/core_items/what_ran_before_does_not_reach_a_count", what_ran_before_does_not_reach_a_count);
	g_test_add_func("/core_items/regions_of_one_process_have_numbers_of_their_own",
		regions_of_one_process_have_numbers_of_their_own);
	g_test_add_func("/core_items/dies_of_the_signal_that_a_benchmark_died_of",
		dies_of_the_signal_that_a_benchmark_died_of);
	g_test_add_func("/core_items/goes_on_behind_what_has_crashed", goes_on_behind_what_has_crashed);
	g_test_add_func(
		"/core_items/is_not_done_when_a_benchmark_ends_it", is_not_done_when_a_benchmark_ends_it);
	return g_test_run();
}
