#include "intake_streams.h"

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

/* None of it is per byte, and nothing asked for is a figure. */
static void values_of_memory_are_whole(void)
{
	g_autofree char *text = NULL;

	g_assert_true(g_file_get_contents(BM_SOURCE "/schema/wire-example-memory.jsonl", &text, NULL, NULL));
	struct intake *intake = take_in(text);
	g_assert_true(intake->complete);
	g_assert_cmpuint(intake->problems, ==, 0);
	g_assert_cmpuint(intake->measurements->len, ==, 5);
	for (guint i = 0; i < 3; i++) {
		static const enum metric metrics[] = {
			METRIC_HEAP_PEAK, METRIC_HEAP_ALLOCATIONS, METRIC_STACK_PEAK};
		static const double values[] = {0, 0, 712};
		bool found = false;
		for (guint k = 0; k < 5; k++) {
			const struct measurement *measurement = measurement_at(intake, k);
			if (measurement->metric != metrics[i])
				continue;
			found = true;
			g_assert_cmpint(measurement->kind, ==, KIND_EXACT);
			g_assert_cmpstr(measurement->block, ==, "1024");
			g_assert_cmpfloat(figure_value(&measurement->figure), ==, values[i]);
		}
		g_assert_true(found);
	}
	intake_free(intake);
}

#define STACK_RSA(value) "{\"r\":\"value\"," RSA ",\"metric\":\"stack-peak\",\"value\":" value "}\n"

/* 900 is enough for both; the last process told no outcome. */
static void memory_is_the_largest_of_the_processes(void)
{
	struct intake_builder *builder = intake_builder_new(ENVIRONMENT_EMULATOR, "0f3a");
	static const char *const texts[] = {HEADER("time", "0") START_RSA STACK_RSA("700") OK_RSA END("4"),
		HEADER("time", "1") START_RSA STACK_RSA("900") OK_RSA END("4"),
		HEADER("time", "2") START_RSA STACK_RSA("9000")};

	for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
		intake_builder_process_began(builder, i);
		intake_builder_push(builder, texts[i], strlen(texts[i]));
		intake_builder_process_ended(builder, OUTCOME_OK, i == 2 ? "lost" : NULL);
	}
	struct intake *intake = intake_builder_finish(builder);
	g_assert_cmpuint(intake->measurements->len, ==, 1);
	g_assert_cmpfloat(figure_value(&measurement_at(intake, 0)->figure), ==, 900);
	intake_free(intake);
}

/* Both processes tell the first one, which is kept once. */
static void keeps_what_the_headers_remark(void)
{
	static const char text[] = "{\"r\":\"header\",\"wire\":1,\"mode\":\"time\",\"invocation\":0,"
				   "\"build\":\"0f3a\",\"remarks\":["
				   "\"slow clock\"]}\n" END("1");
	static const char other[] = "{\"r\":\"header\",\"wire\":1,\"mode\":\"time\",\"invocation\":1,"
				    "\"build\":\"0f3a\",\"remarks\":["
				    "\"slow clock\",\"other\\u0007\"]}\n" END("1");
	struct intake_builder *builder = intake_builder_new(ENVIRONMENT_EMULATOR, "0f3a");

	intake_builder_process_began(builder, 0);
	intake_builder_push(builder, text, strlen(text));
	intake_builder_process_ended(builder, OUTCOME_OK, NULL);
	intake_builder_process_began(builder, 1);
	intake_builder_push(builder, other, strlen(other));
	struct intake *intake = intake_builder_finish(builder);
	g_assert_cmpuint(intake->remarks->len, ==, 3);
	g_assert_cmpstr(intake->remarks->pdata[0], ==, "slow clock");
	g_assert_true(g_str_has_prefix(intake->remarks->pdata[1], "other"));
	g_assert_null(strchr(intake->remarks->pdata[1], 7));
	g_assert_null(intake->remarks->pdata[2]);
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
	g_test_add_func("/intake/values_of_memory_are_whole", values_of_memory_are_whole);
	g_test_add_func(
		"/intake/memory_is_the_largest_of_the_processes", memory_is_the_largest_of_the_processes);
	g_test_add_func("/intake/keeps_what_the_headers_remark", keeps_what_the_headers_remark);
	g_test_add_func("/intake/times_are_seconds_per_byte", times_are_seconds_per_byte);
	g_test_add_func("/intake/counts_are_instructions_per_byte", counts_are_instructions_per_byte);
	g_test_add_func("/intake/operations_are_not_divided_by_bytes", operations_are_not_divided_by_bytes);
	g_test_add_func(
		"/intake/invocations_are_pooled_and_kept_apart", invocations_are_pooled_and_kept_apart);
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
