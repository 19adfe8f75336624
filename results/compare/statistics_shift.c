#include "statistics.h"
#include "statistics_private.h"

#include <glib.h>
#include <math.h>
#include <stdlib.h>

/* Ranks of n values without ties. */
static size_t *plain_ranks(size_t n)
{
	size_t *ranks = g_new(size_t, n);

	for (size_t i = 0; i < n; i++)
		ranks[i] = i + 1;
	return ranks;
}

static size_t cut_of_u(size_t n, size_t m, double confidence, double *ret_coverage)
{
	double sizes = (double)n * (double)m;

	if (n > STATISTICS_EXACT_U || m > STATISTICS_EXACT_U)
		return normal_cut(
			sizes / 2, sqrt(sizes * (double)(n + m + 1) / 12), confidence, ret_coverage);
	g_autofree size_t *ranks = plain_ranks(n + m);
	struct counts sums = counts_of_choice(ranks, n + m, n);
	/* U is the sum of ranks less the smallest that it can be. */
	size_t least = n * (n + 1) / 2;
	struct counts u = {sums.of + least, n * m, sums.all};
	size_t cut = counts_cut(&u, confidence, ret_coverage);
	g_free(sums.of);
	return cut;
}

struct estimate statistics_shift(const double *x, size_t n, const double *y, size_t m, double confidence)
{
	double coverage = 1;

	if (n == 0 || m == 0)
		return (struct estimate){(double)NAN, {-INFINITY, INFINITY, 1}};
	g_autofree double *differences = g_new(double, n *m);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < m; k++)
			differences[i * m + k] = x[i] - y[k];
	qsort(differences, n * m, sizeof *differences, compare_doubles);
	size_t cut = cut_of_u(n, m, confidence, &coverage);
	return estimate_of_sorted(differences, n * m, cut, coverage);
}

static size_t cut_of_w(size_t n, double confidence, double *ret_coverage)
{
	double count = (double)n;

	if (n > STATISTICS_EXACT_W)
		return normal_cut(count * (count + 1) / 4, sqrt(count * (count + 1) * (2 * count + 1) / 24),
			confidence, ret_coverage);
	g_autofree size_t *ranks = plain_ranks(n);
	struct counts w = counts_of_coins(ranks, n);
	size_t cut = counts_cut(&w, confidence, ret_coverage);
	g_free(w.of);
	return cut;
}

struct estimate statistics_paired_shift(const double *differences, size_t n, double confidence)
{
	size_t pairs = n * (n + 1) / 2, at = 0;
	double coverage = 1;

	if (n == 0)
		return (struct estimate){(double)NAN, {-INFINITY, INFINITY, 1}};
	g_autofree double *means = g_new(double, pairs);
	for (size_t i = 0; i < n; i++)
		for (size_t k = i; k < n; k++)
			means[at++] = differences[i] / 2 + differences[k] / 2;
	qsort(means, pairs, sizeof *means, compare_doubles);
	size_t cut = cut_of_w(n, confidence, &coverage);
	return estimate_of_sorted(means, pairs, cut, coverage);
}
