#include "dispatch_world.h"

#include "pairs.h"

#include <math.h>

/* "AB BA": for each pair the sides in the order in which their processes were started; the side whose name
 * sorts first is A. */
static char *order_of(const struct world *w)
{
	static const char sql[] =
		"SELECT p.invocation, c.name LIKE 'alpha %' FROM process AS p JOIN attempt AS a ON a.id = "
		"p.attempt_id JOIN cell AS c ON c.id = a.cell_id ORDER BY p.started_at";
	GString *order = g_string_new(NULL);
	sqlite3_stmt *statement;
	sqlite3 *db;
	int pair = 0;

	g_assert_cmpint(sqlite3_open(w->store.file, &db), ==, SQLITE_OK);
	g_assert_cmpint(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), ==, SQLITE_OK);
	while (sqlite3_step(statement) == SQLITE_ROW) {
		if (sqlite3_column_int(statement, 0) != pair)
			g_string_append_c(order, ' ');
		pair = sqlite3_column_int(statement, 0);
		g_string_append_c(order, sqlite3_column_int(statement, 1) ? 'A' : 'B');
	}
	sqlite3_finalize(statement);
	sqlite3_close(db);
	return g_string_free(order, FALSE);
}

static void open_pairs(struct world *w, int invocations)
{
	open_world(w);
	w->pairs = true;
	w->matrix.invocations = invocations;
}

/* --- tests --- */

static void two_pairs_are_turned_against_each_other(void)
{
	int turned = 0;

	for (int block = 0; block < 1000; block++) {
		g_assert_true(pairs_turned("seed", 2 * block) != pairs_turned("seed", 2 * block + 1));
		turned += pairs_turned("seed", 2 * block);
		g_assert_true(pairs_turned("seed", block) == pairs_turned("seed", block));
	}
	/* 500 in the mean; 5 standard deviations of a coin are 79. */
	g_assert_cmpint(abs(turned - 500), <, 79);
	/* Another seed, other coins. */
	int equal = 0;
	for (int block = 0; block < 1000; block++)
		equal += pairs_turned("seed", 2 * block) == pairs_turned("other", 2 * block);
	g_assert_cmpint(abs(equal - 500), <, 79);
}

static void pairs_stand_next_to_each_other(void)
{
	struct world w;

	open_pairs(&w, 4);
	add(&w, "beta", AGENT_TIME, good);
	add(&w, "alpha", AGENT_TIME, good);
	run(&w, false);
	check_cell(&w, "alpha time", "ok", "ok", NULL);
	check_cell(&w, "beta time", "ok", "ok", NULL);

	g_autofree char *order = order_of(&w);
	g_autoptr(GString) expected = g_string_new(NULL);
	for (int pair = 0; pair < 4; pair++)
		g_string_append_printf(
			expected, "%s%s", pair > 0 ? " " : "", pairs_turned(w.uuid, pair) ? "BA" : "AB");
	g_assert_cmpstr(order, ==, expected->str);
	close_world(&w);
}

static void time_ends_them_after_a_whole_pair(void)
{
	static const char slow[] = HEADER("time") START SAMPLES "wait 0.1\n" OK END(4);
	struct world w;

	open_pairs(&w, 1000);
	w.pairs_s = 1;
	add(&w, "alpha", AGENT_TIME, slow);
	add(&w, "beta", AGENT_TIME, slow);
	gint64 began = g_get_monotonic_time();
	run(&w, false);
	g_assert_cmpfloat((double)(g_get_monotonic_time() - began) / G_USEC_PER_SEC, <, 10);
	check_cell(&w, "alpha time", "ok", "ok", NULL);
	check_cell(&w, "beta time", "ok", "ok", NULL);

	g_autofree char *order = order_of(&w);
	size_t length = strlen(order);
	/* A pair takes 0.2 s at least: at most five of them, each with both sides. */
	g_assert_cmpuint(length, <=, 5 * 3 - 1);
	g_assert_cmpuint(length % 3, ==, 2);
	close_world(&w);
}

static void one_pair_is_had_however_short_the_time(void)
{
	struct world w;

	open_pairs(&w, 1000);
	w.pairs_s = 1e-9;
	add(&w, "alpha", AGENT_TIME, good);
	add(&w, "beta", AGENT_TIME, good);
	run(&w, false);
	g_autofree char *order = order_of(&w);
	g_assert_cmpuint(strlen(order), ==, 2);
	check_cell(&w, "beta time", "ok", "ok", NULL);
	close_world(&w);
}

static void nothing_goes_on_without_its_partner(void)
{
	struct world w;

	open_pairs(&w, 6);
	add(&w, "alpha", AGENT_TIME, good);
	add(&w, "beta", AGENT_TIME,
		HEADER("time") START SAMPLES OK END(4) "when --invocation 2\nsignal 11\n");
	run(&w, false);
	check_cell(&w, "beta time", "partial", "crashed", "signal 11 (SIGSEGV)");
	check_cell(&w, "alpha time", "ok", "ok", NULL);

	g_autoptr(GArray) found = results(&w, "config=alpha");
	int64_t n = g_array_index(found, struct result, 0).figure.n;
	/* Three samples each; whether it came before its partner in the third pair is a coin's. */
	g_assert_true(n == 6 || n == 9);
	close_world(&w);
}

static void one_that_never_had_a_partner_is_measured_once(void)
{
	struct world w;

	open_pairs(&w, 6);
	add(&w, "alpha", AGENT_TIME, good);
	add(&w, "beta", AGENT_TIME, NULL);
	run(&w, false);
	g_autofree char *order = order_of(&w);
	g_assert_cmpstr(order, ==, "A");
	close_world(&w);
}

/* Killed in the third pair, and gone on with: the order is as it would have been. */
static void a_duel_that_was_stopped_goes_on_in_its_order(void)
{
	static const char stopped[] =
		HEADER("time") START SAMPLES "when --invocation 2\nhang\nalways\n" OK END(4);
	struct world w;

	open_pairs(&w, 4);
	struct fake_build *alpha = add(&w, "alpha", AGENT_TIME, stopped);
	add(&w, "beta", AGENT_TIME, good);
	w.watched = g_strdup(alpha->program);
	w.awaited = "\"invocation\":2,\"build\":\"22alpha\"";
	run(&w, false);
	g_assert_true(w.result.cancelled);

	g_assert_true(g_file_set_contents(alpha->program, good, -1, NULL));
	go_on(&w);
	check_cell(&w, "alpha time", "ok", "ok", NULL);
	check_cell(&w, "beta time", "ok", "ok", NULL);
	g_autoptr(GArray) found = results(&w, "");
	for (guint i = 0; i < found->len; i++)
		g_assert_cmpint(g_array_index(found, struct result, i).figure.n, >=, 12);
	close_world(&w);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	child_set_supervisor(SUPERVISOR);
	g_test_add_func("/pairs/two_are_turned_against_each_other", two_pairs_are_turned_against_each_other);
	g_test_add_func("/pairs/stand_next_to_each_other", pairs_stand_next_to_each_other);
	g_test_add_func("/pairs/time_ends_them_after_a_whole_one", time_ends_them_after_a_whole_pair);
	g_test_add_func("/pairs/one_is_had_however_short_the_time", one_pair_is_had_however_short_the_time);
	g_test_add_func("/pairs/nothing_goes_on_without_its_partner", nothing_goes_on_without_its_partner);
	g_test_add_func("/pairs/one_without_a_partner_is_measured_once",
		one_that_never_had_a_partner_is_measured_once);
	g_test_add_func(
		"/pairs/go_on_in_their_order_after_a_stop", a_duel_that_was_stopped_goes_on_in_its_order);
	return g_test_run();
}
