#include "statistics.h"
#include "statistics_private.h"

#include <glib.h>
#include <math.h>
#include <stdlib.h>

/* --- distributions --- */

static double sum_of(const struct counts *counts, long first, long last)
{
	double sum = 0;

	for (long i = MAX(first, 0); i <= MIN(last, (long)counts->most); i++)
		sum += counts->of[i];
	return sum / counts->all;
}

double counts_below(const struct counts *counts, long at)
{
	return sum_of(counts, 0, at);
}

double counts_above(const struct counts *counts, long at)
{
	return sum_of(counts, at, (long)counts->most);
}

static size_t total(const size_t *weights, size_t n)
{
	size_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += weights[i];
	return sum;
}

static double sum_of_counts(const double *counts, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += counts[i];
	return sum;
}

struct counts counts_of_choice(const size_t *weights, size_t n, size_t take)
{
	size_t most = total(weights, n), wide = most + 1, so_far = 0;
	/* Row k counts the sums of k of the weights so far. */
	double *rows = g_new0(double, (take + 1) * wide);
	struct counts counts = {.most = most};

	rows[0] = 1;
	for (size_t i = 0; i < n; i++) {
		/* Fewer than this could not become enough any more. */
		size_t least = take > n - i ? take - (n - i - 1) : 1;
		so_far += weights[i];
		for (size_t k = MIN(take, i + 1); k >= least; k--)
			for (size_t sum = weights[i]; sum <= so_far; sum++)
				rows[k * wide + sum] += rows[(k - 1) * wide + sum - weights[i]];
	}
	counts.of = g_memdup2(rows + take * wide, wide * sizeof *rows);
	counts.all = sum_of_counts(counts.of, wide);
	g_free(rows);
	return counts;
}

struct counts counts_of_coins(const size_t *weights, size_t n)
{
	size_t most = total(weights, n);
	struct counts counts = {.of = g_new0(double, most + 1), .most = most};

	counts.of[0] = 1;
	for (size_t i = 0; i < n; i++)
		for (size_t sum = most; sum + 1 > weights[i]; sum--)
			counts.of[sum] += counts.of[sum - weights[i]];
	counts.all = sum_of_counts(counts.of, most + 1);
	return counts;
}

/* 1 - 0.9 is less than a tenth in binary. */
double outside_of(double confidence)
{
	return 1 - confidence + 1e-12;
}

size_t counts_cut(const struct counts *counts, double confidence, double *ret_coverage)
{
	double outside = 0, sum = 0;
	size_t cut = 0;

	while (cut <= counts->most) {
		sum += 2 * counts->of[cut] / counts->all;
		if (sum > outside_of(confidence))
			break;
		outside = sum;
		cut++;
	}
	*ret_coverage = 1 - outside;
	return cut;
}

static double normal_above(double z)
{
	return erfc(z / M_SQRT2) / 2;
}

size_t normal_cut(double mean, double sd, double confidence, double *ret_coverage)
{
	double outside = 0;
	size_t cut = 0;

	for (;;) {
		/* Half a step beyond the last difference that is cut off. */
		double p = 2 * normal_above((mean - (double)cut - 0.5) / sd);
		if (p > outside_of(confidence))
			break;
		outside = p;
		cut++;
	}
	*ret_coverage = 1 - outside;
	return cut;
}

double normal_p(double value, double mean, double sd, double half_step)
{
	double distance = fmax(fabs(value - mean) - half_step, 0);

	return sd > 0 ? fmin(2 * normal_above(distance / sd), 1) : 1;
}

/* --- ranks --- */

struct ranked {
	double value;
	size_t at;
};

static int by_value(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	return (x->value > y->value) - (x->value < y->value);
}

size_t *midranks_doubled(const double *values, size_t n, double *ret_ties)
{
	g_autofree struct ranked *ranked = g_new(struct ranked, n);
	size_t *ranks = g_new(size_t, n), end;

	*ret_ties = 0;
	for (size_t i = 0; i < n; i++)
		ranked[i] = (struct ranked){values[i], i};
	qsort(ranked, n, sizeof *ranked, by_value);
	for (size_t i = 0; i < n; i = end) {
		for (end = i + 1; end < n && ranked[end].value == ranked[i].value;)
			end++;
		double tied = (double)(end - i);
		*ret_ties += tied * tied * tied - tied;
		/* Places i+1 to end share (i + 1 + end) / 2. */
		for (size_t k = i; k < end; k++)
			ranks[ranked[k].at] = i + 1 + end;
	}
	return ranks;
}

/* --- tests --- */

/* Where no values are equal every doubled rank is even, and half of them will do. */
static void halve(size_t *ranks, size_t n, double ties)
{
	for (size_t i = 0; ties == 0 && i < n; i++)
		ranks[i] /= 2;
}

static double two_sided(struct counts counts, size_t sum)
{
	double p = 2 * fmin(counts_below(&counts, (long)sum), counts_above(&counts, (long)sum));

	g_free(counts.of);
	return fmin(p, 1);
}

double statistics_u_test(const double *x, size_t n, const double *y, size_t m)
{
	size_t all = n + m;
	double ties, sizes = (double)n * (double)m, count = (double)all;

	if (n == 0 || m == 0)
		return (double)NAN;
	g_autofree double *values = g_new(double, all);
	for (size_t i = 0; i < all; i++)
		values[i] = i < n ? x[i] : y[i - n];
	g_autofree size_t *ranks = midranks_doubled(values, all, &ties);
	if (n <= STATISTICS_EXACT_U && m <= STATISTICS_EXACT_U) {
		halve(ranks, all, ties);
		return two_sided(counts_of_choice(ranks, all, n), total(ranks, n));
	}
	double u = (double)total(ranks, n) / 2 - (double)n * (double)(n + 1) / 2;
	double sd = sqrt(sizes / 12 * (count + 1 - ties / (count * (count - 1))));
	return normal_p(u, sizes / 2, sd, 0.5);
}

double statistics_signed_rank_test(const double *differences, size_t n)
{
	g_autofree double *sizes = g_new(double, n + 1);
	g_autofree bool *above = g_new(bool, n + 1);
	size_t left = 0, sum = 0;
	double ties;

	for (size_t i = 0; i < n; i++) {
		if (differences[i] == 0)
			continue;
		above[left] = differences[i] > 0;
		sizes[left++] = fabs(differences[i]);
	}
	if (left == 0)
		return n > 0 ? 1 : (double)NAN;
	g_autofree size_t *ranks = midranks_doubled(sizes, left, &ties);
	if (left <= STATISTICS_EXACT_W)
		halve(ranks, left, ties);
	for (size_t i = 0; i < left; i++)
		sum += above[i] ? ranks[i] : 0;
	if (left <= STATISTICS_EXACT_W)
		return two_sided(counts_of_coins(ranks, left), sum);
	double count = (double)left;
	double sd = sqrt((count * (count + 1) * (2 * count + 1) - ties / 2) / 24);
	return normal_p((double)sum / 2, count * (count + 1) / 4, sd, 0.5);
}
