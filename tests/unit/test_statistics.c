/* Fixed cases: worked out by hand, as the comments do, or by SciPy 1.10.
 * tests/bench/statistics_against_scipy.py has many more. */
#include "statistics.h"

#include <glib.h>
#include <math.h>

#define NEAR	 1e-12
#define N(array) G_N_ELEMENTS(array)

static void assert_interval(struct interval interval, double low, double high, double coverage)
{
	g_assert_cmpfloat(interval.low, ==, low);
	g_assert_cmpfloat(interval.high, ==, high);
	g_assert_cmpfloat_with_epsilon(interval.coverage, coverage, NEAR);
}

static void median_is_the_middle(void)
{
	double odd[] = {9, 1, 5}, even[] = {4, 1, 3, 2};

	g_assert_cmpfloat(statistics_median(odd, 3), ==, 5);
	g_assert_cmpfloat(statistics_median(even, 4), ==, 2.5);
	g_assert_true(isnan(statistics_median(even, 0)));
}

static void interval_of_a_median_says_its_true_coverage(void)
{
	double ten[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};

	/* 2 * 2^-6; 2 * 2^-5 is more than 0.05. */
	assert_interval(statistics_median_interval(ten, 6, 0.95), 1, 6, 1 - 2.0 / 64);
	assert_interval(statistics_median_interval(ten, 5, 0.95), -INFINITY, INFINITY, 1);
	/* 2 * (1 + 10) / 1024; with 45 more it is 0.11. */
	assert_interval(statistics_median_interval(ten, 10, 0.95), 2, 9, 1 - 22.0 / 1024);
	assert_interval(statistics_median_interval(ten, 1, 0.5), -INFINITY, INFINITY, 1);
}

static void u_test_counts_all_ways_to_choose(void)
{
	double low[] = {1, 2, 3, 4}, high[] = {5, 6, 7, 8}, between[] = {2.5, 0.5};

	g_assert_cmpfloat_with_epsilon(statistics_u_test(low, 4, high, 4), 2.0 / 70, NEAR);
	g_assert_cmpfloat_with_epsilon(statistics_u_test(high, 4, low, 4), 2.0 / 70, NEAR);
	/* 4 values below one: 2 * 1 / 5. */
	g_assert_cmpfloat_with_epsilon(statistics_u_test(low, 4, high, 1), 0.4, NEAR);
	/* Ranks 1 and 3 of 4: sums 3, 4, 5, 5, 6, 7; 2 * 2 / 6. */
	g_assert_cmpfloat_with_epsilon(statistics_u_test(between, 2, low + 1, 2), 2.0 / 3, NEAR);
	g_assert_true(isnan(statistics_u_test(low, 4, high, 0)));
}

static void u_test_gives_equal_values_their_midrank(void)
{
	double x[] = {1, 1, 2}, y[] = {2, 3, 3}, same[] = {7, 7, 7, 7, 7, 7, 7, 7};

	/* Midranks 1.5 1.5 3.5 3.5 5.5 5.5; 2 of the 20 choices of three come to 6.5, none to less. */
	g_assert_cmpfloat_with_epsilon(statistics_u_test(x, 3, y, 3), 0.2, NEAR);
	g_assert_cmpfloat(statistics_u_test(same, 4, same + 4, 4), ==, 1);
}

static void u_test_of_many_is_normal(void)
{
	double x[30], y[30];

	for (int i = 0; i < 30; i++) {
		x[i] = i;
		y[i] = i + 8;
	}
	/* scipy.stats.mannwhitneyu(x, y, method="asymptotic", use_continuity=True) */
	g_assert_cmpfloat_with_epsilon(statistics_u_test(x, 30, y, 30), 0.0021498780622138474, NEAR);
	for (int i = 0; i < 30; i++)
		x[i] = y[i] = 1;
	g_assert_cmpfloat(statistics_u_test(x, 30, y, 30), ==, 1);
}

static void smallest_p_tells_how_many_are_enough(void)
{
	g_assert_cmpfloat_with_epsilon(statistics_smallest_p(4, 4), 2.0 / 70, NEAR);
	g_assert_cmpfloat_with_epsilon(statistics_smallest_p(5, 3), 2.0 / 56, NEAR);
	g_assert_cmpfloat(statistics_smallest_p(1, 1), ==, 1);
	/* 2/20 is too much, 2/70 will do. */
	g_assert_cmpuint(statistics_enough(0.05, 1), ==, 4);
	/* 2/70 is too much, 2/252 will do. */
	g_assert_cmpuint(statistics_enough(0.01, 1), ==, 5);
	/* 0.0005: 2/3432 is too much, 2/12870 will do. */
	g_assert_cmpuint(statistics_enough(0.01, 20), ==, 8);
}

static void shift_is_the_median_of_all_differences(void)
{
	double x[] = {11, 12, 13, 14}, y[] = {4, 3, 2, 1};
	struct estimate estimate = statistics_shift(x, 4, y, 4, 0.95);

	g_assert_cmpfloat(estimate.value, ==, 10);
	/* 2/70 outside; with the next difference 4/70. */
	assert_interval(estimate.interval, 7, 13, 1 - 2.0 / 70);
	assert_interval(statistics_shift(x, 4, y, 4, 0.9).interval, 8, 12, 1 - 4.0 / 70);
	assert_interval(statistics_shift(x, 3, y, 3, 0.95).interval, -INFINITY, INFINITY, 1);
	/* Exactly a tenth. */
	assert_interval(statistics_shift(x, 3, y, 3, 0.9).interval, 7, 11, 0.9);
	g_assert_true(isnan(statistics_shift(x, 0, y, 3, 0.9).value));
}

static void signed_ranks_count_all_signs(void)
{
	double up[] = {1, 2, 3, 4, 5}, mixed[] = {-1, 2, 3}, zeros[] = {0, 1, 0, 2}, equal[] = {1, 1, -1};

	g_assert_cmpfloat_with_epsilon(statistics_signed_rank_test(up, 5), 2.0 / 32, NEAR);
	/* 5 or more in 2 of 8. */
	g_assert_cmpfloat_with_epsilon(statistics_signed_rank_test(mixed, 3), 0.5, NEAR);
	g_assert_cmpfloat_with_epsilon(statistics_signed_rank_test(zeros, 4), 0.5, NEAR);
	/* Each has rank 2; 4 or more in 4 of 8. */
	g_assert_cmpfloat_with_epsilon(statistics_signed_rank_test(equal, 3), 1, NEAR);
	g_assert_cmpfloat(statistics_signed_rank_test(zeros, 1), ==, 1);
	g_assert_true(isnan(statistics_signed_rank_test(zeros, 0)));
}

static void signed_ranks_of_many_are_normal(void)
{
	double differences[70];

	for (int i = 0; i < 70; i++)
		differences[i] = i % 7 - 2;
	/* scipy.stats.wilcoxon(those that are not zero, mode="approx", correction=True) */
	g_assert_cmpfloat_with_epsilon(
		statistics_signed_rank_test(differences, 70), 0.0001753439728155507, NEAR);
}

static void paired_shift_is_the_median_of_means_of_two(void)
{
	double six[] = {6, 5, 4, 3, 2, 1};
	struct estimate estimate = statistics_paired_shift(six, 6, 0.9);

	g_assert_cmpfloat(estimate.value, ==, 3.5);
	/* 3 of 64 sums are at most 2, 5 at most 3; the means begin 1, 1.5, 2 and end 5, 5.5, 6. */
	assert_interval(estimate.interval, 2, 5, 1 - 6.0 / 64);
	assert_interval(statistics_paired_shift(six, 4, 0.9).interval, -INFINITY, INFINITY, 1);
}

static void holm_steps_down(void)
{
	double p[] = {0.01, 0.04, 0.03, 0.005}, adjusted[4];

	/* 4 * 0.005, 3 * 0.01, 2 * 0.03, 1 * 0.04 but not less than the one before. */
	statistics_holm(adjusted, p, 4);
	g_assert_cmpfloat_with_epsilon(adjusted[3], 0.02, NEAR);
	g_assert_cmpfloat_with_epsilon(adjusted[0], 0.03, NEAR);
	g_assert_cmpfloat_with_epsilon(adjusted[2], 0.06, NEAR);
	g_assert_cmpfloat_with_epsilon(adjusted[1], 0.06, NEAR);
}

static void benjamini_and_hochberg_step_up(void)
{
	double p[] = {0.01, 0.04, 0.03, 0.005};

	/* 4/1 * 0.005, 4/2 * 0.01, 4/3 * 0.03, 4/4 * 0.04; in place. */
	statistics_benjamini_hochberg(p, p, 4);
	g_assert_cmpfloat_with_epsilon(p[3], 0.02, NEAR);
	g_assert_cmpfloat_with_epsilon(p[0], 0.02, NEAR);
	g_assert_cmpfloat_with_epsilon(p[2], 0.04, NEAR);
	g_assert_cmpfloat_with_epsilon(p[1], 0.04, NEAR);
}

#define CASE(function) g_test_add_func("/statistics/" #function, function)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	CASE(median_is_the_middle);
	CASE(interval_of_a_median_says_its_true_coverage);
	CASE(u_test_counts_all_ways_to_choose);
	CASE(u_test_gives_equal_values_their_midrank);
	CASE(u_test_of_many_is_normal);
	CASE(smallest_p_tells_how_many_are_enough);
	CASE(shift_is_the_median_of_all_differences);
	CASE(signed_ranks_count_all_signs);
	CASE(signed_ranks_of_many_are_normal);
	CASE(paired_shift_is_the_median_of_means_of_two);
	CASE(holm_steps_down);
	CASE(benjamini_and_hochberg_step_up);
	return g_test_run();
}
