/* One page that stands alone: no script, nothing loaded; text is shown as it is, whatever it holds. */
#include "cells.h"
#include "table.h"

static const char head[] = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
			   "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
			   "style-src 'unsafe-inline'\">\n"
			   "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
static const char style[] =
	"<style>\n"
	":root { color-scheme: light dark; }\n"
	"body { font-family: sans-serif; margin: 1rem; }\n"
	"table { border-collapse: collapse; }\n"
	"th, td { padding: 0.2rem 0.6rem; border-bottom: 1px solid #8888; text-align: left; }\n"
	".right { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }\n"
	"</style>\n";

static void put(GString *out, const char *text)
{
	g_autofree char *line = cell_line(text);
	g_autofree char *escaped = g_markup_escape_text(line, -1);

	g_string_append(out, escaped);
}

static void put_cell(GString *out, const struct table_column *column, const char *tag, const char *text)
{
	g_string_append_printf(out, "<%s%s>", tag, column->align == TABLE_RIGHT ? " class=\"right\"" : "");
	put(out, text);
	g_string_append_printf(out, "</%s>", tag);
}

static void put_titles(GString *out, const struct table *table)
{
	g_string_append(out, "<thead>\n<tr>");
	for (guint c = 0; c < table->columns->len; c++) {
		const struct table_column *column = table->columns->pdata[c];

		if (!column->raw_only)
			put_cell(out, column, "th", column->title);
	}
	g_string_append(out, "</tr>\n</thead>\n");
}

static void put_row(GString *out, const struct table *table, const struct table_cell *cells)
{
	g_string_append(out, "<tr>");
	for (guint c = 0; c < table->columns->len; c++) {
		const struct table_column *column = table->columns->pdata[c];

		if (!column->raw_only)
			put_cell(out, column, "td", cells[c].text ? cells[c].text : "-");
	}
	g_string_append(out, "</tr>\n");
}

static void put_footer(GString *out, const struct table *table)
{
	if (table->footer->len == 0)
		return;
	g_string_append(out, "<ul>\n");
	for (guint i = 0; i < table->footer->len; i++) {
		g_string_append(out, "<li>");
		put(out, table->footer->pdata[i]);
		g_string_append(out, "</li>\n");
	}
	g_string_append(out, "</ul>\n");
}

static void render(GString *out, const struct table *table)
{
	g_string_append_printf(out, "%s<title>", head);
	put(out, table->title);
	g_string_append_printf(out, "</title>\n%s</head>\n<body>\n<h1>", style);
	put(out, table->title);
	g_string_append(out, "</h1>\n<table>\n");
	put_titles(out, table);
	g_string_append(out, "<tbody>\n");
	for (guint i = 0; i < table->rows->len; i++)
		put_row(out, table, table->rows->pdata[i]);
	g_string_append(out, "</tbody>\n</table>\n");
	put_footer(out, table);
	g_string_append(out, "</body>\n</html>\n");
}

const struct renderer renderer_html = {"html", "a page that stands alone, for a browser", render};
