#include "diag.h"
#include "tables.h"

#include <math.h>
#include <string.h>

/* Hand-computed: throughput is 1 / (value * 1048576). */
static const struct {
	double value;
	enum metric metric;
	enum work work;
	const char *unit, *expected;
} cases[] = {
	{1.0 / 1048576, METRIC_TIME, WORK_BULK, NULL, "1.000 MiB/s"},
	{1.0 / (912.34 * 1048576), METRIC_TIME, WORK_BULK, NULL, "912.3 MiB/s"},
	{1.0 / (28.0 * 1048576), METRIC_TIME, WORK_BULK, NULL, "28.00 MiB/s"},
	{1.0 / (0.5 * 1048576), METRIC_TIME, WORK_BULK, NULL, "512.0 KiB/s"},
	{1.0 / 100, METRIC_TIME, WORK_BULK, NULL, "100.0 B/s"},
	{1e-8, METRIC_TIME, WORK_BULK, "KiB/s", "97,656 KiB/s"},  /* 1e8 / 1024 = 97656.25 */
	{1e-8, METRIC_TIME, WORK_BULK, "GiB/s", "0.09313 GiB/s"}, /* 1e8 / 2^30 = 0.0931322... */
	{1e-8, METRIC_TIME, WORK_BULK, "kB/s", "100,000 kB/s"},
	{1e-8, METRIC_TIME, WORK_BULK, "GB/s", "0.1000 GB/s"},
	{1e-8, METRIC_TIME, WORK_BULK, "B/s", "100,000,000 B/s"},
	{1e-8, METRIC_TIME, WORK_BULK, "Mbit/s", "800.0 Mbit/s"},
	{1e-8, METRIC_TIME, WORK_BULK, "Gbit/s", "0.8000 Gbit/s"},
	{1e-8, METRIC_TIME, WORK_BULK, "ns/byte", "10.00 ns/B"},
	{1e-8, METRIC_TIME, WORK_BULK, "ns/B", "10.00 ns/B"},
	{1e-10, METRIC_TIME, WORK_BULK, "ps", "100.0 ps/B"},
	{1e-8, METRIC_TIME, WORK_BULK, NULL, "95.37 MiB/s"}, /* 1e8 / 1048576 = 95.367... */
	{1e-8, METRIC_TIME, WORK_BULK, "MB/s", "100.0 MB/s"},
	{1e-8, METRIC_TIME, WORK_BULK, "ns", "10.00 ns/B"},
	{1e-8, METRIC_TIME, WORK_BULK, "s", "1.000e-08 s/B"},
	{1e-3, METRIC_TIME, WORK_OPERATION, NULL, "1,000 ops/s"},
	{1.0 / 1212.4, METRIC_TIME, WORK_OPERATION, NULL, "1,212 ops/s"},
	{20.8e-3, METRIC_TIME, WORK_OPERATION, NULL, "48.08 ops/s"}, /* 1 / 0.0208 = 48.0769... */
	{20.8e-3, METRIC_TIME, WORK_OPERATION, "ms", "20.80 ms/op"},
	{20.8e-3, METRIC_TIME, WORK_OPERATION, "us", "20,800 us/op"},
	{20.8e-3, METRIC_TIME, WORK_OPERATION, "ms/op", "20.80 ms/op"},
	{17.25, METRIC_CYCLES, WORK_BULK, "cycles/byte", "17.25 cycles/B"},
	{17.25, METRIC_CYCLES, WORK_BULK, "cycles", "17.25 cycles/B"},
	{123456, METRIC_CYCLES, WORK_OPERATION, "cycles/op", "123,456 cycles/op"},
	{17.25, METRIC_REFERENCE_CYCLES, WORK_BULK, "ticks/byte", "17.25 ticks/B"},
	{3.21, METRIC_INSTRUCTIONS, WORK_BULK, "instructions/byte", "3.210 instructions/B"},
	{36.58, METRIC_SPEEDUP, WORK_BULK, NULL, "36.58 x"},
	{2, METRIC_TIME, WORK_OPERATION, NULL, "0.5000 ops/s"},
	{0, METRIC_TIME, WORK_OPERATION, NULL, "0 s/op"},
	{1e-320, METRIC_TIME, WORK_OPERATION, NULL, "1.000e-320 s/op"},
	{29556537, METRIC_INSTRUCTIONS, WORK_OPERATION, NULL, "29,556,537 instructions/op"},
	{29556537, METRIC_INSTRUCTIONS, WORK_OPERATION, "instructions", "29,556,537 instructions/op"},
	{999, METRIC_INSTRUCTIONS, WORK_OPERATION, NULL, "999 instructions/op"},
	{1000, METRIC_INSTRUCTIONS, WORK_OPERATION, NULL, "1,000 instructions/op"},
	{123456, METRIC_INSTRUCTIONS, WORK_OPERATION, NULL, "123,456 instructions/op"},
	{3.21, METRIC_INSTRUCTIONS, WORK_BULK, NULL, "3.210 instructions/B"},
	{3, METRIC_INSTRUCTIONS, WORK_BULK, NULL, "3 instructions/B"},
	/* Sizes are of the whole, never per operation. */
	{205346, METRIC_TEXT, WORK_OPERATION, NULL, "205,346 B"},
	{205346, METRIC_TEXT, WORK_OPERATION, "B", "205,346 B"},
	{0, METRIC_BSS, WORK_OPERATION, NULL, "0 B"},
	{205346, METRIC_TEXT, WORK_OPERATION, "KiB", "200.5 KiB"}, /* 205346 / 1024 = 200.53... */
	{205346, METRIC_TEXT, WORK_OPERATION, "kB", "205.3 kB"},
	{3145728, METRIC_FLASH, WORK_OPERATION, "MiB", "3.000 MiB"},
	{999.96, METRIC_CYCLES, WORK_OPERATION, NULL, "1,000 cycles/op"},
	{99.996, METRIC_CYCLES, WORK_OPERATION, NULL, "100.0 cycles/op"},
	{9.9996, METRIC_CYCLES, WORK_OPERATION, NULL, "10.00 cycles/op"},
	{0.99996, METRIC_CYCLES, WORK_BULK, NULL, "1.000 cycles/B"},
	{0.12345, METRIC_REFERENCE_CYCLES, WORK_BULK, NULL, "0.1235 ticks/B"},
};

static void check_cases(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *text = NULL;
		g_autoptr(GError) error = NULL;

		g_assert_true(scale_text(
			&text, cases[i].value, cases[i].metric, cases[i].work, cases[i].unit, &error));
		g_assert_no_error(error);
		g_assert_cmpstr(text, ==, cases[i].expected);
	}
}

static void unknown_value_has_no_text(void)
{
	static const double values[] = {NAN, INFINITY, -INFINITY};

	for (size_t i = 0; i < G_N_ELEMENTS(values); i++) {
		char *text = (char *)"untouched";

		g_assert_true(scale_text(&text, values[i], METRIC_TIME, WORK_BULK, NULL, NULL));
		g_assert_null(text);
	}
}

static void unit_that_does_not_fit_is_refused(void)
{
	static const struct {
		enum metric metric;
		enum work work;
		const char *unit, *word;
	} wrong[] = {
		{METRIC_TIME, WORK_OPERATION, "MiB/s", "ops/s"},
		{METRIC_TIME, WORK_BULK, "ops/s", "MiB/s"},
		{METRIC_TIME, WORK_OPERATION, "ns/byte", "is per operation"},
		{METRIC_TIME, WORK_BULK, "ms/op", "is per byte"},
		{METRIC_TIME, WORK_BULK, "furlongs", "furlongs"},
		{METRIC_TIME, WORK_BULK, "ns/furlong", "use s, ms, us, ns"},
		{METRIC_TIME, WORK_BULK, "MiB/s/byte", "use s, ms, us, ns"},
		{METRIC_TIME, WORK_BULK, "s/", "use s, ms, us, ns"},
		{METRIC_TIME, WORK_BULK, "", "use s, ms, us, ns"},
		/* No clock is known, so cycles cannot follow. */
		{METRIC_TIME, WORK_BULK, "cycles/byte", "ask for cycles: --metric cycles"},
		{METRIC_TIME, WORK_BULK, "KiB", "use s, ms, us, ns"},
		{METRIC_TEXT, WORK_OPERATION, "KiB/op", "use B, KiB"},
		{METRIC_INSTRUCTIONS, WORK_BULK, "MiB/s",
			"use instructions, or ask for MiB/s: --metric time"},
		{METRIC_CYCLES, WORK_BULK, "ns", "use cycles, or"},
		{METRIC_CYCLES, WORK_BULK, "ticks", "--metric reference-cycles"},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
		g_autofree char *text = NULL;
		g_autoptr(GError) error = NULL;

		g_assert_false(scale_text(&text, 1, wrong[i].metric, wrong[i].work, wrong[i].unit, &error));
		g_assert_error(error, DIAG_ERROR, DIAG_USAGE);
		g_assert_nonnull(strstr(error->message, wrong[i].word));
		g_assert_null(text);
	}
}

/* Seconds per byte at so many KiB/s. */
static double at_kib(double rate)
{
	return 1 / (rate * 1024);
}

static void values_side_by_side_have_one_unit(void)
{
	const double fast[] = {at_kib(5000), at_kib(3000)}, mixed[] = {at_kib(3514), NAN, at_kib(468)};
	const double slow[] = {at_kib(3514), at_kib(0.5)}, just[] = {at_kib(1023.99)}, none[] = {NAN, 0};

	g_assert_cmpstr(scale_unit(fast, 2, METRIC_TIME, WORK_BULK), ==, "MiB/s");
	g_assert_cmpstr(scale_unit(mixed, 3, METRIC_TIME, WORK_BULK), ==, "KiB/s");
	g_assert_cmpstr(scale_unit(slow, 2, METRIC_TIME, WORK_BULK), ==, "B/s");
	/* It would read as 1.000 MiB/s. */
	g_assert_cmpstr(scale_unit(just, 1, METRIC_TIME, WORK_BULK), ==, "MiB/s");
	g_assert_cmpstr(scale_unit(none, 2, METRIC_TIME, WORK_BULK), ==, "MiB/s");
	g_assert_cmpstr(scale_unit(slow, 2, METRIC_TIME, WORK_OPERATION), ==, "ops/s");
	g_assert_cmpstr(scale_unit(slow, 2, METRIC_CYCLES, WORK_BULK), ==, "cycles");
	g_assert_cmpstr(scale_unit(NULL, 0, METRIC_BSS, WORK_OPERATION), ==, "B");
}

static void a_unit_names_its_metric_where_it_has_one(void)
{
	enum metric metric = METRIC_COUNT;

	g_assert_true(scale_metric(&metric, "cycles/byte"));
	g_assert_cmpint(metric, ==, METRIC_CYCLES);
	g_assert_true(scale_metric(&metric, "instructions"));
	g_assert_cmpint(metric, ==, METRIC_INSTRUCTIONS);
	g_assert_true(scale_metric(&metric, "MB/s"));
	g_assert_cmpint(metric, ==, METRIC_TIME);
	/* Of many sizes. */
	g_assert_false(scale_metric(&metric, "KiB"));
	g_assert_false(scale_metric(&metric, "furlongs"));
}

static void ratio_reads_as_a_factor(void)
{
	static const struct {
		double ratio;
		const char *expected;
	} ratios[] = {
		{36.578, "36.58x"},
		{1, "1.00x"},
		{2.405, "2.40x"}, /* the nearest double is below 2.405 */
		{0.5, "0.500x"},
		{0.027349, "0.0273x"},
		{1234.567, "1234.57x"},
		{0.9996, "1.00x"},
		{NAN, "-"},
		{INFINITY, "-"},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(ratios); i++) {
		g_autofree char *text = ratio_text(ratios[i].ratio, false);

		g_assert_cmpstr(text, ==, ratios[i].expected);
	}
}

/* 11848957 / 11849471 and 1 + 2^-20. */
static void exact_ratio_near_one_shows_on_which_side(void)
{
	g_autofree char *below = ratio_text(11848957.0 / 11849471, true),
			*above = ratio_text(1 + 0x1p-20, true);
	g_autofree char *one = ratio_text(1, true), *far = ratio_text(1.25, true);

	g_assert_cmpstr(below, ==, "0.99996x");
	g_assert_cmpstr(above, ==, "1.000000954x");
	g_assert_cmpstr(one, ==, "1.00x");
	g_assert_cmpstr(far, ==, "1.25x");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/scale/number_is_scaled_with_its_unit", check_cases);
	g_test_add_func("/scale/unknown_value_has_no_text", unknown_value_has_no_text);
	g_test_add_func("/scale/unit_that_does_not_fit_is_refused", unit_that_does_not_fit_is_refused);
	g_test_add_func("/scale/values_side_by_side_have_one_unit", values_side_by_side_have_one_unit);
	g_test_add_func(
		"/scale/a_unit_names_its_metric_where_it_has_one", a_unit_names_its_metric_where_it_has_one);
	g_test_add_func("/scale/ratio_reads_as_a_factor", ratio_reads_as_a_factor);
	g_test_add_func(
		"/scale/exact_ratio_near_one_shows_on_which_side", exact_ratio_near_one_shows_on_which_side);
	return g_test_run();
}
