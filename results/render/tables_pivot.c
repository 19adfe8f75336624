#include "tables.h"

#include "figures.h"
#include "provenance.h"
#include "values.h"

#include <string.h>

/* What is marked beside emulated time, since the figures of a table differ in it. */
struct view {
	const struct pivot *pivot;
	const char *unit; /* asked for; NULL */
	bool sources, kinds;
	GPtrArray *column_marks; /* char *: the mark that all figures of a column have; "" where there is
				    none, or each has its own in its cell */
};

static const struct result *cell_at(const struct pivot *pivot, guint row, guint column)
{
	return pivot->cells->pdata[row * pivot->columns->len + column];
}

static const char *printed_at(const struct pivot *pivot, guint row, guint column)
{
	return pivot->printed ? pivot->printed->pdata[row * pivot->columns->len + column] : NULL;
}

/* What the table shows; results that were left out of it have no part in what is said of it. */
static GPtrArray *shown_results(const struct pivot *pivot)
{
	GPtrArray *results = g_ptr_array_new();

	for (guint i = 0; i < pivot->cells->len; i++)
		if (pivot->cells->pdata[i])
			g_ptr_array_add(results, pivot->cells->pdata[i]);
	return results;
}

/* --- marks --- */

static bool is_key(const struct pivot *pivot, enum selector_key key)
{
	bool found = false;

	for (size_t i = 0; i < pivot->n_row_keys; i++)
		found |= pivot->row_keys[i] == key;
	for (size_t i = 0; i < pivot->n_column_keys; i++)
		found |= pivot->column_keys[i] == key;
	return found;
}

static bool must_mark(const struct pivot *pivot, const GPtrArray *results, enum selector_key key)
{
	g_autoptr(GPtrArray) values = values_distinct(results, key);

	return values->len > 1 && !is_key(pivot, key);
}

static bool emulated_time(const struct result *result)
{
	return values_time_like(result->metric) && result->what.environment == ENVIRONMENT_EMULATOR;
}

/* " (published, derived)"; "" where nothing is to be marked. Free with g_free(). */
static char *mark_of(const struct view *view, const struct result *result)
{
	const char *words[4] = {NULL};
	size_t n = 0;

	if (view->sources)
		words[n++] = values_of(result, SELECT_SOURCE);
	if (emulated_time(result))
		words[n++] = "emulated";
	if (view->kinds)
		words[n++] = values_of(result, SELECT_KIND);
	if (n == 0)
		return g_strdup("");
	g_autofree char *list = g_strjoinv(", ", (char **)words);
	return g_strconcat(" (", list, ")", NULL);
}

/* As in struct view. Free with g_free(). */
static char *find_column_mark(const struct view *view, guint column)
{
	g_autofree char *mark = NULL;

	for (guint r = 0; r < view->pivot->rows->len; r++) {
		const struct result *result = cell_at(view->pivot, r, column);
		g_autofree char *other = result ? mark_of(view, result) : NULL;

		if (mark && other && strcmp(mark, other) != 0)
			return g_strdup("");
		if (!mark)
			mark = g_steal_pointer(&other);
	}
	return mark ? g_steal_pointer(&mark) : g_strdup("");
}

static void find_column_marks(struct view *view)
{
	view->column_marks = g_ptr_array_new_with_free_func(g_free);
	for (guint c = 0; c < view->pivot->columns->len; c++)
		g_ptr_array_add(view->column_marks, find_column_mark(view, c));
}

/* --- columns --- */

static GPtrArray *column_results(const struct pivot *pivot, guint column)
{
	GPtrArray *results = g_ptr_array_new();

	for (guint r = 0; r < pivot->rows->len; r++)
		g_ptr_array_add(results, (struct result *)cell_at(pivot, r, column));
	return results;
}

/* "sp board" of what is known; the metric where nothing tells columns apart. Free with g_free(). */
static char *column_title(const struct view *view, guint column)
{
	const struct pivot *pivot = view->pivot;
	char **values = pivot->columns->pdata[column];
	GString *title = g_string_new(NULL);

	for (size_t i = 0; i < pivot->n_column_keys; i++)
		if (strcmp(values[i], "-") != 0)
			g_string_append_printf(title, "%s%s", title->len > 0 ? " " : "", values[i]);
	if (title->len == 0)
		g_string_append(title, pivot->n_column_keys > 0 ? "-" : metric_infos[pivot->metric].name);
	g_string_append(title, view->column_marks->pdata[column]);
	return g_string_free(title, FALSE);
}

static void add_printed_column(struct table *table, const char *key)
{
	g_autofree char *name = g_strconcat(key, " printed", NULL);

	table_add_column(table, name, name, NULL, TABLE_LEFT)->raw_only = true;
}

static void add_value_column(struct table *table, const struct view *view, guint column)
{
	const struct pivot *pivot = view->pivot;
	char **values = pivot->columns->pdata[column];
	g_autoptr(GPtrArray) results = column_results(pivot, column);
	g_autoptr(GString) key = g_string_new(pivot->n_column_keys == 0 ? "value" : NULL);
	g_autofree char *unit = figures_common_unit(results), *title = column_title(view, column);

	for (size_t i = 0; i < pivot->n_column_keys; i++)
		g_string_append_printf(
			key, "%s%s=%s", i > 0 ? "," : "", values_key_name(pivot->column_keys[i]), values[i]);
	g_string_append(key, view->column_marks->pdata[column]);
	table_add_column(table, key->str, title, unit, TABLE_RIGHT);
	if (pivot->printed)
		add_printed_column(table, key->str);
}

static void add_columns(struct table *table, const struct view *view)
{
	const struct pivot *pivot = view->pivot;

	for (size_t i = 0; i < pivot->n_row_keys; i++) {
		enum selector_key key = pivot->row_keys[i];

		if ((int)key < LABEL_COUNT)
			figures_add_label_column(table, (enum label)key);
		else
			table_add_column(table, values_key_name(key), values_key_name(key), NULL, TABLE_LEFT);
	}
	table->stub = (guint)pivot->n_row_keys;
	for (guint c = 0; c < pivot->columns->len; c++)
		add_value_column(table, view, c);
	table_add_column(table, "unit", "unit", NULL, TABLE_LEFT)->raw_only = true;
}

/* --- rows --- */

static GPtrArray *row_results(const struct pivot *pivot, guint row)
{
	GPtrArray *results = g_ptr_array_new();

	for (guint c = 0; c < pivot->columns->len; c++)
		g_ptr_array_add(results, (struct result *)cell_at(pivot, row, c));
	return results;
}

/* `results`: of the row. */
static void put_value(
	struct table_cell *cell, const struct view *view, const GPtrArray *results, guint row, guint column)
{
	const struct result *result = cell_at(view->pivot, row, column);
	const char *printed = printed_at(view->pivot, row, column);
	const char *in_title = view->column_marks->pdata[column];
	g_autofree char *mark = mark_of(view, result);
	g_autofree char *text = NULL;

	figures_put(cell, result, figures_unit(results, result, view->unit));
	text = printed ? g_strdup(printed) : g_strdup(cell->text);
	g_free(cell->text);
	cell->text = text ? g_strconcat(text, *in_title ? "" : mark, NULL) : NULL;
	if (view->pivot->printed)
		cell[1].text = g_strdup(printed);
}

static void add_row(struct table *table, const struct view *view, guint row)
{
	const struct pivot *pivot = view->pivot;
	struct table_cell *cell = table_add_row(table);
	char **values = pivot->rows->pdata[row];
	g_autoptr(GPtrArray) results = row_results(pivot, row);

	for (size_t i = 0; i < pivot->n_row_keys; i++, cell++) {
		const char *value = g_str_equal(values[i], "-") ? NULL : values[i];

		if ((int)pivot->row_keys[i] < LABEL_COUNT)
			figures_put_label(cell, (enum label)pivot->row_keys[i], value);
		else
			cell->text = g_strdup(value);
	}
	for (guint c = 0; c < pivot->columns->len; c++, cell += pivot->printed ? 2 : 1)
		if (cell_at(pivot, row, c))
			put_value(cell, view, results, row, c);
	cell->text = figures_common_unit(results);
}

/* --- footer --- */

/* The titles of the columns that have such a figure, where not all have. */
static char *columns_with(const struct view *view, const char *statistic)
{
	g_autoptr(GPtrArray) titles = g_ptr_array_new_with_free_func(g_free);
	const struct pivot *pivot = view->pivot;

	for (guint c = 0; c < pivot->columns->len; c++) {
		bool has = false;

		for (guint r = 0; r < pivot->rows->len; r++) {
			const struct result *result = cell_at(pivot, r, c);

			has |= result && strcmp(figure_statistic(&result->figure), statistic) == 0;
		}
		if (has)
			g_ptr_array_add(titles, column_title(view, c));
	}
	return titles->len < pivot->columns->len ? values_list(titles) : NULL;
}

/* Values that are no medians, since none is known. */
static void add_statistics(struct table *table, const struct view *view, const GPtrArray *results)
{
	static const char *const statistics[][2] = {
		{"mean", "means"}, {"best", "the best of several"}, {"worst", "the worst of several"}};

	for (size_t i = 0; i < G_N_ELEMENTS(statistics); i++) {
		g_autofree char *columns = columns_with(view, statistics[i][0]);
		guint n = 0;

		for (guint k = 0; k < results->len; k++) {
			const struct result *result = results->pdata[k];

			n += strcmp(figure_statistic(&result->figure), statistics[i][0]) == 0;
		}
		if (n == results->len && n > 0)
			table_add_footer(table, "all values are %s, no medians", statistics[i][1]);
		else if (n > 0)
			table_add_footer(table, "%u of %u values are %s, no medians%s%s", n, results->len,
				statistics[i][1], columns ? ": in " : "", columns ? columns : "");
	}
}

static void add_kinds(struct table *table, const GPtrArray *results)
{
	bool range = false, derived = false;

	for (guint i = 0; i < results->len; i++) {
		const struct result *result = results->pdata[i];

		range |= figures_has_range(result);
		derived |= result->what.kind == KIND_DERIVED;
	}
	if (range)
		table_add_footer(table, "%s", figures_range_note);
	if (derived)
		table_add_footer(
			table, "derived: it follows from other figures (a ratio, a clock) as they were told");
}

static void add_footer(struct table *table, const struct view *view, const GPtrArray *results)
{
	const struct pivot *pivot = view->pivot;
	g_autofree char *common = provenance_labels(&pivot->common);
	g_autofree char *provenance = results->len > 0 ? provenance_text(results) : NULL;

	if (*common)
		table_add_footer(table, "common: %s", common);
	if (provenance)
		table_add_footer(table, "%s", provenance);
	add_statistics(table, view, results);
	add_kinds(table, results);
	for (guint i = 0; i < pivot->notes->len; i++)
		table_add_footer(table, "note: %s", (const char *)pivot->notes->pdata[i]);
}

/* "flash, ram". Free with g_free(). */
static char *metrics_of(const struct pivot *pivot, const GPtrArray *results)
{
	g_autoptr(GPtrArray) names = values_distinct(results, (enum selector_key)LABEL_METRIC);

	if (names->len < 2)
		return g_strdup(metric_infos[pivot->metric].name);
	g_ptr_array_add(names, NULL);
	return g_strjoinv(", ", (char **)names->pdata);
}

bool table_of_pivot(struct table **ret, const struct pivot *pivot, const char *unit, GError **err)
{
	g_autoptr(GPtrArray) results = shown_results(pivot);
	g_autofree char *metrics = metrics_of(pivot, results);
	g_autoptr(GString) title = g_string_new(metrics);
	struct view view = {.pivot = pivot, .unit = unit};

	if (!figures_check_unit(pivot->metric, unit, err))
		return false;
	view.sources = must_mark(pivot, results, SELECT_SOURCE);
	view.kinds = must_mark(pivot, results, SELECT_KIND);
	find_column_marks(&view);
	for (size_t i = 0; i < pivot->n_column_keys; i++)
		g_string_append_printf(
			title, "%s%s", i > 0 ? ", " : " by ", values_key_name(pivot->column_keys[i]));
	*ret = table_new(title->str);
	add_columns(*ret, &view);
	for (guint r = 0; r < pivot->rows->len; r++)
		add_row(*ret, &view, r);
	add_footer(*ret, &view, results);
	g_ptr_array_unref(view.column_marks);
	return true;
}
