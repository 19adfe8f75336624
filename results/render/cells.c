#include "cells.h"

#include "decimal.h"
#include "diag.h"

#include <math.h>

char *cell_number(double number)
{
	char buffer[DECIMAL_SIZE];

	if (!isfinite(number))
		return NULL;
	decimal_shortest(buffer, number);
	return g_strdup(buffer);
}

char *cell_raw_text(const struct table_cell *cell)
{
	const char *text = cell->raw ? cell->raw : cell->text;

	return text ? g_utf8_make_valid(text, -1) : NULL;
}

char *cell_line(const char *text)
{
	g_autofree char *printable = diag_printable(text, -1);
	GString *line = g_string_new(printable);

	g_string_replace(line, "\n", "\\n", 0);
	g_string_replace(line, "\t", "\\t", 0);
	return g_string_free(line, FALSE);
}
