/* pqm4's benchmarks.csv: cycles (mean, min, max) of a Cortex-M4's counter by scheme and implementation, the
 * stack that an operation takes, the sizes of an implementation. Its section of hashing is of shares, which
 * are no costs. */
#include "context.h"
#include "names.h"

#include <string.h>

#define NAME "pqm4"

static const char header[] =
	"^Scheme,Implementation,(?:Key Generation|Sign|Encapsulation)[^,]* \\[cycles\\] \\(mean\\),";

static int recognise(const struct import_line *line)
{
	return pattern_match(NULL, header, line->body)
		       ? 10
		       : pattern_match(NULL, "^Scheme,Implementation,", line->body);
}

static const char *operation_of(const char *column)
{
	static const char *const operations[][2] = {{"Key Generation", "keygen"}, {"Encapsulation", "encaps"},
		{"Decapsulation", "decaps"}, {"Sign", "sign"}, {"Verify", "verify"}, {".text", "size"},
		{".data", "size"}, {".bss", "size"}};

	for (size_t i = 0; i < G_N_ELEMENTS(operations); i++)
		if (g_str_has_prefix(column, operations[i][0]))
			return operations[i][1];
	return NULL;
}

static enum import_statistic statistic_of(const char *column)
{
	return strstr(column, "(min)") ? IMPORT_BEST : strstr(column, "(max)") ? IMPORT_WORST : IMPORT_MEAN;
}

/* False where the column is of none. */
static bool metric_of(enum metric *ret, const char *column)
{
	*ret = g_str_has_prefix(column, ".text")   ? METRIC_TEXT
	       : g_str_has_prefix(column, ".data") ? METRIC_DATA
	       : g_str_has_prefix(column, ".bss")  ? METRIC_BSS
	       : strstr(column, "[bytes]")	   ? METRIC_RAM
						   : METRIC_CYCLES;
	return strstr(column, "[bytes]") || strstr(column, "[cycles]");
}

static void tell_cell(const struct import_line *line, const struct import_sink *sink, const char *scheme,
	const char *implementation, const char *column, const char *cell)
{
	const char *operation = operation_of(column);
	enum metric metric;
	struct number number;

	if (!operation || !metric_of(&metric, column) || !number_read(&number, cell, NUMBER_COMMA_UNKNOWN))
		return;
	bool bytes = metric != METRIC_CYCLES;
	if (bytes && number.value == 0)
		return; /* nothing to compare */
	g_autofree char *name = g_strdup_printf("%s %s", scheme, operation);
	struct import_record figure = figure_of_line(line, NAME, name, WORK_OPERATION);
	figure.labels.v[LABEL_ENGINE] = implementation;
	figure.metric = metric;
	figure.figure_kind = bytes ? KIND_EXACT : KIND_SAMPLED;
	figure.statistic = statistic_of(column);
	struct reading reading = reading_of(&number, 1, bytes ? "bytes" : "cycles");
	tell_readings(sink, &figure, &reading, 1, NULL);
}

static void tell_row(struct context *state, const struct import_line *line, const struct import_sink *sink)
{
	g_auto(GStrv) cells = g_strsplit(line->body, ",", -1);
	g_autofree char *scheme = pattern_replace(" \\(\\d+ executions?\\)$", cells[0], "");

	guint n = g_strv_length(cells), columns = g_strv_length(state->columns);

	if (n != columns) {
		tell_unread(sink, line,
			n < columns ? "fewer cells than the header has columns"
				    : "more cells than the header has columns");
		return;
	}
	for (guint i = 2; state->columns[i]; i++)
		tell_cell(line, sink, scheme, cells[1], state->columns[i], cells[i]);
}

static void take_line(void *user, const struct import_line *line, const struct import_sink *sink)
{
	struct context *state = user;

	if (pattern_match(NULL, "^Scheme,Implementation,|^\\w+ Evaluation,", line->body)) {
		g_clear_pointer(&state->columns, g_strfreev);
		if (g_str_has_prefix(line->body, "Scheme,"))
			state->columns = g_strsplit(line->body, ",", -1);
		tell_other(sink, line);
	} else if (state->columns && pattern_match(NULL, "^[^,]+,[^,]+,\\d", line->body)) {
		tell_row(state, line, sink);
	} else {
		tell_other(sink, line);
	}
}

const struct importer importer_pqm4 = {
	NAME, "pqm4's benchmarks.csv", "pqm4", NULL, recognise, context_begin, take_line, context_finish};
