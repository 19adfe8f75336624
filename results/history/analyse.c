#include "history.h"

#include "join.h"
#include "moved.h"

#include <math.h>
#include <stdlib.h>

static const struct history_point *point_at(const struct history_series *series, guint i)
{
	return &g_array_index(series->points, struct history_point, i);
}

static const struct history_segment *segment_at(const struct history_series *series, guint i)
{
	return &g_array_index(series->segments, struct history_segment, i);
}

/* --- segments --- */

/* By linear interpolation, of values in order. */
static double quantile(const double *sorted, size_t n, double share)
{
	double at = share * (double)(n - 1);
	size_t below = (size_t)at;

	if (below + 1 >= n)
		return sorted[n - 1];
	return sorted[below] + (at - (double)below) * (sorted[below + 1] - sorted[below]);
}

static void add_segment(struct history_series *series, guint first, guint end)
{
	size_t n = end - first;
	g_autofree double *values = g_new(double, n);
	struct history_segment segment = {.first = first, .n = (guint)n, .q1 = NAN, .q3 = NAN};

	for (guint i = first; i < end; i++)
		values[i - first] = point_at(series, i)->value;
	segment.centre = statistics_median(values, n);
	if (n > 1) {
		segment.q1 = quantile(values, n, 0.25);
		segment.q3 = quantile(values, n, 0.75);
	}
	g_array_append_val(series->segments, segment);
}

/* --- changes --- */

/* Whether so few of a segment's points are as far on the side of `value` that it is not one of them. An
 * outlier of a segment is allowed for. */
static bool is_outside(const struct history_series *series, guint segment, double value, bool below)
{
	const struct history_segment *of = segment_at(series, segment);
	guint beyond = 0, allowed = of->n < 5 ? 0 : MAX(of->n / 20, 1);

	for (guint i = of->first; i < of->first + of->n; i++) {
		double other = point_at(series, i)->value;
		beyond += below ? other <= value : other >= value;
	}
	return beyond <= allowed;
}

/* Where the change after that segment lies: what may be of either level is between `before` and `after`. */
static void find_range(struct history_change *change, const struct history_series *series, guint segment)
{
	const struct history_segment *old = segment_at(series, segment), *new = old + 1;
	bool up = new->centre > old->centre;

	change->before = change->at - 1;
	change->after = change->at;
	if (series->exact)
		return;
	while (change->before > old->first &&
		!is_outside(series, segment + 1, point_at(series, change->before)->value, up))
		change->before--;
	while (change->after < new->first + new->n - 1 &&
		!is_outside(series, segment, point_at(series, change->after)->value, !up))
		change->after++;
}

static void add_change(struct history_series *series, guint segment, double p)
{
	const struct history_segment *old = segment_at(series, segment), *new = old + 1;
	struct history_change change = {.at = new->first, .p = p, .alarms = true};

	find_range(&change, series, segment);
	change.ratio = comparison_ratio(old->centre, new->centre, metric_infos[series->metric].better, NULL);
	if (series->exact)
		change.alarms =
			!(fabs(new->centre - old->centre) < COMPARISON_EXACT_ALARM * fabs(old->centre));
	change.moved = moved_between(series, change.before, change.after);
	g_array_append_val(series->changes, change);
}

static GArray *exact_splits(const struct history_series *series)
{
	GArray *splits = g_array_new(FALSE, FALSE, sizeof(struct history_split));

	for (guint i = 1; i < series->points->len; i++) {
		struct history_split split = {i, 0};
		if (point_at(series, i)->value != point_at(series, i - 1)->value)
			g_array_append_val(splits, split);
	}
	return splits;
}

static GArray *sampled_splits(const struct history_series *series)
{
	g_autofree double *values = g_new(double, series->points->len);

	for (guint i = 0; i < series->points->len; i++)
		values[i] = point_at(series, i)->value;
	return history_splits(values, series->points->len, HISTORY_ALPHA, COMPARISON_FLOOR);
}

/* --- noise --- */

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Whether a change lies between a point and the one before it. */
static bool begins_segment(const struct history_series *series, guint point)
{
	for (guint i = 0; i < series->segments->len; i++)
		if (segment_at(series, i)->first == point)
			return true;
	return false;
}

static void learn_noise(struct history_series *series)
{
	double steps[HISTORY_NEIGHBOURS];
	guint n = 0;

	for (guint i = series->points->len; i-- > 1 && n < HISTORY_NEIGHBOURS;) {
		double before = point_at(series, i - 1)->value, after = point_at(series, i)->value;
		if (!begins_segment(series, i) && before > 0)
			steps[n++] = fabs(after - before) / before;
	}
	series->neighbours = n;
	series->noise = NAN;
	if (n == 0)
		return;
	qsort(steps, n, sizeof *steps, by_size);
	if (n < HISTORY_FEWEST) {
		series->noise = 3 * steps[n - 1];
		return;
	}
	double q1 = quantile(steps, n, 0.25), q3 = quantile(steps, n, 0.75);
	series->noise = q3 + 3 * (q3 - q1);
}

double history_threshold(const struct history_series *series)
{
	if (series && series->exact)
		return COMPARISON_EXACT_ALARM;
	if (!series || isnan(series->noise))
		return COMPARISON_FLOOR;
	return fmax(series->noise, COMPARISON_FLOOR);
}

/* --- the whole --- */

void history_analyse(struct history_series *series)
{
	g_autoptr(GArray) splits = series->exact ? exact_splits(series) : sampled_splits(series);
	guint first = 0;

	series->segments = g_array_new(FALSE, FALSE, sizeof(struct history_segment));
	series->changes = g_array_new(FALSE, FALSE, sizeof(struct history_change));
	for (guint i = 0; i < splits->len; i++) {
		guint at = (guint)g_array_index(splits, struct history_split, i).at;
		add_segment(series, first, at);
		first = at;
	}
	add_segment(series, first, series->points->len);
	for (guint i = 0; i < splits->len; i++)
		add_change(series, i, g_array_index(splits, struct history_split, i).p);
	series->enough = series->exact ? 2 : (guint)history_enough(HISTORY_ALPHA);
	learn_noise(series);
}
