/* SUPERCOP's database lines: "20200417 host amd64 20200512 crypto_hash sha256 cycles 1024 8190 ...", a median
 * and single values for a message of so many bytes; and lists of cycles per byte by implementation and
 * compiler.
 *
 * What counts is named in the data: a counter of the processor's cycles, or on x86 its constant-rate one. */
#include "context.h"
#include "names.h"

#include <string.h>

#define NAME  "supercop"
#define COMMA NUMBER_COMMA_UNKNOWN

static const char data_line[] =
	"^\\d{8} \\S+ \\S+ \\d{8} (?<op>crypto_\\w+) (?<primitive>\\S+) (?<what>\\w+)(?: (?<rest>.*))?$";
static const char list_line[] =
	"^(?<op>crypto_\\w+)/(?<primitive>\\w+)/(?<impl>\\S+) (?<compiler>\\S+) (?<cycles>[\\d.]+)$";

static int recognise(const struct import_line *line)
{
	return pattern_match(NULL, data_line, line->body) || pattern_match(NULL, list_line, line->body) ? 10
													: 0;
}

static enum metric metric_of(const struct context *state)
{
	/* amd64cpuinfo, amd64tscfreq and the like read the time-stamp counter; perfevent and pmc the core's.
	 */
	return state->group && (strstr(state->group, "perf") || strstr(state->group, "pmc") ||
				       strstr(state->group, "rdpmc"))
		       ? METRIC_CYCLES
		       : METRIC_REFERENCE_CYCLES;
}

/* "1024 8190 8210 ...": length, median, single values. */
static void tell_cycles(struct context *state, const struct import_line *line, const struct import_sink *sink,
	const char *name, const char *rest)
{
	g_autoptr(GMatchInfo) match = NULL;
	struct number length, median;

	if (!rest || !pattern_match(&match, "^(?<length>\\d+) (?<median>\\d+)(?: |$)", rest) ||
		!pattern_number(&length, match, "length", COMMA) ||
		!pattern_number(&median, match, "median", COMMA)) {
		tell_unread(sink, line, "no length and median");
		return;
	}
	if (length.value == 0) {
		tell_other(sink, line); /* the cost of a call, per no byte */
		return;
	}
	length.error = 0;
	struct import_record figure = figure_of_line(line, NAME, name, WORK_BULK);
	figure.labels.v[LABEL_BLOCK] = length.printed;
	figure.metric = metric_of(state);
	figure.statistic = IMPORT_MEDIAN;
	g_autofree char *unit = g_strdup_printf("cycles for %s bytes", length.printed);
	struct reading reading = reading_of_share(&median, 1, &length, 1, unit);
	state->run.figures++;
	tell_readings(sink, &figure, &reading, 1, NULL);
}

static void take_data(struct context *state, const struct import_line *line, const struct import_sink *sink,
	const GMatchInfo *match)
{
	static const char *const facts[][2] = {{"cpucycles_persecond", "clock"},
		{"cpucycles_implementation", "counter"}, {"compiler", "compiler"}, {"cpuid", "cpu"},
		{"implementation", "implementation"}};
	g_autofree char *op = pattern_text(match, "op"), *primitive = pattern_text(match, "primitive");
	g_autofree char *what = pattern_text(match, "what"), *rest = pattern_text(match, "rest");
	g_autofree char *name = g_strdup_printf("%s %s", op, primitive);

	if (strcmp(what, "cycles") == 0) {
		tell_cycles(state, line, sink, name, rest);
		return;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(facts); i++) {
		if (strcmp(what, facts[i][0]) != 0 || !rest)
			continue;
		if (i == 1)
			context_group(state, match, "rest");
		tell_fact(sink, line, facts[i][1], g_strstrip(rest));
		return;
	}
	if (strcmp(what, "try") == 0 && rest && strstr(rest, " fails "))
		tell_fact(sink, line, "failed", rest);
	else
		tell_other(sink, line);
}

static void tell_listed(struct context *state, const struct import_line *line, const struct import_sink *sink,
	const GMatchInfo *match)
{
	g_autofree char *op = pattern_text(match, "op"), *primitive = pattern_text(match, "primitive");
	g_autofree char *impl = pattern_text(match, "impl"), *compiler = pattern_text(match, "compiler");
	g_autofree char *name = g_strdup_printf("%s %s", op, primitive);
	struct number cycles;

	if (!pattern_number(&cycles, match, "cycles", COMMA)) {
		tell_unread(sink, line, "a number is damaged");
		return;
	}
	tell_fact(sink, line, "compiler", compiler);
	struct import_record figure = figure_of_line(line, NAME, name, WORK_BULK);
	figure.labels.v[LABEL_ENGINE] = impl;
	figure.metric = metric_of(state);
	struct reading reading = reading_of(&cycles, 1, "cycles/byte");
	state->run.figures++;
	tell_readings(sink, &figure, &reading, 1, NULL);
}

static void take_line(void *user, const struct import_line *line, const struct import_sink *sink)
{
	struct context *state = user;
	g_autoptr(GMatchInfo) data = NULL;
	g_autoptr(GMatchInfo) list = NULL;

	if (pattern_match(&data, data_line, line->body))
		take_data(state, line, sink, data);
	else if (pattern_match(&list, list_line, line->body))
		tell_listed(state, line, sink, list);
	else if (pattern_match(NULL, "^crypto_\\w+/\\w+/|^\\d{8} \\S+ \\S+ \\d{8} crypto_", line->body))
		tell_unread(sink, line, "the line is cut");
	else
		tell_other(sink, line);
}

const struct importer importer_supercop = {NAME, "SUPERCOP's database and lists of cycles per byte",
	"supercop", NULL, recognise, context_begin, take_line, context_finish};
