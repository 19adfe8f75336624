/* botan speed: "AES-128 encrypt buffer size 1024 bytes: 1340.119 MiB/sec 0.37 cycles/byte (4020.36 MiB in
 * 3000.00 ms)". Cycles are of a constant-rate counter on most processors. */
#include "context.h"
#include "names.h"

#include <math.h>
#include <string.h>

#define NAME  "botan"
#define MIB   1048576.0
#define COMMA NUMBER_COMMA_UNKNOWN

static const char bulk_line[] =
	"^(?<name>\\S.*?)(?: \\[(?<provider>[\\w-]+)\\])? (?<op>encrypt|decrypt|hash|mac|permute|RNG|\\S+)"
	"(?: buffer size (?<block>\\d+) bytes:)? +(?<rate>[\\d.]+) MiB/sec(?: (?<cycles>[\\d.]+) "
	"cycles/byte)?"
	" \\((?<amount>[\\d.]+) MiB in (?<time>[\\d.]+) ms\\)";
static const char key_line[] = "^(?<name>\\S.*?) (?<rate>[\\d.]+) (?<what>[\\w ./-]*?)/sec; (?<each>[\\d.]+) "
			       "ms/op(?: (?<cycles>[\\d.]+) cycles/op)?"
			       " \\((?<count>\\d+) ops? in (?<time>[\\d.]+) ms\\)";
static const char torn_line[] = "buffer size \\d+ bytes|/sec; [\\d.]+ ms/op";

static int recognise(const struct import_line *line)
{
	return pattern_match(NULL, bulk_line, line->body) || pattern_match(NULL, key_line, line->body) ? 10
												       : 0;
}

static void tell_cycles(const struct import_sink *sink, const struct import_record *time,
	const struct reading *seconds, const struct number *number, const char *unit)
{
	struct import_record figure = *time;
	struct reading cycles = reading_of(number, 1, unit);
	g_autofree char *doubt = clock_doubt(&cycles, seconds, (double)NAN, CLOCK_COUNTED);

	figure.metric = METRIC_REFERENCE_CYCLES;
	tell_readings(sink, &figure, &cycles, 1, doubt);
}

static void tell_bulk(struct context *state, const struct import_line *line, const struct import_sink *sink,
	const GMatchInfo *match)
{
	g_autofree char *algorithm = pattern_text(match, "name"), *op = pattern_text(match, "op");
	g_autofree char *provider = pattern_text(match, "provider"), *block = pattern_text(match, "block");
	g_autofree char *name = g_strdup_printf("%s %s", algorithm, op);
	struct number rate, amount, time, cycles;

	if (!pattern_number(&rate, match, "rate", COMMA) ||
		!pattern_number(&amount, match, "amount", COMMA) ||
		!pattern_number(&time, match, "time", COMMA)) {
		tell_unread(sink, line, "a number is damaged");
		return;
	}
	struct import_record figure = figure_of_line(line, NAME, name, WORK_BULK);
	figure.labels.v[LABEL_BLOCK] = block;
	figure.labels.v[LABEL_ENGINE] = provider;
	struct reading readings[] = {
		reading_of_rate(&rate, MIB, "MiB/sec"),
		reading_of_share(&time, 1e-3, &amount, MIB, "ms"),
	};
	run_figure(&state->run, sink, line, name);
	tell_readings(sink, &figure, readings, G_N_ELEMENTS(readings), NULL);
	if (pattern_number(&cycles, match, "cycles", COMMA))
		tell_cycles(sink, &figure, &readings[0], &cycles, "cycles/byte");
}

static void tell_key(struct context *state, const struct import_line *line, const struct import_sink *sink,
	const GMatchInfo *match)
{
	g_autofree char *algorithm = pattern_text(match, "name"), *what = pattern_text(match, "what");
	bool named = !what || g_str_has_suffix(algorithm, what);
	g_autofree char *printed = named ? g_strdup(algorithm) : g_strdup_printf("%s %s", algorithm, what);
	g_autoptr(GMatchInfo) provided = NULL;
	bool has_provider = pattern_match(&provided, "^\\S.* \\[(?<provider>[\\w-]+)\\](?= )", printed);
	g_autofree char *provider = has_provider ? pattern_text(provided, "provider") : NULL;
	g_autofree char *name = pattern_replace(" \\[[\\w-]+\\](?= )", printed, "");
	struct number each, count, time, cycles;

	if (!pattern_number(&each, match, "each", COMMA) || !pattern_number(&count, match, "count", COMMA) ||
		!pattern_number(&time, match, "time", COMMA)) {
		tell_unread(sink, line, "a number is damaged");
		return;
	}
	count.error = 0;
	struct import_record figure = figure_of_line(line, NAME, name, WORK_OPERATION);
	figure.labels.v[LABEL_ENGINE] = provider;
	/* The rate is left out: it is cut to a whole number. */
	struct reading readings[] = {
		reading_of_share(&time, 1e-3, &count, 1, "ms for all"),
		reading_of(&each, 1e-3, "ms/op"),
	};
	run_figure(&state->run, sink, line, name);
	tell_readings(sink, &figure, readings, G_N_ELEMENTS(readings), NULL);
	if (pattern_number(&cycles, match, "cycles", COMMA))
		tell_cycles(sink, &figure, &readings[0], &cycles, "cycles/op");
}

static void take_line(void *user, const struct import_line *line, const struct import_sink *sink)
{
	struct context *state = user;
	g_autoptr(GMatchInfo) bulk = NULL;
	g_autoptr(GMatchInfo) key = NULL;

	if (pattern_match(&bulk, bulk_line, line->body)) {
		tell_bulk(state, line, sink, bulk);
	} else if (pattern_match(&key, key_line, line->body)) {
		tell_key(state, line, sink, key);
	} else if (pattern_match(NULL, torn_line, line->body)) {
		tell_unread(sink, line, "the line is cut or damaged");
	} else {
		if (pattern_match(NULL, "^\\*{5,}$", line->body))
			run_heading(&state->run, sink, line);
		tell_other(sink, line);
	}
}

const struct importer importer_botan = {
	NAME, "botan speed", "botan-speed", "botan", recognise, context_begin, take_line, context_finish};
