#include "tables_history_nights.h"

#include "figures.h"
#include "history_cells.h"
#include "provenance.h"
#include "values.h"

#include <math.h>
#include <string.h>

/* Characters of the plot. */
#define PLOT 24

struct scale {
	double worst, best;
};

static struct scale scale_of(const struct history_series *series)
{
	bool lower = metric_infos[series->metric].better == BETTER_LOWER;
	double low = INFINITY, high = -INFINITY;

	for (guint i = 0; i < series->points->len; i++) {
		low = fmin(low, history_point_at(series, i)->value);
		high = fmax(high, history_point_at(series, i)->value);
	}
	return lower ? (struct scale){high, low} : (struct scale){low, high};
}

static int column_of(const struct scale *scale, double value)
{
	if (scale->best == scale->worst)
		return PLOT / 2;
	return (int)lround((value - scale->worst) / (scale->best - scale->worst) * (PLOT - 1));
}

/* "      |   *": the night, and the level that it belongs to; the best at the right. */
static char *plot_of(const struct scale *scale, double value, double level)
{
	char text[PLOT + 1];
	int at = column_of(scale, value), centre = column_of(scale, level);

	memset(text, ' ', PLOT);
	text[centre] = '|';
	text[at] = '*';
	text[MAX(at, centre) + 1] = '\0';
	return g_strdup(text);
}

static void add_columns(struct table *table, const struct history_series *series, bool plot, bool moved)
{
	struct result like = history_result(series);
	g_autofree char *unit = figures_base_unit(&like);

	table_add_column(table, "started_at", "night", NULL, TABLE_LEFT);
	table_add_column(table, "run", "run", NULL, TABLE_LEFT);
	table_add_column(table, "revision", "revision", NULL, TABLE_LEFT);
	table_add_column(table, "value", "value", unit, TABLE_RIGHT);
	if (plot)
		table_add_column(table, "plot", "worst .. best", NULL, TABLE_LEFT);
	table_add_column(table, "level", "level", unit, TABLE_RIGHT);
	table_add_column(table, "ratio", "change", "x", TABLE_RIGHT);
	table_add_column(table, "p", "p", NULL, TABLE_RIGHT);
	table_add_column(table, "moved", "what else changed", NULL, TABLE_LEFT)->raw_only = !moved;
	table_add_column(table, "unit", "unit", NULL, TABLE_LEFT)->raw_only = true;
	table_add_column(table, "n", "n", NULL, TABLE_RIGHT)->raw_only = true;
}

static char *short_text(const char *text, size_t most)
{
	return text ? g_strndup(text, most) : NULL;
}

static void put_level(struct table_cell *cell, const struct history_series *series, guint segment, guint i,
	const char *unit)
{
	const struct history_segment *of = history_segment_at(series, segment);

	/* Once for people, where it begins; each row has it in CSV and JSON. */
	if (i == of->first)
		history_put_level(cell, series, of, unit);
	else
		cell->text = g_strdup("");
	cell->number = of->centre;
}

static void put_change(struct table_cell *cell, const struct history_series *series, guint segment, guint i)
{
	if (segment == 0 || history_segment_at(series, segment)->first != i)
		return;
	const struct history_change *change = history_change_at(series, segment - 1);
	history_put_ratio(&cell[0], series, change);
	history_put_p(&cell[1], series, change);
	cell[2].text = history_moved_text(series, change);
}

static void add_night(struct table *table, const struct history_series *series, guint i, guint segment,
	const struct history_view *view)
{
	const struct history_point *point = history_point_at(series, i);
	struct table_cell *cell = table_add_row(table);
	struct result like = history_result(series);
	struct scale scale = scale_of(series);
	const char *unit = history_unit(series, view->unit);

	history_put_date(cell++, point->started_at);
	cell->text = short_text(point->run_uuid, 8);
	cell++->raw = g_strdup(point->run_uuid);
	cell->text = short_text(point->revision, 12);
	cell++->raw = g_strdup(point->revision);
	history_put_value(cell++, series, point->value, unit);
	if (view->plot)
		cell++->text = plot_of(&scale, point->value, history_segment_at(series, segment)->centre);
	put_level(cell++, series, segment, i, unit);
	put_change(cell, series, segment, i);
	cell[3].text = figures_base_unit(&like);
	cell[4].number = point->n;
	cell[4].text = g_strdup_printf("%u", point->n);
}

static bool anything_moved(const struct history_series *series)
{
	for (guint i = 0; i < series->changes->len; i++) {
		g_autofree char *text = history_moved_text(series, history_change_at(series, i));
		if (text)
			return true;
	}
	return false;
}

/* --- footer --- */

/* "0.93x slower: it came after 2026-11-03 (run 1a2b3c4d), by 2026-11-04 (run 2b3c4d5e); 9c0f..71aa" */
static void add_change(
	struct table *table, const struct history_series *series, const struct history_change *change)
{
	const struct history_point *before = history_point_at(series, change->before);
	const struct history_point *after = history_point_at(series, change->after);
	struct table_cell cells[3] = {{0}};
	g_autofree char *revisions = history_revisions(series, change);

	history_put_ratio(&cells[0], series, change);
	history_put_date(&cells[1], before->started_at);
	history_put_date(&cells[2], after->started_at);
	table_add_footer(table, "%s: after %s (run %.8s), by %s (run %.8s)%s%s", cells[0].text, cells[1].text,
		before->run_uuid, cells[2].text, after->run_uuid, revisions ? "; revisions " : "",
		revisions ? revisions : "");
	for (size_t i = 0; i < G_N_ELEMENTS(cells); i++) {
		g_free(cells[i].text);
		g_free(cells[i].raw);
	}
}

void history_add_notes(struct table *table, bool sampled)
{
	if (!sampled)
		return;
	table_add_footer(table,
		"\302\261 is half the distance between the quartiles of the nights, in percent of their "
		"median");
	table_add_footer(table,
		"p: how often so many nights without a change would show one as clear; changes "
		"have " G_STRINGIFY(HISTORY_ALPHA) " or less, and 1 %% or more of difference");
	table_add_footer(table,
		"noise: how far a night may be from the one before without being a suspect, learned from "
		"neighbours without a change between them");
}

static void add_footer(struct table *table, const struct history_series *series)
{
	g_autofree char *labels = provenance_labels(&series->what.labels);
	g_autofree char *noise = isfinite(series->noise) ? history_percent(history_threshold(series)) : NULL;

	for (guint i = 0; i < series->changes->len; i++)
		add_change(table, series, history_change_at(series, i));
	if (series->points->len < series->enough)
		table_add_footer(table, "too few nights to find a change: %u of %u", series->points->len,
			series->enough);
	else if (series->changes->len == 0)
		table_add_footer(table, "no change in %u nights", series->points->len);
	if (noise)
		table_add_footer(table, "noise: %s, from the last %u neighbours", noise, series->neighbours);
	table_add_footer(table, "%s", labels);
	history_add_notes(table, !series->exact);
}

struct table *table_of_nights(const struct history_series *series, const struct history_view *view)
{
	struct result like = history_result(series);
	g_autofree char *benchmark = values_benchmark(&like);
	g_autofree char *title = g_strconcat(metric_infos[series->metric].name, " of ", benchmark, NULL);
	struct table *table = table_new(title);
	guint segment = 0;

	add_columns(table, series, view->plot, anything_moved(series));
	for (guint i = 0; i < series->points->len; i++) {
		if (segment + 1 < series->segments->len &&
			history_segment_at(series, segment + 1)->first == i)
			segment++;
		add_night(table, series, i, segment, view);
	}
	add_footer(table, series);
	return table;
}
