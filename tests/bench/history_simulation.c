/* How often nights without a change are suspected by the threshold that their series gave the night before,
 * and what it finds: series of 100 nights, each night held against the one before it.
 *
 *     history_simulation                    a table; exit status 1 where a noise gives more suspects than it
 * may history_simulation --calibrate N S    the factor of splits.c for N points, from S series without a
 * change
 */
#include "history.h"
#include "splits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NIGHTS = 100, SERIES = 100, LEARNED = HISTORY_FEWEST + 1, CHANGED = 60 };

/* `last` is the noise of the night before, for those that resemble it. */
typedef double noise(GRand *random, double *last);

static double normal(GRand *random)
{
	double u = 1 - g_rand_double(random), v = g_rand_double(random);

	return sqrt(-2 * log(u)) * cos(2 * M_PI * v);
}

static double quiet(GRand *random, double *last)
{
	(void)last;
	return 1 + 0.002 * normal(random);
}

static double gaussian(GRand *random, double *last)
{
	(void)last;
	return 1 + 0.02 * normal(random);
}

static double skewed(GRand *random, double *last)
{
	(void)last;
	return 1 - 0.02 * log(1 - g_rand_double(random));
}

/* Three in ten land where the memory layout is bad. */
static double bimodal(GRand *random, double *last)
{
	(void)last;
	return (g_rand_double(random) < 0.3 ? 1.05 : 1) + 0.005 * normal(random);
}

/* One night in twenty somebody else uses the machine. */
static double outliers(GRand *random, double *last)
{
	(void)last;
	return (1 + 0.01 * normal(random)) * (g_rand_double(random) < 0.05 ? 1.1 + g_rand_double(random) : 1);
}

static double quantised(GRand *random, double *last)
{
	(void)last;
	return round(100 * (1 + 0.02 * normal(random))) / 100;
}

static double resembling(GRand *random, double *last)
{
	*last = 0.8 * *last + 0.012 * normal(random);
	return 1 + *last;
}

static const struct {
	const char *name;
	noise *of;
	double may; /* share of nights that may be suspected once a threshold is learned */
} noises[] = {
	{"quiet (0.2 %)", quiet, 0.001},
	{"gaussian (2 %)", gaussian, 0.005},
	{"skewed (2 %)", skewed, 0.03},
	{"bimodal (5 %)", bimodal, 0.08},
	{"outliers (5 % of nights)", outliers, 0.12},
	{"coarse clock (2 %)", quantised, 0.01},
	{"resembling nights (2 %)", resembling, 0.01},
};

/* --- one series --- */

static const struct history_context no_context;

static double threshold_before(const double *values, guint night)
{
	struct history_series series = {.metric = METRIC_TIME};

	series.points = g_array_sized_new(FALSE, TRUE, sizeof(struct history_point), night);
	for (guint i = 0; i < night; i++) {
		struct history_point point = {.value = values[i], .n = 1, .context = &no_context};
		g_array_append_val(series.points, point);
	}
	history_analyse(&series);
	double threshold = history_threshold(&series);
	g_array_unref(series.points);
	g_array_unref(series.segments);
	g_array_unref(series.changes);
	return threshold;
}

struct tally {
	guint early, late, confirmed; /* suspects before and after a threshold is learned; those seen again */
	guint found[4];		      /* of slowdowns in night CHANGED */
	double threshold;	      /* sum, of night CHANGED */
};
static const double slowdowns[] = {0.02, 0.05, 0.1, 0.2};

static bool is_suspect(double before, double after, double threshold)
{
	return fabs(after - before) / before >= threshold;
}

static void simulate(struct tally *tally, GRand *random, noise *of)
{
	double values[NIGHTS], last = 0;

	for (guint i = 0; i < NIGHTS; i++)
		values[i] = of(random, &last);
	for (guint i = 1; i < NIGHTS; i++) {
		double threshold = threshold_before(values, i);

		/* Both sides are measured again, one after the other. */
		if (is_suspect(values[i - 1], values[i], threshold)) {
			tally->early += i < LEARNED;
			tally->late += i >= LEARNED;
			double old = of(random, &last), new = of(random, &last);
			tally->confirmed += i >= LEARNED && is_suspect(old, new, threshold) &&
					    (new > old) == (values[i] > values[i - 1]);
		}
		if (i != CHANGED)
			continue;
		tally->threshold += threshold;
		for (size_t k = 0; k < G_N_ELEMENTS(slowdowns); k++)
			tally->found[k] +=
				is_suspect(values[i - 1], values[i] * (1 + slowdowns[k]), threshold);
	}
}

static bool print_noise(size_t i)
{
	GRand *random = g_rand_new_with_seed(20240501);
	struct tally tally = {0};
	double early = SERIES * (LEARNED - 1), late = SERIES * (NIGHTS - LEARNED);

	for (int k = 0; k < SERIES; k++)
		simulate(&tally, random, noises[i].of);
	g_rand_free(random);
	printf("%-26s %8.1f %% %9.2f %% %9.2f %% %9.3f %%   ", noises[i].name, 100 * tally.threshold / SERIES,
		100 * tally.early / early, 100 * tally.late / late, 100 * tally.confirmed / late);
	for (size_t k = 0; k < G_N_ELEMENTS(slowdowns); k++)
		printf("%6.0f %%", 100.0 * tally.found[k] / SERIES);
	printf("\n");
	return tally.late / late <= noises[i].may;
}

/* --- the factor of splits.c --- */

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The largest quotient of how often a smallest p is as small, and that p: from 1 in 1000 series to 1 in 50.
 */
static double factor_of(size_t n, size_t series)
{
	GRand *random = g_rand_new_with_seed(20240501);
	g_autofree double *values = g_new(double, n), *p = g_new(double, series);
	double factor = 0;

	for (size_t i = 0; i < series; i++) {
		for (size_t k = 0; k < n; k++)
			values[k] = g_rand_double(random);
		p[i] = history_smallest_p(values, n);
	}
	g_rand_free(random);
	qsort(p, series, sizeof *p, by_size);
	for (size_t k = series / 1000; k < series / 50; k++)
		if (p[k + 1] != p[k])
			factor = fmax(factor, (double)(k + 1) / (double)series / p[k]);
	return factor;
}

int main(int argc, char **argv)
{
	bool ok = true;

	if (argc == 4 && strcmp(argv[1], "--calibrate") == 0) {
		guint64 n = g_ascii_strtoull(argv[2], NULL, 10), series = g_ascii_strtoull(argv[3], NULL, 10);
		if (n < 4 || series < 1000)
			return 2;
		printf("%.1f\n", factor_of(n, series));
		return 0;
	}
	printf("%d series of %d nights each, suspects of nights without a change\n\n", SERIES, NIGHTS);
	printf("%-26s %10s %11s %11s %11s     a slowdown of 2, 5, 10, 20 %% is seen\n", "noise", "threshold",
		"night 2-9", "from 10 on", "twice");
	for (size_t i = 0; i < G_N_ELEMENTS(noises); i++)
		if (!print_noise(i)) {
			printf("  more than %.2f %% of nights\n", 100 * noises[i].may);
			ok = false;
		}
	return ok ? 0 : 1;
}
