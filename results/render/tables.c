#include "tables.h"

#include "figures.h"
#include "tables_footer.h"
#include "values.h"

#include <math.h>
#include <string.h>

/* What a comparison's table looks like. */
struct layout {
	bool labels[LABEL_COUNT];
	const char *group; /* a key that is no label: a column of its own; NULL */
	bool too_few;	   /* each row says itself why it has no verdict */
	bool interval, verdict, notes;
};

static char *notes_of(const struct comparison_row *row, bool too_few)
{
	g_autofree char *why = too_few ? comparison_too_few(row) : NULL;
	g_autofree char *would_tell = comparison_would_tell(row);
	GString *text = g_string_new(why ? why : would_tell);

	for (guint i = 0; i < row->notes->len; i++)
		g_string_append_printf(
			text, "%s%s", text->len > 0 ? "; " : "", (const char *)row->notes->pdata[i]);
	return g_string_free(text, FALSE);
}

static struct layout layout_of(
	const struct comparison *comparison, const GPtrArray *rows, const char *group, bool too_few)
{
	struct layout layout = {.group = group && label_find(group) < 0 ? group : NULL, .too_few = too_few};

	memcpy(layout.labels, comparison->shown, sizeof(layout.labels));
	layout.labels[LABEL_BENCHMARK] = true;
	layout.labels[LABEL_METRIC] = false;
	for (guint i = 0; i < rows->len; i++) {
		const struct comparison_row *row = rows->pdata[i];
		g_autofree char *notes = notes_of(row, too_few);

		layout.labels[LABEL_BLOCK] |=
			row->before->what.labels.v[LABEL_BLOCK] || row->after->what.labels.v[LABEL_BLOCK];
		layout.interval |= isfinite(row->evidence.ratio.interval.high);
		layout.verdict |= comparison_word(row) != NULL;
		layout.notes |= *notes != '\0';
	}
	return layout;
}

static void add_raw_column(struct table *table, const char *key, const char *unit)
{
	table_add_column(table, key, key, unit, TABLE_RIGHT)->raw_only = true;
}

static void add_raw_figure(struct table *table, const char *side, const char *unit)
{
	static const struct {
		const char *name;
		bool value;
	} parts[] = {{"min", true}, {"q1", true}, {"q3", true}, {"max", true}, {"n", false},
		{"invocations", false}, {"low", true}, {"high", true}};

	for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
		g_autofree char *key = g_strconcat(side, "_", parts[i].name, NULL);

		add_raw_column(table, key, parts[i].value ? unit : NULL);
	}
}

static void add_columns(struct table *table, const struct comparison *comparison, const struct layout *layout)
{
	g_autoptr(GPtrArray) before = comparison_side(comparison, true),
			     after = comparison_side(comparison, false);
	g_autofree char *before_unit = figures_common_unit(before), *after_unit = figures_common_unit(after);
	g_autofree char *title = comparison_ratio_title(comparison);
	bool range = comparison_has_range(comparison);

	if (layout->group)
		table_add_column(table, layout->group, layout->group, NULL, TABLE_LEFT);
	for (int l = 0; l < LABEL_COUNT; l++)
		if (layout->labels[l])
			figures_add_label_column(table, l);
	table_add_column(
		table, "before_median", range ? "before \302\261" : "before", before_unit, TABLE_RIGHT);
	table_add_column(table, "after_median", range ? "after \302\261" : "after", after_unit, TABLE_RIGHT);
	table_add_column(table, "ratio", title, "x", TABLE_RIGHT);
	table_add_column(table, "interval", "95 % interval", NULL, TABLE_RIGHT)->raw_only = !layout->interval;
	table_add_column(table, "verdict", "verdict", NULL, TABLE_LEFT)->raw_only = !layout->verdict;
	table_add_column(table, "notes", "notes", NULL, TABLE_LEFT)->raw_only = !layout->notes;
	add_raw_column(table, "unit", NULL);
	add_raw_column(table, "ratio_low", "x");
	add_raw_column(table, "ratio_high", "x");
	add_raw_column(table, "p", NULL);
	add_raw_column(table, "p_adjusted", NULL);
	add_raw_figure(table, "before", before_unit);
	add_raw_figure(table, "after", after_unit);
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

static struct table_cell *put_raw_figure(struct table_cell *cell, const struct figure *figure,
	size_t invocations, const struct interval *interval)
{
	cell[0].number = figure->min;
	cell[1].number = figure->q1;
	cell[2].number = figure->q3;
	cell[3].number = figure->max;
	cell[4].number = figure->n > 0 ? (double)figure->n : NAN;
	cell[5].number = invocations > 0 ? (double)invocations : NAN;
	cell[6].number = interval->low;
	cell[7].number = interval->high;
	return cell + 8;
}

/* Four digits; from 0.1 to 10 three of them behind the point, as neighbours of 1 are told apart there. */
static char *bound_text(double bound)
{
	char buffer[G_ASCII_DTOSTR_BUF_SIZE];

	return g_strdup(g_ascii_formatd(
		buffer, sizeof(buffer), bound >= 0.1 && bound < 9.9995 ? "%.3f" : "%.4g", bound));
}

static char *interval_text(const struct interval *interval)
{
	g_autofree char *low = bound_text(interval->low), *high = bound_text(interval->high);

	return isfinite(interval->high) ? g_strconcat(low, " to ", high, NULL) : NULL;
}

static struct table_cell *put_evidence(struct table_cell *cell, const struct evidence *evidence)
{
	bool finite = isfinite(evidence->ratio.interval.high);

	cell[0].number = finite ? evidence->ratio.interval.low : NAN;
	cell[1].number = finite ? evidence->ratio.interval.high : NAN;
	cell[2].number = evidence->p;
	cell[3].number = evidence->p_adjusted;
	return cell + 4;
}

/* In the order of add_columns(). */
static void add_row(
	struct table *table, const struct comparison_row *row, const struct layout *layout, const char *unit)
{
	struct table_cell *cell = table_add_row(table);
	const struct evidence *evidence = &row->evidence;
	bool exact = row->verdict != VERDICT_NONE && evidence->n_before == 0;
	g_autofree char *before_unit = figures_base_unit(row->before),
			*after_unit = figures_base_unit(row->after);
	g_autoptr(GPtrArray) both = g_ptr_array_new();

	if (layout->group)
		cell++->text = arrange_value(row, layout->group);
	for (int l = 0; l < LABEL_COUNT; l++)
		if (layout->labels[l])
			put_label(cell++, l, row);
	g_ptr_array_add(both, (struct result *)row->before);
	g_ptr_array_add(both, (struct result *)row->after);
	figures_put(cell++, row->before, figures_unit(both, row->before, unit));
	figures_put(cell++, row->after, figures_unit(both, row->after, unit));
	cell->number = row->ratio;
	cell++->text = isnan(row->ratio) ? NULL : ratio_text(row->ratio, exact);
	cell++->text = interval_text(&evidence->ratio.interval);
	cell++->text = g_strdup(comparison_word(row));
	cell++->text = notes_of(row, layout->too_few);
	cell++->text = strcmp(before_unit, after_unit) == 0
			       ? g_strdup(before_unit)
			       : g_strconcat(before_unit, " / ", after_unit, NULL);
	cell = put_evidence(cell, evidence);
	cell = put_raw_figure(cell, &row->before->figure, evidence->n_before, &evidence->of_before);
	put_raw_figure(cell, &row->after->figure, evidence->n_after, &evidence->of_after);
}

bool table_of_comparison_view(struct table **ret, const struct comparison *comparison,
	const struct comparison_view *view, GError **err)
{
	const char *group = view->arrangement.group;
	g_autofree char *title = NULL, *left_out = NULL, *too_few = NULL;
	g_autoptr(GPtrArray) rows = NULL;

	if (!figures_check_unit(comparison->metric, view->unit, err) ||
		(group && !arrange_check_key(group, err)))
		return false;
	rows = arrange_rows(comparison, &view->arrangement, &left_out);
	too_few = comparison_all_too_few(comparison);
	struct layout layout = layout_of(comparison, rows, group, too_few == NULL);
	title = g_strdup_printf("%s: %s against %s", metric_infos[comparison->metric].name,
		*comparison->before_text ? comparison->before_text : "everything",
		*comparison->after_text ? comparison->after_text : "everything");
	*ret = table_new(title);
	add_columns(*ret, comparison, &layout);
	for (guint i = 0; i < rows->len; i++)
		add_row(*ret, rows->pdata[i], &layout, view->unit);
	if (left_out)
		table_add_footer(*ret, "%s", left_out);
	tables_add_footer(*ret, comparison, group, too_few);
	return true;
}

bool table_of_comparison(
	struct table **ret, const struct comparison *comparison, const char *unit, GError **err)
{
	const struct comparison_view view = {.unit = unit};

	return table_of_comparison_view(ret, comparison, &view, err);
}
