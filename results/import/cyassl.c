/* The benchmark of CyaSSL and of wolfSSL until 3.12: "AES 5 megs took 0.500 seconds, 9.99 MB/s".
 *
 * It works on blocks of 1 MiB ("megs") or 1 KiB ("kB", small systems), and its MB are MiB in both cases: the
 * rate is blocks per second, divided by 1024 for "kB". */
#include "names.h"
#include "patterns.h"
#include "runs.h"
#include "telling.h"

#include <math.h>
#include <string.h>

#define NAME   "cyassl"
#define MIB    1048576.0
#define COMMON NUMBER_COMMA_UNKNOWN

static const char bulk_line[] =
	"^(?<name>[A-Za-z0-9][\\w /-]*?)\\s+(?<amount>\\d+) (?<block>megs|kB) took\\s+(?<time>[\\d.,a-z]+) "
	"seconds,"
	"\\s*(?<rate>[\\d.,a-z]+) MB/s(?: Cycles per byte =\\s*(?<cycles>[\\d.,]+)(?! \\d))?(?:\\s|$)";
static const char key_line[] =
	"^(?<name>(?:RSA|DH|ECC|EC-DHE|EC-DSA|CURVE25519|ED25519|NTRU)\\b[\\w "
	"-]*?)\\s+(?:took\\s+)?(?<time>[\\d.,]+)"
	" milliseconds, avg over (?<n>\\d+) iterations(?:, (?<rate>[\\d.,]+) ops/sec)?";
static const char rsa_line[] = "^(?<name>(?:public|private) RSA): (?<time>[\\d.,]+) milliseconds$";
static const char torn_line[] =
	"\\d+ (?:megs|kB) took |milliseconds, avg over|^(?:RSA|DH) +\\d+ (?:en|de)cryption took";
static const char clock_line[] =
	"^(?<mhz>[\\d.]+) ?(?<unit>[GM])Hz$|running at (?<mhz2>[\\d.]+) ?M[Hh]z|^fsys=(?<hz>\\d+)$";

struct cyassl {
	struct run run;
	double clock; /* Hz, as stated; NAN */
};

static int recognise(const struct import_line *line)
{
	if (pattern_match(NULL, bulk_line, line->body) || pattern_match(NULL, key_line, line->body))
		return 10;
	return pattern_match(NULL, torn_line, line->body);
}

static void *begin(void)
{
	struct cyassl *state = g_new0(struct cyassl, 1);

	state->clock = (double)NAN;
	return state;
}

static void tell_cycles(const struct cyassl *state, const struct import_sink *sink,
	const struct import_record *time, const struct reading *seconds, const struct number *number)
{
	struct import_record figure = *time;
	struct reading cycles = reading_of(number, 1, "Cycles per byte");
	g_autofree char *doubt = clock_doubt(&cycles, seconds, clock_told(sink, state->clock), CLOCK_COUNTED);

	figure.metric = METRIC_REFERENCE_CYCLES; /* of rdtsc: it prints cycles on x86 alone */
	tell_readings(sink, &figure, &cycles, 1, doubt);
}

static void tell_bulk(struct cyassl *state, const struct import_line *line, const struct import_sink *sink,
	const GMatchInfo *match)
{
	g_autofree char *printed = pattern_text(match, "name");
	g_autofree char *name = name_plain(printed), *block = pattern_text(match, "block");
	struct number amount, time, rate, cycles;
	bool megs = strcmp(block, "megs") == 0;

	if (!pattern_number(&amount, match, "amount", COMMON) ||
		!pattern_number(&time, match, "time", COMMON) ||
		!pattern_number(&rate, match, "rate", COMMON)) {
		tell_unread(sink, line, "a number is damaged");
		return;
	}
	amount.error = 0; /* a count of blocks */
	struct import_record figure = figure_of_line(line, NAME, name, WORK_BULK);
	figure.labels.v[LABEL_BLOCK] = megs ? "1048576" : "1024";
	g_autofree char *shown = g_strdup_printf("seconds for %s %s", amount.printed, block);
	struct reading readings[] = {
		reading_of_rate(&rate, MIB, "MB/s"),
		reading_of_share(&time, 1, &amount, megs ? MIB : 1024, shown),
	};
	run_figure(&state->run, sink, line, name);
	tell_readings(sink, &figure, readings, G_N_ELEMENTS(readings), NULL);
	if (pattern_number(&cycles, match, "cycles", COMMON))
		tell_cycles(state, sink, &figure, &readings[0], &cycles);
}

static void tell_key(struct cyassl *state, const struct import_line *line, const struct import_sink *sink,
	const GMatchInfo *match)
{
	g_autofree char *printed = pattern_text(match, "name");
	g_autofree char *name = name_plain(printed);
	struct number time, rate;
	size_t n = 1;

	if (!pattern_number(&time, match, "time", COMMON)) {
		tell_unread(sink, line, "a number is damaged");
		return;
	}
	struct import_record figure = figure_of_line(line, NAME, name, WORK_OPERATION);
	struct reading readings[2] = {reading_of(&time, 1e-3, "milliseconds")};
	if (pattern_number(&rate, match, "rate", COMMON))
		readings[n++] = reading_of_rate(&rate, 1, "ops/sec");
	run_figure(&state->run, sink, line, name);
	tell_readings(sink, &figure, readings, n, NULL);
}

static bool take_clock(struct cyassl *state, const struct import_line *line, const struct import_sink *sink)
{
	g_autoptr(GMatchInfo) match = NULL;
	struct number number;
	double scale = 1;

	if (!pattern_match(&match, clock_line, line->body))
		return false;
	if (pattern_number(&number, match, "mhz", COMMON)) {
		g_autofree char *unit = pattern_text(match, "unit");
		scale = *unit == 'G' ? 1e9 : 1e6;
	} else if (pattern_number(&number, match, "mhz2", COMMON)) {
		scale = 1e6;
	} else if (!pattern_number(&number, match, "hz", COMMON)) {
		return false;
	}
	if (number.problem)
		return false;
	run_heading(&state->run, sink, line);
	state->clock = number.value * scale;
	g_autofree char *hertz = g_strdup_printf("%.0f", state->clock);
	tell_fact(sink, line, "clock", hertz);
	return true;
}

static const struct fact_rule facts[] = {
	{"^RAM Usage: *(?<value>[\\d.]+ *k?B)", "ram", false},
	{"^Flash Usage\\*?: *(?<value>[\\d.]+ *k?B)", "flash", false},
	{"^(?:[$#] *)?(?<value>\\./configure .*)$", "options", false},
	{"^(?:[$#] *)?(?<value>\\S*ctaocrypt/benchmark/benchmark\\b.*)$", "command", true},
	{NULL, NULL, false},
};

static void take_line(void *user, const struct import_line *line, const struct import_sink *sink)
{
	struct cyassl *state = user;
	g_autoptr(GMatchInfo) bulk = NULL;
	g_autoptr(GMatchInfo) key = NULL;
	g_autoptr(GMatchInfo) rsa = NULL;

	if (pattern_match(&bulk, bulk_line, line->body))
		tell_bulk(state, line, sink, bulk);
	else if (pattern_match(&key, key_line, line->body))
		tell_key(state, line, sink, key);
	else if (pattern_match(&rsa, rsa_line, line->body))
		tell_key(state, line, sink, rsa);
	else if (run_fact(&state->run, facts, sink, line) || take_clock(state, line, sink))
		return;
	else if (pattern_match(NULL, torn_line, line->body))
		tell_unread(sink, line, "the line is cut or damaged");
	else
		tell_other(sink, line);
}

static void finish(void *user, const struct import_sink *sink)
{
	struct cyassl *state = user;

	(void)sink;
	run_done(&state->run);
	g_free(state);
}

const struct importer importer_cyassl = {NAME, "benchmark of CyaSSL and early wolfSSL (\"megs took\")",
	"cyassl-benchmark", "wolfssl", recognise, begin, take_line, finish};
