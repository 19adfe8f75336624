#include "intake_streams.h"

#define SHA	  "\"name\":\"sha-256 hash\",\"block\":64"
#define START_SHA "{\"r\":\"start\"," SHA "}\n"
#define OK_SHA	  "{\"r\":\"benchmark\"," SHA ",\"state\":\"ok\"}\n"
#define SAMPLES_SHA(values)                                                                                  \
	"{\"r\":\"samples\"," SHA ",\"metric\":\"time\",\"iterations\":1,\"values\":[" values "]}\n"
#define DONE_SHA(values) START_SHA SAMPLES_SHA(values) OK_SHA
#define AGREE		 "\"name\":\"ecdh-p256 agree\""
#define DONE_AGREE                                                                                           \
	"{\"r\":\"start\"," AGREE "}\n{\"r\":\"samples\"," AGREE                                             \
	",\"metric\":\"time\",\"iterations\":1,\"values\":[7000]}\n"                                         \
	"{\"r\":\"benchmark\"," AGREE ",\"state\":\"ok\"}\n"

/* 128 ns for 64 bytes: 2e-9 s/B; 7000 ns: 7e-6 s. */
static void what_crashed_and_was_skipped_costs_only_itself(void)
{
	struct intake *intake =
		TAKE_IN(CRASHED(0, HEADER("time", "0") DONE_SHA("128") START_RSA SAMPLES_RSA("5000")),
			BY_ITSELF(0, HEADER("time", "0") DONE_AGREE END("4")));

	g_assert_true(intake->complete);
	g_assert_cmpuint(intake->problems, ==, 0);
	g_assert_null(intake->last_started);
	g_assert_cmpuint(intake->outcomes->len, ==, 3);
	g_assert_cmpint(outcome_at(intake, 0)->state, ==, OUTCOME_OK);
	g_assert_cmpstr(outcome_at(intake, 1)->benchmark, ==, "rsa-2048 private");
	g_assert_cmpint(outcome_at(intake, 1)->state, ==, OUTCOME_CRASHED);
	g_assert_cmpstr(outcome_at(intake, 1)->reason, ==, "signal 11 (SIGSEGV)");
	g_assert_cmpint(outcome_at(intake, 2)->state, ==, OUTCOME_OK);
	g_assert_cmpuint(intake->measurements->len, ==, 2);
	assert_near(measurement_at(intake, 0)->figure.median, 2e-9);
	assert_near(measurement_at(intake, 1)->figure.median, 7e-6);
	g_assert_cmpuint(measurement_at(intake, 0)->samples[0].invocation, ==, 0);
	g_assert_cmpuint(measurement_at(intake, 1)->samples[0].invocation, ==, 0);
	intake_free(intake);
}

static void what_crashed_and_then_went_well_is_flaky(void)
{
	struct intake *intake =
		TAKE_IN(CRASHED(0, HEADER("time", "0") DONE_SHA("128") START_RSA SAMPLES_RSA("5000")),
			BY_ITSELF(0, HEADER("time", "0") START_RSA SAMPLES_RSA("2000") OK_RSA END("4")));

	g_assert_true(intake->complete);
	g_assert_cmpint(outcome_at(intake, 0)->state, ==, OUTCOME_OK);
	g_assert_cmpint(outcome_at(intake, 1)->state, ==, OUTCOME_FLAKY);
	g_assert_cmpstr(outcome_at(intake, 1)->reason, ==, "crashed (signal 11 (SIGSEGV)), then ok");
	g_assert_cmpuint(intake->measurements->len, ==, 1);
	g_assert_cmpstr(measurement_at(intake, 0)->benchmark, ==, "sha-256 hash");
	intake_free(intake);
}

static void what_crashes_again_has_crashed(void)
{
	struct intake *intake = TAKE_IN(CRASHED(0, HEADER("time", "0") START_RSA),
		{0, HEADER("time", "0") START_RSA, "no output for 300 s", OUTCOME_CRASHED});

	g_assert_false(intake->complete);
	g_assert_cmpstr(intake->incomplete_reason, ==, "invocation 0: no end record; no output for 300 s");
	g_assert_cmpstr(intake->last_started, ==, "rsa-2048 private");
	g_assert_cmpuint(intake->outcomes->len, ==, 1);
	g_assert_cmpint(outcome_at(intake, 0)->state, ==, OUTCOME_CRASHED);
	g_assert_cmpstr(outcome_at(intake, 0)->reason, ==, "signal 11 (SIGSEGV)");
	intake_free(intake);
}

static void a_hang_is_a_timeout(void)
{
	struct intake *intake =
		TAKE_IN({0, HEADER("time", "0") START_RSA, "no output for 300 s", OUTCOME_TIMEOUT},
			BY_ITSELF(0, HEADER("time", "0") DONE_SHA("128") END("4")));

	g_assert_true(intake->complete);
	g_assert_cmpint(outcome_at(intake, 0)->state, ==, OUTCOME_TIMEOUT);
	g_assert_cmpint(outcome_at(intake, 1)->state, ==, OUTCOME_OK);
	intake_free(intake);
}

/* 2000 ns for two operations: 1e-6 s. Of the lost process's RSA nothing is left, neither its sample of 9 ms
 * nor its half line. */
static void what_was_lost_is_measured_once(void)
{
	struct intake *intake = TAKE_IN(LOST(0, HEADER("time", "0") DONE_SHA("128")
							START_RSA SAMPLES_RSA("9000000") "{\"r\":\"bench"),
		BY_ITSELF(0, HEADER("time", "0") START_RSA SAMPLES_RSA("2000") OK_RSA DONE_AGREE END("7")));
	const struct measurement *rsa = measurement_at(intake, 1);

	g_assert_true(intake->complete);
	g_assert_cmpuint(intake->problems, ==, 0);
	g_assert_cmpuint(intake->outcomes->len, ==, 3);
	for (guint i = 0; i < 3; i++)
		g_assert_cmpint(outcome_at(intake, i)->state, ==, OUTCOME_OK);
	g_assert_cmpstr(rsa->benchmark, ==, "rsa-2048 private");
	g_assert_cmpint(rsa->figure.n, ==, 1);
	g_assert_cmpuint(rsa->n_samples, ==, 1);
	assert_near(rsa->figure.median, 1e-6);
	intake_free(intake);
}

static void what_was_in_hand_when_it_was_lost_is_told(void)
{
	struct intake *intake = TAKE_IN(BY_ITSELF(0, WHOLE_RSA("0")),
		LOST(1, HEADER("time", "1") DONE_SHA("128") START_RSA "{\"r\":\"sam"));

	g_assert_false(intake->complete);
	g_assert_cmpstr(intake->incomplete_reason, ==, "invocation 1: no end record; lost with the run");
	g_assert_cmpstr(intake->last_started, ==, "rsa-2048 private");
	g_assert_cmpint(outcome_at(intake, 0)->state, ==, OUTCOME_OK);
	intake_free(intake);
}

/* The line in which a process died is lost output of its own; the next process's lines are whole again, and
 * are counted behind it. */
static void half_a_line_of_a_crash_is_a_problem(void)
{
	static const char half[] = HEADER("time", "0") START_RSA "{\"r\":\"sam";
	struct intake *crashed = TAKE_IN(CRASHED(0, half), BY_ITSELF(0, HEADER("time", "0") "x\n" END("1")));
	struct intake *lost = TAKE_IN(LOST(0, half), BY_ITSELF(0, HEADER("time", "0") "x\n" END("1")));

	g_assert_cmpuint(crashed->problems, ==, 2);
	assert_says(crashed->first_problem, "line 3: cut off");
	g_assert_cmpuint(lost->problems, ==, 1);
	assert_says(lost->first_problem, "line 5: not JSON");
	g_assert_true(crashed->complete && lost->complete);
	intake_free(crashed);
	intake_free(lost);
}

/* 100 instructions for 10 operations: 10 each. The lost process had counted its region 1 in full, but its
 * answer was never checked; the region of the same number is another one. */
static void region_numbers_begin_anew_with_each_process(void)
{
	struct intake *intake =
		TAKE_IN(LOST(0, HEADER("count", "0") START_RSA COUNT("1", "777") REGION_RSA("1")),
			BY_ITSELF(0, HEADER("count", "0") START_RSA COUNT("1", "100") REGION_RSA("1")
					     OK_RSA END("4")));

	g_assert_true(intake->complete);
	g_assert_cmpuint(intake->problems, ==, 0);
	g_assert_cmpuint(intake->measurements->len, ==, 1);
	g_assert_cmpfloat(measurement_at(intake, 0)->figure.median, ==, 10);
	g_assert_cmpint(outcome_at(intake, 0)->state, ==, OUTCOME_OK);
	intake_free(intake);
}

/* Killed between the end of one benchmark and the start of the next one, it may be told twice. */
static void the_same_answer_from_two_processes_is_pooled(void)
{
	struct intake *intake = TAKE_IN(LOST(0, HEADER("time", "0") START_RSA SAMPLES_RSA("2000") OK_RSA),
		BY_ITSELF(0, HEADER("time", "0") START_RSA SAMPLES_RSA("4000") OK_RSA END("4")));

	g_assert_true(intake->complete);
	g_assert_cmpuint(intake->problems, ==, 0);
	g_assert_cmpint(outcome_at(intake, 0)->state, ==, OUTCOME_OK);
	g_assert_cmpint(measurement_at(intake, 0)->figure.n, ==, 2);
	intake_free(intake);
}

static void an_invocation_is_as_complete_as_its_last_process(void)
{
	struct intake *later = TAKE_IN(
		BY_ITSELF(0, WHOLE_RSA("0")), BY_ITSELF(1, WHOLE_RSA("1")), CRASHED(1, HEADER("time", "1")));
	struct intake *between = TAKE_IN(CRASHED(0, HEADER("time", "0")), CRASHED(1, HEADER("time", "1")),
		BY_ITSELF(1, WHOLE_RSA("1")));
	struct intake *mended = TAKE_IN(CRASHED(0, ""), CRASHED(1, HEADER("time", "1")),
		BY_ITSELF(1, WHOLE_RSA("1")), BY_ITSELF(0, WHOLE_RSA("0")));

	g_assert_cmpstr(later->incomplete_reason, ==, "invocation 1: no end record; signal 11 (SIGSEGV)");
	g_assert_cmpstr(between->incomplete_reason, ==, "invocation 0: no end record; signal 11 (SIGSEGV)");
	g_assert_true(mended->complete);
	intake_free(later);
	intake_free(between);
	intake_free(mended);
}

/* A board that starts anew by itself, or a stray program. */
static void two_streams_within_one_process_are_a_problem(void)
{
	struct intake *whole = take_in(WHOLE_RSA("0") WHOLE_RSA("1"));
	struct intake *restarted = take_in(HEADER("time", "0") DONE_SHA("128") START_RSA WHOLE_RSA("0"));

	g_assert_false(whole->complete);
	g_assert_cmpstr(whole->incomplete_reason, ==, "invocation 0: a second header within one process");
	g_assert_cmpuint(whole->problems, ==, 1);
	assert_says(whole->first_problem, "line 6: a second header");
	g_assert_cmpint(measurement_at(whole, 0)->figure.n, ==, 2);
	g_assert_false(restarted->complete);
	g_assert_cmpstr(restarted->last_started, ==, "rsa-2048 private");
	g_assert_cmpuint(restarted->measurements->len, ==, 1);
	intake_free(whole);
	intake_free(restarted);
}

/* What stands around them is read. */
static void nul_bytes_cost_their_line(void)
{
	static const char stream[] = HEADER("time", "0") "\0\n{\"r\":\"st\0art\"}\n" START_RSA SAMPLES_RSA(
		"2000") OK_RSA END("4") "\0\0";
	struct intake_builder *builder = intake_builder_new(ENVIRONMENT_EMULATOR, "0f3a");

	intake_builder_process_began(builder, 0);
	intake_builder_push(builder, stream, sizeof stream - 1);
	intake_builder_process_ended(builder, OUTCOME_OK, NULL);
	struct intake *intake = intake_builder_finish(builder);
	g_assert_true(intake->complete);
	g_assert_cmpuint(intake->problems, ==, 3);
	assert_says(intake->first_problem, "line 2: a NUL byte");
	assert_near(measurement_at(intake, 0)->figure.median, 1e-6);
	intake_free(intake);
}

/* 204800 instructions for 10 calls of 1024 bytes are 20 per byte; 9,000,000 for 2 operations are 4,500,000.
 */
static void the_example_of_a_crash_is_taken_in(void)
{
	g_autofree char *text = NULL;

	g_assert_true(g_file_get_contents(BM_SOURCE "/schema/wire-example-crash.jsonl", &text, NULL, NULL));
	char *second = strstr(text + 1, "{\"r\":\"header\"");
	g_autofree char *first = g_strndup(text, (gsize)(second - text));
	struct intake *intake =
		TAKE_IN({0, first, "signal 7 (SIGBUS)", OUTCOME_CRASHED}, BY_ITSELF(0, second));
	g_assert_true(intake->complete);
	g_assert_cmpuint(intake->problems, ==, 0);
	g_assert_cmpuint(intake->outcomes->len, ==, 3);
	g_assert_cmpint(outcome_at(intake, 1)->state, ==, OUTCOME_CRASHED);
	g_assert_cmpstr(outcome_at(intake, 1)->reason, ==, "signal 7 (SIGBUS)");
	/* Time and instructions of each. */
	g_assert_cmpuint(intake->measurements->len, ==, 4);
	g_assert_cmpfloat(measurement_at(intake, 1)->figure.median, ==, 20);
	g_assert_cmpstr(measurement_at(intake, 3)->benchmark, ==, "ecdh-p256 agree");
	g_assert_cmpfloat(measurement_at(intake, 3)->figure.median, ==, 4500000);
	intake_free(intake);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/intake_processes/what_crashed_and_was_skipped_costs_only_itself",
		what_crashed_and_was_skipped_costs_only_itself);
	g_test_add_func("/intake_processes/what_crashed_and_then_went_well_is_flaky",
		what_crashed_and_then_went_well_is_flaky);
	g_test_add_func("/intake_processes/what_crashes_again_has_crashed", what_crashes_again_has_crashed);
	g_test_add_func("/intake_processes/a_hang_is_a_timeout", a_hang_is_a_timeout);
	g_test_add_func("/intake_processes/what_was_lost_is_measured_once", what_was_lost_is_measured_once);
	g_test_add_func("/intake_processes/what_was_in_hand_when_it_was_lost_is_told",
		what_was_in_hand_when_it_was_lost_is_told);
	g_test_add_func(
		"/intake_processes/half_a_line_of_a_crash_is_a_problem", half_a_line_of_a_crash_is_a_problem);
	g_test_add_func("/intake_processes/region_numbers_begin_anew_with_each_process",
		region_numbers_begin_anew_with_each_process);
	g_test_add_func("/intake_processes/the_same_answer_from_two_processes_is_pooled",
		the_same_answer_from_two_processes_is_pooled);
	g_test_add_func("/intake_processes/an_invocation_is_as_complete_as_its_last_process",
		an_invocation_is_as_complete_as_its_last_process);
	g_test_add_func("/intake_processes/two_streams_within_one_process_are_a_problem",
		two_streams_within_one_process_are_a_problem);
	g_test_add_func("/intake_processes/nul_bytes_cost_their_line", nul_bytes_cost_their_line);
	g_test_add_func(
		"/intake_processes/the_example_of_a_crash_is_taken_in", the_example_of_a_crash_is_taken_in);
	return g_test_run();
}
