/* wolfCrypt's benchmark with -csv, of every layout: a header names the columns, each row may end in a comma.
 *
 * The rate's column is called "MB/s" whatever stands in it: without fixed units each value is scaled to
 * bytes, KiB or MiB per second by itself. Which one it is follows from the bytes and seconds of the same row,
 * or from its cycles, since only one of them makes a clock that a processor can have. */
#include "names.h"
#include "patterns.h"
#include "wolfcrypt.h"

#include <math.h>
#include <string.h>

#define COMMA NUMBER_COMMA_UNKNOWN
/* Blocks from which even a single round is more than 1 MiB. */
#define LARGE_BLOCK 1048576

static const char header_line[] =
	"^(?:###, *|!!!, *)?\"?(?:(?:sym|asym)\"?,)?Algorithm,[^.]*(?:/s|/sec|ms)\\b";

/* The cell of that column, or NULL. */
static const char *cell(const struct wolfcrypt *state, char *const *cells, const char *column)
{
	for (guint i = 0; state->columns[i] && cells[i]; i++)
		if (g_ascii_strcasecmp(g_strstrip(state->columns[i]), column) == 0)
			return g_strstrip(cells[i]);
	return NULL;
}

static bool number_cell(
	struct number *ret, const struct wolfcrypt *state, char *const *cells, const char *column)
{
	const char *text = cell(state, cells, column);

	return text && number_read(ret, text, COMMA) && text[ret->length] == '\0';
}

static char *name_of(const struct wolfcrypt *state, char *const *cells)
{
	const char *size = cell(state, cells, "key size"), *operation = cell(state, cells, "operation");
	g_autofree char *name = g_strjoin(
		" ", cell(state, cells, "Algorithm"), size ? size : "", operation ? operation : "", NULL);

	return name_plain(g_strstrip(name));
}

static void tell_operation(struct wolfcrypt *state, const struct import_line *line,
	const struct import_sink *sink, char *const *cells)
{
	g_autofree char *name = name_of(state, cells);
	struct reading readings[3];
	struct number number, count;
	size_t n = 0;

	if (number_cell(&number, state, cells, "avg ms"))
		readings[n++] = reading_of(&number, 1e-3, "avg ms");
	if (number_cell(&number, state, cells, "ops/sec"))
		readings[n++] = reading_of_rate(&number, 1, "ops/sec");
	if (number_cell(&number, state, cells, "secs") && number_cell(&count, state, cells, "ops")) {
		count.error = 0;
		readings[n++] = reading_of_share(&number, 1, &count, 1, "secs");
	}
	if (n == 0) {
		tell_unread(sink, line, "no time and no rate in this row");
		return;
	}
	struct import_record figure = figure_of_line(line, WOLFCRYPT, name, WORK_OPERATION);
	wolfcrypt_label(state, &figure, cell(state, cells, "HW/SW"));
	run_figure(&state->run, sink, line, name);
	tell_readings(sink, &figure, readings, n, NULL);
	if (number_cell(&number, state, cells, "cycles/op"))
		wolfcrypt_cycles(state, sink, &figure, &readings[n - 1], &number, "cycles/op", NULL);
}

/* The bytes that make cycles and rate a processor's clock; 0 where none does. */
static double bytes_by_clock(
	const struct wolfcrypt *state, const struct number *rate, const struct number *cycles)
{
	static const double bytes[] = {1048576, 1024, 1};
	struct reading per_byte = reading_of(cycles, 1, "");

	for (size_t i = 0; i < G_N_ELEMENTS(bytes); i++) {
		struct reading time = reading_of_rate(rate, bytes[i], "");
		g_autofree char *doubt = clock_doubt(&per_byte, &time, state->clock, CLOCK_COUNTED);
		/* Slower clocks than this would leave two units to choose from. */
		if (!doubt && per_byte.value / time.value > 1e7)
			return bytes[i];
	}
	return 0;
}

/* Bytes of the row's "MB", or 1048576 with a doubt. */
static double bytes_of_row(
	const struct wolfcrypt *state, char *const *cells, const struct number *rate, const char **ret_doubt)
{
	const char *algorithm = cell(state, cells, "Algorithm");
	guint64 block = state->block ? g_ascii_strtoull(state->block, NULL, 10) : 0;
	struct number cycles;

	*ret_doubt = NULL;
	if (number_cell(&cycles, state, cells, "Cycles per byte") && !cycles.problem && !rate->problem) {
		double bytes = bytes_by_clock(state, rate, &cycles);
		if (bytes > 0)
			return bytes;
	}
	if (block < LARGE_BLOCK || g_str_has_prefix(algorithm, "PBKDF2") ||
		g_str_has_prefix(algorithm, "GMAC"))
		*ret_doubt = "the column is called MB/s, but may hold MiB, KiB or bytes per second, and "
			     "nothing else "
			     "in the row tells which";
	return 1048576;
}

static void tell_bulk(struct wolfcrypt *state, const struct import_line *line, const struct import_sink *sink,
	char *const *cells)
{
	g_autofree char *name = name_of(state, cells);
	struct number rate, bytes, seconds, cycles;
	struct reading reading;
	const char *doubt = NULL;

	if (!number_cell(&rate, state, cells, "MB/s")) {
		tell_unread(sink, line, "no rate in this row");
		return;
	}
	if (number_cell(&bytes, state, cells, "bytes_total") &&
		number_cell(&seconds, state, cells, "seconds_total")) {
		bytes.error = 0;
		reading = reading_of_share(&seconds, 1, &bytes, 1, "seconds");
	} else {
		reading = reading_of_rate(&rate, bytes_of_row(state, cells, &rate, &doubt), "MB/s");
	}
	struct import_record figure = figure_of_line(line, WOLFCRYPT, name, WORK_BULK);
	wolfcrypt_label(state, &figure, cell(state, cells, "HW/SW"));
	run_figure(&state->run, sink, line, name);
	tell_readings(sink, &figure, &reading, 1, doubt);
	if (number_cell(&cycles, state, cells, "Cycles per byte"))
		wolfcrypt_cycles(state, sink, &figure, &reading, &cycles, "Cycles per byte", NULL);
}

static bool take_header(
	struct wolfcrypt *state, const struct import_line *line, const struct import_sink *sink)
{
	if (!pattern_match(NULL, header_line, line->body))
		return false;
	g_strfreev(state->columns);
	g_autofree char *plain = pattern_replace("^(?:###, *|!!!, *)|\"", line->body, "");
	state->columns = g_strsplit(plain, ",", -1);
	tell_other(sink, line);
	return true;
}

/* Whether something stands behind the last column, as where a number has commas. */
static bool has_more(char *const *cells, char *const *columns)
{
	guint i = 0;

	while (cells[i] && columns[i] && *columns[i])
		i++;
	while (cells[i] && *cells[i] == '\0')
		i++;
	return cells[i] != NULL;
}

bool wolfcrypt_csv(struct wolfcrypt *state, const struct import_line *line, const struct import_sink *sink)
{
	if (take_header(state, line, sink))
		return true;
	if (!state->columns || !pattern_match(NULL, "^[^,]+,[^,]*,|^[^,]+,[\\d.]+$", line->body))
		return false;
	g_autofree char *plain = pattern_replace("^(?:###, *|!!!, *)", line->body, "");
	g_auto(GStrv) cells = g_strsplit(plain, ",", -1);
	const char *algorithm = cell(state, cells, "Algorithm");
	if (has_more(cells, state->columns))
		tell_unread(sink, line, "more cells than the header has columns");
	else if (!algorithm || !*algorithm)
		tell_unread(sink, line, "no algorithm in this row");
	else if (cell(state, cells, "MB/s"))
		tell_bulk(state, line, sink, cells);
	else
		tell_operation(state, line, sink, cells);
	return true;
}
