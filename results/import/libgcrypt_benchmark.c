/* libgcrypt's tests/benchmark of public keys: milliseconds, or ratios of two runs, in the columns that a
 * header names: "Algorithm generate 100*sign 100*verify". */
#include "context.h"
#include "names.h"

#include <string.h>

#define NAME "libgcrypt-benchmark"
#define TOOL "libgcrypt"

static const char header[] = "^Algorithm\\s+(?<columns>generate\\s+\\d*\\*?sign\\s+\\d*\\*?verify)$";
static const char row_line[] =
	"^(?<name>(?:RSA|DSA|ECDSA|ELG|GOST|EdDSA|Ed25519)\\b.*?)\\s+(?<cells>(?:-|[\\d.]+(?:ms|x))"
	"(?:\\s+(?:-|[\\d.]+(?:ms|x)))*)$";

static int recognise(const struct import_line *line)
{
	return pattern_match(NULL, header, line->body) ? 10 : 0;
}

static void tell_cell(const struct import_line *line, const struct import_sink *sink, const char *row,
	const char *column, const char *cell)
{
	const char *star = strchr(column, '*');
	double times = star ? g_ascii_strtod(column, NULL) : 1;
	g_autofree char *name = g_strdup_printf("%s %s", row, star ? star + 1 : column);
	g_autofree char *unit = NULL;
	struct number number;

	if (!number_read(&number, cell, NUMBER_COMMA_UNKNOWN) || times <= 0)
		return; /* "-": not measured */
	struct import_record figure = figure_of_line(line, TOOL, name, WORK_OPERATION);
	bool ratio = g_str_has_suffix(cell, "x");
	unit = ratio || times == 1 ? NULL : g_strdup_printf("ms for %.0f", times);
	struct reading reading =
		ratio ? reading_of(&number, 1, "x") : reading_of(&number, 1e-3 / times, unit ? unit : "ms");
	if (ratio) {
		figure.metric = METRIC_SPEEDUP;
		figure.figure_kind = KIND_STATED;
	}
	tell_readings(sink, &figure, &reading, 1, NULL);
}

static void tell_row(struct context *state, const struct import_line *line, const struct import_sink *sink,
	const GMatchInfo *match)
{
	g_autofree char *printed = pattern_text(match, "name"), *joined = pattern_text(match, "cells");
	g_autofree char *name = name_plain(printed), *plain = name_plain(joined);
	g_auto(GStrv) cells = g_strsplit(plain, " ", -1);

	if (g_strv_length(cells) != g_strv_length(state->columns)) {
		tell_unread(sink, line, "not as many cells as the header has columns");
		return;
	}
	run_figure(&state->run, sink, line, name);
	for (guint i = 0; cells[i]; i++)
		tell_cell(line, sink, name, state->columns[i], cells[i]);
}

static void take_line(void *user, const struct import_line *line, const struct import_sink *sink)
{
	struct context *state = user;
	g_autoptr(GMatchInfo) columns = NULL;
	g_autoptr(GMatchInfo) row = NULL;

	if (pattern_match(&columns, header, line->body)) {
		g_autofree char *joined = pattern_text(columns, "columns");
		g_autofree char *plain = name_plain(joined);
		g_strfreev(state->columns);
		state->columns = g_strsplit(plain, " ", -1);
		tell_other(sink, line);
	} else if (state->columns && pattern_match(&row, row_line, line->body)) {
		tell_row(state, line, sink, row);
	} else if (pattern_match(NULL, "^(?:RSA|DSA|ECDSA)\\s.*\\d(?:ms|x)\\b", line->body)) {
		tell_unread(sink, line, "the row is cut, or its header is missing");
	} else {
		if (pattern_match(NULL, "^(?:Before|After|OLD|NEW|Old|New)\\b.*:$", line->body))
			run_heading(&state->run, sink, line);
		tell_other(sink, line);
	}
}

const struct importer importer_libgcrypt_benchmark = {NAME, "libgcrypt's benchmark of public keys",
	"libgcrypt-benchmark", "libgcrypt", recognise, context_begin, take_line, context_finish};
