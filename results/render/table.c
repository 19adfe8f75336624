#include "table.h"

#include <math.h>

static void column_free(gpointer data)
{
	struct table_column *column = data;

	g_free(column->key);
	g_free(column->title);
	g_free(column->unit);
	g_free(column);
}

struct table *table_new(const char *title)
{
	struct table *table = g_new0(struct table, 1);

	table->title = g_strdup(title);
	table->columns = g_ptr_array_new_with_free_func(column_free);
	table->rows = g_ptr_array_new();
	table->footer = g_ptr_array_new_with_free_func(g_free);
	return table;
}

static void row_free(struct table_cell *cells, guint n)
{
	for (guint i = 0; i < n; i++) {
		g_free(cells[i].text);
		g_free(cells[i].raw);
	}
	g_free(cells);
}

void table_free(struct table *table)
{
	if (!table)
		return;
	for (guint i = 0; i < table->rows->len; i++)
		row_free(table->rows->pdata[i], table->columns->len);
	g_ptr_array_unref(table->rows);
	g_ptr_array_unref(table->columns);
	g_ptr_array_unref(table->footer);
	g_free(table->title);
	g_free(table);
}

struct table_column *table_add_column(
	struct table *table, const char *key, const char *title, const char *unit, enum table_align align)
{
	struct table_column *column = g_new0(struct table_column, 1);

	column->key = g_strdup(key);
	column->title = g_strdup(title);
	column->unit = g_strdup(unit);
	column->align = align;
	g_ptr_array_add(table->columns, column);
	return column;
}

struct table_cell *table_add_row(struct table *table)
{
	struct table_cell *cells = g_new0(struct table_cell, table->columns->len);

	for (guint i = 0; i < table->columns->len; i++)
		cells[i].number = NAN;
	g_ptr_array_add(table->rows, cells);
	return cells;
}

void table_add_footer(struct table *table, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	g_ptr_array_add(table->footer, g_strdup_vprintf(format, arguments));
	va_end(arguments);
}
