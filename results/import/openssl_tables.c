/* The tables at the end of openssl speed: bytes per second by block size, and seconds per operation. */
#include "names.h"
#include "openssl_speed.h"
#include "patterns.h"

#include <string.h>

#define COMMA NUMBER_COMMA_UNKNOWN

static const char size_header[] = "^type\\s+(?<sizes>\\d+ bytes(?:\\s*\\d+ bytes)*)(?:\\s+(?<row>\\S.*))?$";
static const char machine_header[] = "^(?:Got: )?\\+H:(?<sizes>\\d+(?::\\d+)*)(?: from \\d+)?$";
static const char bulk_row[] = "^(?<name>\\S.{0,60}?)\\s+(?<cells>\\d[\\d.]*k?(?:\\s+\\d[\\d.]*k?)*)(?:\\s*(?"
			       "<remark>\\(.*\\)|//.*))?$";
static const char machine_row[] =
	"^(?:Got: )?\\+F:\\d+:(?<name>[^:]+):(?<cells>[\\d.]+(?::[\\d.]+)*)(?: from \\d+)?$";
static const char key_header[] = "^(?<ops>(?:sign|verify|encrypt|decrypt|op|keygen|encaps|decaps|signs)(?:"
				 "\\s+(?:sign|verify|encrypt|decrypt|keygen|encaps|"
				 "decaps|signs))*)\\s+(?:\\S+/s\\.?\\s*)+(?<row>\\S.*)?$";
static const char key_row[] = "^(?<name>\\S.{0,60}?)\\s+(?<times>\\d[\\d.]*s(?:\\s+\\d[\\d.]*s)*)\\s+(?<"
			      "rates>\\d[\\d.]*(?:\\s+\\d[\\d.]*)*)"
			      "(?:\\s*//.*)?$";
static const char cut_row[] =
	"^(?:\\S.{0,60}?)\\s+\\d+\\.\\d+s(?:\\s|$)|^\\d+ bits? "
	"(?:ecdsa|ecdh|ffdh|EdDSA|SM2)|^[rd]sa +\\d+ bits|\\s\\d[\\d.]*,[\\d.,]*k(?:\\s|$)";

/* Takes the column sizes: the numbers of the text. */
static void set_columns(struct openssl_speed *state, const char *sizes)
{
	g_auto(GStrv) words = g_strsplit_set(sizes, " \t:", -1);

	for (size_t i = 0; i < state->n_columns; i++)
		g_free(state->columns[i]);
	state->n_columns = 0;
	for (guint i = 0; words[i]; i++) {
		const char *digits = words[i];
		/* "bytes1048576": the columns of large sizes run into each other */
		while (*digits && !g_ascii_isdigit(*digits))
			digits++;
		if (*digits && state->n_columns < MOST_COLUMNS)
			state->columns[state->n_columns++] = g_strdup(digits);
	}
}

static bool table_line(struct openssl_speed *state, const char *row, const struct import_line *line,
	const struct import_sink *sink)
{
	struct import_line rest = {line->text, line->length, line->number, row};

	return openssl_table(state, &rest, sink);
}

static bool take_header(
	struct openssl_speed *state, const struct import_line *line, const struct import_sink *sink)
{
	g_autoptr(GMatchInfo) people = NULL;
	g_autoptr(GMatchInfo) machine = NULL;
	bool found = pattern_match(&people, size_header, line->body);

	if (!found && !pattern_match(&machine, machine_header, line->body))
		return false;
	g_autofree char *sizes = pattern_text(found ? people : machine, "sizes");
	g_autofree char *row = found ? pattern_text(people, "row") : NULL;
	set_columns(state, sizes);
	if (!row || !table_line(state, row, line, sink))
		tell_other(sink, line);
	return true;
}

/* What keeps a table's cell from being used, whatever is in it. */
static const char *row_doubt(const struct openssl_speed *state, guint cells)
{
	if (state->n_columns == 0)
		return "no header tells the block sizes";
	if (state->got && state->children == 0 && !state->threads[0])
		return "the sum of several processes, and nothing tells how many";
	return cells > state->n_columns ? "more cells than the header has columns" : NULL;
}

static void tell_cell(struct openssl_speed *state, const struct import_line *line,
	const struct import_sink *sink, const char *name, const char *cell, size_t column, const char *doubt)
{
	const char *block = column < state->n_columns ? state->columns[column] : NULL;
	bool thousands = g_str_has_suffix(cell, "k");
	struct number number;

	if (!number_read(&number, cell, COMMA))
		return;
	struct reading reading =
		reading_of_rate(&number, thousands ? 1000 : 1, thousands ? "1000 bytes/s" : "bytes/s");
	struct import_record figure = openssl_figure(state, line, name, WORK_BULK, block);
	g_autofree char *covered = block ? openssl_covered(state, name, block, &reading) : NULL;
	tell_readings(sink, &figure, &reading, 1, doubt ? doubt : covered);
}

static void tell_row(struct openssl_speed *state, const struct import_line *line,
	const struct import_sink *sink, const char *name, char *const *cells, const char *common)
{
	guint n = 0, column = 0;

	for (guint i = 0; cells[i]; i++)
		n += *cells[i] != '\0';
	const char *doubt = common ? common : row_doubt(state, n);
	for (guint i = 0; cells[i]; i++) {
		if (!*cells[i])
			continue;
		/* A cell without its k is bytes per second, unless the row was cut there. */
		bool cut =
			column + 1 == n && n > 1 && n < state->n_columns && !g_str_has_suffix(cells[i], "k");
		tell_cell(state, line, sink, name, cells[i], column++, cut ? "the row is cut" : doubt);
	}
	if (n < state->n_columns && !doubt) {
		g_autofree char *lack =
			g_strdup_printf("the row is cut: %u of %zu columns", n, state->n_columns);
		tell_unread(sink, line, lack);
	}
}

static bool take_bulk(
	struct openssl_speed *state, const struct import_line *line, const struct import_sink *sink)
{
	g_autoptr(GMatchInfo) match = NULL;

	if (!pattern_match(&match, bulk_row, line->body))
		return false;
	g_autofree char *printed = pattern_text(match, "name"), *joined = pattern_text(match, "cells");
	g_autofree char *remark = pattern_text(match, "remark");
	g_auto(GStrv) cells = g_strsplit_set(joined, " \t", -1);
	if (!strchr(joined, 'k') && (state->n_columns < 2 || !cells[1]))
		return false;
	g_autofree char *name = name_plain(strcmp(printed, "evp") == 0 && state->evp ? state->evp : printed);
	if (remark && *remark == '(') {
		g_autofree char *cpu = g_strndup(remark + 1, strlen(remark) - 2);
		tell_fact(sink, line, "cpu", cpu);
	}
	state->run.figures++;
	tell_row(state, line, sink, name, cells, NULL);
	return true;
}

static bool take_machine_row(
	struct openssl_speed *state, const struct import_line *line, const struct import_sink *sink)
{
	g_autoptr(GMatchInfo) match = NULL;

	if (!pattern_match(&match, machine_row, line->body))
		return false;
	g_autofree char *name = pattern_text(match, "name"), *joined = pattern_text(match, "cells");
	g_auto(GStrv) cells = g_strsplit(joined, ":", -1);
	state->got |= g_str_has_prefix(line->body, "Got:");
	g_autofree char *doubt = openssl_child_doubt(state);
	state->run.figures++;
	tell_row(state, line, sink, name, cells, doubt);
	return true;
}

static bool take_key_header(
	struct openssl_speed *state, const struct import_line *line, const struct import_sink *sink)
{
	g_autoptr(GMatchInfo) match = NULL;

	if (!pattern_match(&match, key_header, line->body))
		return false;
	g_autofree char *joined = pattern_text(match, "ops"), *row = pattern_text(match, "row");
	g_autofree char *plain = name_plain(joined);
	g_strfreev(state->operations);
	state->operations = g_strsplit(plain, " ", -1);
	if (!row || !table_line(state, row, line, sink))
		tell_other(sink, line);
	return true;
}

/* The row's name as aliases.def has it ("rsa 2048", "ecdsa nistp256"), and in *ret_key the name that progress
 * lines have, without the curve. New both. */
static char *row_name(char **ret_key, const char *printed)
{
	g_autoptr(GMatchInfo) curve = NULL;
	g_autofree char *plain = name_plain(printed);

	if (pattern_match(&curve, "^(?<bits>\\d+) bits? (?<alg>\\w+) \\((?<curve>\\S+)\\)$", plain)) {
		g_autofree char *bits = pattern_text(curve, "bits"), *alg = pattern_text(curve, "alg");
		g_autofree char *name = pattern_text(curve, "curve");
		bool named = g_ascii_strcasecmp(alg, "eddsa") == 0;
		*ret_key = g_strdup_printf("%s %s", alg, named ? name : bits);
		return g_strdup_printf("%s %s", alg, name);
	}
	g_autofree char *front = pattern_replace("^(\\d+) bits? (\\w+)$", plain, "\\2 \\1");
	g_autofree char *back = pattern_replace("^([a-z]+) (\\d+) bits?$", front, "\\1 \\2");
	char *name = pattern_replace("^rsa(\\d+)$", back, "rsa \\1");
	*ret_key = g_strdup(name);
	return name;
}

/* What the i-th of n times of a row is of; NULL where only a header could tell. `dh`: of ECDH or FFDH, which
 * have one operation. */
static const char *operation_of(const struct openssl_speed *state, guint i, guint n, bool dh)
{
	static const char *const usual[] = {"sign", "verify", "encrypt", "decrypt"};

	if (state->operations && g_strv_length(state->operations) == n)
		return strcmp(state->operations[i], "signs") == 0 ? "sign" : state->operations[i];
	if (n == 1)
		return dh ? "op" : NULL;
	return n == 2 || n == 4 ? usual[i] : NULL;
}

static void tell_operation(struct openssl_speed *state, const struct import_line *line,
	const struct import_sink *sink, const char *name, const char *key, const char *seconds,
	const char *rate)
{
	struct number time, per_second;

	if (!number_read(&time, seconds, COMMA) || !number_read(&per_second, rate, COMMA))
		return;
	struct reading readings[] = {
		reading_of_rate(&per_second, 1, "op/s"),
		reading_of(&time, 1, "s"),
	};
	/* A rate that rounds to nothing says less than the time, but it says so rightly. */
	const struct reading *better = readings[0].problem ? &readings[1] : &readings[0];
	struct import_record figure = openssl_figure(state, line, name, WORK_OPERATION, NULL);
	g_autofree char *covered = openssl_covered(state, key, NULL, better);
	tell_readings(sink, &figure, readings, G_N_ELEMENTS(readings), covered);
}

static bool take_key(
	struct openssl_speed *state, const struct import_line *line, const struct import_sink *sink)
{
	g_autoptr(GMatchInfo) match = NULL;

	if (!pattern_match(&match, key_row, line->body))
		return false;
	g_autofree char *printed = pattern_text(match, "name"), *key = NULL;
	g_autofree char *name = row_name(&key, printed);
	g_autofree char *joined_times = pattern_text(match, "times"),
			*joined_rates = pattern_text(match, "rates");
	g_autofree char *plain_times = name_plain(joined_times), *plain_rates = name_plain(joined_rates);
	g_auto(GStrv) times = g_strsplit(plain_times, " ", -1);
	g_auto(GStrv) rates = g_strsplit(plain_rates, " ", -1);
	guint n = g_strv_length(times);
	bool dh = strstr(name, "dh ") != NULL;
	if (g_strv_length(rates) != n || !operation_of(state, 0, n, dh)) {
		tell_unread(sink, line,
			g_strv_length(rates) != n ? "times and rates do not pair: the row is cut"
						  : "no header tells what its columns are");
		return true;
	}
	state->run.figures++;
	for (guint i = 0; i < n; i++) {
		g_autofree char *one = g_strdup_printf("%s %s", name, operation_of(state, i, n, dh));
		g_autofree char *one_key = g_strdup_printf("%s %s", key, operation_of(state, i, n, dh));
		tell_operation(state, line, sink, one, one_key, times[i], rates[i]);
	}
	return true;
}

bool openssl_table(
	struct openssl_speed *state, const struct import_line *line, const struct import_sink *sink)
{
	if (take_header(state, line, sink) || take_machine_row(state, line, sink) ||
		take_key_header(state, line, sink) || take_key(state, line, sink) ||
		take_bulk(state, line, sink))
		return true;
	if (!pattern_match(NULL, cut_row, line->body))
		return false;
	tell_unread(sink, line, "the row is cut or damaged");
	return true;
}
