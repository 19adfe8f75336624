/* Where a series of numbers is divided, without a database. */
#include "history.h"
#include "ranks.h"
#include "splits.h"

#include <math.h>

/* "1 2 3": numbers; free with g_array_unref(). "5*1.5" is five of it. */
static GArray *numbers(const char *text)
{
	GArray *values = g_array_new(FALSE, FALSE, sizeof(double));
	g_auto(GStrv) words = g_strsplit(text, " ", -1);

	for (char **word = words; *word; word++) {
		char *end;
		double value = g_ascii_strtod(*word, &end);
		guint times = 1;

		if (*end == '*') {
			times = (guint)value;
			value = g_ascii_strtod(end + 1, NULL);
		}
		while (times-- > 0)
			g_array_append_val(values, value);
	}
	return values;
}

/* Noise from -1 to 1 without a trend: a sawtooth that no two neighbours of a segment repeat. */
static double wobble(guint i)
{
	return (double)(i * 7919 % 101) / 50 - 1;
}

/* Levels of so many points each, with a wobble of that share. */
static GArray *series_of(const char *levels, double noise)
{
	GArray *values = numbers(levels);

	for (guint i = 0; i < values->len; i++)
		g_array_index(values, double, i) *= 1 + noise * wobble(i);
	return values;
}

static GArray *splits_of(const GArray *values)
{
	return history_splits((const double *)(void *)values->data, values->len, HISTORY_ALPHA, 0.01);
}

/* Holds the places of the changes, blank-separated, against what is found. */
static void assert_places(const GArray *values, const char *expected)
{
	g_autoptr(GArray) splits = splits_of(values);
	g_autoptr(GString) got = g_string_new(NULL);

	for (guint i = 0; i < splits->len; i++)
		g_string_append_printf(
			got, "%s%zu", i > 0 ? " " : "", g_array_index(splits, struct history_split, i).at);
	g_assert_cmpstr(got->str, ==, expected);
}

static void assert_close(double got, double expected)
{
	g_assert_cmpfloat_with_epsilon(got, expected, 1e-12 + 1e-9 * fabs(expected));
}

/* --- p --- */

/* Of the C(n+m, n) ways to choose the ranks of the smaller side, those with a U as small: written out. */
static void exact_p_counts_every_way(void)
{
	assert_close(ranks_u_p(0, 4, 4), 2.0 / 70);
	/* 0: 1 way, 1: 1, 2: 2 of C(8, 4). */
	assert_close(ranks_u_p(1, 4, 4), 4.0 / 70);
	assert_close(ranks_u_p(2, 4, 4), 8.0 / 70);
	assert_close(ranks_u_p(14, 4, 4), 8.0 / 70);
	/* Partitions of 0 to 3: 1, 1, 2, 3. */
	assert_close(ranks_u_p(3, 5, 5), 14.0 / 252);
	assert_close(ranks_u_p(0, 2, 98), 2.0 / 4950);
	/* Of 3 parts of at most 5: 1, 1, 2, 3, 4 partitions of 0 to 4 (4 = 4, 3+1, 2+2, 2+1+1). */
	assert_close(ranks_u_p(1, 3, 5), 4.0 / 56);
	assert_close(ranks_u_p(0, 10, 10), 2.0 / 184756);
	/* Partitions of 0 to 20 into at most 10 parts of at most 10: 2146 (SciPy: p 0.023230639329710537). */
	assert_close(ranks_u_p(20, 10, 10), 4292.0 / 184756);
}

static void p_of_equal_sides_is_one(void)
{
	assert_close(ranks_u_p(8, 4, 4), 1);
	g_assert_cmpfloat(ranks_u_p(7.5, 4, 4), >, 0.8);
}

/* 100 against 100: mean 5000, variance 100 * 100 * 201 / 12; 600 away, and half a step back. */
static void p_of_many_is_that_of_a_normal_variable(void)
{
	assert_close(ranks_u_p(4400, 100, 100), erfc((600 - 0.5) / sqrt(100 * 100 * 201 / 12.0) / sqrt(2)));
}

static void half_a_tie_counts_as_less_clear(void)
{
	g_assert_cmpfloat(ranks_u_p(1.5, 5, 5), ==, ranks_u_p(2, 5, 5));
}

/* --- one split --- */

static void the_split_is_between_the_levels(void)
{
	g_autoptr(GArray) values = numbers("3 1 2 13 12 11 14");
	struct ranks *ranks = ranks_new((const double *)(void *)values->data, values->len);
	double p;

	g_assert_cmpuint(ranks_split(ranks, 0, values->len, &p), ==, 3);
	assert_close(p, 2.0 / 35);
	assert_close(ranks_p(ranks, 0, 3, values->len), 2.0 / 35);
	/* Of 13 12 | 11 14 the first two are neither above nor below. */
	assert_close(ranks_p(ranks, 3, 5, 7), 1);
	ranks_free(ranks);
}

/* Ranks 1 2 | 3 4: E = 2 * 2 - 0.5 - 0.5 = 3, times 2 * 2 / 4. The other splits leave fewer than two. */
static void a_stretch_too_short_has_no_split(void)
{
	g_autoptr(GArray) values = numbers("1 2 3");
	struct ranks *ranks = ranks_new((const double *)(void *)values->data, values->len);
	double p;

	g_assert_cmpuint(ranks_split(ranks, 0, 3, &p), ==, 0);
	assert_close(p, 1);
	ranks_free(ranks);
}

/* The energy statistic of every split by its definition, over all pairs of ranks. */
static size_t split_by_definition(const double *ranks, size_t n)
{
	double most = -1;
	size_t best = 0;

	for (size_t at = RANKS_LEAST; at + RANKS_LEAST <= n; at++) {
		double across = 0, first = 0, second = 0, k = (double)at, m = (double)(n - at);

		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j < n; j++) {
				double distance = fabs(ranks[i] - ranks[j]);
				across += i < at && j >= at ? distance : 0;
				first += i < at && j < at ? distance : 0;
				second += i >= at && j >= at ? distance : 0;
			}
		double e = k * m / (k + m) * (2 * across / (k * m) - first / (k * k) - second / (m * m));
		if (e > most + 1e-9) {
			most = e;
			best = at;
		}
	}
	return best;
}

static void the_split_has_the_largest_energy(void)
{
	g_autoptr(GRand) random = g_rand_new_with_seed(20240501);
	double values[40], p;

	for (int round = 0; round < 200; round++) {
		size_t n = (size_t)g_rand_int_range(random, 4, 40), k;

		/* A permutation is its own ranks. */
		for (size_t i = 0; i < n; i++) {
			values[i] = (double)i + 1;
			k = (size_t)g_rand_int_range(random, 0, (gint32)i + 1);
			double other = values[k];
			values[k] = values[i];
			values[i] = other;
		}
		struct ranks *ranks = ranks_new(values, n);
		g_assert_cmpuint(ranks_split(ranks, 0, n, &p), ==, split_by_definition(values, n));
		ranks_free(ranks);
	}
}

/* --- a whole series --- */

/* Of eleven points without a change one in 48 is divided as 5 | 6 or 4 | 7 or the other way round: 4 / C(11,
 * 5) + 4 / C(11, 4). Of twelve one in 139 as 6 | 6, 5 | 7 or 7 | 5: 2 / C(12, 6) + 4 / C(12, 5). */
static void twelve_points_are_enough(void)
{
	g_autoptr(GArray) few = series_of("5*100 6*120", 0.01), enough = series_of("6*100 6*120", 0.01);

	g_assert_cmpuint(history_enough(HISTORY_ALPHA), ==, 12);
	assert_places(few, "");
	assert_places(enough, "6");
}

static void next_to_nothing_is_no_series(void)
{
	g_autoptr(GArray) none = numbers(""), one = numbers("1"), two = numbers("1 2");

	g_array_set_size(none, 0);
	assert_places(none, "");
	assert_places(one, "");
	assert_places(two, "");
}

static void a_step_is_found_where_it_is(void)
{
	g_autoptr(GArray) up = series_of("30*100 30*105", 0.02), down = series_of("40*100 20*97", 0.01);

	assert_places(up, "30");
	assert_places(down, "40");
}

static void what_goes_up_and_down_again_is_two_changes(void)
{
	g_autoptr(GArray) values = series_of("20*100 20*110 20*100", 0.02);

	assert_places(values, "20 40");
}

static void steps_one_after_the_other_are_each_found(void)
{
	g_autoptr(GArray) values = series_of("25*100 25*104 25*108 25*90", 0.01);

	assert_places(values, "25 50 75");
}

static void five_nights_after_a_long_time_are_enough(void)
{
	g_autoptr(GArray) three = series_of("40*100 2*110", 0.02), five = series_of("40*100 5*110", 0.02);

	assert_places(three, "");
	assert_places(five, "40");
}

static void an_outlier_is_no_change(void)
{
	g_autoptr(GArray) values = series_of("20*100 1*500 20*100 1*20 20*100", 0.02);

	assert_places(values, "");
}

/* Of 15 | 10 the whole is not clear, with a night among the ten that is the best of all; the nearer 17 of
 * them are. */
static void an_outlier_hides_no_change_that_is_near(void)
{
	g_autoptr(GArray) values = series_of("15*100 9*125 1*95", 0.01);

	assert_places(values, "15");
}

static void what_never_moves_has_no_change(void)
{
	g_autoptr(GArray) values = numbers("100*42"), noise = series_of("100*42", 0.05);

	assert_places(values, "");
	assert_places(noise, "");
}

static void a_difference_below_the_floor_is_none(void)
{
	g_autoptr(GArray) below = numbers("30*100 30*100.9"), above = numbers("30*100 30*101.1");

	assert_places(below, "");
	assert_places(above, "30");
}

/* All values of one side equal: of 12 against 12 the ways are 2 / C(24, 12). */
static void values_of_a_coarse_clock_are_divided_too(void)
{
	g_autoptr(GArray) values = numbers("12*100 12*102");
	g_autoptr(GArray) splits = splits_of(values);

	g_assert_cmpuint(splits->len, ==, 1);
	assert_close(g_array_index(splits, struct history_split, 0).p, history_series_p(2.0 / 2704156, 24));
}

static void p_is_corrected_for_the_choice(void)
{
	assert_close(history_series_p(1e-6, 10), 2.9e-6);
	g_assert_cmpfloat(history_series_p(1e-6, 100), >, 99e-6);
	assert_close(history_series_p(0.5, 100), 1);
	for (size_t n = 4; n < 5000; n++)
		g_assert_cmpfloat(history_series_p(1e-9, n), <=, history_series_p(1e-9, n + 1));
}

static void a_mirror_image_has_mirrored_changes(void)
{
	g_autoptr(GArray) values = series_of("25*100 25*110", 0.03);
	g_autoptr(GArray) mirror = g_array_new(FALSE, FALSE, sizeof(double));

	for (guint i = values->len; i-- > 0;)
		g_array_append_val(mirror, g_array_index(values, double, i));
	assert_places(mirror, "25");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/history/exact_p_counts_every_way", exact_p_counts_every_way);
	g_test_add_func("/history/p_of_equal_sides_is_one", p_of_equal_sides_is_one);
	g_test_add_func(
		"/history/p_of_many_is_that_of_a_normal_variable", p_of_many_is_that_of_a_normal_variable);
	g_test_add_func("/history/half_a_tie_counts_as_less_clear", half_a_tie_counts_as_less_clear);
	g_test_add_func("/history/the_split_is_between_the_levels", the_split_is_between_the_levels);
	g_test_add_func("/history/a_stretch_too_short_has_no_split", a_stretch_too_short_has_no_split);
	g_test_add_func("/history/the_split_has_the_largest_energy", the_split_has_the_largest_energy);
	g_test_add_func("/history/twelve_points_are_enough", twelve_points_are_enough);
	g_test_add_func("/history/next_to_nothing_is_no_series", next_to_nothing_is_no_series);
	g_test_add_func("/history/a_step_is_found_where_it_is", a_step_is_found_where_it_is);
	g_test_add_func("/history/what_goes_up_and_down_again_is_two_changes",
		what_goes_up_and_down_again_is_two_changes);
	g_test_add_func("/history/steps_one_after_the_other_are_each_found",
		steps_one_after_the_other_are_each_found);
	g_test_add_func("/history/five_nights_after_a_long_time_are_enough",
		five_nights_after_a_long_time_are_enough);
	g_test_add_func("/history/an_outlier_is_no_change", an_outlier_is_no_change);
	g_test_add_func(
		"/history/an_outlier_hides_no_change_that_is_near", an_outlier_hides_no_change_that_is_near);
	g_test_add_func("/history/what_never_moves_has_no_change", what_never_moves_has_no_change);
	g_test_add_func(
		"/history/a_difference_below_the_floor_is_none", a_difference_below_the_floor_is_none);
	g_test_add_func("/history/values_of_a_coarse_clock_are_divided_too",
		values_of_a_coarse_clock_are_divided_too);
	g_test_add_func("/history/p_is_corrected_for_the_choice", p_is_corrected_for_the_choice);
	g_test_add_func("/history/a_mirror_image_has_mirrored_changes", a_mirror_image_has_mirrored_changes);
	return g_test_run();
}
