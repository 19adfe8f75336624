#include "dispatch_world.h"
#include "store_private.h"

/* --- tests --- */

static void times_every_invocation_and_keeps_the_figures(void)
{
	struct world w;

	open_world(&w);
	add(&w, "sp", AGENT_TIME, good);
	add(&w, "fastmath", AGENT_TIME, good)->cached = true;
	run(&w, false);
	check_cell(&w, "sp time", "ok", "ok", NULL);
	check_cell(&w, "fastmath time", "ok", "ok", NULL);
	g_assert_cmpint(w.result.programs_built, ==, 1);
	g_assert_cmpint(w.result.programs_cached, ==, 1);
	g_assert_cmpint(w.result.measured, ==, 2);
	g_assert_false(w.result.cancelled || w.result.nothing_could_run);

	g_autoptr(GArray) found = results(&w, "config=sp");
	g_assert_cmpuint(found->len, ==, 1);
	g_assert_cmpint(g_array_index(found, struct result, 0).figure.n, ==, 6); /* of both invocations */
	close_world(&w);
}

static void a_crash_names_its_benchmark_and_keeps_the_others(void)
{
	struct world w;

	open_world(&w);
	add(&w, "sp", AGENT_TIME, HEADER("time") START SAMPLES OK RSA_START "err it burns\nsignal 7\n");
	run(&w, false);
	check_cell(&w, "sp time", "partial", "crashed", "signal 7 (SIGBUS) in rsa-2048 private: it burns");
	g_assert_cmpint(cell(&w, "sp time")->outcomes_ok, ==, 1);
	g_assert_cmpint(cell(&w, "sp time")->outcomes_failed, ==, 1);
	close_world(&w);
}

/* What an earlier invocation said does not explain the end of a later one, and standard error is kept to the
 * byte. */
static void an_invocation_is_explained_by_its_own_words(void)
{
	struct world w;
	struct store_description *description;

	open_world(&w);
	add(&w, "sp", AGENT_TIME,
		HEADER("time") START SAMPLES OK END(
			4) "when --invocation 0\nerr a warning\nwhen --invocation 1\nsignal 11\n");
	run(&w, false);
	check_cell(&w, "sp time", "partial", "crashed", "signal 11 (SIGSEGV)");
	g_assert_true(store_describe(
		w.store.store, &description, STORE_ATTEMPT, cell(&w, "sp time")->attempt, NULL));
	g_assert_cmpstr(description->errors, ==, "a warning\n");
	store_description_free(description);
	close_world(&w);
}

static void a_stream_without_its_end_is_truncated(void)
{
	struct world w;

	open_world(&w);
	add(&w, "cut", AGENT_TIME, HEADER("time") START SAMPLES OK);
	add(&w, "status", AGENT_TIME, HEADER("time") START SAMPLES OK "err no room\nexit 1\n");
	run(&w, false);
	check_cell(&w, "cut time", "partial", "truncated", "invocation 0: no end record");
	check_cell(&w, "status time", "partial", "truncated", "exit status 1: no room");
	close_world(&w);
}

static void a_wrong_answer_is_told_and_has_no_figure(void)
{
	struct world w;

	open_world(&w);
	add(&w, "sp", AGENT_TIME, HEADER("time") START SAMPLES WRONG END(4));
	run(&w, false);
	check_cell(&w, "sp time", "failed", "ok", NULL);
	g_assert_nonnull(strstr(w.events->str, "failed: aes-128-cbc encrypt 16384: wrong-answer: bad tag\n"));

	g_autoptr(GArray) found = results(&w, "config=sp");
	g_assert_cmpuint(found->len, ==, 0);
	close_world(&w);
}

static void a_hang_ends_at_its_deadline(void)
{
	struct world w;

	open_world(&w);
	w.limits.silence_s[AGENT_TIME] = 2;
	w.limits.timeout_s[AGENT_COUNT] = 2;
	add(&w, "silent", AGENT_TIME, HEADER("time") RSA_START "hang\n");
	add(&w, "slow", AGENT_COUNT, HEADER("count") RSA_START "hang\n");
	run(&w, false);
	check_cell(&w, "silent time", "failed", "timeout", "no output for 2 s in rsa-2048 private");
	check_cell(&w, "slow count", "failed", "timeout", "not done after 2 s in rsa-2048 private");
	close_world(&w);
}

static void exact_results_are_carried_until_something_changes(void)
{
	struct world w;

	open_world(&w);
	add(&w, "sp", AGENT_COUNT, good_count);
	run(&w, false);
	check_cell(&w, "sp count", "ok", "ok", NULL);
	g_assert_false(cell(&w, "sp count")->carried);

	run(&w, false);
	g_assert_cmpstr(w.events->str, ==, "ran sp count: ok (carried)\n");
	g_assert_true(cell(&w, "sp count")->carried);
	g_assert_cmpint(w.result.carried, ==, 1);
	g_assert_cmpint(w.result.measured, ==, 0);

	run(&w, true);
	g_assert_cmpstr(w.events->str, ==, "ran sp count: ok\n");
	g_assert_false(cell(&w, "sp count")->carried);

	w.toolchain.target.cpu = "two";
	run(&w, false);
	g_assert_false(cell(&w, "sp count")->carried);
	close_world(&w);
}

static int64_t number(struct world *w, const char *sql)
{
	int64_t value = -1;

	g_assert_true(sql_number(w->store.store->sql, &value, sql, NULL, NULL));
	return value;
}

static void what_is_timed_once_is_carried_with_its_samples(void)
{
	struct world w;

	open_world(&w);
	add(&w, "sp", AGENT_TIME, good);
	run(&w, false);
	run(&w, false);
	g_assert_cmpstr(w.events->str, ==, "ran sp time: ok\n");

	/* What was timed without that word says nothing of the machine that it was timed on. */
	w.matrix.times_once = true;
	run(&w, false);
	g_assert_cmpstr(w.events->str, ==, "ran sp time: ok\n");
	run(&w, false);
	g_assert_cmpstr(w.events->str, ==, "ran sp time: ok (carried)\n");
	g_assert_true(cell(&w, "sp time")->carried);
	g_assert_cmpint(w.result.measured, ==, 0);
#define OF_ATTEMPT(n, what) "SELECT count(*) FROM measurement AS m " what " WHERE m.attempt_id = " #n
	int64_t figures = number(&w, OF_ATTEMPT(3, ""));
	g_assert_cmpint(figures, >, 0);
	g_assert_cmpint(number(&w, OF_ATTEMPT(4, "")), ==, figures);
	g_assert_cmpint(
		number(&w, OF_ATTEMPT(4, "JOIN sample AS s ON s.measurement_id = m.id")), ==, figures);
	g_assert_cmpint(
		number(&w, "SELECT count(*) FROM (SELECT packed FROM sample WHERE measurement_id >> 20 = 3"
			   " EXCEPT SELECT packed FROM sample WHERE measurement_id >> 20 = 4)"),
		==, 0);
#undef OF_ATTEMPT

	/* Anew where that is asked for, where the machine is another, and where more is asked for. */
	run(&w, true);
	g_assert_false(cell(&w, "sp time")->carried);
	w.toolchain.target.cpu = "two";
	run(&w, false);
	g_assert_false(cell(&w, "sp time")->carried);
	run(&w, false);
	g_assert_true(cell(&w, "sp time")->carried);
	w.matrix.invocations++;
	run(&w, false);
	g_assert_false(cell(&w, "sp time")->carried);
	close_world(&w);
}

static void a_wrong_answer_is_measured_again(void)
{
	struct world w;

	open_world(&w);
	add(&w, "sp", AGENT_COUNT, HEADER("count") START WRONG END(3));
	run(&w, false);
	run(&w, false);
	g_assert_false(cell(&w, "sp count")->carried);
	check_cell(&w, "sp count", "failed", "ok", NULL);
	close_world(&w);
}

static void a_count_that_did_not_come_is_no_good_attempt(void)
{
	struct world w;

	open_world(&w);
	add(&w, "sp", AGENT_COUNT, HEADER("count") START REGION OK END(4));
	run(&w, false);
	check_cell(&w, "sp count", "partial", "truncated", "no count came for aes-128-cbc encrypt 16384");
	run(&w, false);
	g_assert_false(cell(&w, "sp count")->carried);
	close_world(&w);
}

static void what_an_agent_lacks_stops_only_its_own_cells(void)
{
	struct world w;

	open_world(&w);
	w.toolchain.target.emulator = "qemu-nonesuch";
	w.toolchain.target.package = "qemu-user";
	add_cell(&w, add(&w, "sp", AGENT_TIME, good), &agent_qemu_user, AGENT_COUNT);
	add_cell(&w, add_build(&w, "unwanted", good), &agent_qemu_user, AGENT_COUNT);
	run(&w, false);
	check_cell(&w, "sp time", "ok", "ok", NULL);
	g_assert_cmpstr(cell(&w, "sp count")->build_state, ==, "unsupported");
	g_assert_nonnull(strstr(cell(&w, "sp count")->reason, "qemu-user"));
	g_assert_cmpint(w.builder.started, ==, 1); /* nothing is built for no place */
	g_assert_false(w.result.nothing_could_run);
	close_world(&w);
}

static void where_nothing_can_run_it_is_said(void)
{
	struct world w;

	open_world(&w);
	w.toolchain.target.emulator = "qemu-nonesuch";
	add_cell(&w, add_build(&w, "sp", good), &agent_qemu_user, AGENT_COUNT);
	run(&w, false);
	g_assert_true(w.result.nothing_could_run);
	g_assert_cmpint(w.builder.started, ==, 0);
	close_world(&w);
}

static void a_failed_build_stops_only_its_own_cells(void)
{
	struct world w;

	open_world(&w);
	add(&w, "armasm", AGENT_TIME, NULL);
	add(&w, "sp", AGENT_TIME, good);
	run(&w, false);
	g_assert_cmpstr(cell(&w, "armasm time")->build_state, ==, "compile-failed");
	g_assert_cmpstr(cell(&w, "armasm time")->state, ==, "failed");
	g_assert_cmpstr(cell(&w, "armasm time")->reason, ==, "tfm.c:7: no such register");
	check_cell(&w, "sp time", "ok", "ok", NULL);
	close_world(&w);
}

static void a_program_that_cannot_be_started_is_infrastructure(void)
{
	struct world w;

	open_world(&w);
	add(&w, "sp", AGENT_TIME, good);
	add(&w, "gone", AGENT_TIME, good);
	child_set_supervisor("/nonexistent/bm-supervise");
	run(&w, false);
	child_set_supervisor(SUPERVISOR);
	check_cell(&w, "sp time", "failed", "infrastructure", cell(&w, "sp time")->reason);
	g_assert_nonnull(strstr(cell(&w, "sp time")->reason, "/nonexistent/bm-play"));
	close_world(&w);
}

/* A count under way, one build under way, one not begun, and a timing cell that waits. */
static void an_interrupt_keeps_what_is_done_and_names_the_rest(void)
{
	struct world w;

	open_world(&w);
	add(&w, "done", AGENT_COUNT, good_count);
	add(&w, "waiting", AGENT_TIME, good);
	const struct fake_build *hanging =
		add(&w, "hanging", AGENT_COUNT, HEADER("count") RSA_START "hang\n");
	add(&w, "building", AGENT_TIME, good)->never = true;
	add(&w, "unbegun", AGENT_TIME, good);
	w.watched = g_strconcat(hanging->program, ".turns", NULL);
	w.after = "ran done count: ok";
	run(&w, false);
	g_assert_true(w.result.cancelled);
	check_cell(&w, "done count", "ok", "ok", NULL);
	g_assert_cmpstr(cell(&w, "hanging count")->state, ==, "pending");
	g_assert_cmpint(cell(&w, "hanging count")->attempt, ==, 0);
	g_assert_cmpstr(cell(&w, "waiting time")->state, ==, "pending");
	g_assert_cmpstr(cell(&w, "building time")->build_state, ==, "cancelled");
	g_assert_cmpstr(cell(&w, "unbegun time")->build_state, ==, "cancelled");
	g_assert_cmpstr(cell(&w, "unbegun time")->reason, ==, "cancelled before it began");
	g_assert_cmpint(w.builder.started, ==, 4);
	g_assert_cmpint(w.result.measured, ==, 1);
	close_world(&w);
}

/* The store fails while one program hangs and one build goes on: both are stopped, and the error comes out.
 */
static void an_error_of_the_store_ends_the_run(void)
{
	struct world w;
	g_autoptr(GError) error = NULL;

	open_world(&w);
	add(&w, "hanging", AGENT_COUNT, HEADER("count") RSA_START "hang\n");
	add(&w, "sp", AGENT_COUNT, good_count);
	add(&w, "building", AGENT_TIME, good)->never = true;
	w.broken_by = (char *)"CREATE TRIGGER full BEFORE INSERT ON attempt BEGIN SELECT RAISE(ABORT, 'it is "
			      "full'); END";
	g_assert_false(try_run(&w, false, &error));
	g_assert_nonnull(strstr(error->message, "it is full"));
	close_world(&w);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	child_set_supervisor(SUPERVISOR);
#define TEST(f) g_test_add_func("/dispatch/" #f, f)
	TEST(times_every_invocation_and_keeps_the_figures);
	TEST(a_crash_names_its_benchmark_and_keeps_the_others);
	TEST(an_invocation_is_explained_by_its_own_words);
	TEST(a_stream_without_its_end_is_truncated);
	TEST(a_wrong_answer_is_told_and_has_no_figure);
	TEST(a_hang_ends_at_its_deadline);
	TEST(exact_results_are_carried_until_something_changes);
	TEST(what_is_timed_once_is_carried_with_its_samples);
	TEST(a_wrong_answer_is_measured_again);
	TEST(a_count_that_did_not_come_is_no_good_attempt);
	TEST(what_an_agent_lacks_stops_only_its_own_cells);
	TEST(where_nothing_can_run_it_is_said);
	TEST(a_failed_build_stops_only_its_own_cells);
	TEST(a_program_that_cannot_be_started_is_infrastructure);
	TEST(an_interrupt_keeps_what_is_done_and_names_the_rest);
	TEST(an_error_of_the_store_ends_the_run);
	return g_test_run();
}
