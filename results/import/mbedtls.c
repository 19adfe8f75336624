/* Mbed TLS's benchmark: "AES-CBC-128 : 12427 KiB/s, 7 cycles/byte", "RSA-2048 : 173 ms/ public".
 *
 * "KB/s" and "Kb/s" of its older versions are KiB/s too. The rate is of one second; cycles or ns per byte are
 * measured by themselves, so that they need not go with it to the digit. A line may hold several figures
 * where a page lost its line ends. */
#include "context.h"
#include "names.h"

#include <math.h>
#include <string.h>

#define NAME  "mbedtls"
#define KIB   1024.0
#define COMMA NUMBER_COMMA_UNKNOWN
/* How far two measurements of one thing may lie apart. */
#define APART 1.5

static const char figure_part[] =
	"(?<name>[A-Z][A-Za-z0-9_-]*(?: SHA-\\d+)?(?: \\((?:NOPR|PR)\\))?)\\s*:\\s+(?:(?<rate>\\d+) "
	"(?<unit>K(?:i?B|b)/s)"
	"(?:,\\s+(?<each>\\d+) (?<what>cycles|ns)/byte)?|(?<time>\\d+) (?<tunit>ms|us|cycles)/\\s?(?<op>[\\w "
	"]+?)|(?<ops>\\d+) +"
	"(?<op2>public|private|sign|verify|full handshake|handshake)/s)(?=$|\\s+[A-Z]|,)";
static const char torn_line[] = "^[A-Z][\\w()/ -]*\\s*:\\s+\\d+(?:$| K$| KiB$)|: +\\d+ ms/|"
				":\\s+\\d[\\d., ]* (?:K(?:i?B|b)/s|(?:ms|us|cycles)/|(?:public|private|"
				"sign|verify|full handshake|handshake)/s)";

static int recognise(const struct import_line *line)
{
	if (pattern_match(NULL,
		    ":\\s+\\d+ K(?:i?B|b)/s(?:,\\s+\\d+ (?:cycles|ns)/byte)?(?:$|\\s+[A-Z])|:\\s+\\d+ "
		    "ms/\\s?(?:public|private|sign|verify)",
		    line->body))
		return 10;
	return pattern_match(NULL, figure_part, line->body);
}

static char *apart_doubt(const struct reading *rate, const struct reading *each)
{
	if (rate->problem || each->problem ||
		(each->high * APART >= rate->low && rate->high * APART >= each->low))
		return NULL;
	return g_strdup_printf(
		"%s %s and %s %s are far apart", rate->printed, rate->unit, each->printed, each->unit);
}

static void tell_bulk(struct context *state, const struct import_line *line, const struct import_sink *sink,
	const GMatchInfo *match)
{
	g_autofree char *printed = pattern_text(match, "name"), *unit = pattern_text(match, "unit");
	g_autofree char *what = pattern_text(match, "what"), *doubt = NULL;
	g_autofree char *name = name_plain(printed);
	struct number rate, each;

	if (!pattern_number(&rate, match, "rate", COMMA))
		return;
	struct import_record figure = figure_of_line(line, NAME, name, WORK_BULK);
	figure.labels.v[LABEL_BLOCK] = "1024"; /* its buffer */
	struct reading reading = reading_of_rate(&rate, KIB, unit);
	bool has_each = pattern_number(&each, match, "each", COMMA);
	bool cycles = has_each && strcmp(what, "cycles") == 0;
	struct reading beside =
		has_each ? reading_of(&each, cycles ? 1 : 1e-9, cycles ? "cycles/byte" : "ns/byte") : reading;
	if (has_each && !cycles)
		doubt = apart_doubt(&reading, &beside);
	run_figure(&state->run, sink, line, name);
	tell_readings(sink, &figure, &reading, 1, doubt);
	if (!cycles)
		return;
	doubt = clock_doubt(&beside, &reading, (double)NAN, CLOCK_COUNTED);
	figure.metric = METRIC_REFERENCE_CYCLES;
	tell_readings(sink, &figure, &beside, 1, doubt);
}

static void tell_key(struct context *state, const struct import_line *line, const struct import_sink *sink,
	const GMatchInfo *match)
{
	g_autofree char *printed = pattern_text(match, "name"), *unit = pattern_text(match, "tunit");
	g_autofree char *op = pattern_text(match, "op"), *op2 = pattern_text(match, "op2");
	g_autofree char *name = g_strdup_printf("%s %s", printed, op ? op : op2);
	g_autofree char *shown = op ? g_strdup_printf("%s/%s", unit, op) : g_strdup_printf("%s/s", op2);
	struct number number;
	struct reading reading;

	struct import_record figure = figure_of_line(line, NAME, name, WORK_OPERATION);
	if (op && pattern_number(&number, match, "time", COMMA)) {
		bool cycles = strcmp(unit, "cycles") == 0;
		figure.metric = cycles ? METRIC_REFERENCE_CYCLES : METRIC_TIME;
		reading = reading_of(&number, cycles ? 1 : strcmp(unit, "us") == 0 ? 1e-6 : 1e-3, shown);
	} else if (op2 && pattern_number(&number, match, "ops", COMMA)) {
		reading = reading_of_rate(&number, 1, shown);
	} else {
		tell_unread(sink, line, "a number is damaged");
		return;
	}
	run_figure(&state->run, sink, line, name);
	tell_readings(sink, &figure, &reading, 1, NULL);
}

static void take_line(void *user, const struct import_line *line, const struct import_sink *sink)
{
	static const struct fact_rule facts[] = {
		{"^(?<value>[mM]bed ?TLS (?:version )?\\d+\\.\\d+\\S*)", "version", true},
		{NULL, NULL, false},
	};
	struct context *state = user;
	g_autoptr(GMatchInfo) match = NULL;

	if (pattern_match(&match, figure_part, line->body)) {
		do {
			g_autofree char *rate = pattern_text(match, "rate");
			if (rate)
				tell_bulk(state, line, sink, match);
			else
				tell_key(state, line, sink, match);
		} while (g_match_info_next(match, NULL) && g_match_info_matches(match));
	} else if (pattern_match(NULL, torn_line, line->body)) {
		tell_unread(sink, line, "the line is cut or damaged");
	} else if (!run_fact(&state->run, facts, sink, line)) {
		tell_other(sink, line);
	}
}

const struct importer importer_mbedtls = {NAME, "Mbed TLS's benchmark", "mbedtls-benchmark", "mbedtls",
	recognise, context_begin, take_line, context_finish};
