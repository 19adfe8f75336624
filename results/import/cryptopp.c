/* Crypto++'s benchmark as HTML or Markdown, and pycryptopp's tables of the same library as text.
 *
 * A header names the columns. Cycles are computed from the time by the clock that was told to it, so that
 * they must go with it to the digit. */
#include "context.h"
#include "names.h"

#include <string.h>

#define NAME "cryptopp"
#define MIB  1048576.0

enum column {
	ALGORITHM,
	PROVIDER,
	RATE,
	CYCLES,
	MS,
	MEGACYCLES,
	KEY_TIME,
	SETUP_TIME,
	SETUP_CYCLES,
	UNKNOWN
};

/* Headers, without blanks and in lower case. */
static const struct {
	const char *header;
	enum column column;
} headers[] = {
	{"algorithm", ALGORITHM},
	{"operation", ALGORITHM},
	{"provider", PROVIDER},
	{"mib/second", RATE},
	{"mib/sec", RATE},
	{"cycles/byte", CYCLES},
	{"cycle/byte", CYCLES},
	{"cyclesperbyte", CYCLES},
	{"milliseconds/operation", MS},
	{"millisec/op", MS},
	{"megacycles/operation", MEGACYCLES},
	{"megacycle/op", MEGACYCLES},
	{"millisec/newkey", KEY_TIME},
	{"microsecondstosetupkeyandiv", SETUP_TIME},
	{"u-seckeysetup", SETUP_TIME},
	{"cyclestosetupkeyandiv", SETUP_CYCLES},
	{"cycleskeysetup", SETUP_CYCLES},
};

static const char text_header[] =
	"^Algorithm {2,}(?<columns>(?:MiB/Sec|millisec/).*)$|^Algorithm +(?<c2>MiB/Sec .*|millisec/.*)$";
static const char markdown_header[] =
	"^\\|? *(?:Algorithm|Operation) *\\|.*(?:MiB/Second|Milliseconds/Operation)";
static const char html_header[] = "<TR><TH>(?:Algorithm|Operation)<TH>";
static const char two_numbers[] = "^(?<name>\\S.*?) +(?<first>[\\d.,]+) +(?<second>[\\d.,]+)$";
static const char key_row[] = "^(?<name>\\S.*?) +(?<first>[\\d.,]+) +\\((?<statistic>best|mean|worst)\\)$";
static const char clock_line[] =
	"(?:frequency of the test platform is|running at|\\bat) (?<value>[\\d.]+) (?<unit>[GM]Hz)";

static int recognise(const struct import_line *line)
{
	return pattern_match(NULL, text_header, line->body) ||
			       pattern_match(NULL, markdown_header, line->body) ||
			       pattern_match(NULL, html_header, line->body)
		       ? 10
		       : 0;
}

static enum column column_of(const char *header)
{
	g_autofree char *plain = pattern_replace("<[^>]*>|\\s+", header, "");
	g_autofree char *lower = g_ascii_strdown(plain, -1);

	for (size_t i = 0; i < G_N_ELEMENTS(headers); i++)
		if (strcmp(headers[i].header, lower) == 0)
			return headers[i].column;
	return UNKNOWN;
}

/* The cells of a row in HTML or Markdown; NULL where the line is none. */
static char **cells_of(const char *body)
{
	if (pattern_match(NULL, "^<TR><T[DH]>", body)) {
		g_autofree char *bare = pattern_replace("^<TR><T[DH]>", body, "");
		/* One sign for what HTML writes in two ways. */
		g_autofree char *marked = pattern_replace("<T[DH][^>]*>", bare, "|");
		return g_strsplit(marked, "|", -1);
	}
	if (!strchr(body, '|'))
		return NULL;
	g_autofree char *bare = pattern_replace("^\\| *| *\\|$", body, "");
	return g_strsplit(bare, "|", -1);
}

/* What a row says of one algorithm, by column. */
struct row {
	const char *name, *provider;
	struct number numbers[UNKNOWN + 1];
	bool has[UNKNOWN + 1];
	enum import_statistic statistic;
};

static void tell_pair(struct context *state, const struct import_line *line, const struct import_sink *sink,
	const struct row *row, const char *name, struct reading time, struct reading *cycles, enum work work)
{
	struct import_record figure = figure_of_line(line, NAME, name, work);

	figure.statistic = row->statistic;
	if (row->provider && strcmp(row->provider, "C++") != 0)
		figure.labels.v[LABEL_ENGINE] = row->provider;
	tell_readings(sink, &figure, &time, 1, NULL);
	if (!cycles)
		return;
	g_autofree char *doubt = clock_doubt(cycles, &time, clock_told(sink, state->clock), CLOCK_COMPUTED);
	figure.metric = METRIC_CYCLES;
	figure.figure_kind = KIND_DERIVED;
	tell_readings(sink, &figure, cycles, 1, doubt);
}

static void tell_row(struct context *state, const struct import_line *line, const struct import_sink *sink,
	const struct row *row)
{
	struct reading cycles;
	g_autofree char *fresh = g_strconcat(row->name, " new key", NULL);
	g_autofree char *setup = g_strconcat(row->name, " key setup", NULL);

	run_figure(&state->run, sink, line, row->name);
	if (row->has[RATE]) {
		cycles = reading_of(&row->numbers[CYCLES], 1, "cycles/byte");
		tell_pair(state, line, sink, row, row->name,
			reading_of_rate(&row->numbers[RATE], MIB, "MiB/s"), row->has[CYCLES] ? &cycles : NULL,
			WORK_BULK);
	}
	if (row->has[MS]) {
		cycles = reading_of(&row->numbers[MEGACYCLES], 1e6, "megacycles/op");
		tell_pair(state, line, sink, row, row->name, reading_of(&row->numbers[MS], 1e-3, "ms/op"),
			row->has[MEGACYCLES] ? &cycles : NULL, WORK_OPERATION);
	}
	if (row->has[KEY_TIME])
		tell_pair(state, line, sink, row, fresh,
			reading_of(&row->numbers[KEY_TIME], 1e-3, "ms/new key"), NULL, WORK_OPERATION);
	if (row->has[SETUP_TIME]) {
		cycles = reading_of(&row->numbers[SETUP_CYCLES], 1, "cycles");
		tell_pair(state, line, sink, row, setup, reading_of(&row->numbers[SETUP_TIME], 1e-6, "us"),
			row->has[SETUP_CYCLES] ? &cycles : NULL, WORK_OPERATION);
	}
}

static void take_number(struct context *state, struct row *row, enum column column, const char *text)
{
	enum number_comma proof = number_proof(text);

	if (proof != NUMBER_COMMA_UNKNOWN)
		state->comma = proof;
	row->has[column] = number_read(&row->numbers[column], text, state->comma) &&
			   text[row->numbers[column].length] == '\0';
}

static bool take_cells(struct context *state, const struct import_line *line, const struct import_sink *sink)
{
	g_auto(GStrv) cells = cells_of(line->body);
	struct row row = {.statistic = IMPORT_MEAN};

	if (!cells || !state->columns || pattern_match(NULL, "^[|: -]+$", line->body))
		return false;
	for (guint i = 0; cells[i] && state->columns[i]; i++) {
		enum column column = column_of(state->columns[i]);
		g_strstrip(cells[i]);
		if (column == ALGORITHM)
			row.name = cells[i];
		else if (column == PROVIDER)
			row.provider = cells[i];
		else
			take_number(state, &row, column, cells[i]);
	}
	if (!row.name || !*row.name)
		tell_unread(sink, line, "a row without an algorithm");
	else if (!row.has[RATE] && !row.has[MS])
		tell_unread(sink, line, "a row without a rate or time");
	else
		tell_row(state, line, sink, &row);
	return true;
}

/* A row of a text table: one or two numbers behind the name. */
static bool take_text_row(
	struct context *state, const struct import_line *line, const struct import_sink *sink)
{
	g_autoptr(GMatchInfo) two = NULL;
	g_autoptr(GMatchInfo) key = NULL;
	struct row row = {.statistic = IMPORT_MEAN};

	if (!state->group)
		return false;
	bool keys = strstr(state->group, "new key") != NULL;
	if (keys ? !pattern_match(&key, key_row, line->body) : !pattern_match(&two, two_numbers, line->body))
		return false;
	GMatchInfo *match = keys ? key : two;
	g_autofree char *printed = pattern_text(match, "name"), *first = pattern_text(match, "first");
	g_autofree char *second = keys ? NULL : pattern_text(match, "second");
	g_autofree char *statistic = keys ? pattern_text(match, "statistic") : NULL;
	g_autofree char *name = name_plain(printed);
	bool bulk = g_str_has_prefix(state->group, "MiB");
	row.name = name;
	if (statistic)
		row.statistic = *statistic == 'b'   ? IMPORT_BEST
				: *statistic == 'w' ? IMPORT_WORST
						    : IMPORT_MEAN;
	take_number(state, &row, keys ? KEY_TIME : bulk ? RATE : MS, first);
	if (second)
		take_number(state, &row, bulk ? CYCLES : MEGACYCLES, second);
	tell_row(state, line, sink, &row);
	return true;
}

static bool take_header(struct context *state, const struct import_line *line, const struct import_sink *sink)
{
	g_autoptr(GMatchInfo) text = NULL;

	if (pattern_match(&text, text_header, line->body)) {
		context_group(state, text, "columns");
		if (!state->group)
			context_group(state, text, "c2");
		g_clear_pointer(&state->columns, g_strfreev);
	} else if (pattern_match(NULL, markdown_header, line->body) ||
		   pattern_match(NULL, html_header, line->body)) {
		g_clear_pointer(&state->group, g_free);
		g_strfreev(state->columns);
		state->columns = cells_of(line->body);
	} else {
		return false;
	}
	tell_other(sink, line);
	return true;
}

static void take_line(void *user, const struct import_line *line, const struct import_sink *sink)
{
	static const struct fact_rule facts[] = {
		{"Crypto\\+\\+ (?<value>\\d+\\.\\d+(?:\\.\\d+)?)</A> Benchmarks", "version", true},
		{NULL, NULL, false},
	};
	struct context *state = user;
	g_autoptr(GMatchInfo) clock = NULL;

	if (take_header(state, line, sink) || take_text_row(state, line, sink) ||
		take_cells(state, line, sink) || run_fact(&state->run, facts, sink, line))
		return;
	if (pattern_match(&clock, clock_line, line->body)) {
		run_heading(&state->run, sink, line);
		context_clock(state, line, sink, clock);
	} else if (pattern_match(NULL, "^<TR><TD>", line->body)) {
		tell_unread(sink, line, "a row without a header");
	} else {
		tell_other(sink, line);
	}
}

const struct importer importer_cryptopp = {NAME,
	"Crypto++'s benchmark (HTML, Markdown) and pycryptopp's tables", "cryptopp-bench", "cryptopp",
	recognise, context_begin, take_line, context_finish};
