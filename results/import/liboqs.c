/* liboqs's speed_kem and speed_sig: a scheme in a row of its own, then its operations with mean times and
 * cycles, or times of a finer clock in their place. */
#include "context.h"
#include "names.h"

#include <math.h>
#include <string.h>

#define NAME  "liboqs"
#define COMMA NUMBER_COMMA_UNKNOWN

static const char header[] = "^Operation\\s*\\| Iterations \\| Total time \\(s\\) \\| Time \\(us\\): mean "
			     "\\|.*\\| (?<last>CPU cycles|High-prec time \\(ns\\)): mean";
static const char scheme_row[] = "^(?<name>\\S+)\\s*\\|(?:\\s*\\|)+$|^(?<name2>\\S+)(?:\\s*\\|){4,}\\s*$";
static const char row_line[] = "^(?<op>keygen|keypair|encaps|decaps|sign|verify)\\s*\\|\\s*(?<n>\\d+) "
			       "\\|\\s*(?<total>[\\d.]+) \\|\\s*(?<mean>[\\d.]+) \\|"
			       "(?:\\s*[\\d.]+ \\|\\s*(?<last>\\d+) \\|\\s*\\d+$|"
			       /* The mean stands there whole, what is behind it does not. */
			       "\\s*(?:[\\d.]+(?: \\|\\s*(?:\\d+(?: \\|)?)?)?)?$)";

static const struct fact_rule facts[] = {
	{"^Target platform: +(?<value>.*)$", "target", true},
	{"^Compiler: +(?<value>.*)$", "compiler", false},
	{"^Compile options: +(?<value>.*)$", "options", false},
	{"^OQS version: +(?<value>.*)$", "version", false},
	{"^OQS build flags: +(?<value>.*)$", "options", false},
	{"^CPU exts (?:active|compile-time): *(?<value>.*)$", "cpu-features", false},
	{NULL, NULL, false},
};

static int recognise(const struct import_line *line)
{
	if (pattern_match(NULL, header, line->body) || pattern_match(NULL, row_line, line->body))
		return 10;
	return pattern_match(NULL, "^OQS version:", line->body);
}

static void tell_row(struct context *state, const struct import_line *line, const struct import_sink *sink,
	const GMatchInfo *match)
{
	g_autofree char *op = pattern_text(match, "op");
	g_autofree char *name =
		g_strdup_printf("%s %s", state->group, strcmp(op, "keypair") == 0 ? "keygen" : op);
	struct number n, total, mean, last;
	bool whole = pattern_number(&last, match, "last", COMMA);
	bool cycles = whole && !state->columns; /* the header did not say otherwise */

	if (!pattern_number(&n, match, "n", COMMA) || !pattern_number(&total, match, "total", COMMA) ||
		!pattern_number(&mean, match, "mean", COMMA)) {
		tell_unread(sink, line, "a number is damaged");
		return;
	}
	n.error = 0;
	struct import_record figure = figure_of_line(line, NAME, name, WORK_OPERATION);
	struct reading readings[3] = {
		reading_of(&mean, 1e-6, "us"), reading_of_share(&total, 1, &n, 1, "s for all iterations")};
	if (whole && !cycles)
		readings[2] = reading_of(&last, 1e-9, "ns");
	run_figure(&state->run, sink, line, name);
	tell_readings(sink, &figure, readings, whole && !cycles ? 3 : 2, NULL);
	if (!cycles)
		return;
	readings[2] = reading_of(&last, 1, "cycles");
	g_autofree char *doubt = clock_doubt(&readings[2], &readings[0], (double)NAN, CLOCK_COUNTED);
	figure.metric = METRIC_REFERENCE_CYCLES;
	tell_readings(sink, &figure, &readings[2], 1, doubt);
}

static void take_header(struct context *state, const struct import_line *line, const struct import_sink *sink,
	const GMatchInfo *match)
{
	g_autofree char *last = pattern_text(match, "last");

	run_heading(&state->run, sink, line);
	g_clear_pointer(&state->group, g_free);
	g_clear_pointer(&state->columns, g_strfreev);
	if (*last == 'H')
		state->columns = g_strsplit(last, "|", -1);
	tell_other(sink, line);
}

static void take_line(void *user, const struct import_line *line, const struct import_sink *sink)
{
	struct context *state = user;
	g_autoptr(GMatchInfo) columns = NULL;
	g_autoptr(GMatchInfo) scheme = NULL;
	g_autoptr(GMatchInfo) row = NULL;

	if (pattern_match(&columns, header, line->body)) {
		take_header(state, line, sink, columns);
	} else if (pattern_match(&row, row_line, line->body) && state->group) {
		tell_row(state, line, sink, row);
	} else if (pattern_match(&scheme, scheme_row, line->body)) {
		context_group(state, scheme, "name");
		if (!state->group)
			context_group(state, scheme, "name2");
		tell_other(sink, line);
	} else if (pattern_match(NULL, "^(?:keygen|keypair|encaps|decaps|sign|verify)\\s*\\|", line->body)) {
		tell_unread(sink, line, state->group ? "the row is cut" : "no row tells the scheme");
	} else if (!run_fact(&state->run, facts, sink, line)) {
		tell_other(sink, line);
	}
}

const struct importer importer_liboqs = {NAME, "liboqs's speed_kem and speed_sig", "liboqs-speed", "liboqs",
	recognise, context_begin, take_line, context_finish};
