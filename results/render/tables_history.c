#include "tables_history.h"

#include "figures.h"
#include "history_cells.h"
#include "provenance.h"
#include "tables_history_nights.h"
#include "values.h"

#include <math.h>
#include <string.h>

/* --- a row for each series, or for each change --- */

static void add_raw_column(struct table *table, const char *key, const char *unit)
{
	table_add_column(table, key, key, unit, unit ? TABLE_RIGHT : TABLE_LEFT)->raw_only = true;
}

static void choose_labels(bool *ret, const struct history *history)
{
	memcpy(ret, history->shown, sizeof history->shown);
	ret[LABEL_BENCHMARK] = true;
	if (history->common.v[LABEL_BLOCK])
		ret[LABEL_BLOCK] = true;
}

/* The base unit of all series; NULL where they differ. */
static char *common_unit(const struct history *history)
{
	g_autofree struct result *likes = g_new(struct result, history->series->len);
	g_autoptr(GPtrArray) results = g_ptr_array_new();

	for (guint i = 0; i < history->series->len; i++) {
		likes[i] = history_result(history->series->pdata[i]);
		g_ptr_array_add(results, &likes[i]);
	}
	return figures_common_unit(results);
}

static bool anything_moved(const struct history *history)
{
	for (guint i = 0; i < history->series->len; i++) {
		const struct history_series *series = history->series->pdata[i];
		for (guint k = 0; k < series->changes->len; k++) {
			g_autofree char *text = history_moved_text(series, history_change_at(series, k));
			if (text)
				return true;
		}
	}
	return false;
}

static void add_columns(struct table *table, const struct history *history, const bool *labels,
	const struct history_view *view)
{
	g_autofree char *unit = common_unit(history);

	for (int l = 0; l < LABEL_COUNT; l++)
		if (labels[l])
			figures_add_label_column(table, (enum label)l);
	table->stub = table->columns->len;
	table_add_column(table, "nights", "nights", NULL, TABLE_RIGHT);
	table_add_column(table, "changes", "changes", NULL, TABLE_RIGHT);
	table_add_column(table, "before", "before", unit, TABLE_RIGHT);
	table_add_column(table, "after", "after", unit, TABLE_RIGHT);
	table_add_column(table, "ratio", view->changes ? "change" : "last change", "x", TABLE_RIGHT);
	table_add_column(table, "p", "p", NULL, TABLE_RIGHT);
	table_add_column(table, "run_after", "by the run of", NULL, TABLE_LEFT);
	table_add_column(table, "revisions", "revisions", NULL, TABLE_LEFT);
	table_add_column(table, "moved", "what else changed", NULL, TABLE_LEFT)->raw_only =
		!anything_moved(history);
	table_add_column(table, "threshold", "noise", "x", TABLE_RIGHT);
	add_raw_column(table, "unit", NULL);
	add_raw_column(table, "started_before", NULL);
	add_raw_column(table, "started_after", NULL);
	add_raw_column(table, "run_before", NULL);
	add_raw_column(table, "revision_before", NULL);
	add_raw_column(table, "revision_after", NULL);
	add_raw_column(table, "alarms", NULL);
}

/* The columns from `before` to `moved`, and the raw ones from `started_before` on. */
static void put_change(struct table_cell *cell, struct table_cell *raw, const struct history_series *series,
	guint i, const char *unit)
{
	const struct history_change *change = history_change_at(series, i);
	const struct history_point *before = history_point_at(series, change->before);
	const struct history_point *after = history_point_at(series, change->after);

	history_put_level(&cell[0], series, history_segment_at(series, i), unit);
	history_put_level(&cell[1], series, history_segment_at(series, i + 1), unit);
	history_put_ratio(&cell[2], series, change);
	history_put_p(&cell[3], series, change);
	history_put_date(&cell[4], after->started_at);
	g_free(cell[4].raw);
	cell[4].raw = g_strdup(after->run_uuid);
	cell[5].text = history_revisions(series, change);
	cell[6].text = history_moved_text(series, change);
	history_put_date(&raw[0], before->started_at);
	history_put_date(&raw[1], after->started_at);
	raw[2].text = g_strdup(before->run_uuid);
	raw[3].text = g_strdup(before->revision);
	raw[4].text = g_strdup(after->revision);
	raw[5].text = g_strdup(change->alarms ? "yes" : "no");
}

/* `change`: its number, or -1 where the series has none. */
static void add_row(struct table *table, const bool *labels, const struct history_series *series, int change,
	const struct history_view *view)
{
	struct table_cell *cell = table_add_row(table);
	struct result like = history_result(series);
	const char *unit = history_unit(series, view->unit);
	bool few = series->points->len < series->enough;

	for (int l = 0; l < LABEL_COUNT; l++)
		if (labels[l])
			figures_put_label(cell++, (enum label)l, series->what.labels.v[l]);
	cell[0].number = series->points->len;
	cell[0].text = g_strdup_printf("%u", series->points->len);
	cell[1].number = few ? NAN : series->changes->len;
	cell[1].text = few ? g_strdup("too few") : g_strdup_printf("%u", series->changes->len);
	if (change >= 0)
		put_change(&cell[2], &cell[11], series, (guint)change, unit);
	else
		history_put_level(&cell[3], series, history_segment_at(series, 0), unit);
	cell[9].number = series->exact || isfinite(series->noise) ? history_threshold(series) : NAN;
	cell[9].text =
		series->exact || isnan(series->noise) ? NULL : history_percent(history_threshold(series));
	cell[10].text = figures_base_unit(&like);
}

static void add_rows(struct table *table, const struct history *history, const bool *labels,
	const struct history_view *view)
{
	for (guint i = 0; i < history->series->len; i++) {
		const struct history_series *series = history->series->pdata[i];
		int last = (int)series->changes->len - 1;

		if (!view->changes)
			add_row(table, labels, series, last, view);
		for (int k = 0; view->changes && k <= last; k++)
			add_row(table, labels, series, k, view);
	}
}

/* --- footer --- */

static guint count_short(const struct history *history)
{
	guint n = 0;

	for (guint i = 0; i < history->series->len; i++) {
		const struct history_series *series = history->series->pdata[i];
		n += series->points->len < series->enough;
	}
	return n;
}

static guint count_changed(const struct history *history)
{
	guint n = 0;

	for (guint i = 0; i < history->series->len; i++)
		n += ((const struct history_series *)history->series->pdata[i])->changes->len > 0;
	return n;
}

static void add_footer(struct table *table, const struct history *history, bool sampled)
{
	g_autofree char *common = provenance_labels(&history->common);
	guint few = count_short(history), n = history->series->len;

	table_add_footer(table, "%u of %u series changed", count_changed(history), n);
	if (*common)
		table_add_footer(table, "common: %s", common);
	history_add_notes(table, sampled);
	if (few > 0)
		table_add_footer(table,
			"too few: a change is found from %u nights on, where figures are exact from 2 on; %u "
			"of "
			"%u series have fewer",
			(guint)history_enough(HISTORY_ALPHA), few, n);
	if (history->left_out > 0)
		table_add_footer(table,
			"note: emulated time of %u series is left out: it says nothing about speed",
			history->left_out);
}

static bool any_sampled(const struct history *history)
{
	for (guint i = 0; i < history->series->len; i++)
		if (!((const struct history_series *)history->series->pdata[i])->exact)
			return true;
	return false;
}

struct table *table_of_history(const struct history *history, const struct history_view *view)
{
	bool labels[LABEL_COUNT];

	if (history->series->len == 1 && !view->changes)
		return table_of_nights(history->series->pdata[0], view);
	g_autofree char *title =
		g_strconcat(history->common.v[LABEL_METRIC] ? history->common.v[LABEL_METRIC] : "history",
			history->common.v[LABEL_METRIC] ? " over nights" : "", NULL);
	struct table *table = table_new(title);
	choose_labels(labels, history);
	add_columns(table, history, labels, view);
	add_rows(table, history, labels, view);
	add_footer(table, history, any_sampled(history));
	return table;
}
