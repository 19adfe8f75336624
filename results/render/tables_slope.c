#include "tables.h"
#include "tables_footer.h"

#include "figures.h"
#include "slope.h"
#include "values.h"

#include <math.h>

static void add_key_columns(struct table *table, const enum selector_key *keys, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if ((int)keys[i] == LABEL_BLOCK)
			continue;
		if ((int)keys[i] < LABEL_COUNT)
			figures_add_label_column(table, (enum label)keys[i]);
		else
			table_add_column(
				table, values_key_name(keys[i]), values_key_name(keys[i]), NULL, TABLE_LEFT);
		table->stub++;
	}
}

/* The estimate for people, with its interval; and for programs in base units, each end a column of its own.
 */
static void add_estimate_columns(struct table *table, const char *key, const char *title, const char *unit)
{
	static const char *const ends[] = {"low", "high"};

	table_add_column(table, key, title, unit, TABLE_RIGHT);
	for (size_t i = 0; i < G_N_ELEMENTS(ends); i++) {
		g_autofree char *name = g_strconcat(key, "_", ends[i], NULL);
		table_add_column(table, name, name, unit, TABLE_RIGHT)->raw_only = true;
	}
}

static void add_columns(struct table *table, const struct pivot *pivot)
{
	const char *unit = metric_infos[pivot->metric].unit;
	g_autofree char *per_byte = g_strconcat(unit, "/B", NULL), *per_call = g_strconcat(unit, "/op", NULL);

	add_key_columns(table, pivot->row_keys, pivot->n_row_keys);
	add_key_columns(table, pivot->column_keys, pivot->n_column_keys);
	table_add_column(table, "sizes", "sizes", NULL, TABLE_RIGHT);
	add_estimate_columns(table, "per_byte", "per byte", per_byte);
	add_estimate_columns(table, "per_call", "per call", per_call);
}

static char *scaled(double value, enum metric metric, enum work work)
{
	char *text = NULL;

	/* A time that a rate would be made of is of no use beside one of a call. */
	scale_text(&text, value, metric, work, metric == METRIC_TIME ? "ns" : NULL, NULL);
	return text;
}

/* Of three cells. */
static void put_estimate(
	struct table_cell *cell, const struct estimate *estimate, enum metric metric, enum work work)
{
	g_autofree char *value = scaled(estimate->value, metric, work),
			*low = scaled(estimate->interval.low, metric, work),
			*high = scaled(estimate->interval.high, metric, work);

	cell[0].number = estimate->value;
	if (!low || !high) {
		cell[0].text = g_steal_pointer(&value);
		return;
	}
	cell[1].number = estimate->interval.low;
	cell[2].number = estimate->interval.high;
	/* The unit stands once. */
	cell[0].text = g_strdup_printf(
		"%s [%.*s, %.*s]", value, (int)strcspn(low, " "), low, (int)strcspn(high, " "), high);
}

static size_t put_keys(struct table_cell *cell, const struct pivot *pivot, char **values)
{
	size_t n = 0;

	for (size_t i = 0; i < pivot->n_row_keys + pivot->n_column_keys; i++) {
		enum selector_key key = i < pivot->n_row_keys ? pivot->row_keys[i]
							      : pivot->column_keys[i - pivot->n_row_keys];
		if ((int)key == LABEL_BLOCK)
			continue;
		const char *value = g_str_equal(values[n], "-") ? NULL : values[n];
		if ((int)key < LABEL_COUNT)
			figures_put_label(&cell[n], (enum label)key, value);
		else
			cell[n].text = g_strdup(value);
		n++;
	}
	return n;
}

static void add_row(struct table *table, const struct pivot *pivot, const struct slope_row *row)
{
	struct table_cell *cell = table_add_row(table);

	cell += put_keys(cell, pivot, row->values);
	cell->number = (double)row->slope.points;
	cell->text = g_strdup_printf("%zu", row->slope.points);
	put_estimate(cell + 1, &row->slope.per_byte, pivot->metric, WORK_BULK);
	put_estimate(cell + 4, &row->slope.per_call, pivot->metric, WORK_OPERATION);
}

static void add_footer(struct table *table, const struct pivot *pivot)
{
	g_autoptr(GPtrArray) results = g_ptr_array_new();

	for (guint i = 0; i < pivot->cells->len; i++)
		if (pivot->cells->pdata[i])
			g_ptr_array_add(results, pivot->cells->pdata[i]);
	tables_add_pivot_footer(table, pivot, results,
		"cost of a call = per call + per byte * bytes, by least squares of relative errors; in "
		"brackets 95 % intervals (Student's t), none with two sizes");
}

bool table_of_slopes(struct table **ret, const struct pivot *pivot, GError **err)
{
	g_autoptr(GPtrArray) rows = NULL;
	g_autofree char *title =
		g_strconcat(metric_infos[pivot->metric].name, " per byte and per call", NULL);
	size_t left_out = 0;

	if (!slope_rows(&rows, pivot, err))
		return false;
	*ret = table_new(title);
	add_columns(*ret, pivot);
	for (guint i = 0; i < rows->len; i++) {
		add_row(*ret, pivot, rows->pdata[i]);
		left_out += ((const struct slope_row *)rows->pdata[i])->left_out;
	}
	add_footer(*ret, pivot);
	if (left_out > 0)
		table_add_footer(*ret, "note: %zu figures that are not above zero are left out", left_out);
	return true;
}
