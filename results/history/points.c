#include "points.h"

#include <string.h>

#define DAY (G_GINT64_CONSTANT(86400) * 1000000000)
/* Longer than this no run takes. */
#define MOST (30 * DAY)

static gint by_time(gconstpointer a, gconstpointer b)
{
	const struct history_row *x = a, *y = b;

	if (x->started_at != y->started_at)
		return x->started_at < y->started_at ? -1 : 1;
	return (x->attempt > y->attempt) - (x->attempt < y->attempt);
}

/* Texts of one store are the same text where they are equal. */
static bool belongs(const struct history_point *point, const struct history_row *row)
{
	return (point->run == row->run || point->started_at / DAY == row->started_at / DAY) &&
	       point->revision == row->what.revision &&
	       memcmp(point->context, row->context, sizeof *row->context) == 0;
}

/* The point of a row's run or day that it belongs to, or a new one. */
static guint place_of(GArray *points, const struct history_row *row)
{
	struct history_point fresh = {
		.carried = true, .revision = row->what.revision, .context = row->context};

	for (guint i = points->len; i-- > 0;) {
		const struct history_point *point = &g_array_index(points, struct history_point, i);

		if (row->started_at - point->started_at > MOST)
			break;
		if (belongs(point, row))
			return i;
	}
	g_array_append_val(points, fresh);
	return points->len - 1;
}

static void add_row(struct history_point *point, const struct history_row *row)
{
	point->n++;
	point->carried &= row->carried;
	point->run = row->run;
	point->attempt = row->attempt;
	point->measurement = row->measurement;
	point->started_at = row->started_at;
	point->run_uuid = row->run_uuid;
	point->run_label = row->run_label;
}

static double median_of(const GArray *rows, const guint *places, guint place)
{
	g_autofree double *values = g_new(double, rows->len);
	size_t n = 0;

	for (guint i = 0; i < rows->len; i++)
		if (places[i] == place)
			values[n++] = g_array_index(rows, struct history_row, i).value;
	return statistics_median(values, n);
}

/* A time that was carried forward is the one before it once more: as points of their own they would make one
 * night's noise the agreement of many. */
static void drop_repeats(GArray *rows)
{
	guint n = 0;

	for (guint i = 0; i < rows->len; i++) {
		struct history_row row = g_array_index(rows, struct history_row, i);
		if (n == 0 || !row.carried || row.what.kind != KIND_SAMPLED)
			g_array_index(rows, struct history_row, n++) = row;
	}
	g_array_set_size(rows, n);
}

GArray *points_of(GArray *rows)
{
	GArray *points = g_array_new(FALSE, FALSE, sizeof(struct history_point));

	g_array_sort(rows, by_time);
	drop_repeats(rows);
	g_autofree guint *places = g_new(guint, rows->len);
	for (guint i = 0; i < rows->len; i++) {
		const struct history_row *row = &g_array_index(rows, struct history_row, i);
		places[i] = place_of(points, row);
		struct history_point *point = &g_array_index(points, struct history_point, places[i]);
		add_row(point, row);
		point->value = row->value;
	}
	for (guint i = 0; i < points->len; i++) {
		struct history_point *point = &g_array_index(points, struct history_point, i);
		if (point->n > 1)
			point->value = median_of(rows, places, i);
	}
	return points;
}
