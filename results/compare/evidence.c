#include "evidence.h"

#include "values.h"

#include <math.h>

const char *const correction_names[CORRECTION_COUNT + 1] = {"holm", "bh", "none", NULL};

const struct evidence evidence_none = {
	.ratio = {(double)NAN, {(double)NAN, (double)NAN, (double)NAN}},
	.of_before = {(double)NAN, (double)NAN, (double)NAN},
	.of_after = {(double)NAN, (double)NAN, (double)NAN},
	.p = (double)NAN,
	.p_adjusted = (double)NAN,
	.level = (double)NAN,
};

static bool has_logarithms(const double *values, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isfinite(values[i]) || values[i] <= 0)
			return false;
	return n > 0;
}

static double *logarithms(const double *values, size_t n)
{
	double *logs = g_new(double, n);

	for (size_t i = 0; i < n; i++)
		logs[i] = log(values[i]);
	return logs;
}

static struct estimate ratio_of_logarithms(struct estimate logs)
{
	return (struct estimate){
		exp(logs.value), {exp(logs.interval.low), exp(logs.interval.high), logs.interval.coverage}};
}

static struct estimate ratio_of(
	const double *before, size_t n, const double *after, size_t m, enum better better)
{
	g_autofree double *x = logarithms(before, n), *y = logarithms(after, m);
	struct estimate logs = better == BETTER_LOWER ? statistics_shift(x, n, y, m, COMPARISON_CONFIDENCE)
						      : statistics_shift(y, m, x, n, COMPARISON_CONFIDENCE);

	return ratio_of_logarithms(logs);
}

struct evidence evidence_weigh_pairs(double *before, double *after, size_t n, enum better better)
{
	struct evidence evidence = evidence_none;
	g_autofree double *differences = NULL;

	if (!has_logarithms(before, n) || !has_logarithms(after, n))
		return evidence;
	differences = g_new(double, n);
	for (size_t i = 0; i < n; i++)
		differences[i] = better == BETTER_LOWER ? log(before[i]) - log(after[i])
							: log(after[i]) - log(before[i]);
	struct estimate logs = statistics_paired_shift(differences, n, COMPARISON_CONFIDENCE);
	evidence.paired = true;
	evidence.p = statistics_signed_rank_test(differences, n);
	evidence.ratio = ratio_of_logarithms(logs);
	statistics_median(before, n);
	statistics_median(after, n);
	evidence.n_before = evidence.n_after = n;
	evidence.of_before = statistics_median_interval(before, n, COMPARISON_CONFIDENCE);
	evidence.of_after = statistics_median_interval(after, n, COMPARISON_CONFIDENCE);
	return evidence;
}

struct evidence evidence_weigh(
	double *before, size_t n_before, double *after, size_t n_after, enum better better)
{
	struct evidence evidence = evidence_none;

	if (!has_logarithms(before, n_before) || !has_logarithms(after, n_after))
		return evidence;
	statistics_median(before, n_before);
	statistics_median(after, n_after);
	evidence.n_before = n_before;
	evidence.n_after = n_after;
	evidence.ratio = ratio_of(before, n_before, after, n_after, better);
	evidence.of_before = statistics_median_interval(before, n_before, COMPARISON_CONFIDENCE);
	evidence.of_after = statistics_median_interval(after, n_after, COMPARISON_CONFIDENCE);
	evidence.p = statistics_u_test(before, n_before, after, n_after);
	return evidence;
}

size_t evidence_correct(struct evidence **all, size_t n, enum correction correction)
{
	g_autofree double *p = g_new(double, n);
	size_t known = 0, at = 0;

	for (size_t i = 0; i < n; i++)
		if (!isnan(all[i]->p))
			p[known++] = all[i]->p;
	if (correction == CORRECTION_HOLM)
		statistics_holm(p, p, known);
	else if (correction == CORRECTION_BH)
		statistics_benjamini_hochberg(p, p, known);
	size_t tests = correction == CORRECTION_NONE ? 1 : known;
	for (size_t i = 0; i < n; i++) {
		if (isnan(all[i]->p))
			continue;
		all[i]->p_adjusted = p[at++];
		all[i]->level = COMPARISON_ALPHA / (double)tests;
		all[i]->enough = all[i]->paired ? statistics_enough_pairs(COMPARISON_ALPHA, tests)
						: statistics_enough(COMPARISON_ALPHA, tests);
	}
	return known;
}

static double smallest_p(const struct evidence *evidence)
{
	return evidence->paired ? statistics_smallest_p_of_pairs(evidence->n_before)
				: statistics_smallest_p(evidence->n_before, evidence->n_after);
}

enum verdict evidence_verdict(const struct evidence *evidence)
{
	double ratio = evidence->ratio.value, floor = 1 + COMPARISON_FLOOR;
	const struct interval *interval = &evidence->ratio.interval;

	if (evidence->n_before == 0)
		return VERDICT_NONE;
	if (evidence->p_adjusted <= COMPARISON_ALPHA && ratio >= floor)
		return VERDICT_BETTER;
	if (evidence->p_adjusted <= COMPARISON_ALPHA && ratio <= 1 / floor)
		return VERDICT_WORSE;
	if (interval->low >= 1 / floor && interval->high <= floor)
		return VERDICT_SAME;
	/* Sides of different sizes: what matters is whether the smallest p that they can give would do. */
	if (smallest_p(evidence) > evidence->level)
		return VERDICT_NONE;
	return VERDICT_UNCLEAR;
}

size_t evidence_pairs_needed(const struct evidence *evidence)
{
	double half = log(evidence->ratio.interval.high / evidence->ratio.interval.low) / 2;
	double effect = fabs(log(evidence->ratio.value)), floor = log(1 + COMPARISON_FLOOR), times;

	if (!evidence->paired || !isfinite(half) || !isfinite(effect))
		return 0;
	if (effect >= floor)
		times = half / effect * statistics_normal_distance(evidence->level) /
			statistics_normal_distance(1 - COMPARISON_CONFIDENCE);
	else
		times = half / (floor - effect);
	double needed = ceil((double)evidence->n_before * times * times);
	return needed > EVIDENCE_MOST_PAIRS ? 0 : (size_t)fmax(needed, (double)evidence->n_before + 1);
}

bool evidence_applies(const struct comparison_row *row)
{
	const struct result *before = row->before, *after = row->after;

	return metric_infos[before->metric].assume == ASSUME_SAMPLED && before->what.kind == KIND_SAMPLED &&
	       after->what.kind == KIND_SAMPLED && before->what.environment != ENVIRONMENT_EMULATOR &&
	       after->what.environment != ENVIRONMENT_EMULATOR && !isnan(row->ratio);
}

void comparison_correct(struct comparison *comparison, enum correction correction)
{
	g_autoptr(GPtrArray) all = g_ptr_array_new();

	for (guint i = 0; i < comparison->rows->len; i++)
		g_ptr_array_add(all, &((struct comparison_row *)comparison->rows->pdata[i])->evidence);
	comparison->correction = correction;
	comparison->paired = 0;
	comparison->tested = (guint)evidence_correct((struct evidence **)all->pdata, all->len, correction);
	for (guint i = 0; i < comparison->rows->len; i++) {
		struct comparison_row *row = comparison->rows->pdata[i];

		comparison->paired += row->evidence.paired;
		if (row->evidence.n_before > 0)
			row->verdict = evidence_verdict(&row->evidence);
	}
}

const char *comparison_word(const struct comparison_row *row)
{
	static const char *const exact[VERDICT_COUNT] = {
		[VERDICT_EQUAL] = "equal", [VERDICT_BETTER] = "better", [VERDICT_WORSE] = "worse"};
	static const char *const sampled[VERDICT_COUNT] = {[VERDICT_BETTER] = "faster",
		[VERDICT_WORSE] = "slower",
		[VERDICT_SAME] = "same within 1 %",
		[VERDICT_UNCLEAR] = "unclear",
		[VERDICT_NONE] = "too few"};

	return row->evidence.n_before > 0 ? sampled[row->verdict] : exact[row->verdict];
}

char *comparison_too_few(const struct comparison_row *row)
{
	const struct evidence *evidence = &row->evidence;

	if (evidence->n_before == 0 || row->verdict != VERDICT_NONE)
		return NULL;
	if (evidence->paired)
		return g_strdup_printf("too few samples for a verdict: %zu of %zu pairs", evidence->n_before,
			evidence->enough);
	if (evidence->n_before == evidence->n_after)
		return g_strdup_printf("too few samples for a verdict: %zu of %zu invocations a side",
			evidence->n_before, evidence->enough);
	return g_strdup_printf(
		"too few samples for a verdict: %zu against %zu invocations, %zu a side would do",
		evidence->n_before, evidence->n_after, evidence->enough);
}

char *comparison_would_tell(const struct comparison_row *row)
{
	size_t needed;

	if (!row->evidence.paired || row->verdict != VERDICT_UNCLEAR)
		return NULL;
	needed = evidence_pairs_needed(&row->evidence);
	if (needed == 0)
		return g_strdup_printf("more than %d pairs would be needed to tell", EVIDENCE_MOST_PAIRS);
	return g_strdup_printf("about %zu pairs would tell", needed);
}
