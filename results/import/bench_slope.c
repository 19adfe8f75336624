/* libgcrypt's bench-slope: a group per cipher, each row with time, rate and cycles that are all of one slope.
 * Cycles are computed from the time by a clock that was given or found out. */
#include "context.h"
#include "names.h"

#include <math.h>
#include <string.h>

#define NAME  "bench-slope"
#define TOOL  "libgcrypt"
#define MIB   1048576.0
#define COMMA NUMBER_COMMA_UNKNOWN

static const char heading[] = "^(?<name>[^|\\s][^|]*?)?\\s*\\|\\s*nanosecs/(?:byte|iter)\\b";
static const char byte_row[] = "^(?<name>[^|\\s][^|]*?)\\s*\\|\\s*(?<ns>[\\d.]+) ns/B\\s+(?<rate>[\\d.]+) "
			       "MiB/s\\s+(?<cycles>[\\d.]+|-) c/B"
			       "(?:\\s+(?<mhz>[\\d.]+)(?:±\\d+)?)?$";
static const char iteration_row[] = "^(?<name>[^|\\s][^|]*?)\\s*\\|\\s*(?<ns>[\\d.]+|<<skipped>>)\\s+(?<"
				    "cycles>[\\d.]+|-)(?:\\s+(?<mhz>[\\d.]+)(?:±\\d+)?)?"
				    "(?:\\s+[+-]\\d+%\\W*)?$";
static const char command[] = "^(?:[$#] *)?(?<value>\\S*bench-slope(?: .*)?)$";
static const char torn_line[] = "\\|\\s*[\\d.][\\d., ]* ns/B|\\|\\s*\\d[\\d., ]*(?: -)?$";

static int recognise(const struct import_line *line)
{
	return pattern_match(NULL, heading, line->body) || pattern_match(NULL, byte_row, line->body) ? 10 : 0;
}

static void tell_cycles(const struct context *state, const struct import_sink *sink,
	const struct import_record *time, const struct reading *seconds, const GMatchInfo *match,
	const char *unit)
{
	struct import_record figure = *time;
	struct number number, mhz;
	double clock = clock_told(sink, state->clock);

	if (!pattern_number(&number, match, "cycles", COMMA))
		return;
	if (pattern_number(&mhz, match, "mhz", COMMA) && !mhz.problem)
		clock = mhz.value * 1e6;
	struct reading cycles = reading_of(&number, 1, unit);
	g_autofree char *doubt = clock_doubt(&cycles, seconds, clock, CLOCK_COMPUTED);
	figure.metric = METRIC_CYCLES;
	figure.figure_kind = KIND_DERIVED;
	tell_readings(sink, &figure, &cycles, 1, doubt);
}

static char *name_of(const struct context *state, const GMatchInfo *match)
{
	g_autofree char *row = pattern_text(match, "name");
	g_autofree char *name = g_strdup_printf("%s %s", state->group ? state->group : "", row);

	return name_plain(g_strstrip(name));
}

static void tell_bytes(struct context *state, const struct import_line *line, const struct import_sink *sink,
	const GMatchInfo *match)
{
	g_autofree char *name = name_of(state, match);
	struct number ns, rate;

	if (!pattern_number(&ns, match, "ns", COMMA) || !pattern_number(&rate, match, "rate", COMMA)) {
		tell_unread(sink, line, "a number is damaged");
		return;
	}
	struct import_record figure = figure_of_line(line, TOOL, name, WORK_BULK);
	struct reading readings[] = {reading_of(&ns, 1e-9, "ns/B"), reading_of_rate(&rate, MIB, "MiB/s")};
	run_figure(&state->run, sink, line, name);
	tell_readings(sink, &figure, readings, G_N_ELEMENTS(readings), NULL);
	tell_cycles(state, sink, &figure, &readings[1], match, "c/B");
}

static void tell_iterations(struct context *state, const struct import_line *line,
	const struct import_sink *sink, const GMatchInfo *match)
{
	g_autofree char *name = name_of(state, match);
	struct number ns;

	if (!pattern_number(&ns, match, "ns", COMMA)) {
		tell_fact(sink, line, "skipped", name);
		return;
	}
	struct import_record figure = figure_of_line(line, TOOL, name, WORK_OPERATION);
	struct reading reading = reading_of(&ns, 1e-9, "ns/iter");
	run_figure(&state->run, sink, line, name);
	tell_readings(sink, &figure, &reading, 1, NULL);
	tell_cycles(state, sink, &figure, &reading, match, "cycles/iter");
}

static void take_command(struct context *state, const struct import_line *line,
	const struct import_sink *sink, const GMatchInfo *match)
{
	g_autofree char *value = pattern_text(match, "value");
	g_autoptr(GMatchInfo) clock = NULL;

	run_heading(&state->run, sink, line);
	tell_fact(sink, line, "command", value);
	state->clock = (double)NAN;
	if (pattern_match(&clock, "--cpu-mhz (?<value>\\d[\\d.]*)", value))
		context_clock(state, line, sink, clock);
}

static void take_line(void *user, const struct import_line *line, const struct import_sink *sink)
{
	struct context *state = user;
	g_autoptr(GMatchInfo) group = NULL;
	g_autoptr(GMatchInfo) bytes = NULL;
	g_autoptr(GMatchInfo) iterations = NULL;
	g_autoptr(GMatchInfo) argv = NULL;

	if (pattern_match(&group, heading, line->body)) {
		context_group(state, group, "name");
		tell_other(sink, line);
	} else if (pattern_match(&bytes, byte_row, line->body)) {
		tell_bytes(state, line, sink, bytes);
	} else if (pattern_match(&iterations, iteration_row, line->body)) {
		tell_iterations(state, line, sink, iterations);
	} else if (pattern_match(&argv, command, line->body)) {
		take_command(state, line, sink, argv);
	} else if (pattern_match(NULL, torn_line, line->body)) {
		tell_unread(sink, line, "the line is cut or damaged");
	} else {
		if (pattern_match(NULL, "^(?:Before|After|OLD|NEW)\\b", line->body))
			run_heading(&state->run, sink, line);
		tell_other(sink, line);
	}
}

const struct importer importer_bench_slope = {NAME, "libgcrypt's bench-slope", "libgcrypt-bench-slope",
	"libgcrypt", recognise, context_begin, take_line, context_finish};
