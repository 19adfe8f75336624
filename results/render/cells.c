#include "cells.h"

#include "diag.h"

#include <math.h>

char *cell_number(double number)
{
	static const char *const formats[] = {"%.15g", "%.16g", "%.17g"};
	char buffer[G_ASCII_DTOSTR_BUF_SIZE];

	if (!isfinite(number))
		return NULL;
	for (size_t i = 0; i < G_N_ELEMENTS(formats); i++) {
		g_ascii_formatd(buffer, sizeof(buffer), formats[i], number);
		if (g_ascii_strtod(buffer, NULL) == number)
			break;
	}
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
