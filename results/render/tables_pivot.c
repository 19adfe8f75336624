#include "tables.h"

#include "figures.h"
#include "provenance.h"
#include "values.h"

static const struct result *cell_at(const struct pivot *pivot, guint row, guint column)
{
	return pivot->cells->pdata[row * pivot->columns->len + column];
}

static bool emulated_time(const struct result *result)
{
	return values_time_like(result->metric) && result->what.environment == ENVIRONMENT_EMULATOR;
}

/* Whether all figures of a column are emulated time; a single such figure among others is marked in its cell.
 */
static bool emulated_column(const struct pivot *pivot, guint column)
{
	guint figures = 0, emulated = 0;

	for (guint r = 0; r < pivot->rows->len; r++) {
		const struct result *result = cell_at(pivot, r, column);

		figures += result != NULL;
		emulated += result && emulated_time(result);
	}
	return emulated > 0 && emulated == figures;
}

static GPtrArray *column_results(const struct pivot *pivot, guint column)
{
	GPtrArray *results = g_ptr_array_new();

	for (guint r = 0; r < pivot->rows->len; r++)
		g_ptr_array_add(results, (struct result *)cell_at(pivot, r, column));
	return results;
}

static void add_value_column(struct table *table, const struct pivot *pivot, guint column)
{
	char **values = pivot->columns->pdata[column];
	g_autoptr(GPtrArray) results = column_results(pivot, column);
	g_autoptr(GString) key = g_string_new(NULL), title = g_string_new(NULL);
	g_autofree char *unit = figures_common_unit(results);

	for (size_t i = 0; i < pivot->n_column_keys; i++) {
		g_string_append_printf(
			key, "%s%s=%s", i > 0 ? "," : "", label_keys[pivot->column_keys[i]], values[i]);
		g_string_append_printf(title, "%s%s", i > 0 ? " " : "", values[i]);
	}
	if (pivot->n_column_keys == 0) {
		g_string_append(key, "value");
		g_string_append(title, metric_infos[pivot->metric].name);
	}
	if (emulated_column(pivot, column)) {
		g_string_append(key, " (emulated)");
		g_string_append(title, " (emulated)");
	}
	table_add_column(table, key->str, title->str, unit, TABLE_RIGHT);
}

static void add_columns(struct table *table, const struct pivot *pivot)
{
	for (size_t i = 0; i < pivot->n_row_keys; i++)
		figures_add_label_column(table, pivot->row_keys[i]);
	for (guint c = 0; c < pivot->columns->len; c++)
		add_value_column(table, pivot, c);
	table_add_column(table, "unit", "unit", NULL, TABLE_LEFT)->raw_only = true;
}

static void put_value(struct table_cell *cell, const struct result *result, bool marked, const char *unit)
{
	char *text;

	figures_put(cell, result, unit);
	if (!emulated_time(result) || marked || !cell->text)
		return;
	text = g_strconcat(cell->text, " (emulated)", NULL);
	g_free(cell->text);
	cell->text = text;
}

static void add_row(struct table *table, const struct pivot *pivot, guint row, const char *unit)
{
	struct table_cell *cell = table_add_row(table);
	char **values = pivot->rows->pdata[row];
	g_autoptr(GPtrArray) results = g_ptr_array_new();

	for (size_t i = 0; i < pivot->n_row_keys; i++)
		figures_put_label(cell++, pivot->row_keys[i], g_str_equal(values[i], "-") ? NULL : values[i]);
	for (guint c = 0; c < pivot->columns->len; c++, cell++) {
		const struct result *result = cell_at(pivot, row, c);

		g_ptr_array_add(results, (struct result *)result);
		if (result)
			put_value(cell, result, emulated_column(pivot, c), unit);
	}
	cell->text = figures_common_unit(results);
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

static void add_footer(struct table *table, const struct pivot *pivot)
{
	g_autofree char *common = provenance_labels(&pivot->common);
	g_autoptr(GPtrArray) results = shown_results(pivot);
	g_autofree char *provenance = results->len > 0 ? provenance_text(results) : NULL;
	bool range = false;

	for (guint i = 0; i < results->len; i++)
		range |= figures_has_range(results->pdata[i]);
	if (*common)
		table_add_footer(table, "common: %s", common);
	if (provenance)
		table_add_footer(table, "%s", provenance);
	if (range)
		table_add_footer(table, "%s", figures_range_note);
	for (guint i = 0; i < pivot->notes->len; i++)
		table_add_footer(table, "note: %s", (const char *)pivot->notes->pdata[i]);
}

bool table_of_pivot(struct table **ret, const struct pivot *pivot, const char *unit, GError **err)
{
	g_autoptr(GString) title = g_string_new(metric_infos[pivot->metric].name);

	if (!figures_check_unit(pivot->metric, unit, err))
		return false;
	for (size_t i = 0; i < pivot->n_column_keys; i++)
		g_string_append_printf(
			title, "%s%s", i > 0 ? ", " : " by ", label_keys[pivot->column_keys[i]]);
	*ret = table_new(title->str);
	add_columns(*ret, pivot);
	for (guint r = 0; r < pivot->rows->len; r++)
		add_row(*ret, pivot, r, unit);
	add_footer(*ret, pivot);
	return true;
}
