/* RFC 4180 quoting, one line per row, raw numbers in base units; no footer. */
#include "cells.h"
#include "diag.h"
#include "table.h"

#include <math.h>
#include <string.h>

/* Whether a spreadsheet would run the text as a formula. A sign in front of a word or number (-O2) runs
 * nothing. */
static bool is_formula(const char *text)
{
	if (*text == '+' || *text == '-')
		return strpbrk(text, "(|!=") != NULL;
	return *text && strchr("=@\t", *text);
}

static void put(GString *out, const char *text)
{
	g_autofree char *printable = diag_printable(text, -1);
	bool formula = is_formula(printable);

	if (!formula && !strpbrk(printable, ",\"\n")) {
		g_string_append(out, printable);
		return;
	}
	g_string_append_c(out, '"');
	if (formula)
		g_string_append_c(out, '\'');
	for (const char *at = printable; *at; at++) {
		if (*at == '"')
			g_string_append_c(out, '"');
		g_string_append_c(out, *at);
	}
	g_string_append_c(out, '"');
}

static void put_cell(GString *out, const struct table_cell *cell)
{
	g_autofree char *number = cell_number(cell->number);
	g_autofree char *text = cell_raw_text(cell);

	if (number)
		g_string_append(out, number);
	else if (text)
		put(out, text);
}

static void render(GString *out, const struct table *table)
{
	for (guint c = 0; c < table->columns->len; c++) {
		if (c > 0)
			g_string_append_c(out, ',');
		put(out, ((const struct table_column *)table->columns->pdata[c])->key);
	}
	g_string_append_c(out, '\n');
	for (guint r = 0; r < table->rows->len; r++) {
		const struct table_cell *cells = table->rows->pdata[r];

		for (guint c = 0; c < table->columns->len; c++) {
			if (c > 0)
				g_string_append_c(out, ',');
			put_cell(out, &cells[c]);
		}
		g_string_append_c(out, '\n');
	}
}

const struct renderer renderer_csv = {
	"csv", "comma-separated values in base units, for spreadsheets and scripts", render};
