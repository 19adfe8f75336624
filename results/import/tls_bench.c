/* wolfSSL's tls_bench: a block of lines per suite, group and side.
 *
 * "MB" are MiB. Total counts both directions; each is half of it, over its own time. Connections are told by
 * their mean time. The figures are of one side that waits for the other, which no benchmark of bench-core is:
 * so that of a figure is suite, group, side and direction. */
#include "context.h"

#define NAME  "tls_bench"
#define MIB   1048576.0
#define COMMA NUMBER_COMMA_UNKNOWN

enum told { TOTAL, CONNECTIONS, RX_TIME, TX_TIME };

static const char heading[] =
	"^wolfSSL (?<side>Server|Client) Benchmark on (?<suite>\\S+?)(?: with group (?<group>\\S+?))?:$";
static const char value_line[] = "^(?<what>Total|Num Conns|Rx Total|Tx Total|Rx|Tx|Connect|Connect Avg) +: "
				 "+(?<value>[\\d.,a-z-]+?)(?: (?<unit>bytes|ms|MB/s|us))?$";

static int recognise(const struct import_line *line)
{
	if (pattern_match(NULL, heading, line->body))
		return 10;
	return pattern_match(NULL, value_line, line->body);
}

static void begin_block(struct context *state, const struct import_line *line, const struct import_sink *sink,
	const GMatchInfo *match)
{
	g_autofree char *side = pattern_text(match, "side"), *suite = pattern_text(match, "suite");
	g_autofree char *group = pattern_text(match, "group"), *lower = g_ascii_strdown(side, -1);

	g_free(state->group);
	state->group = g_strdup_printf("%s%s%s %s", suite, group ? " " : "", group ? group : "", lower);
	for (size_t i = 0; i < G_N_ELEMENTS(state->numbers); i++)
		state->numbers[i] = (struct number){0};
	tell_other(sink, line);
}

/* A rate of one direction, beside half of the bytes in its time. */
static void tell_direction(struct context *state, const struct import_line *line,
	const struct import_sink *sink, const struct number *rate, bool received)
{
	g_autofree char *name = g_strdup_printf("%s %s", state->group, received ? "read" : "write");
	struct number total = state->numbers[TOTAL];
	const struct number *time = &state->numbers[received ? RX_TIME : TX_TIME];
	struct import_record figure = figure_of_line(line, NAME, name, WORK_BULK);
	struct reading readings[2] = {reading_of_rate(rate, MIB, "MB/s")};
	size_t n = 1;

	total.error = 0;
	if (time->length > 0 && total.length > 0)
		readings[n++] = reading_of_share(time, 1e-3, &total, 0.5, "ms for half of the total");
	run_figure(&state->run, sink, line, name);
	tell_readings(sink, &figure, readings, n, NULL);
}

static void tell_connection(struct context *state, const struct import_line *line,
	const struct import_sink *sink, const struct number *average, double scale)
{
	g_autofree char *name = g_strdup_printf("%s connect", state->group);
	struct import_record figure = figure_of_line(line, NAME, name, WORK_OPERATION);
	struct reading reading = reading_of(average, scale, scale == 1e-3 ? "ms" : "us");

	run_figure(&state->run, sink, line, name);
	tell_readings(sink, &figure, &reading, 1, NULL);
}

static void take_value(struct context *state, const struct import_line *line, const struct import_sink *sink,
	const GMatchInfo *match)
{
	static const char *const kept[] = {"Total", "Num Conns", "Rx Total", "Tx Total"};
	g_autofree char *what = pattern_text(match, "what"), *unit = pattern_text(match, "unit");
	struct number number;

	if (!pattern_number(&number, match, "value", COMMA)) {
		tell_unread(sink, line, "the value is damaged");
		return;
	}
	if (g_str_equal(what, "Rx") || g_str_equal(what, "Tx")) {
		tell_direction(state, line, sink, &number, *what == 'R');
		return;
	}
	if (g_str_equal(what, "Connect Avg")) {
		tell_connection(state, line, sink, &number, g_strcmp0(unit, "us") == 0 ? 1e-6 : 1e-3);
		return;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(kept); i++)
		if (g_str_equal(what, kept[i]))
			state->numbers[i] = number;
	tell_other(sink, line);
}

static void take_line(void *user, const struct import_line *line, const struct import_sink *sink)
{
	struct context *state = user;
	g_autoptr(GMatchInfo) block = NULL;
	g_autoptr(GMatchInfo) value = NULL;

	if (pattern_match(&block, heading, line->body))
		begin_block(state, line, sink, block);
	else if (state->group && pattern_match(&value, value_line, line->body))
		take_value(state, line, sink, value);
	else if (pattern_match(NULL, "^wolfSSL (?:Server|Client) Bench|^(?:Rx|Tx|Connect)(?: Total| Avg)? +:",
			 line->body))
		tell_unread(sink, line, "the line is cut, or its heading is missing");
	else
		tell_other(sink, line);
}

const struct importer importer_tls_bench = {NAME, "wolfSSL's tls_bench", "tls_bench", "wolfssl", recognise,
	context_begin, take_line, context_finish};
