#include "history.h"

#include "ranks.h"
#include "splits.h"

#include <math.h>

/* Shorter windows have too few points for any p that counts. */
#define SHORTEST 14
/* Of windows, each layer's to the last one's. */
#define SHRINK M_SQRT1_2

/* A stretch with its best split. */
struct window {
	size_t first, end, at;
	double p;
};

struct search {
	const double *values;
	size_t n;
	double alpha, least;
	struct ranks *ranks;
	GArray *windows; /* struct window */
	GArray *cuts;	 /* size_t: 0, the changes so far in order, n */
};

/* --- what p is of a whole series --- */

/* By how much the smallest p of all windows is to be multiplied, so that it is at most alpha in a share alpha
 * of series without a change: the largest quotient of that share and p, for alpha from 0.001 to 0.02. Of
 * 200,000 series each (fewer from 150 points on: 20,000 of 1000) by tests/bench/history_simulation.c
 * --calibrate, and a few hundredths more; up to 12 points counted out. */
static const struct {
	double points, factor;
} factors[] = {{10, 2.9}, {11, 3.45}, {12, 3.85}, {14, 4.7}, {16, 6.1}, {20, 16.8}, {24, 24.5}, {32, 42.5},
	{40, 61.5}, {48, 89}, {64, 138}, {80, 205}, {100, 285}, {150, 520}, {200, 820}, {300, 1180},
	{500, 2250}, {1000, 6300}};

/* By the logarithms of both between the rows, and beyond the last as between the last two. */
static double factor_of(size_t n)
{
	size_t i = 0;

	if ((double)n <= factors[0].points)
		return factors[0].factor;
	while (i + 2 < G_N_ELEMENTS(factors) && factors[i + 1].points <= (double)n)
		i++;
	double from = log(factors[i].points), to = log(factors[i + 1].points);
	double share = (log((double)n) - from) / (to - from);
	return factors[i].factor * pow(factors[i + 1].factor / factors[i].factor, share);
}

double history_series_p(double p, size_t n)
{
	return fmin(p * factor_of(n), 1);
}

size_t history_enough(double alpha)
{
	size_t n = 2 * RANKS_LEAST;

	while (history_series_p(statistics_smallest_p(n / 2, n - n / 2), n) > alpha)
		n++;
	return n;
}

/* --- windows --- */

static void add_window(GArray *windows, struct search *search, size_t first, size_t end)
{
	struct window window = {first, end, 0, 1};

	window.at = ranks_split(search->ranks, first, end, &window.p);
	g_array_append_val(windows, window);
}

/* Seeded intervals: each layer's are SHRINK as long as those of the one before, overlap by half or more and
 * reach from the first point to the last. */
static GArray *all_windows(struct search *search)
{
	GArray *windows = g_array_new(FALSE, FALSE, sizeof(struct window));
	double length = (double)search->n;

	for (double share = 1; length >= SHORTEST; share *= SHRINK, length = (double)search->n * share) {
		size_t count = 2 * (size_t)ceil(1 / share - 1e-9) - 1;
		double step = count > 1 ? ((double)search->n - length) / (double)(count - 1) : 0;

		for (size_t i = 0; i < count; i++) {
			double first = (double)i * step;
			size_t end = (size_t)ceil(first + length - 1e-9);
			add_window(windows, search, (size_t)floor(first + 1e-9), MIN(end, search->n));
		}
	}
	/* What is too short for windows is one. */
	if (windows->len == 0)
		add_window(windows, search, 0, search->n);
	return windows;
}

double history_smallest_p(const double *values, size_t n)
{
	struct search search = {.values = values, .n = n, .ranks = ranks_new(values, n)};
	g_autoptr(GArray) windows = all_windows(&search);
	double least = 1;

	for (guint i = 0; i < windows->len; i++)
		least = fmin(least, g_array_index(windows, struct window, i).p);
	ranks_free(search.ranks);
	return least;
}

/* --- choosing --- */

/* A short window says best where a change is; of equally long ones the clearer first. */
static gint by_length(gconstpointer a, gconstpointer b)
{
	const struct window *x = a, *y = b;
	size_t of_x = x->end - x->first, of_y = y->end - y->first;

	if (of_x != of_y)
		return of_x < of_y ? -1 : 1;
	return (x->p > y->p) - (x->p < y->p);
}

static size_t cut_at(const struct search *search, guint i)
{
	return g_array_index(search->cuts, size_t, i);
}

static void insert_cut(struct search *search, size_t at)
{
	guint i = 0;

	while (cut_at(search, i) < at)
		i++;
	g_array_insert_val(search->cuts, i, at);
}

static bool holds_cut(const struct search *search, const struct window *window)
{
	for (guint i = 1; i + 1 < search->cuts->len; i++)
		if (cut_at(search, i) > window->first && cut_at(search, i) < window->end)
			return true;
	return false;
}

/* The narrowest window over the threshold, then the next without a change in it (Baranowski, Chen and
 * Fryzlewicz, Journal of the Royal Statistical Society B 81 (2019) 649). */
static void choose(struct search *search)
{
	g_array_sort(search->windows, by_length);
	for (guint i = 0; i < search->windows->len; i++) {
		const struct window *window = &g_array_index(search->windows, struct window, i);
		if (history_series_p(window->p, search->n) <= search->alpha && !holds_cut(search, window))
			insert_cut(search, window->at);
	}
}

/* --- between what is chosen --- */

static double median_between(const struct search *search, size_t first, size_t end)
{
	g_autofree double *part = g_memdup2(search->values + first, (end - first) * sizeof *part);

	return statistics_median(part, end - first);
}

/* Where the distances of all points from the median of their side are least in sum, for the medians that
 * `at` gives. No point counts for more than the distance of the medians, so that outliers do not draw the
 * place to themselves; ranks do not know how wide the gap between two levels is. */
static size_t nearer_place(const struct search *search, size_t first, size_t at, size_t end)
{
	double before = median_between(search, first, at), after = median_between(search, at, end);
	double sum = 0, least = INFINITY;
	size_t best = at;

	for (size_t i = first + 1; i + RANKS_LEAST <= end; i++) {
		double value = search->values[i - 1];

		sum += fabs(value - before) - fabs(value - after);
		if (i - first >= RANKS_LEAST && sum < least) {
			least = sum;
			best = i;
		}
	}
	return best;
}

/* Each change again between its neighbours: a window knows less than the whole of both segments. */
static void place_again(struct search *search)
{
	for (guint i = 1; i + 1 < search->cuts->len; i++) {
		size_t *at = &g_array_index(search->cuts, size_t, i);

		*at = nearer_place(search, cut_at(search, i - 1), *at, cut_at(search, i + 1));
	}
}

/* Of the windows between the neighbours that hold the change, and of the whole, the clearest: an outlier far
 * from a change makes the whole less clear than what is near. */
static double p_between(const struct search *search, guint i)
{
	size_t first = cut_at(search, i - 1), at = cut_at(search, i), end = cut_at(search, i + 1);
	double least = ranks_p(search->ranks, first, at, end);

	for (guint k = 0; k < search->windows->len; k++) {
		const struct window *window = &g_array_index(search->windows, struct window, k);

		if (window->first >= first && window->end <= end && window->first + RANKS_LEAST <= at &&
			at + RANKS_LEAST <= window->end)
			least = fmin(least, ranks_p(search->ranks, window->first, at, window->end));
	}
	return history_series_p(least, search->n);
}

/* Whether the levels on both sides differ by less than counts. */
static bool too_small(const struct search *search, guint i)
{
	double before = median_between(search, cut_at(search, i - 1), cut_at(search, i));
	double after = median_between(search, cut_at(search, i), cut_at(search, i + 1));

	return fabs(after - before) < search->least * fmin(fabs(before), fabs(after));
}

/* The least clear change that is none; 0 where all are. */
static guint worst(const struct search *search)
{
	double most = -1;
	guint found = 0;

	for (guint i = 1; i + 1 < search->cuts->len; i++) {
		double p = p_between(search, i);

		if (p > most && (p > search->alpha || too_small(search, i))) {
			most = p;
			found = i;
		}
	}
	return found;
}

static GArray *splits_of(const struct search *search)
{
	GArray *splits = g_array_new(FALSE, FALSE, sizeof(struct history_split));

	for (guint i = 1; i + 1 < search->cuts->len; i++) {
		struct history_split split = {cut_at(search, i), p_between(search, i)};
		g_array_append_val(splits, split);
	}
	return splits;
}

GArray *history_splits(const double *values, size_t n, double alpha, double least)
{
	struct search search = {.values = values,
		.n = n,
		.alpha = alpha,
		.least = least,
		.ranks = ranks_new(values, n),
		.cuts = g_array_new(FALSE, FALSE, sizeof(size_t))};
	size_t zero = 0;
	guint i;

	g_array_append_val(search.cuts, zero);
	g_array_append_val(search.cuts, n);
	search.windows = all_windows(&search);
	choose(&search);
	place_again(&search);
	place_again(&search);
	/* Without the weakest the others lie elsewhere. */
	while ((i = worst(&search)) > 0) {
		g_array_remove_index(search.cuts, i);
		place_again(&search);
	}
	GArray *splits = splits_of(&search);
	g_array_unref(search.cuts);
	g_array_unref(search.windows);
	ranks_free(search.ranks);
	return splits;
}
