#include "intake.h"

#include <math.h>
#include <string.h>

static int compare_values(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double mean_of(const double *values, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += values[i];
	return sum / (double)n;
}

/* In two passes: the difference of large sums of squares would lose the digits that matter. */
static double deviation_of(const double *values, size_t n, double mean)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (values[i] - mean) * (values[i] - mean);
	return sqrt(sum / (double)(n - 1));
}

/* The quantile p of sorted values by linear interpolation between the nearest two: Hyndman and Fan 1996, type
 * 7, which R and NumPy use where nothing else is said. */
static double quantile_of(const double *sorted, size_t n, double p)
{
	double place = (double)(n - 1) * p;
	size_t below = (size_t)place;

	if (below + 1 >= n)
		return sorted[n - 1];
	return sorted[below] + (place - (double)below) * (sorted[below + 1] - sorted[below]);
}

struct figure figure_of(const double *values, size_t n)
{
	g_autofree double *sorted = g_memdup2(values, n * sizeof *values);
	struct figure figure = {.n = (int64_t)n};

	qsort(sorted, n, sizeof *sorted, compare_values);
	figure.min = sorted[0];
	figure.max = sorted[n - 1];
	figure.median = n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
	figure.q1 = n < 2 ? (double)NAN : quantile_of(sorted, n, 0.25);
	figure.q3 = n < 2 ? (double)NAN : quantile_of(sorted, n, 0.75);
	figure.mean = mean_of(sorted, n);
	figure.sd = n < 2 ? (double)NAN : deviation_of(sorted, n, figure.mean);
	return figure;
}

/* Compilers may order a sum differently, so the last digits may differ. */
static bool is_near(double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) && isnan(b);
	return fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b));
}

/* Differences of nearly equal numbers lose digits, so the deviation is held against the size of the values.
 */
bool figure_follows(const struct figure *stored, const struct figure *computed)
{
	return stored->n == computed->n && is_near(stored->min, computed->min) &&
	       is_near(stored->q1, computed->q1) && is_near(stored->q3, computed->q3) &&
	       is_near(stored->median, computed->median) && is_near(stored->mean, computed->mean) &&
	       is_near(stored->max, computed->max) && isnan(stored->sd) == isnan(computed->sd) &&
	       (isnan(stored->sd) || fabs(stored->sd - computed->sd) <= 1e-9 * fabs(computed->max));
}
