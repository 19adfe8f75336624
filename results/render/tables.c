#include "tables.h"

#include "figures.h"
#include "provenance.h"
#include "values.h"

#include <math.h>
#include <string.h>

/* Which columns a comparison has. */
struct layout {
	bool labels[LABEL_COUNT];
	bool range; /* some figure has several samples */
	bool exact; /* some row has a verdict */
	bool notes;
};

static struct layout layout_of(const struct comparison *comparison)
{
	struct layout layout = {0};

	memcpy(layout.labels, comparison->shown, sizeof(layout.labels));
	layout.labels[LABEL_BENCHMARK] = true;
	layout.labels[LABEL_METRIC] = false;
	for (guint i = 0; i < comparison->rows->len; i++) {
		const struct comparison_row *row = comparison->rows->pdata[i];

		layout.labels[LABEL_BLOCK] |=
			row->before->what.labels.v[LABEL_BLOCK] || row->after->what.labels.v[LABEL_BLOCK];
		layout.range |= figures_has_range(row->before) || figures_has_range(row->after);
		layout.exact |= row->verdict != VERDICT_NONE && row->evidence.n_before == 0;
		layout.notes |= row->notes->len > 0;
	}
	return layout;
}

static GPtrArray *side_of(const struct comparison *comparison, bool before)
{
	GPtrArray *results = g_ptr_array_new();

	for (guint i = 0; i < comparison->rows->len; i++) {
		const struct comparison_row *row = comparison->rows->pdata[i];

		g_ptr_array_add(results, (struct result *)(before ? row->before : row->after));
	}
	return results;
}

/* Never "speedup" where an emulator took part, or where that is not known. */
static char *ratio_title(const struct comparison *comparison)
{
	const struct metric_info *info = &metric_infos[comparison->metric];
	bool elapsed = comparison->metric == METRIC_TIME;

	if (!values_time_like(comparison->metric) || comparison->environment == ENVIRONMENT_HARDWARE)
		return g_strdup(info->ratio_word);
	return g_strconcat(comparison->environment == ENVIRONMENT_EMULATOR ? "emulated " : "",
		elapsed ? "time ratio" : info->ratio_word, NULL);
}

static void add_raw_column(struct table *table, const char *key, const char *unit)
{
	table_add_column(table, key, key, unit, TABLE_RIGHT)->raw_only = true;
}

static void add_columns(struct table *table, const struct comparison *comparison, const struct layout *layout)
{
	g_autoptr(GPtrArray) before = side_of(comparison, true), after = side_of(comparison, false);
	g_autofree char *before_unit = figures_common_unit(before), *after_unit = figures_common_unit(after);
	g_autofree char *title = ratio_title(comparison);

	for (int l = 0; l < LABEL_COUNT; l++)
		if (layout->labels[l])
			figures_add_label_column(table, l);
	table_add_column(table, "before_median", layout->range ? "before \302\261" : "before", before_unit,
		TABLE_RIGHT);
	table_add_column(
		table, "after_median", layout->range ? "after \302\261" : "after", after_unit, TABLE_RIGHT);
	table_add_column(table, "ratio", title, "x", TABLE_RIGHT);
	table_add_column(table, "verdict", "verdict", NULL, TABLE_LEFT)->raw_only = !layout->exact;
	table_add_column(table, "notes", "notes", NULL, TABLE_LEFT)->raw_only = !layout->notes;
	add_raw_column(table, "unit", NULL);
	add_raw_column(table, "before_min", before_unit);
	add_raw_column(table, "before_q1", before_unit);
	add_raw_column(table, "before_q3", before_unit);
	add_raw_column(table, "before_max", before_unit);
	add_raw_column(table, "before_n", NULL);
	add_raw_column(table, "after_min", after_unit);
	add_raw_column(table, "after_q1", after_unit);
	add_raw_column(table, "after_q3", after_unit);
	add_raw_column(table, "after_max", after_unit);
	add_raw_column(table, "after_n", NULL);
}

/* A label that the sides have in common, else both. */
static void put_label(struct table_cell *cell, enum label label, const struct comparison_row *row)
{
	const char *before = row->before->what.labels.v[label], *after = row->after->what.labels.v[label];
	g_autofree char *both = NULL;

	if (g_strcmp0(before, after) != 0)
		both = g_strdup_printf("%s / %s", before ? before : "-", after ? after : "-");
	figures_put_label(cell, label, both ? both : before);
}

static struct table_cell *put_raw_figure(struct table_cell *cell, const struct figure *figure)
{
	cell[0].number = figure->min;
	cell[1].number = figure->q1;
	cell[2].number = figure->q3;
	cell[3].number = figure->max;
	cell[4].number = figure->n > 0 ? (double)figure->n : NAN;
	return cell + 5;
}

static char *joined_notes(const GPtrArray *notes)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < notes->len; i++)
		g_string_append_printf(text, "%s%s", i > 0 ? "; " : "", (const char *)notes->pdata[i]);
	return g_string_free(text, FALSE);
}

/* In the order of add_columns(). */
static void add_row(
	struct table *table, const struct comparison_row *row, const struct layout *layout, const char *unit)
{
	struct table_cell *cell = table_add_row(table);
	g_autofree char *before_unit = figures_base_unit(row->before),
			*after_unit = figures_base_unit(row->after);

	for (int l = 0; l < LABEL_COUNT; l++)
		if (layout->labels[l])
			put_label(cell++, l, row);
	figures_put(cell++, row->before, unit);
	figures_put(cell++, row->after, unit);
	cell->number = row->ratio;
	cell++->text = isnan(row->ratio) ? NULL : ratio_text(row->ratio, layout->exact);
	cell++->text = g_strdup(comparison_word(row));
	cell++->text = joined_notes(row->notes);
	cell++->text = strcmp(before_unit, after_unit) == 0
			       ? g_strdup(before_unit)
			       : g_strconcat(before_unit, " / ", after_unit, NULL);
	cell = put_raw_figure(cell, &row->before->figure);
	put_raw_figure(cell, &row->after->figure);
}

static void add_geomean(struct table *table, const struct comparison *comparison)
{
	g_autofree char *text = ratio_text(comparison->geomean, false);
	guint n = 0;

	for (guint i = 0; i < comparison->rows->len; i++)
		n += !isnan(((const struct comparison_row *)comparison->rows->pdata[i])->ratio);
	if (n > 0)
		table_add_footer(table, "geometric mean of %u: %s", n, text);
	if (n < comparison->rows->len)
		table_add_footer(table, "without a ratio: %u of %u rows", comparison->rows->len - n,
			comparison->rows->len);
}

static void add_partnerless(struct table *table, const char *side, const GPtrArray *results)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *list = NULL;

	for (guint i = 0; i < results->len; i++) {
		char *name = values_benchmark(results->pdata[i]);

		if (g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL))
			g_free(name);
		else
			g_ptr_array_add(names, name);
	}
	list = values_list(names);
	if (results->len > 0)
		table_add_footer(table, "%s alone: %u without a partner (%s)", side, results->len, list);
}

/* One side: what was asked, what it came to, and where it comes from. */
static void add_side(struct table *table, const struct comparison *comparison, bool before)
{
	const char *asked = before ? comparison->before_text : comparison->after_text;
	g_autoptr(GPtrArray) results = side_of(comparison, before);
	bool chosen[LABEL_COUNT];
	g_autofree char *labels = NULL, *provenance = NULL;

	if (results->len == 0)
		return;
	for (int l = 0; l < LABEL_COUNT; l++) {
		const struct result *first = results->pdata[0];

		chosen[l] = !comparison->shown[l] && !comparison->common.v[l] && first->what.labels.v[l];
	}
	labels = provenance_varying(results, chosen);
	provenance = provenance_text(results);
	table_add_footer(table, "%s: %s%s%s; %s", before ? "before" : "after", *asked ? asked : "everything",
		*labels && strcmp(labels, asked) != 0 ? ": " : "", strcmp(labels, asked) != 0 ? labels : "",
		provenance);
}

static void add_footer(struct table *table, const struct comparison *comparison, const struct layout *layout)
{
	g_autofree char *common = provenance_labels(&comparison->common);

	add_geomean(table, comparison);
	add_partnerless(table, "before", comparison->only_before);
	add_partnerless(table, "after", comparison->only_after);
	if (*common)
		table_add_footer(table, "common: %s", common);
	add_side(table, comparison, true);
	add_side(table, comparison, false);
	if (layout->range)
		table_add_footer(table, "%s", figures_range_note);
	for (guint i = 0; i < comparison->notes->len; i++)
		table_add_footer(table, "note: %s", (const char *)comparison->notes->pdata[i]);
}

bool table_of_comparison(
	struct table **ret, const struct comparison *comparison, const char *unit, GError **err)
{
	struct layout layout = layout_of(comparison);
	g_autofree char *title = NULL;

	if (!figures_check_unit(comparison->metric, unit, err))
		return false;
	title = g_strdup_printf("%s: %s against %s", metric_infos[comparison->metric].name,
		*comparison->before_text ? comparison->before_text : "everything",
		*comparison->after_text ? comparison->after_text : "everything");
	*ret = table_new(title);
	add_columns(*ret, comparison, &layout);
	for (guint i = 0; i < comparison->rows->len; i++)
		add_row(*ret, comparison->rows->pdata[i], &layout, unit);
	add_footer(*ret, comparison, &layout);
	return true;
}
