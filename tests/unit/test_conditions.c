#include "conditions.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

static const struct agent_condition unknown = {NAN, NAN, NAN, NAN, NAN, NAN, NAN};

/* One process; its row is looked at by some. */
static struct process_row one(struct conditions *all, const struct agent_condition *before,
	const struct agent_watch *meanwhile, const struct agent_condition *after)
{
	const struct spool_process process = {.argv = "[]", .before = *before};
	const struct spool_end end = {.started = true,
		.exit = {.end = CHILD_EXITED, .seconds = 2, .cpu_seconds = 1, .max_rss_bytes = -1},
		.text = "exit status 0",
		.before = unknown,
		.after = *after,
		.meanwhile = *meanwhile};
	struct process_row row = {0};

	conditions_begin(all, &row, &process);
	conditions_end(all, &row, &end);
	return row;
}

static void assert_notes(const struct conditions *all, const char *expected)
{
	g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);

	conditions_notes(all, 4, notes);
	g_ptr_array_add(notes, NULL);
	g_autofree char *text = g_strjoinv("\n", (char **)notes->pdata);
	g_assert_cmpstr(text, ==, expected);
}

static void what_is_unknown_is_no_doubt(void)
{
	struct conditions all;

	conditions_begin_all(&all);
	assert_notes(&all, "");
	struct process_row row = one(&all, &unknown, &agent_watch_none, &unknown);
	assert_notes(&all, "");
	g_assert_true(isnan(row.throttled) && isnan(row.others) && isnan(row.clock_lowest) &&
		      isnan(row.temperature_before) && isnan(row.load_meanwhile));
}

/* From 1.5 GHz: 1.35 GHz is nine tenths. */
static void a_clock_that_falls_by_more_than_a_tenth_is_noted(void)
{
	struct agent_condition before = unknown;
	struct agent_watch meanwhile = agent_watch_none;
	struct conditions all;

	before.fastest_hz = 1.5e9;
	meanwhile.fastest_hz = 1.36e9;
	conditions_begin_all(&all);
	struct process_row row = one(&all, &before, &meanwhile, &unknown);
	g_assert_cmpfloat(row.clock_highest, ==, 1.5e9);
	g_assert_cmpfloat(row.clock_lowest, ==, 1.36e9);
	assert_notes(&all, "");
	meanwhile.fastest_hz = 1.34e9;
	one(&all, &before, &meanwhile, &unknown);
	assert_notes(&all, "slowed down: the clock fell while it was timed, from 1.50 GHz to 1.34 GHz");
	/* The process whose clock fell furthest is named, wherever it stands; the heat is of the hottest
	 * moment. */
	meanwhile.fastest_hz = 0.6e9;
	meanwhile.temperature = 82.6;
	one(&all, &before, &meanwhile, &unknown);
	meanwhile.fastest_hz = 1.4e9;
	meanwhile.temperature = 60;
	one(&all, &before, &meanwhile, &unknown);
	assert_notes(&all,
		"slowed down: the clock fell while it was timed, from 1.50 GHz to 0.60 GHz, at up to 83 C");
}

/* A governor that lets an idle machine rest raises the clock while it works. */
static void a_clock_that_rises_is_no_doubt(void)
{
	struct agent_condition before = unknown, after = unknown;
	const struct agent_watch meanwhile = {.load = NAN,
		.temperature = NAN,
		.held_down = NAN,
		.fastest_hz = 1.8e9,
		.fastest_hz_at_best = 1.8e9};
	struct conditions all;

	before.fastest_hz = after.fastest_hz = 0.6e9;
	conditions_begin_all(&all);
	one(&all, &before, &meanwhile, &after);
	assert_notes(&all, "");
}

static void a_machine_that_holds_its_clock_down_is_noted(void)
{
	struct agent_condition before = unknown, after = unknown;
	struct agent_watch meanwhile = agent_watch_none;
	struct conditions all;

	before.throttles = after.throttles = 7;
	conditions_begin_all(&all);
	g_assert_cmpfloat(one(&all, &before, &meanwhile, &after).throttled, ==, 0);
	assert_notes(&all, "");
	after.throttles = 8;
	g_assert_cmpfloat(one(&all, &before, &meanwhile, &after).throttled, ==, 1);
	assert_notes(&all, "throttled: the machine held its clock down while it was timed");

	conditions_begin_all(&all);
	before = after = unknown;
	meanwhile.held_down = 0;
	after.temperature = 70;
	g_assert_cmpfloat(one(&all, &before, &meanwhile, &after).throttled, ==, 0);
	meanwhile.held_down = 1;
	g_assert_cmpfloat(one(&all, &before, &meanwhile, &after).throttled, ==, 1);
	assert_notes(&all, "throttled: the machine held its clock down while it was timed, at up to 70 C");
}

/* 4 s of all processors in 2 s, of which the process used 1. */
static void others_are_told_beside_a_clock_that_fell(void)
{
	struct agent_condition before = unknown, after = unknown;
	struct agent_watch meanwhile = agent_watch_none;
	struct conditions all;

	before.busy_s = 100;
	after.busy_s = 104;
	before.fastest_hz = 2e9;
	meanwhile.fastest_hz = 1e9;
	conditions_begin_all(&all);
	g_assert_cmpfloat(one(&all, &before, &meanwhile, &after).others, ==, 1.5);
	assert_notes(&all, "busy: other programs kept 1.5 of 4 processors working while it was timed\n"
			   "slowed down: the clock fell while it was timed, from 2.00 GHz to 1.00 GHz");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/conditions/" #name, name)
	TEST(what_is_unknown_is_no_doubt);
	TEST(a_clock_that_falls_by_more_than_a_tenth_is_noted);
	TEST(a_clock_that_rises_is_no_doubt);
	TEST(a_machine_that_holds_its_clock_down_is_noted);
	TEST(others_are_told_beside_a_clock_that_fell);
	return g_test_run();
}
