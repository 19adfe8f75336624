#include "statistics.h"

#include "statistics_private.h"

#include <glib.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double middle_of(const double *sorted, size_t n)
{
	if (n == 0)
		return (double)NAN;
	return n % 2 == 1 ? sorted[n / 2] : sorted[n / 2 - 1] + (sorted[n / 2] - sorted[n / 2 - 1]) / 2;
}

double statistics_median(double *values, size_t n)
{
	if (n > 0)
		qsort(values, n, sizeof *values, compare_doubles);
	return middle_of(values, n);
}

struct estimate estimate_of_sorted(const double *sorted, size_t n, size_t cut, double coverage)
{
	struct estimate estimate = {middle_of(sorted, n), {-INFINITY, INFINITY, 1}};

	if (cut > 0)
		estimate.interval = (struct interval){sorted[cut - 1], sorted[n - cut], coverage};
	return estimate;
}

/* P(B <= k), term by term: C(n, i) / 2^n, by logarithms so that no n is too large. */
static double binomial_below(size_t n, size_t k)
{
	double sum = 0;

	for (size_t i = 0; i <= k; i++)
		sum += exp(lgamma((double)n + 1) - lgamma((double)i + 1) - lgamma((double)(n - i) + 1) -
			   (double)n * M_LN2);
	return sum;
}

struct interval statistics_median_interval(const double *sorted, size_t n, double confidence)
{
	double outside = 0;
	size_t cut = 0;

	while (cut < n / 2 && 2 * binomial_below(n, cut) <= outside_of(confidence))
		outside = 2 * binomial_below(n, cut++);
	return estimate_of_sorted(sorted, n, cut, 1 - outside).interval;
}

double statistics_smallest_p(size_t n, size_t m)
{
	double p = 2;

	for (size_t i = 1; i <= n; i++)
		p *= (double)i / (double)(m + i);
	return fmin(p, 1);
}

size_t statistics_enough(double alpha, size_t tests)
{
	size_t n = 1;

	while (statistics_smallest_p(n, n) > alpha / (double)MAX(tests, 1))
		n++;
	return n;
}

double statistics_smallest_p_of_pairs(size_t n)
{
	return fmin(ldexp(1, 1 - (int)MIN(n, INT_MAX)), 1);
}

size_t statistics_enough_pairs(double alpha, size_t tests)
{
	size_t n = 1;

	while (statistics_smallest_p_of_pairs(n) > alpha / (double)MAX(tests, 1))
		n++;
	return n;
}

/* --- many tests --- */

double statistics_normal_distance(double p)
{
	double low = 0, high = 40; /* erfc() is 0 from 38.6 on */

	if (p >= 1 || p <= 0)
		return p >= 1 ? 0 : INFINITY;
	for (int i = 0; i < 64; i++) {
		double middle = (low + high) / 2;
		*(erfc(middle * M_SQRT1_2) > p ? &low : &high) = middle;
	}
	return low;
}

struct ranked {
	double p;
	size_t at;
};

static int by_p(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	return (x->p > y->p) - (x->p < y->p);
}

static struct ranked *sort_by_p(const double *p, size_t n)
{
	struct ranked *ranked = g_new(struct ranked, n);

	for (size_t i = 0; i < n; i++)
		ranked[i] = (struct ranked){p[i], i};
	if (n > 0)
		qsort(ranked, n, sizeof *ranked, by_p);
	return ranked;
}

void statistics_holm(double *adjusted, const double *p, size_t n)
{
	g_autofree struct ranked *ranked = sort_by_p(p, n);
	double largest = 0;

	for (size_t i = 0; i < n; i++) {
		largest = fmax(largest, fmin((double)(n - i) * ranked[i].p, 1));
		adjusted[ranked[i].at] = largest;
	}
}

void statistics_benjamini_hochberg(double *adjusted, const double *p, size_t n)
{
	g_autofree struct ranked *ranked = sort_by_p(p, n);
	double smallest = 1;

	for (size_t i = n; i-- > 0;) {
		smallest = fmin(smallest, (double)n / (double)(i + 1) * ranked[i].p);
		adjusted[ranked[i].at] = smallest;
	}
}
