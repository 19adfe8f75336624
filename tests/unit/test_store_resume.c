#include "store_fixture.h"

#include "store_private.h"

#define PLAN "{\"cells\":[{\"name\":\"sp\"},{\"name\":\"fastmath\"}]}"

static char *text_of(struct fixture *fixture, const char *sql)
{
	struct sql_query query;
	g_autoptr(GError) err = NULL;
	GString *text = g_string_new(NULL);

	sql_query(&query, fixture->store->sql, sql, NULL, &err);
	g_assert_no_error(err);
	while (sql_next(&query))
		g_string_append_printf(text, "%s\n", sql_text(&query, 0) ? sql_text(&query, 0) : "-");
	g_assert_true(sql_done(&query, NULL));
	return g_string_free(text, FALSE);
}

static void check_text(struct fixture *fixture, const char *sql, const char *expected)
{
	g_autofree char *text = text_of(fixture, sql);

	g_assert_cmpstr(text, ==, expected);
}

/* A run whose plan has the cells sp and fastmath. */
static char *begin_planned(struct fixture *fixture)
{
	const struct run_row row = {
		.matrix = "quick", .matrix_text = "{\"a\":1}", .plan_text = PLAN, .program = "0.1.0"};
	g_autoptr(GError) err = NULL;
	char *uuid;

	store_run_begin(fixture->store, &fixture->run, &uuid, &row, &err);
	g_assert_no_error(err);
	return uuid;
}

static int64_t cell_in(struct fixture *fixture, const char *name, enum build_state state)
{
	struct build_row row = build_row("5.5.4", name);

	row.state = state;
	row.reason = state == BUILD_OK ? NULL : "a reason";
	return put_cell(
		fixture, name, put_build(fixture, row), put_platform(fixture, "rock5", ENVIRONMENT_HARDWARE));
}

static void measure(struct fixture *fixture, int64_t cell, enum attempt_state state)
{
	g_autofree char *uuid = g_uuid_string_random(), *stream = rsa_stream(1000);
	struct attempt_row row = attempt_row(cell, uuid, 1);

	row.number = 0;
	row.state = state;
	row.reason = state == ATTEMPT_OK ? NULL : "a reason";
	take_in(fixture, row, ENVIRONMENT_HARDWARE, stream);
}

/* The names, sorted, with a blank behind each. */
static void check_done(struct fixture *fixture, const char *expected)
{
	g_autoptr(GHashTable) done = NULL;
	g_autoptr(GError) err = NULL;
	GString *names = g_string_new(NULL);

	store_run_done(fixture->store, &done, fixture->run, &err);
	g_assert_no_error(err);
	g_autoptr(GList) list = g_list_sort(g_hash_table_get_keys(done), (GCompareFunc)strcmp);
	for (GList *at = list; at; at = at->next)
		g_string_append_printf(names, "%s ", (char *)at->data);
	g_assert_cmpstr(names->str, ==, expected);
	g_string_free(names, TRUE);
}

static void check_unfinished(struct fixture *fixture, const char *matrix, int64_t id, const char *uuid)
{
	g_autoptr(GError) err = NULL;
	g_autofree char *found = NULL;
	int64_t run = -1;

	store_run_unfinished(fixture->store, &run, &found, matrix, &err);
	g_assert_no_error(err);
	g_assert_cmpint(run, ==, id);
	g_assert_cmpstr(found, ==, uuid);
}

/* --- tests --- */

static void what_is_final_is_done(void)
{
	struct fixture fixture = {0};

	fixture_open(&fixture);
	g_autofree char *uuid = begin_planned(&fixture);
	cell_in(&fixture, "pending", BUILD_OK);
	measure(&fixture, cell_in(&fixture, "ok", BUILD_OK), ATTEMPT_OK);
	measure(&fixture, cell_in(&fixture, "crashed", BUILD_OK), ATTEMPT_CRASHED);
	measure(&fixture, cell_in(&fixture, "cancelled", BUILD_OK), ATTEMPT_CANCELLED);
	measure(&fixture, cell_in(&fixture, "vanished", BUILD_OK), ATTEMPT_INFRASTRUCTURE);
	cell_in(&fixture, "no-compiler", BUILD_UNSUPPORTED);
	cell_in(&fixture, "not-made", BUILD_CANCELLED);
	check_done(&fixture, "crashed no-compiler ok ");
	/* The last attempt is what holds. */
	int64_t again;
	g_assert_true(store_cell_by_name(fixture.store, &again, fixture.run, "cancelled", NULL));
	measure(&fixture, again, ATTEMPT_OK);
	check_done(&fixture, "cancelled crashed no-compiler ok ");
	check_text(&fixture,
		"SELECT a.number || a.state FROM attempt AS a JOIN cell AS c ON c.id = a.cell_id WHERE "
		"c.name = 'cancelled' ORDER BY a.number",
		"1cancelled\n2ok\n");
	fixture_close(&fixture);
}

static void a_run_is_unfinished_until_nothing_is_left(void)
{
	struct fixture fixture = {0};

	fixture_open(&fixture);
	check_unfinished(&fixture, "quick", 0, NULL);
	g_autofree char *uuid = begin_planned(&fixture);
	check_unfinished(&fixture, "nightly", 0, NULL);
	check_unfinished(&fixture, "quick", fixture.run, uuid); /* it has not ended */
	g_assert_true(store_run_end(fixture.store, fixture.run, 1, NULL));
	check_unfinished(&fixture, "quick", fixture.run, uuid); /* both cells are missing */
	measure(&fixture, cell_in(&fixture, "sp", BUILD_OK), ATTEMPT_OK);
	int64_t fastmath = cell_in(&fixture, "fastmath", BUILD_OK);
	check_unfinished(&fixture, "quick", fixture.run, uuid); /* one is not measured */
	measure(&fixture, fastmath, ATTEMPT_CANCELLED);
	check_unfinished(&fixture, "quick", fixture.run, uuid);
	measure(&fixture, fastmath, ATTEMPT_TIMEOUT);
	check_unfinished(&fixture, "quick", 0, uuid);
	fixture_close(&fixture);
}

static void only_the_latest_run_is_gone_on_with(void)
{
	struct fixture fixture = {0};

	fixture_open(&fixture);
	g_free(begin_planned(&fixture)); /* killed */
	g_autofree char *uuid = begin_planned(&fixture);
	measure(&fixture, cell_in(&fixture, "sp", BUILD_OK), ATTEMPT_OK);
	cell_in(&fixture, "fastmath", BUILD_COMPILE_FAILED);
	g_assert_true(store_run_end(fixture.store, fixture.run, 1, NULL));
	check_unfinished(&fixture, "quick", 0, uuid);
	fixture_close(&fixture);
}

static void a_run_gives_back_what_it_began_with(void)
{
	struct fixture fixture = {0};
	g_autofree char *matrix = NULL, *plan = NULL, *none = NULL;
	int64_t run, cell;

	fixture_open(&fixture);
	g_autofree char *uuid = begin_planned(&fixture);
	g_assert_true(store_run_texts(fixture.store, &matrix, &plan, fixture.run, NULL));
	g_assert_cmpstr(matrix, ==, "{\"a\":1}");
	g_assert_cmpstr(plan, ==, PLAN);
	g_assert_true(store_run_by_uuid(fixture.store, &run, uuid, NULL));
	g_assert_cmpint(run, ==, fixture.run);
	uuid[0] = uuid[0] == '0' ? '1' : '0';
	g_assert_true(store_run_by_uuid(fixture.store, &run, uuid, NULL));
	g_assert_cmpint(run, ==, 0);
	int64_t sp = cell_in(&fixture, "sp", BUILD_OK);
	g_assert_true(store_cell_by_name(fixture.store, &cell, fixture.run, "sp", NULL));
	g_assert_cmpint(cell, ==, sp);
	g_assert_true(store_cell_by_name(fixture.store, &cell, fixture.run + 1, "sp", NULL));
	g_assert_cmpint(cell, ==, 0);

	begin_run(&fixture, NULL);
	g_clear_pointer(&matrix, g_free);
	g_assert_true(store_run_texts(fixture.store, &matrix, &none, fixture.run, NULL));
	g_assert_null(none);
	fixture_close(&fixture);
}

static void the_last_end_of_a_run_holds(void)
{
	struct fixture fixture = {0};

	fixture_open(&fixture);
	begin_run(&fixture, NULL);
	g_assert_true(store_run_end_killed(fixture.store, fixture.run, NULL));
	check_text(&fixture, "SELECT status || (ended_at >= started_at) FROM run", "11\n");
	g_assert_true(store_run_end(fixture.store, fixture.run, 0, NULL));
	g_assert_true(store_run_end_killed(fixture.store, fixture.run, NULL));
	check_text(&fixture, "SELECT status FROM run", "0\n");
	fixture_close(&fixture);
}

static void processes_are_kept_and_shown(void)
{
	struct fixture fixture = {0};
	g_autofree char *stream = rsa_stream(1000);
	static const struct process_row processes[] = {
		{.argv = "[\"bench\"]",
			.ended = "lost with the run",
			.started_at = 5,
			.seconds = NAN,
			.cpu_seconds = NAN,
			.max_rss_bytes = -1,
			.load_before = 0.5,
			.load_after = NAN,
			.frequency_before = NAN,
			.frequency_after = NAN,
			.others = NAN,
			.load_meanwhile = NAN,
			.clock_highest = NAN,
			.clock_lowest = NAN,
			.temperature_before = 47.4,
			.temperature_meanwhile = NAN,
			.temperature_after = NAN,
			.throttled = NAN},
		{.invocation = 1,
			.argv = "[\"bench\",\"--from\"]",
			.ended = "signal 7 (SIGBUS)",
			.started_at = 6,
			.seconds = 1.5,
			.cpu_seconds = 1,
			.max_rss_bytes = 4096,
			.load_before = 0.5,
			.load_after = 1.5,
			.frequency_before = 2e9,
			.frequency_after = 3.2e9,
			.others = 0.3,
			.load_meanwhile = 1.75,
			.clock_highest = 3.2e9,
			.clock_lowest = 1.2e9,
			.temperature_before = 47.4,
			.temperature_meanwhile = 83,
			.temperature_after = 71,
			.throttled = 1},
	};
	struct store_description *description;

	fixture_open(&fixture);
	begin_run(&fixture, NULL);
	int64_t cell = cell_in(&fixture, "sp", BUILD_OK);
	struct attempt_row row = attempt_row(cell, "an-attempt", 1);
	row.processes = processes;
	row.n_processes = G_N_ELEMENTS(processes);
	take_in(&fixture, row, ENVIRONMENT_HARDWARE, stream);
	check_text(&fixture,
		"SELECT number || ' ' || invocation || ' ' || coalesce(seconds, '-') || ' ' || "
		"coalesce(max_rss_bytes, '-') || ' ' || coalesce(frequency_before, '-') || ' ' || "
		"coalesce(others, '-') || ' ' || started_at || ' ' || coalesce(throttled, '-') || ' ' || "
		"coalesce(clock_lowest, '-') FROM process ORDER BY number",
		"0 0 - - - - 5 - -\n1 1 1.5 4096 2000000000.0 0.3 6 1 1200000000.0\n");

	g_assert_true(store_describe(fixture.store, &description, STORE_CELL, cell, NULL));
	GString *shown = g_string_new(NULL);
	for (guint i = 0; i < description->keys->len; i++)
		if (g_str_equal(description->keys->pdata[i], "process"))
			g_string_append_printf(shown, "%s\n", (char *)description->values->pdata[i]);
	g_assert_cmpstr(shown->str, ==,
		"invocation 0: lost with the run, load 0.50, 47 C\n"
		"invocation 1: signal 7 (SIGBUS), 1.5 s, load 0.50 to 1.50, at most 1.75 meanwhile, "
		"3.20 GHz, clock from 3.20 GHz down to 1.20 GHz, 47 C to 71 C, at most 83 C meanwhile, "
		"throttled, "
		"others kept 0.3 processors busy\n");
	g_string_free(shown, TRUE);
	store_description_free(description);
	fixture_close(&fixture);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
#define TEST(f) g_test_add_func("/store/" #f, f)
	TEST(what_is_final_is_done);
	TEST(a_run_is_unfinished_until_nothing_is_left);
	TEST(only_the_latest_run_is_gone_on_with);
	TEST(a_run_gives_back_what_it_began_with);
	TEST(the_last_end_of_a_run_holds);
	TEST(processes_are_kept_and_shown);
	return g_test_run();
}
