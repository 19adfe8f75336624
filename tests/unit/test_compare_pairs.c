/* Pairs of a duel: the evidence of them, and which results are pairs. Expected values: SciPy 1.x's wilcoxon()
 * and hand-made Walsh averages. */
#include "asides.h"
#include "evidence.h"
#include "store_fixture.h"

#include <math.h>

static void so_many_pairs_are_enough(void)
{
	/* 2 / 2^n at most 0.01: 2^8 = 256 >= 200, 2^7 = 128 is not. Of 20 rows: 2^12 = 4096 >= 4000. */
	g_assert_cmpuint(statistics_enough_pairs(0.01, 1), ==, 8);
	g_assert_cmpuint(statistics_enough_pairs(0.01, 0), ==, 8);
	g_assert_cmpuint(statistics_enough_pairs(0.01, 20), ==, 12);
	g_assert_cmpuint(statistics_enough_pairs(0.01, 21), ==, 13);
	g_assert_cmpfloat(statistics_smallest_p_of_pairs(8), ==, 2.0 / 256);
	g_assert_cmpfloat(statistics_smallest_p_of_pairs(1), ==, 1);
	g_assert_cmpfloat(statistics_smallest_p_of_pairs(0), ==, 1);
	/* It is what the test itself gives where all differences have one sign. */
	const double differences[] = {1, 2, 3, 4, 5, 6, 7, 8};
	g_assert_cmpfloat(statistics_signed_rank_test(differences, 8), ==, 2.0 / 256);
}

static void distances_are_those_of_the_tables(void)
{
	g_assert_cmpfloat_with_epsilon(statistics_normal_distance(0.05), 1.959963984540054, 1e-12);
	g_assert_cmpfloat_with_epsilon(statistics_normal_distance(0.01), 2.575829303548901, 1e-12);
	g_assert_cmpfloat_with_epsilon(statistics_normal_distance(1), 0, 1e-12);
	g_assert_true(isinf(statistics_normal_distance(0)));
}

/* A machine whose clock sinks by a fifth while eight pairs are measured; the side after takes 3 % longer each
 * time. */
static void fill_drifting(double *before, double *after)
{
	for (int i = 0; i < 8; i++) {
		before[i] = 100 + 3 * i;
		after[i] = before[i] * (1.03 + 0.0001 * i);
	}
}

static void pairs_see_through_drift(void)
{
	double before[8], after[8];
	struct evidence pairs, sides;
	struct evidence *all[] = {&pairs};

	fill_drifting(before, after);
	sides = evidence_weigh(before, 8, after, 8, BETTER_LOWER);
	fill_drifting(before, after);
	pairs = evidence_weigh_pairs(before, after, 8, BETTER_LOWER);
	g_assert_false(sides.paired);
	g_assert_true(pairs.paired);
	/* As two heaps they overlap; as pairs all eight are slower. */
	g_assert_cmpfloat(sides.p, >, 0.1);
	g_assert_cmpfloat(pairs.p, ==, 2.0 / 256);
	g_assert_cmpuint(evidence_correct(all, 1, CORRECTION_HOLM), ==, 1);
	g_assert_cmpuint(pairs.enough, ==, 8);
	g_assert_cmpint(evidence_verdict(&pairs), ==, VERDICT_WORSE);
	/* The middle of the 36 Walsh averages lies between 1.0303 and 1.0304 and is that of the differences
	 * by their symmetry: 1.03035. */
	g_assert_cmpfloat_with_epsilon(1 / pairs.ratio.value, 1.03035, 1e-6);
	/* k = 4 of W for n = 8 at 95 % (Hollander and Wolfe's table: P(W >= 32) = 0.027, so 0.945 is not
	 * enough; P(W >= 33) = 0.020 is): the fourth Walsh average from either end. In steps of 0.00005
	 * from 1.03 these are 0, 1, 2, 2: 1.0301. */
	g_assert_cmpfloat_with_epsilon(1 / pairs.ratio.interval.high, 1.0301, 2e-6);
	g_assert_cmpfloat_with_epsilon(1 / pairs.ratio.interval.low, 1.0306, 2e-6);
}

static void seven_pairs_say_how_many_would_do(void)
{
	double before[8], after[8];
	struct comparison_row row = {.verdict = VERDICT_NONE};
	struct evidence *all[] = {&row.evidence};

	fill_drifting(before, after);
	row.evidence = evidence_weigh_pairs(before, after, 7, BETTER_LOWER);
	evidence_correct(all, 1, CORRECTION_HOLM);
	row.verdict = evidence_verdict(&row.evidence);
	g_assert_cmpint(row.verdict, ==, VERDICT_NONE);
	g_autofree char *text = comparison_too_few(&row);
	g_assert_cmpstr(text, ==, "too few samples for a verdict: 7 of 8 pairs");
	g_assert_null(comparison_would_tell(&row));
}

static void better_is_what_the_metric_says(void)
{
	double before[8], after[8];

	fill_drifting(before, after);
	struct evidence lower = evidence_weigh_pairs(before, after, 8, BETTER_LOWER);
	fill_drifting(before, after);
	struct evidence higher = evidence_weigh_pairs(before, after, 8, BETTER_HIGHER);
	g_assert_cmpfloat_with_epsilon(lower.ratio.value * higher.ratio.value, 1, 1e-12);
	g_assert_cmpfloat(higher.ratio.value, >, 1.03);
}

static void what_has_no_logarithm_has_no_evidence(void)
{
	double before[] = {1, 2, 0}, after[] = {1, 2, 3}, nothing[1] = {0};

	g_assert_cmpuint(evidence_weigh_pairs(before, after, 3, BETTER_LOWER).n_before, ==, 0);
	g_assert_true(isnan(evidence_weigh_pairs(nothing, nothing, 0, BETTER_LOWER).p));
}

static struct evidence unclear(double value, double half, size_t n)
{
	return (struct evidence){.paired = true,
		.n_before = n,
		.n_after = n,
		.level = 0.01,
		.ratio = {value, {value * exp(-half), value * exp(half), 0.95}}};
}

static void pairs_that_would_tell_follow_the_root_of_n(void)
{
	/* 4 % with an interval of 5 % to either side: 20 (0.05 / ln(1.04) * 2.5758 / 1.96)^2 = 56.1. */
	struct evidence far = unclear(1.04, 0.05, 20);
	g_assert_cmpuint(evidence_pairs_needed(&far), ==, 57);
	/* Nothing at all, with 3 % to either side, to be the same within 1 %: 20 (0.03 / ln(1.01))^2 = 181.8.
	 */
	struct evidence near = unclear(1, 0.03, 20);
	g_assert_cmpuint(evidence_pairs_needed(&near), ==, 182);
	/* At the floor itself nothing would do. */
	struct evidence at = unclear(1.0099, 0.03, 20);
	g_assert_cmpuint(evidence_pairs_needed(&at), ==, 0);

	struct comparison_row row = {.evidence = far, .verdict = VERDICT_UNCLEAR};
	g_autofree char *text = comparison_would_tell(&row);
	g_assert_cmpstr(text, ==, "about 57 pairs would tell");
	row.evidence = at;
	g_autofree char *never = comparison_would_tell(&row);
	g_assert_cmpstr(never, ==, "more than 1000 pairs would be needed to tell");
	row.evidence.paired = false;
	g_assert_null(comparison_would_tell(&row));
}

/* --- what is a pair --- */

static int64_t begin_run_of(struct fixture *fixture, const char *matrix)
{
	const struct run_row row = {
		.matrix = matrix, .matrix_text = "{}", .plan_text = "{}", .program = "0.1.0"};
	g_autofree char *uuid = NULL;

	g_assert_true(store_run_begin(fixture->store, &fixture->run, &uuid, &row, NULL));
	return fixture->run;
}

/* One invocation after the other of one side, the numbers as given. */
static void put_side(
	struct fixture *fixture, const char *config, const int *invocations, const double *values, size_t n)
{
	g_autofree char *name = g_strconcat(config, " time", NULL), *uuid = g_uuid_string_random();
	int64_t cell = put_cell(fixture, name, put_build(fixture, build_row("5.5.4", config)),
		put_platform(fixture, "board", ENVIRONMENT_HARDWARE));
	g_autofree struct sample_set *sets = g_new0(struct sample_set, n);
	struct measurement measurement = {.benchmark = "rsa-2048 private",
		.metric = METRIC_TIME,
		.source = SOURCE_OWN,
		.environment = ENVIRONMENT_HARDWARE,
		.kind = KIND_SAMPLED,
		.figure = {(int64_t)n, values[0], values[0], values[0], values[0], values[0], values[0], NAN},
		.samples = sets,
		.n_samples = n};
	struct outcome outcome = {.benchmark = "rsa-2048 private", .state = OUTCOME_OK};
	struct intake intake = {
		.outcomes = g_ptr_array_new(), .measurements = g_ptr_array_new(), .complete = true};
	struct attempt_row attempt = attempt_row(cell, uuid, 1);
	int64_t id;

	for (size_t i = 0; i < n; i++)
		sets[i] = (struct sample_set){(uint32_t)invocations[i], 1, &values[i], 1};
	g_ptr_array_add(intake.measurements, &measurement);
	g_ptr_array_add(intake.outcomes, &outcome);
	attempt.state = ATTEMPT_OK;
	attempt.reason = NULL;
	g_assert_true(store_attempt_take_in(fixture->store, &id, &attempt, &intake, NULL));
	g_ptr_array_unref(intake.measurements);
	g_ptr_array_unref(intake.outcomes);
}

static struct comparison *compare(struct fixture *fixture)
{
	struct comparison *comparison;
	GError *error = NULL;

	comparison_make(&comparison, fixture->store, "config=default", "config=sp", "", NULL, &error);
	g_assert_no_error(error);
	g_assert_cmpuint(comparison->rows->len, ==, 1);
	return comparison;
}

static const int forward[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};

static void a_duel_is_compared_by_pairs_and_nothing_else_is(void)
{
	static const struct {
		const char *matrix;
		bool third, paired;
	} cases[] = {{ASIDE_DUEL, false, true}, {"quick", false, false}, {ASIDE_DUEL, true, false}};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct fixture fixture;
		double before[8], after[8];

		fixture_open(&fixture);
		begin_run_of(&fixture, cases[i].matrix);
		fill_drifting(before, after);
		put_side(&fixture, "default", forward, before, 8);
		put_side(&fixture, "sp", forward, after, 8);
		if (cases[i].third)
			put_side(&fixture, "fastmath", forward, after, 8);
		struct comparison *comparison = compare(&fixture);
		const struct comparison_row *row = comparison->rows->pdata[0];
		g_assert_cmpint(row->evidence.paired, ==, cases[i].paired);
		g_assert_cmpuint(comparison->paired, ==, cases[i].paired);
		g_assert_cmpint(row->verdict, ==, cases[i].paired ? VERDICT_WORSE : VERDICT_UNCLEAR);
		comparison_free(comparison);
		fixture_close(&fixture);
	}
}

static void sides_of_two_duels_are_no_pairs(void)
{
	struct fixture fixture;
	double before[8], after[8];

	fixture_open(&fixture);
	fill_drifting(before, after);
	begin_run_of(&fixture, ASIDE_DUEL);
	put_side(&fixture, "default", forward, before, 8);
	begin_run_of(&fixture, ASIDE_DUEL);
	put_side(&fixture, "sp", forward, after, 8);
	struct comparison *comparison = compare(&fixture);
	g_assert_cmpuint(comparison->paired, ==, 0);
	comparison_free(comparison);
	fixture_close(&fixture);
}

/* Invocation 3 has come for one side only, 11 for the other, and one side's come in another order. */
static void invocations_pair_up_by_their_numbers(void)
{
	static const int ours[] = {0, 1, 2, 3, 4, 5, 6, 7, 8}, theirs[] = {8, 0, 7, 1, 6, 2, 5, 4, 11};
	double before[9], after[9];
	struct fixture fixture;

	for (int i = 0; i < 9; i++) {
		before[i] = 100 + 10 * ours[i];
		after[i] = (100 + 10 * theirs[i]) * 1.05;
	}
	fixture_open(&fixture);
	begin_run_of(&fixture, ASIDE_DUEL);
	put_side(&fixture, "default", ours, before, 9);
	put_side(&fixture, "sp", theirs, after, 9);
	struct comparison *comparison = compare(&fixture);
	const struct comparison_row *row = comparison->rows->pdata[0];
	g_assert_cmpuint(row->evidence.n_before, ==, 8);
	g_assert_cmpuint(row->evidence.n_after, ==, 8);
	g_assert_cmpfloat_with_epsilon(row->evidence.ratio.value, 1 / 1.05, 1e-12);
	g_assert_cmpfloat_with_epsilon(row->evidence.ratio.interval.low, 1 / 1.05, 1e-12);
	g_assert_cmpfloat(row->evidence.p, ==, 2.0 / 256);
	comparison_free(comparison);
	fixture_close(&fixture);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/compare-pairs/so_many_are_enough", so_many_pairs_are_enough);
	g_test_add_func(
		"/compare-pairs/distances_are_those_of_the_tables", distances_are_those_of_the_tables);
	g_test_add_func("/compare-pairs/see_through_drift", pairs_see_through_drift);
	g_test_add_func("/compare-pairs/seven_say_how_many_would_do", seven_pairs_say_how_many_would_do);
	g_test_add_func("/compare-pairs/better_is_what_the_metric_says", better_is_what_the_metric_says);
	g_test_add_func("/compare-pairs/what_has_no_logarithm_has_no_evidence",
		what_has_no_logarithm_has_no_evidence);
	g_test_add_func("/compare-pairs/those_that_would_tell_follow_the_root_of_n",
		pairs_that_would_tell_follow_the_root_of_n);
	g_test_add_func("/compare-pairs/are_of_a_duel_and_of_nothing_else",
		a_duel_is_compared_by_pairs_and_nothing_else_is);
	g_test_add_func("/compare-pairs/are_not_sides_of_two_duels", sides_of_two_duels_are_no_pairs);
	g_test_add_func("/compare-pairs/are_found_by_the_numbers_of_invocations",
		invocations_pair_up_by_their_numbers);
	return g_test_run();
}
