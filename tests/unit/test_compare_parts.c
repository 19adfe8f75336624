/* The parts of a comparison that need no sides: ratios, verdicts, and what is asked. */
#include "diag.h"
#include "join.h"
#include "request.h"
#include "sample_results.h"
#include "values.h"

#include <string.h>

#define AES "aes-128-cbc encrypt"

static void ratio_above_one_is_better(void)
{
	g_assert_cmpfloat(comparison_ratio(3, 1.5, BETTER_LOWER, NULL), ==, 2);
	g_assert_cmpfloat(comparison_ratio(3, 1.5, BETTER_HIGHER, NULL), ==, 0.5);
	g_assert_cmpfloat(comparison_ratio(1.5, 3, BETTER_LOWER, NULL), ==, 0.5);
	g_assert_cmpfloat(comparison_ratio(1.5, 3, BETTER_HIGHER, NULL), ==, 2);
}

static void ratio_of_no_usable_value_says_why(void)
{
	static const struct {
		double before, after;
		const char *why;
	} cases[] = {
		{0, 1, "before is zero"},
		{1, 0, "after is zero"},
		{0, 0, "before is zero, after is zero"},
		{NAN, 1, "before is unknown"},
		{1, NAN, "after is unknown"},
		{INFINITY, 1, "before is not finite"},
		{1, -INFINITY, "after is not finite"},
		{-1, 1, "before is negative"},
		{1e308, 1e-308, "out of range"},
		{1e-308, 1e308, "out of range"},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *why = NULL;

		g_assert_true(isnan(comparison_ratio(cases[i].before, cases[i].after, BETTER_LOWER, &why)));
		g_assert_nonnull(why);
		g_assert_nonnull(strstr(why, cases[i].why));
	}
}

static void verdict_follows_the_direction(void)
{
	g_assert_cmpint(comparison_verdict(2, 1, BETTER_LOWER), ==, VERDICT_BETTER);
	g_assert_cmpint(comparison_verdict(2, 1, BETTER_HIGHER), ==, VERDICT_WORSE);
	g_assert_cmpint(comparison_verdict(1, 2, BETTER_LOWER), ==, VERDICT_WORSE);
	g_assert_cmpint(comparison_verdict(1, 2, BETTER_HIGHER), ==, VERDICT_BETTER);
	g_assert_cmpint(comparison_verdict(29556537, 29556537, BETTER_LOWER), ==, VERDICT_EQUAL);
	g_assert_cmpint(comparison_verdict(29556537, 29556538, BETTER_LOWER), ==, VERDICT_WORSE);
	g_assert_cmpint(comparison_verdict(NAN, 1, BETTER_LOWER), ==, VERDICT_NONE);
}

static void empty_side_says_what_there_is(void)
{
	g_autoptr(GArray) results = sample_array();
	g_autoptr(GPtrArray) universe = NULL;
	g_autoptr(GError) error = NULL;
	struct selector *terms = NULL;

	sample_time(results, "sp", AES, "1024", 8e-9);
	sample_time(results, "default", AES, "1024", 8e-9);
	sample_time(results, "armasm", AES, "1024", 8e-9)->what.labels.v[LABEL_TOOLCHAIN] = "armhf-gcc";
	universe = values_pointers(results);
	g_assert_true(selector_parse(&terms, "toolchain=aarch64-gcc,config=fastmath", NULL));
	g_assert_false(request_explain_empty("BEFORE", terms, universe, &error));
	g_assert_error(error, DIAG_ERROR, DIAG_USAGE);
	g_assert_cmpstr(error->message, ==,
		"BEFORE takes no result: config=fastmath holds for none of those with toolchain=aarch64-gcc; "
		"there is config: "
		"default, sp");
	selector_free(terms);
}

static void metric_comes_from_the_option_or_a_term(void)
{
	struct selector *with = NULL, *without = NULL;
	enum metric metric = METRIC_COUNT;

	g_assert_true(selector_parse(&with, "metric=instructions", NULL));
	g_assert_true(selector_parse(&without, NULL, NULL));
	g_assert_true(request_metric(&metric, NULL, (const struct selector *const[]){without, NULL}, NULL));
	g_assert_cmpint(metric, ==, METRIC_TIME);
	g_assert_true(
		request_metric(&metric, NULL, (const struct selector *const[]){without, with, NULL}, NULL));
	g_assert_cmpint(metric, ==, METRIC_INSTRUCTIONS);
	g_assert_true(
		request_metric(&metric, "cycles", (const struct selector *const[]){without, NULL}, NULL));
	g_assert_cmpint(metric, ==, METRIC_CYCLES);
	selector_free(with);
	selector_free(without);
}

static void metric_that_is_unknown_or_double_is_refused(void)
{
	struct selector *with = NULL;
	enum metric metric;
	g_autoptr(GError) unknown = NULL, twice = NULL;

	g_assert_true(selector_parse(&with, "metric=instructions", NULL));
	g_assert_false(
		request_metric(&metric, "instruction", (const struct selector *const[]){NULL}, &unknown));
	g_assert_error(unknown, DIAG_ERROR, DIAG_USAGE);
	g_assert_nonnull(strstr(unknown->message, "did you mean \"instructions\"?"));
	g_assert_false(request_metric(&metric, "time", (const struct selector *const[]){with, NULL}, &twice));
	g_assert_error(twice, DIAG_ERROR, DIAG_USAGE);
	selector_free(with);
}

#define TEST(function) g_test_add_func("/compare/" #function, function)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	TEST(ratio_above_one_is_better);
	TEST(ratio_of_no_usable_value_says_why);
	TEST(verdict_follows_the_direction);
	TEST(empty_side_says_what_there_is);
	TEST(metric_comes_from_the_option_or_a_term);
	TEST(metric_that_is_unknown_or_double_is_refused);
	return g_test_run();
}
