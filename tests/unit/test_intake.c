#include "intake.h"

#include <math.h>
#include <string.h>

#define HEADER(mode, number)                                                                                 \
	"{\"r\":\"header\",\"wire\":1,\"mode\":\"" mode "\",\"invocation\":" number ",\"build\":\"0f3a\"}\n"
#define RSA	  "\"name\":\"rsa-2048 private\""
#define START_RSA "{\"r\":\"start\"," RSA "}\n"
#define OK_RSA	  "{\"r\":\"benchmark\"," RSA ",\"state\":\"ok\"}\n"
#define SAMPLES_RSA(values)                                                                                  \
	"{\"r\":\"samples\"," RSA ",\"metric\":\"time\",\"iterations\":2,\"values\":[" values "]}\n"
#define REGION_RSA(number) "{\"r\":\"region\",\"region\":" number "," RSA ",\"iterations\":10}\n"
#define COUNT(number, value)                                                                                 \
	"{\"r\":\"count\",\"region\":" number ",\"metric\":\"instructions\",\"value\":" value "}\n"
#define END(records) "{\"r\":\"end\",\"records\":" records "}\n"
/* 2000 and 4000 ns for two operations each: 1e-6 and 2e-6 s. */
#define WHOLE_RSA(number) HEADER("time", number) START_RSA SAMPLES_RSA("2000,4000") OK_RSA END("4")
#define DIGEST(letter)	  letter letter letter letter letter letter letter letter
#define OK_WITH(letter)                                                                                      \
	"{\"r\":\"benchmark\"," RSA ",\"state\":\"ok\",\"digest\":\"" DIGEST(letter) DIGEST(letter) DIGEST(  \
		letter) DIGEST(letter) DIGEST(letter) DIGEST(letter) DIGEST(letter) DIGEST(letter) "\"}\n"

static void assert_near(double a, double b)
{
	if (fabs(a - b) > 1e-12 * fabs(b))
		g_error("%.17g is not %.17g", a, b);
}

static struct intake *take_in(const char *text)
{
	struct intake_builder *builder = intake_builder_new(ENVIRONMENT_EMULATOR, "0f3a");

	intake_builder_push(builder, text, strlen(text));
	return intake_builder_finish(builder);
}

/* One process: which invocation it is of, what it wrote and how it ended. */
struct part {
	int64_t invocation;
	const char *stream;
	const char *reason; /* NULL: by itself */
	enum outcome_state blame;
};

static struct intake *take_in_parts(const struct part *parts, size_t n)
{
	struct intake_builder *builder = intake_builder_new(ENVIRONMENT_EMULATOR, "0f3a");

	for (size_t i = 0; i < n; i++) {
		intake_builder_process_began(builder, parts[i].invocation);
		intake_builder_push(builder, parts[i].stream, strlen(parts[i].stream));
		intake_builder_process_ended(builder, parts[i].blame, parts[i].reason);
	}
	return intake_builder_finish(builder);
}
#define TAKE_IN(...)                                                                                         \
	take_in_parts((const struct part[]){__VA_ARGS__},                                                    \
		sizeof((const struct part[]){__VA_ARGS__}) / sizeof(struct part))
#define BY_ITSELF(invocation, stream)                                                                        \
	{                                                                                                    \
		invocation, stream, NULL, OUTCOME_OK                                                         \
	}
#define CRASHED(invocation, stream)                                                                          \
	{                                                                                                    \
		invocation, stream, "signal 11 (SIGSEGV)", OUTCOME_CRASHED                                   \
	}
/* The orchestrator was killed, and what it had started with it. */
#define LOST(invocation, stream)                                                                             \
	{                                                                                                    \
		invocation, stream, "lost with the run", OUTCOME_OK                                          \
	}

static const struct outcome *outcome_at(const struct intake *intake, guint i)
{
	g_assert_cmpuint(i, <, intake->outcomes->len);
	return intake->outcomes->pdata[i];
}

static const struct measurement *measurement_at(const struct intake *intake, guint i)
{
	g_assert_cmpuint(i, <, intake->measurements->len);
	return intake->measurements->pdata[i];
}

static void assert_says(const char *text, const char *part)
{
	if (!text || !strstr(text, part))
		g_error("\"%s\" does not say \"%s\"", text ? text : "(nothing)", part);
}

/* The lines of the example from `first` (counted from 0), `n` of them. */
static char *example(guint first, guint n)
{
	g_autofree char *text = NULL;
	GString *part = g_string_new(NULL);

	g_assert_true(g_file_get_contents(BM_SOURCE "/schema/wire-example.jsonl", &text, NULL, NULL));
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	for (guint i = first; i < first + n; i++)
		g_string_append_printf(part, "%s\n", lines[i]);
	return g_string_free(part, FALSE);
}

/* 1024000, 1126400 and 1024000 ns for 100 calls of 1024 bytes are 1, 1.1 and 1 times 1e-8 s/B. Their mean
 * is 3.1e-8 / 3; the deviations are -1/30, 2/30 and -1/30 of 1e-8, so the variance is (6/900)/2 = 1/300 of
 * 1e-16. */
static void times_are_seconds_per_byte(void)
{
	g_autofree char *text = example(0, 7);
	struct intake *intake = take_in(text);
	const struct measurement *time = measurement_at(intake, 0);

	g_assert_true(intake->complete);
	g_assert_null(intake->incomplete_reason);
	g_assert_cmpuint(intake->problems, ==, 0);
	g_assert_cmpstr(intake->library_version, ==, "5.5.4");
	g_assert_true(g_str_has_prefix(intake->header, "{\"r\":\"header\""));
	g_assert_cmpuint(intake->measurements->len, ==, 1);
	g_assert_cmpstr(time->benchmark, ==, "aes-128-cbc encrypt");
	g_assert_cmpstr(time->block, ==, "1024");
	g_assert_cmpint(time->metric, ==, METRIC_TIME);
	g_assert_cmpint(time->kind, ==, KIND_SAMPLED);
	g_assert_cmpint(time->source, ==, SOURCE_OWN);
	g_assert_cmpint(time->figure.n, ==, 3);
	assert_near(time->figure.min, 1e-8);
	assert_near(time->figure.median, 1e-8);
	assert_near(time->figure.mean, 3.1e-8 / 3);
	assert_near(time->figure.max, 1.1e-8);
	g_assert_cmpfloat_with_epsilon(time->figure.sd, 1e-8 / sqrt(300), 1e-20);
	g_assert_cmpuint(time->n_samples, ==, 1);
	g_assert_cmpuint(time->samples[0].iterations, ==, 100);
	assert_near(time->samples[0].values[1], 1.1e-8);
	g_assert_cmpint(outcome_at(intake, 0)->state, ==, OUTCOME_OK);
	g_assert_cmpstr(outcome_at(intake, 0)->proof, ==, "digest");
	g_assert_cmpint(outcome_at(intake, 1)->state, ==, OUTCOME_UNAVAILABLE);
	g_assert_cmpstr(outcome_at(intake, 1)->reason, ==, "the build has no RSA");
	intake_free(intake);
}

/* 204800 instructions and 81920 ns for 10 calls of 1024 bytes. */
static void counts_are_instructions_per_byte(void)
{
	g_autofree char *text = example(7, 6);
	struct intake *intake = take_in(text);
	const struct measurement *time = measurement_at(intake, 0), *count = measurement_at(intake, 1);

	g_assert_true(intake->complete);
	g_assert_cmpuint(intake->measurements->len, ==, 2);
	g_assert_cmpint(time->metric, ==, METRIC_TIME);
	g_assert_cmpint(time->environment, ==, ENVIRONMENT_EMULATOR);
	g_assert_cmpint(time->kind, ==, KIND_SAMPLED);
	g_assert_cmpint(time->figure.n, ==, 1);
	assert_near(time->figure.median, 8e-9);
	g_assert_true(isnan(time->figure.sd));
	g_assert_cmpint(count->metric, ==, METRIC_INSTRUCTIONS);
	g_assert_cmpint(count->kind, ==, KIND_EXACT);
	g_assert_cmpfloat(count->figure.median, ==, 20);
	g_assert_cmpfloat(count->figure.min, ==, 20);
	g_assert_cmpint(count->figure.n, ==, 1);
	g_assert_cmpuint(count->n_samples, ==, 0);
	intake_free(intake);
}

static void operations_are_not_divided_by_bytes(void)
{
	struct intake *intake = take_in(WHOLE_RSA("0"));

	g_assert_true(intake->complete);
	assert_near(measurement_at(intake, 0)->figure.median, 1.5e-6);
	assert_near(measurement_at(intake, 0)->figure.max, 2e-6);
	g_assert_null(measurement_at(intake, 0)->block);
	intake_free(intake);
}

static void invocations_are_pooled_and_kept_apart(void)
{
	struct intake *intake = TAKE_IN(
		BY_ITSELF(0, WHOLE_RSA("0")), BY_ITSELF(1, HEADER("time", "1") START_RSA SAMPLES_RSA("6000")
								   SAMPLES_RSA("8000") OK_RSA END("5")));
	const struct measurement *time = measurement_at(intake, 0);
	g_assert_true(intake->complete);
	g_assert_cmpuint(intake->outcomes->len, ==, 1);
	g_assert_cmpint(time->figure.n, ==, 4);
	assert_near(time->figure.median, 2.5e-6);
	g_assert_cmpuint(time->n_samples, ==, 3);
	g_assert_cmpuint(time->samples[0].invocation, ==, 0);
	g_assert_cmpuint(time->samples[2].invocation, ==, 1);
	assert_near(time->samples[2].values[0], 4e-6);
	intake_free(intake);
}

static void states_that_differ_are_flaky(void)
{
	struct intake *intake = TAKE_IN(BY_ITSELF(0, WHOLE_RSA("0")),
		BY_ITSELF(1, HEADER("time", "1") START_RSA
			"{\"r\":\"benchmark\"," RSA
			",\"state\":\"wrong-answer\",\"reason\":\"not the plaintext\"}\n" END("3")));

	g_assert_true(intake->complete);
	g_assert_cmpint(outcome_at(intake, 0)->state, ==, OUTCOME_FLAKY);
	g_assert_cmpstr(outcome_at(intake, 0)->reason, ==,
		"ok in invocation 0, then wrong-answer in invocation 1 (not the plaintext)");
	g_assert_cmpuint(intake->measurements->len, ==, 0);
	intake_free(intake);
}

static void digests_that_differ_are_flaky(void)
{
	struct intake *same =
		TAKE_IN(BY_ITSELF(0, HEADER("time", "0") SAMPLES_RSA("5") OK_WITH("a") END("3")),
			BY_ITSELF(1, HEADER("time", "1") SAMPLES_RSA("5") OK_WITH("a") END("3")));
	struct intake *other =
		TAKE_IN(BY_ITSELF(0, HEADER("time", "0") SAMPLES_RSA("5") OK_WITH("a") END("3")),
			BY_ITSELF(1, HEADER("time", "1") SAMPLES_RSA("5") OK_WITH("b") END("3")));

	g_assert_cmpint(outcome_at(same, 0)->state, ==, OUTCOME_OK);
	g_assert_cmpint(outcome_at(other, 0)->state, ==, OUTCOME_FLAKY);
	g_assert_cmpstr(
		outcome_at(other, 0)->reason, ==, "the timed output differs between invocations 0 and 1");
	g_assert_cmpuint(other->measurements->len, ==, 0);
	intake_free(same);
	intake_free(other);
}

/* Region numbers begin anew with each process. */
static void counts_that_differ_are_flaky(void)
{
	static const char first[] = HEADER("count", "0") REGION_RSA("1") COUNT("1", "100") OK_RSA END("3");
	struct intake *same = TAKE_IN(BY_ITSELF(0, first),
		BY_ITSELF(1, HEADER("count", "1") COUNT("1", "100") REGION_RSA("1") OK_RSA END("3")));
	struct intake *other = TAKE_IN(BY_ITSELF(0, first),
		BY_ITSELF(1, HEADER("count", "1") COUNT("1", "101") REGION_RSA("1") OK_RSA END("3")));

	g_assert_cmpuint(same->problems, ==, 0);
	g_assert_cmpfloat(measurement_at(same, 0)->figure.median, ==, 10);
	g_assert_cmpint(outcome_at(other, 0)->state, ==, OUTCOME_FLAKY);
	assert_says(outcome_at(other, 0)->reason, "10 and 10.1");
	g_assert_cmpuint(other->measurements->len, ==, 0);
	intake_free(same);
	intake_free(other);
}

/* --- several processes of one invocation --- */

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

static void a_crash_is_charged_to_the_benchmark_in_hand(void)
{
	g_autofree char *text = example(0, 5); /* AES whole, then RSA begun */
	struct intake *intake = TAKE_IN({0, text, "signal 7 (SIGBUS)", OUTCOME_CRASHED});

	g_assert_false(intake->complete);
	g_assert_cmpstr(intake->incomplete_reason, ==, "invocation 0: no end record; signal 7 (SIGBUS)");
	g_assert_cmpstr(intake->last_started, ==, "rsa-2048 private");
	g_assert_cmpint(outcome_at(intake, 0)->state, ==, OUTCOME_OK);
	g_assert_cmpint(outcome_at(intake, 1)->state, ==, OUTCOME_CRASHED);
	g_assert_cmpstr(outcome_at(intake, 1)->reason, ==, "signal 7 (SIGBUS)");
	g_assert_cmpuint(intake->measurements->len, ==, 1);
	intake_free(intake);
}

static void samples_without_an_outcome_are_dropped(void)
{
	struct intake *intake = TAKE_IN(BY_ITSELF(0, WHOLE_RSA("0")),
		BY_ITSELF(1, HEADER("time", "1") START_RSA SAMPLES_RSA("9000000")));

	g_assert_false(intake->complete);
	g_assert_cmpint(measurement_at(intake, 0)->figure.n, ==, 2);
	g_assert_cmpstr(intake->last_started, ==, "rsa-2048 private");
	intake_free(intake);
}

static void a_bulk_benchmark_is_named_with_its_block(void)
{
	struct intake *intake =
		take_in(HEADER("time", "0") "{\"r\":\"start\",\"name\":\"sha-256 hash\",\"block\":64}\n");

	g_assert_cmpstr(intake->last_started, ==, "sha-256 hash 64");
	intake_free(intake);
}

static void a_program_of_another_build_gives_nothing(void)
{
	struct intake_builder *builder = intake_builder_new(ENVIRONMENT_HARDWARE, "beef");
	static const char text[] = WHOLE_RSA("0");

	intake_builder_push(builder, text, sizeof text - 1);
	struct intake *intake = intake_builder_finish(builder);
	g_assert_false(intake->complete);
	g_assert_cmpstr(intake->incomplete_reason, ==,
		"the program says that it is build \"0f3a\"; \"beef\" was started");
	g_assert_cmpuint(intake->outcomes->len, ==, 0);
	g_assert_cmpuint(intake->measurements->len, ==, 0);
	intake_free(intake);
}

static void names_and_blocks_that_are_wrong_are_problems(void)
{
	struct intake *intake = take_in(
		HEADER("time", "0") "{\"r\":\"samples\",\"name\":\"rsa-9 "
				    "private\",\"metric\":\"time\",\"iterations\":1,\"values\":[5]}\n"
				    "{\"r\":\"benchmark\",\"name\":\"rsa-9 private\",\"state\":\"ok\"}\n"
				    "{\"r\":\"benchmark\",\"name\":\"sha-256 hash\",\"state\":\"ok\"}\n"
				    "{\"r\":\"benchmark\"," RSA ",\"block\":64,\"state\":\"ok\"}\n" END("5"));

	g_assert_cmpuint(intake->problems, ==, 4);
	assert_says(intake->first_problem, "line 2: \"rsa-9 private\": no such benchmark");
	g_assert_true(intake->complete);
	g_assert_cmpstr(outcome_at(intake, 0)->benchmark, ==, "rsa-9 private");
	g_assert_cmpuint(intake->measurements->len, ==, 0);
	intake_free(intake);
}

static void problems_are_counted_over_invocations(void)
{
	struct intake *intake =
		TAKE_IN(BY_ITSELF(0, WHOLE_RSA("0")), BY_ITSELF(1, HEADER("time", "1") "hello\n" END("1")));

	/* Five lines in the first; noise is no line of the program's own, so both are complete. */
	assert_says(intake->first_problem, "line 7: not JSON");
	g_assert_cmpuint(intake->problems, ==, 1);
	g_assert_true(intake->complete);
	intake_free(intake);
}

static void lines_that_are_missing_are_seen(void)
{
	struct intake *intake = take_in(HEADER("time", "0") OK_RSA END("3"));

	g_assert_false(intake->complete);
	g_assert_cmpstr(
		intake->incomplete_reason, ==, "invocation 0: the end record says 3 lines, 2 could be read");
	intake_free(intake);
}

static void odd_regions_are_problems(void)
{
	struct intake *intake = take_in(HEADER("count", "0") REGION_RSA("1") REGION_RSA("1") COUNT("2", "5")
			COUNT("2", "6") OK_RSA OK_RSA END("5") OK_RSA);

	/* second region 1, second count 2, second outcome, after the end, region 1 without count */
	g_assert_cmpuint(intake->problems, ==, 5);
	g_assert_cmpuint(intake->measurements->len, ==, 0);
	intake_free(intake);
}

/* What failed its proof after it was counted. */
static void a_count_without_a_figure_is_no_problem(void)
{
	struct intake *intake = take_in(HEADER("count", "0") COUNT(
		"1", "5") "{\"r\":\"benchmark\"," RSA
			  ",\"state\":\"wrong-answer\",\"reason\":\"not the plaintext\"}\n" END("2"));

	g_assert_cmpuint(intake->problems, ==, 0);
	g_assert_true(intake->complete);
	g_assert_cmpuint(intake->measurements->len, ==, 0);
	intake_free(intake);
}

static void nothing_at_all_is_not_complete(void)
{
	struct intake *none = intake_builder_finish(intake_builder_new(ENVIRONMENT_HARDWARE, NULL));
	struct intake *silent = TAKE_IN(BY_ITSELF(0, WHOLE_RSA("0")), BY_ITSELF(1, ""));

	g_assert_cmpstr(none->incomplete_reason, ==, "invocation 0: no output");
	g_assert_cmpstr(silent->incomplete_reason, ==, "invocation 1: no output");
	intake_free(none);
	intake_free(silent);
}

static void a_stream_cut_anywhere_is_never_complete(void)
{
	for (guint part = 0; part < 2; part++) {
		g_autofree char *text = part ? example(7, 6) : example(0, 7);
		for (size_t length = 0; length < strlen(text); length++) {
			g_autofree char *cut = g_strndup(text, length);
			struct intake *intake = take_in(cut);
			if (intake->complete)
				g_error("complete after %zu bytes", length);
			intake_free(intake);
		}
	}
}

/* 2 4 4 4 5 5 7 9: mean 5, squared deviations 9 1 1 1 0 0 4 16 = 32, sample variance 32/7, median (4+5)/2;
 * quartiles at places 1.75 and 5.25 from 0: 4 and 5 + 0.25 * (7 - 5). */
static void figures_are_as_by_hand(void)
{
	static const double values[] = {9, 2, 4, 5, 4, 7, 4, 5}, one[] = {3};
	struct figure figure = figure_of(values, 8), single = figure_of(one, 1);

	g_assert_cmpint(figure.n, ==, 8);
	g_assert_cmpfloat(figure.min, ==, 2);
	g_assert_cmpfloat(figure.median, ==, 4.5);
	g_assert_cmpfloat(figure.q1, ==, 4);
	g_assert_cmpfloat(figure.q3, ==, 5.5);
	g_assert_cmpfloat(figure.mean, ==, 5);
	g_assert_cmpfloat(figure.max, ==, 9);
	assert_near(figure.sd, sqrt(32.0 / 7));
	g_assert_cmpfloat(single.median, ==, 3);
	g_assert_true(isnan(single.sd) && isnan(single.q1) && isnan(single.q3));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/intake/times_are_seconds_per_byte", times_are_seconds_per_byte);
	g_test_add_func("/intake/counts_are_instructions_per_byte", counts_are_instructions_per_byte);
	g_test_add_func("/intake/operations_are_not_divided_by_bytes", operations_are_not_divided_by_bytes);
	g_test_add_func(
		"/intake/invocations_are_pooled_and_kept_apart", invocations_are_pooled_and_kept_apart);
	g_test_add_func("/intake/what_crashed_and_was_skipped_costs_only_itself",
		what_crashed_and_was_skipped_costs_only_itself);
	g_test_add_func(
		"/intake/what_crashed_and_then_went_well_is_flaky", what_crashed_and_then_went_well_is_flaky);
	g_test_add_func("/intake/what_crashes_again_has_crashed", what_crashes_again_has_crashed);
	g_test_add_func("/intake/a_hang_is_a_timeout", a_hang_is_a_timeout);
	g_test_add_func("/intake/what_was_lost_is_measured_once", what_was_lost_is_measured_once);
	g_test_add_func("/intake/what_was_in_hand_when_it_was_lost_is_told",
		what_was_in_hand_when_it_was_lost_is_told);
	g_test_add_func("/intake/half_a_line_of_a_crash_is_a_problem", half_a_line_of_a_crash_is_a_problem);
	g_test_add_func("/intake/region_numbers_begin_anew_with_each_process",
		region_numbers_begin_anew_with_each_process);
	g_test_add_func("/intake/the_same_answer_from_two_processes_is_pooled",
		the_same_answer_from_two_processes_is_pooled);
	g_test_add_func("/intake/an_invocation_is_as_complete_as_its_last_process",
		an_invocation_is_as_complete_as_its_last_process);
	g_test_add_func("/intake/two_streams_within_one_process_are_a_problem",
		two_streams_within_one_process_are_a_problem);
	g_test_add_func("/intake/nul_bytes_cost_their_line", nul_bytes_cost_their_line);
	g_test_add_func("/intake/states_that_differ_are_flaky", states_that_differ_are_flaky);
	g_test_add_func("/intake/digests_that_differ_are_flaky", digests_that_differ_are_flaky);
	g_test_add_func("/intake/counts_that_differ_are_flaky", counts_that_differ_are_flaky);
	g_test_add_func("/intake/a_crash_is_charged_to_the_benchmark_in_hand",
		a_crash_is_charged_to_the_benchmark_in_hand);
	g_test_add_func(
		"/intake/samples_without_an_outcome_are_dropped", samples_without_an_outcome_are_dropped);
	g_test_add_func(
		"/intake/a_bulk_benchmark_is_named_with_its_block", a_bulk_benchmark_is_named_with_its_block);
	g_test_add_func(
		"/intake/a_program_of_another_build_gives_nothing", a_program_of_another_build_gives_nothing);
	g_test_add_func("/intake/names_and_blocks_that_are_wrong_are_problems",
		names_and_blocks_that_are_wrong_are_problems);
	g_test_add_func(
		"/intake/problems_are_counted_over_invocations", problems_are_counted_over_invocations);
	g_test_add_func("/intake/lines_that_are_missing_are_seen", lines_that_are_missing_are_seen);
	g_test_add_func("/intake/odd_regions_are_problems", odd_regions_are_problems);
	g_test_add_func(
		"/intake/a_count_without_a_figure_is_no_problem", a_count_without_a_figure_is_no_problem);
	g_test_add_func("/intake/nothing_at_all_is_not_complete", nothing_at_all_is_not_complete);
	g_test_add_func(
		"/intake/a_stream_cut_anywhere_is_never_complete", a_stream_cut_anywhere_is_never_complete);
	g_test_add_func("/intake/figures_are_as_by_hand", figures_are_as_by_hand);
	return g_test_run();
}
