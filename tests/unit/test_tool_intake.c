#include "tool_intake.h"

#include <math.h>
#include <string.h>

#define BANNER	  "wolfCrypt Benchmark (block bytes 1024, min 1.0 sec each)\n"
#define SHA(rate) "SHA-256                     " rate " MiB took 1.000 seconds,   " rate ".000 MiB/s\n"
#define RSA	  "RSA     2048  private       200 ops took 1.000 sec, avg 5.000 ms, 200.000 ops/sec\n"

/* One process: which invocation it is of, what it printed and how it ended. */
struct part {
	int64_t invocation;
	const char *text;
	const char *reason; /* NULL: by itself */
};

static struct intake *take_in(const struct part *parts, size_t n)
{
	struct tool_intake *tool = tool_intake_new(importer_find("wolfcrypt"), ENVIRONMENT_HARDWARE);

	for (size_t i = 0; i < n; i++) {
		tool_intake_process_began(tool, parts[i].invocation);
		/* Bytes come as they come. */
		for (const char *byte = parts[i].text; *byte; byte++)
			tool_intake_push(tool, byte, 1);
		tool_intake_process_ended(tool, parts[i].reason);
	}
	return tool_intake_finish(tool);
}
#define TAKE_IN(...)                                                                                         \
	take_in((const struct part[]){__VA_ARGS__}, G_N_ELEMENTS(((const struct part[]){__VA_ARGS__})))

static const struct measurement *find(const struct intake *intake, const char *benchmark)
{
	for (guint i = 0; i < intake->measurements->len; i++) {
		const struct measurement *measurement = intake->measurements->pdata[i];
		if (strcmp(measurement->benchmark, benchmark) == 0)
			return measurement;
	}
	g_error("no figure of %s", benchmark);
}

static void assert_near(double a, double b)
{
	if (!(fabs(a - b) <= 1e-12 * fabs(b)))
		g_error("%.17g is not %.17g", a, b);
}

static void each_process_gives_one_sample(void)
{
	struct intake *intake = TAKE_IN({0, BANNER SHA("64") RSA, NULL}, {1, BANNER SHA("32") RSA, NULL});
	const struct measurement *sha = find(intake, "sha-256 hash"), *rsa = find(intake, "rsa-2048 private");

	g_assert_true(intake->complete);
	g_assert_cmpuint(intake->problems, ==, 0);
	g_assert_cmpuint(intake->outcomes->len, ==, 2);
	g_assert_cmpstr(sha->block, ==, "1024");
	g_assert_cmpint(sha->source, ==, SOURCE_OWN);
	g_assert_cmpint(sha->kind, ==, KIND_SAMPLED);
	g_assert_cmpint(sha->environment, ==, ENVIRONMENT_HARDWARE);
	g_assert_cmpint(sha->figure.n, ==, 2);
	g_assert_cmpuint(sha->n_samples, ==, 2);
	g_assert_cmpuint(sha->samples[1].invocation, ==, 1);
	assert_near(sha->samples[0].values[0], 1 / (64.0 * 1048576));
	assert_near(sha->samples[1].values[0], 1 / (32.0 * 1048576));
	g_assert_null(rsa->block);
	assert_near(rsa->figure.median, 0.005);
	intake_free(intake);
}

static void what_was_printed_before_a_crash_counts(void)
{
	struct intake *intake = TAKE_IN({0, BANNER SHA("64"), "signal 11 (SIGSEGV)"});

	g_assert_false(intake->complete);
	g_assert_cmpstr(intake->incomplete_reason, ==, "invocation 0: signal 11 (SIGSEGV)");
	g_assert_cmpint(find(intake, "sha-256 hash")->figure.n, ==, 1);
	intake_free(intake);
}

static void an_invocation_that_was_lost_is_told_once(void)
{
	struct intake *intake =
		TAKE_IN({0, BANNER SHA("64"), "lost with the run"}, {0, BANNER SHA("32") RSA, NULL});
	const struct measurement *sha = find(intake, "sha-256 hash");

	g_assert_true(intake->complete);
	g_assert_cmpuint(intake->problems, ==, 0);
	g_assert_cmpint(sha->figure.n, ==, 1);
	assert_near(sha->figure.median, 1 / (32.0 * 1048576));
	intake_free(intake);
}

static void a_program_that_prints_no_figure_is_not_whole(void)
{
	struct intake *intake = TAKE_IN({0, BANNER "Benchmark complete\n", NULL});

	g_assert_false(intake->complete);
	g_assert_cmpstr(intake->incomplete_reason, ==, "invocation 0: it printed no figure");
	intake_free(intake);

	intake = take_in(NULL, 0);
	g_assert_false(intake->complete);
	intake_free(intake);
}

static void what_has_no_place_is_a_problem_and_no_figure(void)
{
	struct intake *intake = TAKE_IN({0, BANNER SHA("64") SHA("32"), NULL});

	g_assert_cmpuint(intake->problems, ==, 1);
	g_assert_cmpstr(
		intake->first_problem, ==, "process 1, line 3: a second figure of the same benchmark");
	assert_near(find(intake, "sha-256 hash")->figure.median, 1 / (64.0 * 1048576));
	intake_free(intake);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/tool_intake/each_process_gives_one_sample", each_process_gives_one_sample);
	g_test_add_func("/tool_intake/what_was_printed_before_a_crash_counts",
		what_was_printed_before_a_crash_counts);
	g_test_add_func("/tool_intake/an_invocation_that_was_lost_is_told_once",
		an_invocation_that_was_lost_is_told_once);
	g_test_add_func("/tool_intake/a_program_that_prints_no_figure_is_not_whole",
		a_program_that_prints_no_figure_is_not_whole);
	g_test_add_func("/tool_intake/what_has_no_place_is_a_problem_and_no_figure",
		what_has_no_place_is_a_problem_and_no_figure);
	return g_test_run();
}
