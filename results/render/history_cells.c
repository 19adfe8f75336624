#include "history_cells.h"

#include "figures.h"
#include "tables.h"
#include "values.h"

#include <math.h>

const struct history_point *history_point_at(const struct history_series *series, guint i)
{
	return &g_array_index(series->points, struct history_point, i);
}

const struct history_segment *history_segment_at(const struct history_series *series, guint i)
{
	return &g_array_index(series->segments, struct history_segment, i);
}

const struct history_change *history_change_at(const struct history_series *series, guint i)
{
	return &g_array_index(series->changes, struct history_change, i);
}

struct result history_result(const struct history_series *series)
{
	return (struct result){.series = series->id, .what = series->what, .metric = series->metric};
}

const char *history_unit(const struct history_series *series, const char *unit)
{
	struct result like = history_result(series);
	g_autofree double *values = g_new(double, series->points->len);
	g_autofree char *text = NULL;
	enum work work = values_work(&like);

	if (unit && scale_text(&text, 1, series->metric, work, unit, NULL))
		return unit;
	for (guint i = 0; i < series->points->len; i++)
		values[i] = history_point_at(series, i)->value;
	return scale_unit(values, series->points->len, series->metric, work);
}

void history_put_value(
	struct table_cell *cell, const struct history_series *series, double value, const char *unit)
{
	struct result like = history_result(series);

	cell->number = isfinite(value) ? value : NAN;
	scale_text(&cell->text, value, series->metric, values_work(&like), unit, NULL);
}

char *history_percent(double share)
{
	char number[G_ASCII_DTOSTR_BUF_SIZE];

	return g_strconcat(g_ascii_formatd(number, sizeof number, "%.1f", share * 100), " %", NULL);
}

void history_put_level(struct table_cell *cell, const struct history_series *series,
	const struct history_segment *segment, const char *unit)
{
	char number[G_ASCII_DTOSTR_BUF_SIZE];

	history_put_value(cell, series, segment->centre, unit);
	if (series->exact || !isfinite(segment->q1) || !(segment->centre > 0) || !cell->text)
		return;
	g_autofree char *value = cell->text;
	cell->text = g_strconcat(value, " \302\261",
		g_ascii_formatd(number, sizeof number, "%.1f",
			(segment->q3 - segment->q1) / 2 / segment->centre * 100),
		"%", NULL);
}

void history_put_ratio(
	struct table_cell *cell, const struct history_series *series, const struct history_change *change)
{
	g_autofree char *ratio = ratio_text(change->ratio, series->exact);
	const char *better = series->exact ? "better" : "faster", *worse = series->exact ? "worse" : "slower";

	cell->number = change->ratio;
	if (!isfinite(change->ratio))
		cell->text = g_strdup("changed");
	else
		cell->text = g_strconcat(ratio, " ", change->ratio > 1 ? better : worse, NULL);
}

void history_put_p(
	struct table_cell *cell, const struct history_series *series, const struct history_change *change)
{
	char number[G_ASCII_DTOSTR_BUF_SIZE];

	cell->number = change->p;
	cell->text =
		g_strdup(series->exact ? "exact" : g_ascii_formatd(number, sizeof number, "%.1g", change->p));
}

void history_put_date(struct table_cell *cell, int64_t ns)
{
	g_autoptr(GDateTime) time = g_date_time_new_from_unix_utc(ns / 1000000000);

	if (!time)
		return;
	cell->text = g_date_time_format(time, "%Y-%m-%d");
	cell->raw = g_date_time_format(time, "%Y-%m-%dT%H:%M:%SZ");
}
