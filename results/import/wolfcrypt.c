/* wolfCrypt's benchmark since 3.12 and wolfTPM's: "AES-128-CBC-enc 3 MiB took 1.003 seconds, 3.432 MiB/s". */
#include "wolfcrypt.h"

#include "names.h"
#include "patterns.h"
#include "wolfcrypt_line.h"

#include <math.h>
#include <string.h>

#define COMMA NUMBER_COMMA_UNKNOWN
/* The fields of a line before and since 5.5.4: a name, padded, and an amount of five digits behind a blank.
 */
#define OLD_NAME 16
#define NEW_NAME 24
#define AMOUNT	 6
#define DEVICE	 2

static const char sum_line[] =
	"^(?<name>\\S.*?)\\s+(?:(?<device>SW|HW)\\s+)?(?<rate>[\\d.]+) (?<unit>mB/s|MB/s|ops/sec)$";
static const char torn_line[] =
	"(?:\\b|[KM]i?B)(?:took|tooks|toos|toks) +[\\d.]|\\d (?:MB|KB|MiB|KiB|ops) took|^ECC? "
	"+\\[.*\\] +\\d+ |^[A-Z][\\w-]+ {2,}\\d+ [KM]i?B?$";
static const char cycles_in_rest[] = "(?:Cycles per byte|1バイトあたりのサイクル数) = "
				     "*(?<cycles>(?>\\d[\\d.]*(?:,\\d[\\d.]*)*))(?! ?\\d)|, "
				     "+(?:\\d+ cycles +)?(?<cycles2>[\\d.]+) (?<unit>[Cc]ycles/op)";

static const struct fact_rule facts[] = {
	{"^\\s*(?<value>TPM2 Benchmark using Wrapper API)", "instrument", true},
	{"^LIBWOLFSSL_VERSION_STRING = (?<value>\\d+\\.\\d+(?:\\.\\d+)?[\\w.-]*)", "version", true},
	{"^wolfSSL version (?<value>\\d+\\.\\d+(?:\\.\\d+)?[\\w.-]*)", "version", true},
	{"^wolfCrypt Benchmark \\(block bytes (?<value>\\d+), min", "block", true},
	{"^Math: +(?<value>.*)$", "math", false},
	{"^(?<value>(?:Multi-Precision|Single Precision|Assembly Speedups): .*)$", "math", false},
	{"^CPU: (?<value>.*)$", "cpu", false},
	{"^CPUs: (?<value>\\d+)$", "threads", false},
	{"^IntelQA: Instances (?<value>\\d+)$", "intelqa-instances", false},
	{"^cpu freq: (?<value>\\d+) Hz$", "clock", false},
	{"^(?:[#$] *)?(?<value>(?:sudo )?\\S*wolfcrypt/benchmark/benchmark(?: -.*)?)$", "command", true},
	{"^(?:[#$] *)?(?<value>\\./configure .*)$", "options", false},
	{"^Benchmark symmetric (?<value>\\S+) not supported!$", "unsupported", false},
	{"^Benchmark (?<value>\\S.* failed: -?\\d+)$", "failed", false},
	{NULL, NULL, false},
};

static int recognise(const struct import_line *line)
{
	struct wolfcrypt_line parts;

	if (wolfcrypt_line_read(&parts, line->body) ||
		pattern_match(NULL,
			"^wolfCrypt Benchmark \\(block bytes|^Algorithm,(?:key size|HW/SW|MB/s)|^wolfSSL "
			"version \\d+\\.\\d+\\.\\d+$",
			line->body))
		return 10;
	return pattern_match(NULL, "^TPM2 Benchmark|(?:\\stook|tooks) +[\\d.]+ sec", line->body);
}

static void *begin(void)
{
	struct wolfcrypt *state = g_new0(struct wolfcrypt, 1);

	state->clock = (double)NAN;
	state->name = g_string_new(NULL);
	return state;
}

double wolfcrypt_seconds(const char *unit)
{
	if (strcmp(unit, "microseconds") == 0 || strcmp(unit, "μsec") == 0 || strcmp(unit, "µsec") == 0)
		return 1e-6;
	return 1;
}

void wolfcrypt_label(const struct wolfcrypt *state, struct import_record *figure, const char *device)
{
	bool hardware = device && strcmp(device, "HW") == 0;

	if (figure->work == WORK_BULK)
		figure->labels.v[LABEL_BLOCK] = state->block;
	/* It derives 32 bytes a time, whatever the header says of blocks. */
	if (g_str_has_prefix(figure->name, "PBKDF2"))
		figure->labels.v[LABEL_BLOCK] = "32";
	figure->labels.v[LABEL_ENGINE] = state->tpm ? "tpm"
					 : hardware ? (state->hardware ? state->hardware : "hardware")
						    : state->engine;
	if (state->threads[0])
		figure->labels.v[LABEL_THREADS] = state->threads;
}

/* Bytes of a unit; *ret_doubt where the document does not tell. */
static double bytes_of(const struct wolfcrypt *state, const struct wolfcrypt_line *parts, const char *unit,
	const char **ret_doubt)
{
	static const char doubtful[] =
		"MB and KB are powers of 1024 before 5.5.4 and powers of 1000 since, and the "
		"document does not say which version printed it (--set version= does)";
	static const double decimal[] = {1, 1e3, 1e6, 1e9}, binary[] = {1, 0x1p10, 0x1p20, 0x1p30};
	size_t steps = strchr("Kk", *unit) ? 1 : strchr("Mm", *unit) ? 2 : *unit == 'G' ? 3 : 0;
	size_t end = parts->amount_end, name = parts->name_length;

	*ret_doubt = NULL;
	if (unit[1] == 'i' || *unit == 'b' || state->era == ERA_BINARY)
		return *unit == 'm' || *unit == 'k' ? decimal[steps] : binary[steps];
	if (*unit == 'm' || *unit == 'k' || state->era == ERA_DECIMAL)
		return decimal[steps];
	bool old = end == MAX(name, OLD_NAME) + AMOUNT || end == MAX(name, OLD_NAME) + DEVICE + AMOUNT;
	bool recent = end == MAX(name, NEW_NAME) + AMOUNT || end == MAX(name, NEW_NAME) + DEVICE + AMOUNT;
	if (old == recent)
		*ret_doubt = doubtful;
	return recent && !old ? decimal[steps] : binary[steps];
}

static const char *thread_doubt(const struct wolfcrypt *state)
{
	return state->threads[0] ? "one of several threads at once: only their sum can be compared" : NULL;
}

void wolfcrypt_cycles(const struct wolfcrypt *state, const struct import_sink *sink,
	const struct import_record *time, const struct reading *seconds, const struct number *number,
	const char *unit, const char *doubt)
{
	struct import_record figure = *time;
	struct reading cycles = reading_of(number, 1, unit);
	g_autofree char *clock = clock_doubt(&cycles, seconds, clock_told(sink, state->clock), CLOCK_COUNTED);

	figure.metric = state->core_cycles ? METRIC_CYCLES : METRIC_REFERENCE_CYCLES;
	tell_readings(sink, &figure, &cycles, 1, clock ? clock : doubt);
}

static void tell_rest(const struct wolfcrypt *state, const struct import_sink *sink, const char *rest,
	const struct import_record *figure, const struct reading *seconds, const char *doubt)
{
	g_autoptr(GMatchInfo) found = NULL;
	struct number cycles;

	if (!rest || !pattern_match(&found, cycles_in_rest, rest))
		return;
	if (pattern_number(&cycles, found, "cycles", COMMA))
		wolfcrypt_cycles(state, sink, figure, seconds, &cycles, "Cycles per byte", doubt);
	else if (pattern_number(&cycles, found, "cycles2", COMMA)) {
		g_autofree char *unit = g_match_info_fetch_named(found, "unit");
		wolfcrypt_cycles(state, sink, figure, seconds, &cycles, unit, doubt);
	}
}

/* "1.003 seconds for 3 MiB": what a time is the share of. */
static void put_share(char *ret, size_t size, const struct wolfcrypt_line *parts)
{
	g_strlcpy(ret, parts->time_unit, size);
	g_strlcat(ret, " for ", size);
	g_strlcat(ret, parts->amount.printed, size);
	g_strlcat(ret, " ", size);
	g_strlcat(ret, parts->unit ? parts->unit : "ops", size);
}

static void tell_figure(struct wolfcrypt *state, const struct import_line *line,
	const struct import_sink *sink, const struct wolfcrypt_line *parts, enum work work,
	const struct reading *readings, size_t n, const char *doubt)
{
	struct import_record figure = figure_of_line(line, WOLFCRYPT, state->name->str, work);

	wolfcrypt_label(state, &figure, parts->device);
	run_figure(&state->run, sink, line, state->name->str);
	tell_readings(sink, &figure, readings, n, doubt);
	tell_rest(state, sink, parts->rest, &figure, &readings[n - 1], doubt);
}

static void tell_bulk(struct wolfcrypt *state, const struct import_line *line, const struct import_sink *sink,
	const struct wolfcrypt_line *parts)
{
	const char *doubt = NULL;
	char share[128], rate[16] = "";
	size_t n = 1;

	if (parts->unit[1] == 'i')
		state->era = ERA_DECIMAL;
	double bytes = bytes_of(state, parts, parts->unit, &doubt),
	       seconds = wolfcrypt_seconds(parts->time_unit);
	put_share(share, sizeof share, parts);
	struct reading readings[2] = {reading_of_share(&parts->time, seconds, &parts->amount, bytes, share)};
	if (parts->rate_unit) {
		g_strlcpy(rate, parts->rate_unit, sizeof rate);
		g_strlcat(rate, "/s", sizeof rate);
		bytes = bytes_of(state, parts, parts->rate_unit, &doubt);
		readings[n++] = reading_of_rate(&parts->rate, bytes / seconds, rate);
	}
	tell_figure(state, line, sink, parts, WORK_BULK, readings, n, doubt ? doubt : thread_doubt(state));
}

static void tell_key(struct wolfcrypt *state, const struct import_line *line, const struct import_sink *sink,
	const struct wolfcrypt_line *parts)
{
	double seconds = wolfcrypt_seconds(parts->time_unit);
	struct number count = parts->amount;
	char share[128];
	size_t n = 1;

	count.error = 0;
	put_share(share, sizeof share, parts);
	struct reading readings[3] = {reading_of_share(&parts->time, seconds, &count, 1, share)};
	if (parts->has_average)
		readings[n++] = reading_of(&parts->average, 1e-3, "ms");
	if (parts->rate_unit)
		readings[n++] = reading_of_rate(&parts->rate, 1 / seconds, parts->rate_unit);
	tell_figure(state, line, sink, parts, WORK_OPERATION, readings, n, thread_doubt(state));
}

static void tell_parts(struct wolfcrypt *state, const struct import_line *line,
	const struct import_sink *sink, const struct wolfcrypt_line *parts)
{
	if (parts->damaged) {
		tell_unread(sink, line, "a number is damaged");
		return;
	}
	name_put(state->name, parts->name, parts->name_length);
	if (parts->unit)
		tell_bulk(state, line, sink, parts);
	else
		tell_key(state, line, sink, parts);
}

/* What all threads did together, printed after the end. MB are MiB there in every version. */
static bool tell_sum(struct wolfcrypt *state, const struct import_line *line, const struct import_sink *sink)
{
	g_autoptr(GMatchInfo) match = NULL;
	struct number rate;

	if (!state->complete || !pattern_match(&match, sum_line, line->body) ||
		!pattern_number(&rate, match, "rate", COMMA))
		return false;
	if (!state->threads[0]) {
		tell_other(sink, line); /* said again */
		return true;
	}
	g_autofree char *printed = pattern_text(match, "name"), *unit = pattern_text(match, "unit");
	g_autofree char *name = name_plain(printed), *device = pattern_text(match, "device");
	bool bulk = strcmp(unit, "ops/sec") != 0;
	struct import_record figure =
		figure_of_line(line, WOLFCRYPT, name, bulk ? WORK_BULK : WORK_OPERATION);
	struct reading reading = reading_of_rate(&rate, bulk ? (*unit == 'm' ? 1e6 : 1048576) : 1, unit);
	wolfcrypt_label(state, &figure, device);
	tell_readings(sink, &figure, &reading, 1, NULL);
	return true;
}

/* A new run: what the last one's banner said no longer holds. */
static void end_run(struct wolfcrypt *state, const struct import_sink *sink)
{
	const struct import_line last = {.text = "", .number = state->last, .body = ""};

	if (state->closes && state->last && !state->complete && !sink->excerpt)
		tell_fact(sink, &last, "note",
			"no \"Benchmark complete\" stands behind the list: it may be cut short");
	state->closes = false;
	state->last = 0;
	g_clear_pointer(&state->engine, g_free);
	g_clear_pointer(&state->columns, g_strfreev);
	state->threads[0] = '\0';
	state->complete = false;
}

static enum wolfcrypt_era era_of(const char *version)
{
	int parts[3] = {0};
	const char *c = version;

	for (int i = 0; i < 3 && g_ascii_isdigit(*c); i++) {
		parts[i] = (int)(g_ascii_strtoull(c, (char **)&c, 10) % 1000);
		c += *c == '.';
	}
	return parts[0] * 1000000 + parts[1] * 1000 + parts[2] < 5005004 ? ERA_BINARY : ERA_DECIMAL;
}

static bool version_closes(const char *version)
{
	return g_ascii_strtoull(version, NULL, 10) >= 4;
}

static void learn(struct wolfcrypt *state, const char *key, const char *value)
{
	if (strcmp(key, "version") == 0) {
		state->era = era_of(value);
		state->closes = version_closes(value);
	} else if (strcmp(key, "block") == 0) {
		g_free(state->block);
		state->block = g_strdup(value);
	} else if (strcmp(key, "threads") == 0 && strlen(value) < sizeof state->threads) {
		g_strlcpy(state->threads, strcmp(value, "1") == 0 ? "" : value, sizeof state->threads);
	} else if (strcmp(key, "intelqa-instances") == 0) {
		g_free(state->hardware);
		state->hardware = g_strdup("intelqa");
	} else if (strcmp(key, "clock") == 0) {
		state->clock = g_ascii_strtod(value, NULL);
		state->core_cycles = true; /* "cpu freq" is ESP-IDF's */
	} else if (strcmp(key, "instrument") == 0) {
		state->tpm = true;
		state->era = ERA_BINARY;
	}
}

struct learner {
	struct wolfcrypt *state;
	const struct import_sink *sink;
};

/* Hands facts on, and learns from them. */
static void take_fact(const struct import_record *record, void *user)
{
	struct learner *learner = user;

	if (record->kind == IMPORT_BREAK)
		end_run(learner->state, learner->sink);
	else
		learn(learner->state, record->key, record->fact);
	learner->sink->take(record, learner->sink->user);
}

static bool take_device(
	struct wolfcrypt *state, const struct import_line *line, const struct import_sink *sink)
{
	g_autoptr(GMatchInfo) match = NULL;

	if (!strstr(line->body, "useDevice") ||
		!pattern_match(&match, "with useDevice:(?<use>\\d) and devid:(?<id>\\d+)", line->body))
		return false;
	g_autofree char *use = pattern_text(match, "use"), *id = pattern_text(match, "id");
	g_free(state->engine);
	state->engine = *use == '0' ? NULL : g_strconcat("devid:", id, NULL);
	tell_other(sink, line);
	return true;
}

/* Whether the line is one of `diff --side-by-side` with a figure on either side, and its left side; in any
 * case its right side is kept for the end. New text; NULL where it is none. */
static char *take_sides(struct wolfcrypt *state, const struct import_line *line)
{
	const char *tab = strrchr(line->body, '\t');

	if (!tab)
		return NULL;
	struct wolfcrypt_side *side = g_new(struct wolfcrypt_side, 1);
	*side = (struct wolfcrypt_side){line->number, g_strdup(line->text), g_strdup(tab + 1)};
	g_queue_push_tail(&state->right, side);
	if (!pattern_match(NULL, "\\stook\\s.*\\t.*\\stook\\s", line->body))
		return NULL;
	state->two_runs = true;
	size_t end = strcspn(line->body, "\t");
	if (end > 0 && strchr("|<>", line->body[end - 1]))
		end--;
	return g_strchomp(g_strndup(line->body, end));
}

static void take_half(struct wolfcrypt *state, const struct import_line *line, const struct import_sink *sink)
{
	struct learner learner = {state, sink};
	struct import_sink learning = {take_fact, &learner, sink->version, sink->clock, sink->excerpt};
	struct wolfcrypt_line parts;

	if (sink->version && g_ascii_isdigit(*sink->version) && !state->tpm)
		state->era = era_of(sink->version);
	if (wolfcrypt_line_read(&parts, line->body)) {
		state->last = line->number;
		tell_parts(state, line, sink, &parts);
	} else if (run_fact(&state->run, facts, &learning, line) || wolfcrypt_csv(state, line, sink) ||
		   tell_sum(state, line, sink) || take_device(state, line, sink)) {
		return;
	} else if (pattern_match(NULL, torn_line, line->body)) {
		tell_unread(sink, line, "the line is cut or damaged");
	} else {
		state->complete |= g_str_has_prefix(line->body, "Benchmark complete");
		tell_other(sink, line);
	}
}

static void take_line(void *user, const struct import_line *line, const struct import_sink *sink)
{
	g_autofree char *left = take_sides(user, line);
	const struct import_line half = {line->text, line->length, line->number, left ? left : line->body};

	take_half(user, &half, sink);
}

static void free_side(gpointer data)
{
	struct wolfcrypt_side *side = data;

	g_free(side->text);
	g_free(side->body);
	g_free(side);
}

/* The right one of two runs side by side. */
static void take_right(struct wolfcrypt *state, const struct import_sink *sink)
{
	for (const GList *at = state->right.head; at && state->two_runs; at = at->next) {
		const struct wolfcrypt_side *side = at->data;
		struct import_line line = {side->text, strlen(side->text), side->number, side->body};
		if (at == state->right.head)
			run_heading(&state->run, sink, &line);
		take_half(state, &line, sink);
	}
}

static void finish(void *user, const struct import_sink *sink)
{
	struct wolfcrypt *state = user;

	if (state->two_runs)
		end_run(state, sink);
	take_right(state, sink);
	g_queue_clear_full(&state->right, free_side);
	end_run(state, sink);
	run_done(&state->run);
	g_string_free(state->name, TRUE);
	g_free(state->block);
	g_free(state->hardware);
	g_free(state);
}

const struct importer importer_wolfcrypt = {WOLFCRYPT, "wolfCrypt's benchmark, text and CSV, and wolfTPM's",
	"wolfcrypt-benchmark", "wolfssl", recognise, begin, take_line, finish};
