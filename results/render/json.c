/* {"title", "columns": [{key, title, unit}], "rows": [{key: value}], "notes": [text]}; raw numbers in base
 * units. */
#include "cells.h"
#include "table.h"

#include <jansson.h>
#include <stdlib.h>

/* Numbers are written here, and not by the library, to have the shortest decimal that reads back the same.
 * ASCII alone, so that no text can act on a terminal. */
static void put(GString *out, const char *text)
{
	g_autofree char *valid = text ? g_utf8_make_valid(text, -1) : NULL;
	json_t *json = valid ? json_string(valid) : json_null();
	char *dumped = json_dumps(json, JSON_ENCODE_ANY | JSON_ENSURE_ASCII);

	g_string_append(out, dumped);
	free(dumped);
	json_decref(json);
}

static void put_cell(GString *out, const struct table_cell *cell)
{
	g_autofree char *number = cell_number(cell->number);
	g_autofree char *text = cell_raw_text(cell);

	if (number)
		g_string_append(out, number);
	else
		put(out, text);
}

static void put_columns(GString *out, const struct table *table)
{
	g_string_append(out, "\"columns\": [");
	for (guint c = 0; c < table->columns->len; c++) {
		const struct table_column *column = table->columns->pdata[c];

		g_string_append(out, c > 0 ? ",\n  {\"key\": " : "\n  {\"key\": ");
		put(out, column->key);
		g_string_append(out, ", \"title\": ");
		put(out, column->title);
		g_string_append(out, ", \"unit\": ");
		put(out, column->unit);
		g_string_append_c(out, '}');
	}
	g_string_append(out, "\n ]");
}

static void put_row(GString *out, const struct table *table, const struct table_cell *cells)
{
	for (guint c = 0; c < table->columns->len; c++) {
		if (c > 0)
			g_string_append(out, ", ");
		put(out, ((const struct table_column *)table->columns->pdata[c])->key);
		g_string_append(out, ": ");
		put_cell(out, &cells[c]);
	}
}

static void render(GString *out, const struct table *table)
{
	g_string_append(out, "{\"title\": ");
	put(out, table->title);
	g_string_append(out, ",\n ");
	put_columns(out, table);
	g_string_append(out, ",\n \"rows\": [");
	for (guint r = 0; r < table->rows->len; r++) {
		g_string_append(out, r > 0 ? ",\n  {" : "\n  {");
		put_row(out, table, table->rows->pdata[r]);
		g_string_append_c(out, '}');
	}
	g_string_append(out, "\n ],\n \"notes\": [");
	for (guint i = 0; i < table->footer->len; i++) {
		g_string_append(out, i > 0 ? ",\n  " : "\n  ");
		put(out, table->footer->pdata[i]);
	}
	g_string_append(out, "\n ]}\n");
}

const struct renderer renderer_json = {
	"json", "one object with columns, rows in base units and notes", render};
