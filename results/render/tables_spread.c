#include "tables.h"
#include "tables_footer.h"

#include "figures.h"
#include "provenance.h"
#include "values.h"

#include <math.h>

static void add_key_column(struct table *table, enum selector_key key)
{
	if ((int)key < LABEL_COUNT)
		figures_add_label_column(table, (enum label)key);
	else
		table_add_column(table, values_key_name(key), values_key_name(key), NULL, TABLE_LEFT);
	table->stub++;
}

static void put_key(struct table_cell *cell, enum selector_key key, const char *value)
{
	const char *known = g_str_equal(value, "-") ? NULL : value;

	if ((int)key < LABEL_COUNT)
		figures_put_label(cell, (enum label)key, known);
	else
		cell->text = g_strdup(known);
}

static void put_value(struct table_cell *cell, const struct result *result, double value, const char *unit)
{
	cell->number = isfinite(value) ? value : NAN;
	scale_text(&cell->text, value, result->metric, values_work(result), unit, NULL);
}

/* Lower is better or not: the best comes first. */
static void put_extremes(
	struct table_cell *best, struct table_cell *worst, const struct result *result, const char *unit)
{
	const struct figure *figure = &result->figure;
	bool lower = metric_infos[result->metric].better == BETTER_LOWER;

	put_value(best, result, lower ? figure->min : figure->max, unit);
	put_value(worst, result, lower ? figure->max : figure->min, unit);
}

/* In percent of the mean, which no unit changes. */
static void put_sd(struct table_cell *cell, const struct figure *figure)
{
	char percent[G_ASCII_DTOSTR_BUF_SIZE];

	if (!isfinite(figure->sd) || !(figure->mean > 0))
		return;
	cell->number = figure->sd;
	g_ascii_formatd(percent, sizeof(percent), "%.1f", figure->sd / figure->mean * 100);
	cell->text = g_strconcat(percent, "%", NULL);
}

static void put_count(struct table_cell *cell, int64_t n)
{
	if (n <= 0)
		return;
	cell->number = (double)n;
	cell->text = g_strdup_printf("%" G_GINT64_FORMAT, n);
}

static void add_row(struct table *table, const struct pivot *pivot, guint row, guint column, const char *unit)
{
	const struct result *result = pivot->cells->pdata[row * pivot->columns->len + column];
	struct table_cell *cell = table_add_row(table);
	g_autoptr(GPtrArray) alone = g_ptr_array_new();
	char **values = pivot->rows->pdata[row];
	const char *shown;

	g_ptr_array_add(alone, (struct result *)result);
	shown = figures_unit(alone, result, unit);
	for (size_t i = 0; i < pivot->n_row_keys; i++)
		put_key(cell++, pivot->row_keys[i], values[i]);
	values = pivot->columns->pdata[column];
	for (size_t i = 0; i < pivot->n_column_keys; i++)
		put_key(cell++, pivot->column_keys[i], values[i]);
	put_count(cell++, result->figure.n);
	put_extremes(cell, cell + 3, result, shown);
	put_value(cell + 1, result, result->figure.median, shown);
	put_value(cell + 2, result, result->figure.mean, shown);
	put_sd(cell + 4, &result->figure);
	cell[5].text = figures_base_unit(result);
}

static void add_columns(struct table *table, const struct pivot *pivot)
{
	static const char *const names[] = {"best", "median", "mean", "worst"};

	for (size_t i = 0; i < pivot->n_row_keys; i++)
		add_key_column(table, pivot->row_keys[i]);
	for (size_t i = 0; i < pivot->n_column_keys; i++)
		add_key_column(table, pivot->column_keys[i]);
	table_add_column(table, "n", "n", NULL, TABLE_RIGHT);
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
		table_add_column(table, names[i], names[i], NULL, TABLE_RIGHT);
	table_add_column(table, "sd", "sd", NULL, TABLE_RIGHT);
	table_add_column(table, "unit", "unit", NULL, TABLE_LEFT)->raw_only = true;
}

bool table_of_spread(struct table **ret, const struct pivot *pivot, const char *unit, GError **err)
{
	g_autoptr(GPtrArray) results = g_ptr_array_new();
	g_autofree char *title = g_strconcat(metric_infos[pivot->metric].name, ", spread", NULL);

	if (unit && !figures_check_unit(pivot->metric, unit, err))
		return false;
	*ret = table_new(title);
	add_columns(*ret, pivot);
	for (guint r = 0; r < pivot->rows->len; r++)
		for (guint c = 0; c < pivot->columns->len; c++) {
			gpointer result = pivot->cells->pdata[r * pivot->columns->len + c];
			if (!result)
				continue;
			g_ptr_array_add(results, result);
			add_row(*ret, pivot, r, c, unit);
		}
	tables_add_pivot_footer(*ret, pivot, results,
		"n: samples of all processes; sd: their standard deviation in percent of the mean; rates "
		"are of the best, median, mean and worst time");
	return true;
}
