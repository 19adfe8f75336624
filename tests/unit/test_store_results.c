#include "store_fixture.h"

#include "diag.h"
#include "store_private.h"

#include <stdlib.h>

static void assert_usage(bool ok, GError **err, const char *message)
{
	g_assert_false(ok);
	g_assert_error(*err, DIAG_ERROR, DIAG_USAGE);
	if (!strstr((*err)->message, message))
		g_error("\"%s\" does not say \"%s\"", (*err)->message, message);
	g_clear_error(err);
}

static void assert_medians(struct fixture *fixture, const char *selector, guint n, const double *medians)
{
	g_autoptr(GArray) results = results_of(fixture, selector);

	g_assert_cmpuint(results->len, ==, n);
	for (guint i = 0; i < n; i++)
		g_assert_cmpfloat_with_epsilon(result_at(results, i)->figure.median, medians[i], 1e-15);
}

/* --- picking --- */

static void without_a_run_the_latest_of_each_series_is_taken(void)
{
	struct fixture fixture = {0};

	fixture_open(&fixture);
	take_in_run(&fixture, NULL, "sp", 300, 1000);
	take_in_run(&fixture, NULL, "sp", 200, 2000);	  /* taken in later, measured earlier */
	take_in_run(&fixture, NULL, "armasm", 100, 3000); /* the only one of its series */
	assert_medians(&fixture, "", 2, (const double[]){3e-6, 1e-6});
	take_in_run(&fixture, NULL, "sp", 300, 4000); /* at the same instant: the later row */
	assert_medians(&fixture, "config=sp", 1, (const double[]){4e-6});
	assert_medians(&fixture, "config=fastmath", 0, NULL);
	fixture_close(&fixture);
}

/* A later attempt that failed leaves the earlier good figure the latest one. */
static void what_failed_is_never_the_latest(void)
{
	static const char *const states[] = {"wrong-answer", "crashed", "timeout", "unavailable", "skipped"};
	struct fixture fixture = {0};

	fixture_open(&fixture);
	take_in_run(&fixture, NULL, "sp", 1, 1000);
	for (guint i = 0; i < G_N_ELEMENTS(states); i++) {
		g_autofree char *uuid = g_uuid_string_random(), *good = rsa_stream(9);
		g_autoptr(GString) stream = g_string_new(good);

		g_string_replace(stream, "\"ok\"", "\"@\",\"reason\":\"r\"", 0);
		g_string_replace(stream, "@", states[i], 0);
		begin_run(&fixture, NULL);
		struct attempt_row row =
			attempt_row(put_cell(&fixture, "c", put_build(&fixture, build_row("5.5.4", "sp")),
					    put_platform(&fixture, "rock5", ENVIRONMENT_HARDWARE)),
				uuid, 2 + i);
		take_in(&fixture, row, ENVIRONMENT_HARDWARE, stream->str);
	}
	assert_medians(&fixture, "", 1, (const double[]){1e-6});
	g_autoptr(GArray) of_run = results_of(&fixture, "run=latest");
	g_assert_cmpuint(of_run->len, ==, 0);
	fixture_close(&fixture);
}

static void origins_are_kept_apart(void)
{
	struct fixture fixture = {0};
	g_autofree char *hardware = rsa_stream(1000), *emulated = rsa_stream(9000);

	fixture_open(&fixture);
	begin_run(&fixture, NULL);
	int64_t build = put_build(&fixture, build_row("5.5.4", "sp"));
	int64_t cell = put_cell(&fixture, "c", build, put_platform(&fixture, "any", ENVIRONMENT_UNKNOWN));
	struct attempt_row second = attempt_row(cell, "b", 2);
	second.number = 2;
	take_in(&fixture, attempt_row(cell, "a", 1), ENVIRONMENT_HARDWARE, hardware);
	take_in(&fixture, second, ENVIRONMENT_EMULATOR, emulated);
	assert_medians(&fixture, "", 2, (const double[]){1e-6, 9e-6});
	assert_medians(&fixture, "environment=hardware", 1, (const double[]){1e-6});
	assert_medians(&fixture, "environment=emulator,kind=sampled,source=own", 1, (const double[]){9e-6});
	assert_medians(&fixture, "kind=exact", 0, NULL);
	fixture_close(&fixture);
}

static void the_build_picks_among_the_history(void)
{
	struct fixture fixture = {0};
	g_autofree char *old = rsa_stream(1000), *new = rsa_stream(2000);
	struct build_row at_old = build_row("git:master", "sp"), at_new = at_old;

	fixture_open(&fixture);
	at_old.revision = "aaa1";
	at_new.revision = "bbb2";
	at_new.key_program = "33cc";
	begin_run(&fixture, NULL);
	int64_t platform = put_platform(&fixture, "rock5", ENVIRONMENT_HARDWARE);
	take_in(&fixture, attempt_row(put_cell(&fixture, "a", put_build(&fixture, at_old), platform), "a", 1),
		ENVIRONMENT_HARDWARE, old);
	take_in(&fixture, attempt_row(put_cell(&fixture, "b", put_build(&fixture, at_new), platform), "b", 2),
		ENVIRONMENT_HARDWARE, new);
	assert_medians(&fixture, "", 1, (const double[]){2e-6});
	assert_medians(&fixture, "revision=aaa*", 1, (const double[]){1e-6});
	assert_medians(&fixture, "arch=aarch64", 1, (const double[]){2e-6});
	assert_medians(&fixture, "arch=x86_64", 0, NULL);
	fixture_close(&fixture);
}

static void a_run_is_found_by_every_name(void)
{
	struct fixture fixture = {0};
	g_autoptr(GPtrArray) runs = NULL;
	g_autoptr(GError) err = NULL;
	int64_t id;

	fixture_open(&fixture);
	assert_usage(store_run_find(fixture.store, &id, "latest", &err), &err,
		"the database has 0 runs (imports are not counted");
	take_in_run(&fixture, "base", "sp", 1, 1000);
	int64_t first = fixture.run;
	take_in_run(&fixture, "twice", "sp", 2, 2000);
	take_in_run(&fixture, "twice", "sp", 3, 3000);
	assert_medians(&fixture, "run=latest", 1, (const double[]){3e-6});
	assert_medians(&fixture, "run=latest~1", 1, (const double[]){2e-6});
	assert_medians(&fixture, "run=base", 1, (const double[]){1e-6});
	assert_medians(&fixture, "run=b*e,config=sp", 1, (const double[]){1e-6});
	assert_medians(&fixture, "run=base,config=armasm", 0, NULL);
	g_assert_true(store_runs(fixture.store, &runs, NULL));
	g_autofree char *prefix = g_strndup(((const struct run_info *)runs->pdata[2])->uuid, 13);
	g_assert_true(store_run_find(fixture.store, &id, prefix, NULL));
	g_assert_cmpint(id, ==, first);
	g_autofree char *upper = g_ascii_strup(prefix, -1);
	g_assert_true(store_run_find(fixture.store, &id, upper, NULL));
	assert_usage(store_run_find(fixture.store, &id, "latest~3", &err), &err, "the database has 3 runs");
	assert_usage(store_run_find(fixture.store, &id, "latest~x", &err), &err, "no run has this label");
	assert_usage(store_run_find(fixture.store, &id, "nothing", &err), &err, "no run has this label");
	assert_usage(store_run_find(fixture.store, &id, "twice", &err), &err, "2 runs are meant");
	assert_usage(store_run_find(fixture.store, &id, "", &err), &err, "without a name");
	fixture_close(&fixture);
}

static void a_beginning_that_two_runs_share_is_refused(void)
{
	struct fixture fixture = {0};
	g_autoptr(GError) err = NULL;
	int64_t id;

	fixture_open(&fixture);
	begin_run(&fixture, NULL);
	begin_run(&fixture, NULL);
	g_assert_true(sql_script(fixture.store->sql,
		"UPDATE run SET uuid = '12345678-0000-4000-8000-00000000000' || id", NULL));
	assert_usage(store_run_find(fixture.store, &id, "12345678", &err), &err,
		"name one by its UUID: 12345678-0000-4000-8000-000000000002");
	g_assert_true(store_run_find(fixture.store, &id, "12345678-0000-4000-8000-000000000001", NULL));
	g_assert_cmpint(id, ==, 1);
	fixture_close(&fixture);
}

static void results_come_in_the_order_of_the_lists(void)
{
	static const char stream[] =
		"{\"r\":\"header\",\"wire\":1,\"mode\":\"time\",\"invocation\":0}\n"
		"{\"r\":\"samples\",\"name\":\"rsa-2048 "
		"public\",\"metric\":\"time\",\"iterations\":1,\"values\":[5]}\n"
		"{\"r\":\"benchmark\",\"name\":\"rsa-2048 public\",\"state\":\"ok\"}\n"
		"{\"r\":\"samples\",\"name\":\"sha-256 "
		"hash\",\"block\":1024,\"metric\":\"cycles\",\"iterations\":1,\"values\":[5]}\n"
		"{\"r\":\"samples\",\"name\":\"sha-256 "
		"hash\",\"block\":1024,\"metric\":\"time\",\"iterations\":1,\"values\":[5]}\n"
		"{\"r\":\"benchmark\",\"name\":\"sha-256 hash\",\"block\":1024,\"state\":\"ok\"}\n"
		"{\"r\":\"samples\",\"name\":\"sha-256 "
		"hash\",\"block\":64,\"metric\":\"time\",\"iterations\":1,\"values\":[5]}\n"
		"{\"r\":\"benchmark\",\"name\":\"sha-256 hash\",\"block\":64,\"state\":\"ok\"}\n"
		"{\"r\":\"end\",\"records\":8}\n";
	struct fixture fixture = {0};
	GString *order = g_string_new(NULL);

	fixture_open(&fixture);
	begin_run(&fixture, NULL);
	int64_t build = put_build(&fixture, build_row("5.5.4", "sp"));
	int64_t newer = put_build(&fixture, build_row("5.10.0", "sp"));
	take_in(&fixture, attempt_row(put_cell(&fixture, "b", newer, 0), "b", 1), ENVIRONMENT_HARDWARE,
		stream);
	take_in(&fixture, attempt_row(put_cell(&fixture, "a", build, 0), "a", 1), ENVIRONMENT_HARDWARE,
		stream);
	g_autoptr(GArray) results = results_of(&fixture, "");
	for (guint i = 0; i < results->len; i++) {
		const char *const *labels = result_at(results, i)->what.labels.v;
		g_string_append_printf(order, "%s %s %s %s\n", labels[LABEL_VERSION], labels[LABEL_BENCHMARK],
			labels[LABEL_BLOCK] ? labels[LABEL_BLOCK] : "-", labels[LABEL_METRIC]);
	}
	g_assert_cmpstr(order->str, ==,
		"5.5.4 sha-256 hash 64 time\n5.5.4 sha-256 hash 1024 time\n5.5.4 sha-256 hash 1024 cycles\n"
		"5.5.4 rsa-2048 public - time\n"
		"5.10.0 sha-256 hash 64 time\n5.10.0 sha-256 hash 1024 time\n5.10.0 sha-256 hash 1024 "
		"cycles\n"
		"5.10.0 rsa-2048 public - time\n");
	g_string_free(order, TRUE);
	fixture_close(&fixture);
}

static void doubts_come_with_the_result(void)
{
	static const char *const notes[] = {"busy: load 3.1 before, 2.9 after", NULL};
	struct fixture fixture = {0};
	g_autoptr(GHashTable) facts = g_hash_table_new(g_str_hash, g_str_equal);
	g_autofree char *stream = rsa_stream(1000);
	int64_t platform, again;

	fixture_open(&fixture);
	g_hash_table_insert(facts, (gpointer) "governor", (gpointer) "powersave");
	g_hash_table_insert(facts, (gpointer) "emulator", (gpointer) "qemu 7.2");
	g_assert_true(
		store_platform_put(fixture.store, &platform, "rock5", ENVIRONMENT_HARDWARE, facts, NULL));
	begin_run(&fixture, "noisy");
	struct attempt_row row = attempt_row(
		put_cell(&fixture, "c", put_build(&fixture, build_row("1", "sp")), platform), "u", 1);
	row.notes = notes;
	take_in(&fixture, row, ENVIRONMENT_HARDWARE, stream);
	/* What the platform says later is not said of what was measured before. */
	g_hash_table_insert(facts, (gpointer) "governor", (gpointer) "performance");
	g_hash_table_insert(facts, (gpointer) "emulator", (gpointer) "qemu 8.0");
	g_assert_true(store_platform_put(fixture.store, &again, "rock5", ENVIRONMENT_HARDWARE, facts, NULL));
	g_assert_cmpint(again, ==, platform);
	g_autoptr(GArray) results = results_of(&fixture, "");
	const struct result *result = result_at(results, 0);
	g_assert_cmpstr(result->notes[0], ==, notes[0]);
	g_assert_null(result->notes[1]);
	g_assert_cmpstr(result->environment_note, ==, "rock5: frequency governor powersave");
	g_assert_cmpstr(result->emulator, ==, "qemu 7.2");
	g_assert_cmpstr(result->run_label, ==, "noisy");

	begin_run(&fixture, "later");
	take_in(&fixture,
		attempt_row(
			put_cell(&fixture, "c", put_build(&fixture, build_row("1", "sp")), platform), "v", 2),
		ENVIRONMENT_HARDWARE, stream);
	g_autoptr(GArray) later = results_of(&fixture, "");
	g_assert_null(result_at(later, 0)->environment_note);
	g_assert_cmpstr(result_at(later, 0)->emulator, ==, "qemu 8.0");
	fixture_close(&fixture);
}

/* Looks at no more than the history of what is asked for: see the plan that SQLite makes. */
static void a_small_selection_reads_no_whole_table(void)
{
	struct fixture fixture = {0};
	struct sql_query query;

	fixture_open(&fixture);
	g_assert_true(sql_query(&query, fixture.store->sql,
		"EXPLAIN QUERY PLAN SELECT id, id >> 20, source, environment, kind FROM measurement"
		" WHERE series_id = 5",
		NULL, NULL));
	g_assert_true(sql_next(&query));
	g_assert_cmpstr(sql_text(&query, 3), ==,
		"SEARCH measurement USING COVERING INDEX measurement_by_series (ANY(<expr>) AND "
		"series_id=?)");
	g_assert_true(sql_done(&query, NULL));
	fixture_close(&fixture);
}

/* --- runs, cells, failures --- */

/* Four cells: a good one, one with a failed build, one that crashed in RSA after AES, one that was not tried
 * yet. */
static void fill_mixed_run(struct fixture *fixture)
{
	static const char crashing[] =
		"{\"r\":\"header\",\"wire\":1,\"mode\":\"time\",\"invocation\":0}\n"
		"{\"r\":\"benchmark\",\"name\":\"aes-128-cbc encrypt\",\"block\":64,\"state\":\"ok\"}\n"
		"{\"r\":\"benchmark\",\"name\":\"rsa-2048 "
		"public\",\"state\":\"wrong-answer\",\"reason\":\"not the text\"}\n"
		"{\"r\":\"start\",\"name\":\"rsa-2048 private\"}\n";
	g_autofree char *good = rsa_stream(1000);
	struct build_row failed = build_row("5.5.4", "armasm");

	failed.state = BUILD_COMPILE_FAILED;
	failed.key_program = NULL;
	failed.reason = "aes.c:5: error";
	begin_run(fixture, "mixed");
	int64_t build = put_build(fixture, build_row("5.5.4", "sp"));
	int64_t platform = put_platform(fixture, "rock5", ENVIRONMENT_HARDWARE);
	take_in(fixture, attempt_row(put_cell(fixture, "good", build, platform), "g", 1),
		ENVIRONMENT_HARDWARE, good);
	put_cell(fixture, "unbuilt", put_build(fixture, failed), 0);
	struct attempt_row crash = attempt_row(put_cell(fixture, "crashing", build, platform), "c", 2);
	crash.state = ATTEMPT_CRASHED;
	crash.reason = "signal 7 (SIGBUS) in rsa-2048 private";
	take_in(fixture, crash, ENVIRONMENT_HARDWARE, crashing);
	put_cell(fixture, "waiting", build, platform);
}

static void cells_have_the_state_that_follows(void)
{
	struct fixture fixture = {0};
	g_autoptr(GPtrArray) cells = NULL, runs = NULL, failures = NULL;
	static const char *const states[] = {"ok", "failed", "partial", "pending"};

	fixture_open(&fixture);
	fill_mixed_run(&fixture);
	g_assert_true(store_cells(fixture.store, &cells, fixture.run, NULL));
	g_assert_cmpuint(cells->len, ==, 4);
	for (guint i = 0; i < 4; i++)
		g_assert_cmpstr(((const struct cell_info *)cells->pdata[i])->state, ==, states[i]);
	const struct cell_info *unbuilt = cells->pdata[1], *crashing = cells->pdata[2];
	g_assert_cmpstr(unbuilt->build_state, ==, "compile-failed");
	g_assert_cmpstr(unbuilt->reason, ==, "aes.c:5: error");
	g_assert_cmpint(unbuilt->attempt, ==, 0);
	g_assert_null(unbuilt->attempt_state);
	g_assert_cmpstr(crashing->reason, ==, "signal 7 (SIGBUS) in rsa-2048 private");
	g_assert_cmpint(crashing->outcomes_ok, ==, 1);
	g_assert_cmpint(crashing->outcomes_failed, ==, 1);

	g_assert_true(store_run_end(fixture.store, fixture.run, 1, NULL));
	g_assert_true(store_runs(fixture.store, &runs, NULL));
	const struct run_info *run = runs->pdata[0];
	g_assert_cmpint(run->cells, ==, 4);
	/* What has not been measured is not ok. */
	g_assert_cmpint(run->ok, ==, 1);
	g_assert_cmpint(run->failed, ==, 1);
	g_assert_cmpint(run->partial, ==, 1);
	g_assert_cmpint(run->status, ==, 1);
	g_assert_cmpint(run->ended_at, >=, run->started_at);

	g_assert_true(store_failures(fixture.store, &failures, fixture.run, NULL));
	g_assert_cmpuint(failures->len, ==, 2);
	const struct failure_info *first = failures->pdata[0], *second = failures->pdata[1];
	g_assert_cmpstr(first->cell, ==, "unbuilt");
	g_assert_cmpstr(first->what, ==, "compile-failed");
	g_assert_cmpstr(second->cell, ==, "crashing");
	g_assert_cmpstr(second->benchmark, ==, "rsa-2048 public");
	g_assert_cmpstr(second->what, ==, "wrong-answer");
	g_assert_cmpstr(second->reason, ==, "not the text");
	fixture_close(&fixture);
}

static void a_run_that_goes_on_has_no_status(void)
{
	struct fixture fixture = {0};
	g_autoptr(GPtrArray) runs = NULL;

	fixture_open(&fixture);
	begin_run(&fixture, NULL);
	g_assert_true(store_runs(fixture.store, &runs, NULL));
	g_assert_cmpint(((const struct run_info *)runs->pdata[0])->status, ==, -1);
	g_assert_cmpint(((const struct run_info *)runs->pdata[0])->ended_at, ==, 0);
	fixture_close(&fixture);
}

/* --- show --- */

static const char *value_of(const struct store_description *description, const char *key)
{
	for (guint i = 0; i < description->keys->len; i++)
		if (strcmp(description->keys->pdata[i], key) == 0)
			return description->values->pdata[i];
	return NULL;
}

static void describes_every_kind_of_thing(void)
{
	struct fixture fixture = {0};
	struct store_description *description;
	g_autoptr(GError) err = NULL;

	fixture_open(&fixture);
	fill_mixed_run(&fixture);
	g_assert_true(store_describe(fixture.store, &description, STORE_RUN, fixture.run, &err));
	g_assert_cmpstr(value_of(description, "label"), ==, "mixed");
	g_assert_cmpstr(value_of(description, "cells partial"), ==, "1");
	store_description_free(description);
	g_assert_true(store_describe(fixture.store, &description, STORE_BUILD, 1, &err));
	g_assert_cmpstr(value_of(description, "config"), ==, "sp");
	g_assert_cmpstr(value_of(description, "time to build"), ==, "12.5 s");
	g_assert_null(value_of(description, "reason"));
	g_assert_cmpstr(description->text, ==, "configure: ok\n");
	store_description_free(description);
	g_assert_true(store_describe(fixture.store, &description, STORE_ATTEMPT, 2, &err));
	g_assert_cmpstr(value_of(description, "rsa-2048 public"), ==, "wrong-answer: not the text");
	g_assert_nonnull(description->text);
	g_assert_null(description->errors);
	store_description_free(description);
	g_assert_true(store_describe(fixture.store, &description, STORE_PLATFORM, 1, &err));
	g_assert_cmpstr(value_of(description, "platform"), ==, "rock5");
	store_description_free(description);
	/* A cell whose build failed shows the build's log. */
	g_assert_true(store_describe(fixture.store, &description, STORE_CELL, 2, &err));
	g_assert_cmpstr(value_of(description, "state"), ==, "failed");
	g_assert_cmpstr(description->text, ==, "configure: ok\n");
	/* Nothing ran, which is not the same as 0 seconds. */
	g_assert_null(value_of(description, "took"));
	store_description_free(description);
	assert_usage(store_describe(fixture.store, &description, STORE_BUILD, 99, &err), &err,
		"there is no build 99");
	fixture_close(&fixture);
}

static void assert_found(struct fixture *fixture, enum store_thing thing, const char *pattern, guint n)
{
	g_autoptr(GArray) ids = NULL;

	g_assert_true(store_find(fixture->store, &ids, thing, pattern, NULL));
	if (ids->len != n)
		g_error("%s: %u instead of %u", pattern, ids->len, n);
}

static void finds_things_by_their_names(void)
{
	struct fixture fixture = {0};

	fixture_open(&fixture);
	fill_mixed_run(&fixture);
	assert_found(&fixture, STORE_CELL, "*", 4);
	assert_found(&fixture, STORE_CELL, "c*", 1);
	assert_found(&fixture, STORE_PLATFORM, "rock?", 1);
	assert_found(&fixture, STORE_BUILD, "aarch64-gcc wolfssl-5.5.4 sp crypto O2", 1);
	assert_found(&fixture, STORE_BUILD, "*wolfssl*", 2);
	assert_found(&fixture, STORE_BUILD, "22bb", 1);
	assert_found(&fixture, STORE_BUILD, "22b", 0);
	assert_found(&fixture, STORE_BUILD, "11a*", 2);
	assert_found(&fixture, STORE_RUN, "mixed", 1);
	fixture_close(&fixture);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/store_results/without_a_run_the_latest_of_each_series_is_taken",
		without_a_run_the_latest_of_each_series_is_taken);
	g_test_add_func("/store_results/what_failed_is_never_the_latest", what_failed_is_never_the_latest);
	g_test_add_func("/store_results/origins_are_kept_apart", origins_are_kept_apart);
	g_test_add_func(
		"/store_results/the_build_picks_among_the_history", the_build_picks_among_the_history);
	g_test_add_func("/store_results/a_run_is_found_by_every_name", a_run_is_found_by_every_name);
	g_test_add_func("/store_results/a_beginning_that_two_runs_share_is_refused",
		a_beginning_that_two_runs_share_is_refused);
	g_test_add_func("/store_results/results_come_in_the_order_of_the_lists",
		results_come_in_the_order_of_the_lists);
	g_test_add_func("/store_results/doubts_come_with_the_result", doubts_come_with_the_result);
	g_test_add_func("/store_results/a_small_selection_reads_no_whole_table",
		a_small_selection_reads_no_whole_table);
	g_test_add_func(
		"/store_results/cells_have_the_state_that_follows", cells_have_the_state_that_follows);
	g_test_add_func("/store_results/a_run_that_goes_on_has_no_status", a_run_that_goes_on_has_no_status);
	g_test_add_func("/store_results/describes_every_kind_of_thing", describes_every_kind_of_thing);
	g_test_add_func("/store_results/finds_things_by_their_names", finds_things_by_their_names);
	return g_test_run();
}
