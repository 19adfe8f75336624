/* The tables in which wolfSSL publishes speedups: "AES-128 CBC Encrypt: 912.347 MB/s (36.58X)" and, of TLS,
 * "ECDHE-RSA-AES128-GCM-SHA256: CPS 26.2, Read 598 MB/s, Write 125 MB/s".
 *
 * Their figures are those of wolfCrypt's benchmark and of tls_bench of the time, whose MB are MiB. A ratio is
 * stated, not measured here. */
#include "context.h"
#include "names.h"

#define NAME "wolfssl-table"
#define MIB  1048576.0

static const char figure_line[] = "^(?<name>[A-Za-z0-9](?:[\\w /+-]*[\\w+])?): +(?<rate>[\\d.,]+) "
				  "(?<unit>MB/s|ops/sec)(?: \\((?<ratio>[\\d.,]+) ?[Xx]\\))?$";
static const char tls_line[] = "^(?<name>[A-Z0-9][A-Z0-9-]+): +CPS (?<cps>[\\d.,]+), +Read (?<read>[\\d.,]+) "
			       "MB/s(?: RX)?, +Write (?<write>[\\d.,]+) "
			       "MB/s(?: TX)?$";

/* A number with blanks in it, and what else no table has. */
static const char damaged_line[] = "^[A-Z0-9-]+: +CPS |: +[\\d.,][^:]* (?:MB/s|ops/sec)(?: \\(|$)";

static const struct fact_rule facts[] = {
	{"(?<value>\\./configure (?:--|–|—)enable-[\\w-]+)", "options", false},
	{NULL, NULL, false},
};

static int recognise(const struct import_line *line)
{
	if (pattern_match(NULL,
		    "^[A-Za-z0-9](?:[\\w /+-]*[\\w+])?: +[\\d.,]+ (?:MB/s|ops/sec) \\([\\d.,]+ ?[Xx]\\)$",
		    line->body) ||
		pattern_match(NULL, tls_line, line->body))
		return 10;
	return pattern_match(NULL, figure_line, line->body);
}

static void tell_rate(struct context *state, const struct import_line *line, const struct import_sink *sink,
	const GMatchInfo *match)
{
	g_autofree char *printed = pattern_text(match, "name"), *unit = pattern_text(match, "unit");
	g_autofree char *name = name_plain(printed);
	bool bulk = *unit == 'M';
	struct number rate, ratio;

	if (!pattern_number(&rate, match, "rate", NUMBER_COMMA_UNKNOWN)) {
		tell_unread(sink, line, "a number is damaged");
		return;
	}
	struct import_record figure = figure_of_line(line, NAME, name, bulk ? WORK_BULK : WORK_OPERATION);
	struct reading reading = reading_of_rate(&rate, bulk ? MIB : 1, unit);
	run_figure(&state->run, sink, line, name);
	tell_readings(sink, &figure, &reading, 1, NULL);
	if (!pattern_number(&ratio, match, "ratio", NUMBER_COMMA_UNKNOWN))
		return;
	figure.metric = METRIC_SPEEDUP;
	figure.figure_kind = KIND_STATED;
	reading = reading_of(&ratio, 1, "X");
	tell_readings(sink, &figure, &reading, 1, NULL);
}

static void tell_tls(const struct import_line *line, const struct import_sink *sink, const GMatchInfo *match)
{
	static const struct {
		const char *group, *what, *unit;
		enum work work;
		double scale;
	} parts[] = {
		{"cps", "connect", "CPS", WORK_OPERATION, 1},
		{"read", "read", "MB/s", WORK_BULK, MIB},
		{"write", "write", "MB/s", WORK_BULK, MIB},
	};
	g_autofree char *suite = pattern_text(match, "name");

	for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
		g_autofree char *name = g_strdup_printf("%s %s", suite, parts[i].what);
		struct number number;
		if (!pattern_number(&number, match, parts[i].group, NUMBER_COMMA_UNKNOWN))
			continue;
		struct import_record figure = figure_of_line(line, NAME, name, parts[i].work);
		struct reading reading = reading_of_rate(&number, parts[i].scale, parts[i].unit);
		tell_readings(sink, &figure, &reading, 1, NULL);
	}
}

static void take_line(void *user, const struct import_line *line, const struct import_sink *sink)
{
	struct context *state = user;
	g_autoptr(GMatchInfo) rate = NULL;
	g_autoptr(GMatchInfo) tls = NULL;

	if (pattern_match(&rate, figure_line, line->body))
		tell_rate(state, line, sink, rate);
	else if (pattern_match(&tls, tls_line, line->body))
		tell_tls(line, sink, tls);
	else if (pattern_match(NULL, damaged_line, line->body))
		tell_unread(sink, line, "the line is cut or damaged");
	else if (!run_fact(&state->run, facts, sink, line))
		tell_other(sink, line);
}

const struct importer importer_wolfssl_table = {NAME, "wolfSSL's published tables with speedups",
	"wolfcrypt-benchmark", "wolfssl", recognise, context_begin, take_line, context_finish};
