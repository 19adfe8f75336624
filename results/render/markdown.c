/* A GitHub-flavoured table; text is shown as it is, whatever it holds. */
#include "cells.h"
#include "table.h"

#include <string.h>

static void put(GString *out, const char *text)
{
	g_autofree char *line = cell_line(text);

	for (const char *at = line; *at; at++) {
		if (*at == '<')
			g_string_append(out, "&lt;");
		else if (*at == '>')
			g_string_append(out, "&gt;");
		else if (*at == '&')
			g_string_append(out, "&amp;");
		else if (strchr("\\`*_[]|~#!$", *at))
			g_string_append_printf(out, "\\%c", *at);
		else
			g_string_append_c(out, *at);
	}
}

static void put_titles(GString *out, const struct table *table)
{
	for (guint c = 0; c < table->columns->len; c++) {
		const struct table_column *column = table->columns->pdata[c];

		if (column->raw_only)
			continue;
		g_string_append(out, "| ");
		put(out, column->title);
		g_string_append_c(out, ' ');
	}
	g_string_append(out, "|\n");
	for (guint c = 0; c < table->columns->len; c++) {
		const struct table_column *column = table->columns->pdata[c];

		if (!column->raw_only)
			g_string_append(out, column->align == TABLE_RIGHT ? "| ---: " : "| --- ");
	}
	g_string_append(out, "|\n");
}

static void put_row(GString *out, const struct table *table, const struct table_cell *cells)
{
	for (guint c = 0; c < table->columns->len; c++) {
		const struct table_column *column = table->columns->pdata[c];

		if (column->raw_only)
			continue;
		g_string_append(out, "| ");
		put(out, cells[c].text ? cells[c].text : "-");
		g_string_append_c(out, ' ');
	}
	g_string_append(out, "|\n");
}

static void render(GString *out, const struct table *table)
{
	g_string_append(out, "### ");
	put(out, table->title);
	g_string_append(out, "\n\n");
	put_titles(out, table);
	for (guint i = 0; i < table->rows->len; i++)
		put_row(out, table, table->rows->pdata[i]);
	if (table->footer->len > 0)
		g_string_append_c(out, '\n');
	for (guint i = 0; i < table->footer->len; i++) {
		g_string_append(out, "- ");
		put(out, table->footer->pdata[i]);
		g_string_append_c(out, '\n');
	}
}

const struct renderer renderer_markdown = {"markdown", "a table for issues, wikis and release notes", render};
