/* Columns aligned by the width that a terminal gives each character; a table that is wider than the terminal
 * is broken into parts below each other. */
#include "cells.h"
#include "table.h"

static int width_of(const char *text)
{
	int width = 0;

	for (const char *at = text; *at; at = g_utf8_next_char(at)) {
		gunichar c = g_utf8_get_char(at);

		if (!g_unichar_iszerowidth(c))
			width += g_unichar_iswide(c) ? 2 : 1;
	}
	return width;
}

/* The table as lines of cells, the title of each column first; NULL-terminated per row. */
static GPtrArray *shown_cells(const struct table *table, GArray *aligns)
{
	GPtrArray *lines = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);

	for (guint i = 0; i <= table->rows->len; i++)
		g_ptr_array_add(lines, g_ptr_array_new_with_free_func(g_free));
	for (guint c = 0; c < table->columns->len; c++) {
		const struct table_column *column = table->columns->pdata[c];

		if (column->raw_only)
			continue;
		g_array_append_val(aligns, column->align);
		g_ptr_array_add(lines->pdata[0], cell_line(column->title));
		for (guint r = 0; r < table->rows->len; r++) {
			const struct table_cell *cells = table->rows->pdata[r];

			g_ptr_array_add(lines->pdata[r + 1], cell_line(cells[c].text ? cells[c].text : "-"));
		}
	}
	return lines;
}

static int *widths_of(const GPtrArray *lines, guint columns)
{
	int *widths = g_new0(int, columns + 1);

	for (guint r = 0; r < lines->len; r++)
		for (guint c = 0; c < columns; c++)
			widths[c] = MAX(widths[c], width_of(((GPtrArray *)lines->pdata[r])->pdata[c]));
	return widths;
}

static void pad(GString *out, int n)
{
	for (int i = 0; i < n; i++)
		g_string_append_c(out, ' ');
}

/* Columns that stand side by side: the first `stub`, then those from `from` to before `to`. */
struct part {
	guint stub, from, to;
};

static guint next_column(const struct part *part, guint column)
{
	return column + 1 == part->stub ? part->from : column + 1;
}

static void put_line(GString *out, const GPtrArray *cells, const int *widths, const GArray *aligns,
	const struct part *part)
{
	gsize start = out->len;
	guint first = part->stub > 0 ? 0 : part->from;

	for (guint c = first; c < part->to; c = next_column(part, c)) {
		const char *text = cells->pdata[c];
		int space = widths[c] - width_of(text);
		bool right = g_array_index(aligns, enum table_align, c) == TABLE_RIGHT;

		pad(out, (c != first ? 2 : 0) + (right ? space : 0));
		g_string_append(out, text);
		if (!right)
			pad(out, space);
	}
	while (out->len > start && out->str[out->len - 1] == ' ')
		g_string_truncate(out, out->len - 1);
	g_string_append_c(out, '\n');
}

static void put_rule(GString *out, const int *widths, const struct part *part)
{
	guint first = part->stub > 0 ? 0 : part->from;

	for (guint c = first; c < part->to; c = next_column(part, c)) {
		pad(out, c != first ? 2 : 0);
		for (int i = 0; i < widths[c]; i++)
			g_string_append_c(out, '-');
	}
	g_string_append_c(out, '\n');
}

/* Up to where columns from `from` on fit behind the stub, one at least. */
static guint part_end(const struct table *table, const int *widths, guint columns, guint from)
{
	int used = 0;
	guint to = from;

	if (table->width <= 0 || table->stub == 0)
		return columns;
	for (guint c = 0; c < table->stub; c++)
		used += widths[c] + 2;
	for (; to < columns && (to == from || used + widths[to] <= table->width); to++)
		used += widths[to] + 2;
	return to;
}

static void put_part(GString *out, const GPtrArray *lines, const int *widths, const GArray *aligns,
	const struct part *part)
{
	for (guint i = 0; i < lines->len; i++) {
		put_line(out, lines->pdata[i], widths, aligns, part);
		if (i == 0)
			put_rule(out, widths, part);
	}
}

static void render(GString *out, const struct table *table)
{
	g_autoptr(GArray) aligns = g_array_new(FALSE, FALSE, sizeof(enum table_align));
	g_autoptr(GPtrArray) lines = shown_cells(table, aligns);
	g_autofree int *widths = widths_of(lines, aligns->len);
	g_autofree char *title = cell_line(table->title);

	struct part part = {.stub = table->stub, .from = table->stub};
	g_string_append_printf(out, "%s\n\n", title);
	do {
		part.to = part_end(table, widths, aligns->len, part.from);
		if (part.from > part.stub)
			g_string_append_c(out, '\n');
		put_part(out, lines, widths, aligns, &part);
		part.from = part.to;
	} while (part.to < aligns->len);
	if (table->footer->len > 0)
		g_string_append_c(out, '\n');
	for (guint i = 0; i < table->footer->len; i++) {
		g_autofree char *line = cell_line(table->footer->pdata[i]);

		g_string_append_printf(out, "%s\n", line);
	}
}

const struct renderer renderer_terminal = {"table", "aligned columns for a terminal", render};
