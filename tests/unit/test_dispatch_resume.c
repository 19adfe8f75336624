/* A run that was stopped goes on. */
#include "dispatch_rows.h"

static void a_stopped_run_goes_on_where_it_was(void)
{
	struct world w;

	open_world(&w);
	add(&w, "done", AGENT_TIME, good);
	const struct fake_build *stopped = add(&w, "sp", AGENT_COUNT,
		"turn 1\n" HEADER("count") START COUNT REGION OK RSA_START "hang\n"
									   "turn 2\nwhen --from " RSA_NAME
									   "\n" HEADER("count") RSA_START
		"out {\"r\":\"benchmark\"," RSA ",\"state\":\"unavailable\",\"reason\":\"no RSA\"}\n" END(3));
	add(&w, "building", AGENT_TIME, good)->never = true;
	w.watched = g_strconcat(stopped->program, ".turns", NULL);
	w.awaited = "{\"r\":\"start\"," RSA "}";
	run(&w, false);
	g_assert_true(w.result.cancelled);
	g_assert_cmpstr(cell(&w, "sp count")->state, ==, "pending");

	((struct fake_build *)w.builder.builds->pdata[2])->never = false;
	go_on(&w);
	g_assert_false(w.result.cancelled);
	check_cell(&w, "sp count", "ok", "ok", NULL);
	check_cell(&w, "building time", "ok", "ok", NULL);
	check_cell(&w, "done time", "ok", "ok", NULL);
	g_assert_cmpint(w.total, ==, 6);
	check_rows(&w,
		"SELECT p.ended FROM process AS p JOIN attempt AS a ON a.id = p.attempt_id "
		"JOIN cell AS c ON c.id = a.cell_id WHERE c.name = 'sp count'",
		"cancelled\nexit status 0\n");
	check_rows(&w, "SELECT count(*), count(DISTINCT run_id) FROM cell", "3|1\n");
	close_world(&w);
}

/* What is final is not done again, and its build is not made again. */
static void only_what_is_left_is_done(void)
{
	struct world w;

	open_world(&w);
	add(&w, "counted", AGENT_COUNT, good_count);
	add(&w, "armasm", AGENT_TIME, NULL);
	add(&w, "waiting", AGENT_TIME, good);
	struct fake_build *building = add(&w, "building", AGENT_TIME, good);
	building->never = true;
	w.watched = g_strconcat(((struct fake_build *)w.builder.builds->pdata[0])->program, ".turns", NULL);
	w.after = "ran counted count: ok";
	run(&w, false);
	g_assert_cmpstr(cell(&w, "building time")->build_state, ==, "cancelled");
	g_assert_cmpstr(cell(&w, "waiting time")->state, ==, "pending");
	building->never = false;
	go_on(&w);
	g_assert_cmpint(w.builder.started, ==, 2);
	g_assert_cmpint(w.total, ==, 4);
	g_assert_cmpint(w.result.measured, ==, 2);
	check_cell(&w, "building time", "ok", "ok", NULL);
	check_cell(&w, "waiting time", "ok", "ok", NULL);
	g_assert_cmpstr(cell(&w, "armasm time")->build_state, ==, "compile-failed");
	check_rows(&w, "SELECT count(*) FROM attempt", "3\n");

	go_on(&w); /* nothing is left */
	g_assert_cmpint(w.total, ==, 0);
	g_assert_false(w.result.nothing_could_run);
	close_world(&w);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	child_set_supervisor(SUPERVISOR);
#define TEST(f) g_test_add_func("/resume/" #f, f)
	TEST(a_stopped_run_goes_on_where_it_was);
	TEST(only_what_is_left_is_done);
	return g_test_run();
}
