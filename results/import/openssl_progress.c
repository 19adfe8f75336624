/* What openssl speed says while it runs: to people ("Doing ... for 3s") and to programs (-mr, -multi). */
#include "names.h"
#include "openssl_speed.h"
#include "patterns.h"

#include <math.h>
#include <string.h>

#define COMMA NUMBER_COMMA_UNKNOWN

static const char bulk_line[] = "^Doing (?<name>\\S.*?)(?:'s| ops)? for (?<asked>[\\d.]+)s on (?<block>\\d+) "
				"size blocks: (?<count>\\d+) "
				"(?<counted>\\S.*?)(?:'s| ops)? in (?<time>[\\d.]+)s";
static const char key_line[] = "^Doing (?<what>\\S[^:]*?)(?:'s| ops)? for (?<asked>[\\d.]+)s: (?<count>\\d+) "
			       "(?<counted>\\S.*?) in (?<time>[\\d.]+)s";
static const char bits_what[] =
	"^(?<bits>\\d+) bits? +(?:(?<kind>private|public|sign|verify) +)?(?<alg>[\\w-]+)"
	"(?: +(?<op>sign|verify|encrypt|decrypt))?$";
static const char named_what[] = "^(?<alg>\\S+) +(?<op>keygen|encaps|decaps|signs?|verify)$";

/* Why the time is not that of the work: much of it is missing, or far more than was asked for. A single
 * operation may take longer than asked. */
static char *time_doubt(const struct number *time, const struct number *asked, const struct number *count)
{
	if (time->problem || count->problem || asked->problem)
		return NULL;
	if (time->value < asked->value / 2)
		return g_strdup_printf("%s of %s seconds are accounted for: the rest went elsewhere",
			time->printed, asked->printed);
	if (time->value > asked->value * 1.5 + 2 * time->value / count->value)
		return g_strdup_printf("took %s seconds instead of %s", time->printed, asked->printed);
	return NULL;
}

static void remember_bulk(struct openssl_speed *state, const struct import_line *line,
	const GMatchInfo *match, const char *name, const char *block, char *doubt)
{
	struct number time, count;

	if (!pattern_number(&time, match, "time", COMMA) || !pattern_number(&count, match, "count", COMMA)) {
		g_free(doubt);
		return;
	}
	count.error = 0;
	g_autofree char *unit = g_strdup_printf("seconds for %s blocks", count.printed);
	struct reading reading = reading_of_share(&time, 1, &count, g_ascii_strtod(block, NULL), unit);
	openssl_remember(state, line, name, name, block, &reading, doubt);
}

static bool take_bulk(
	struct openssl_speed *state, const struct import_line *line, const struct import_sink *sink)
{
	g_autoptr(GMatchInfo) match = NULL;
	struct number time, asked, count;

	if (!pattern_match(&match, bulk_line, line->body) || !pattern_number(&time, match, "time", COMMA) ||
		!pattern_number(&asked, match, "asked", COMMA) ||
		!pattern_number(&count, match, "count", COMMA))
		return false;
	g_autofree char *name = pattern_text(match, "name"), *block = pattern_text(match, "block");
	g_autofree char *counted = pattern_text(match, "counted");
	if (g_ascii_strcasecmp(name, counted) != 0 || strtoull(block, NULL, 10) == 0) {
		tell_unread(sink, line, "what was begun is not what was counted");
		return true;
	}
	run_figure(&state->run, sink, line, name);
	remember_bulk(state, line, match, name, block, time_doubt(&time, &asked, &count));
	return true;
}

/* "2048 bits private rsa" as "rsa 2048 sign", "rsa3072 encaps" as "rsa 3072 encaps"; NULL where it is
 * neither. */
static char *key_name(const char *what)
{
	g_autoptr(GMatchInfo) bits = NULL;
	g_autoptr(GMatchInfo) named = NULL;

	if (pattern_match(&bits, bits_what, what)) {
		g_autofree char *kind = pattern_text(bits, "kind"), *alg = pattern_text(bits, "alg");
		g_autofree char *op = pattern_text(bits, "op"), *size = pattern_text(bits, "bits");
		const char *operation = op			       ? op
					: !kind			       ? "op"
					: strcmp(kind, "private") == 0 ? "sign"
					: strcmp(kind, "public") == 0  ? "verify"
								       : kind;
		if (g_ascii_strncasecmp(alg, "ed", 2) == 0)
			return g_strdup_printf("eddsa %s %s", alg, operation);
		return g_strdup_printf("%s %s %s", alg, size, operation);
	}
	if (!pattern_match(&named, named_what, what))
		return NULL;
	g_autofree char *alg = pattern_text(named, "alg"), *op = pattern_text(named, "op");
	g_autofree char *spaced = pattern_replace("^rsa(\\d+)$", alg, "rsa \\1");
	return g_strdup_printf("%s %s", spaced, strcmp(op, "signs") == 0 ? "sign" : op);
}

/* Whether what was counted begins with the bits that what was begun has, or with none where it has none:
 * other digits are the rest of a count that was written with a blank. */
static bool has_bits_of(const char *counted, const char *what)
{
	size_t n = strspn(counted, "0123456789");
	const char *rest = counted + n;

	if (n == 0)
		return true;
	return strspn(what, "0123456789") == n && strncmp(counted, what, n) == 0 &&
	       !g_ascii_isdigit(rest[*rest == ' ']);
}

static bool take_key(
	struct openssl_speed *state, const struct import_line *line, const struct import_sink *sink)
{
	g_autoptr(GMatchInfo) match = NULL;
	struct number time, asked, count;

	if (!pattern_match(&match, key_line, line->body) || !pattern_number(&time, match, "time", COMMA) ||
		!pattern_number(&asked, match, "asked", COMMA) ||
		!pattern_number(&count, match, "count", COMMA))
		return false;
	g_autofree char *what = pattern_text(match, "what");
	g_autofree char *counted = pattern_text(match, "counted");
	if (!has_bits_of(counted, what)) {
		tell_unread(sink, line, "what was begun is not what was counted");
		return true;
	}
	g_autofree char *plain = name_plain(what), *name = key_name(plain);
	if (!name)
		name = g_strdup(plain);
	char *doubt = time_doubt(&time, &asked, &count);
	count.error = 0;
	g_autofree char *unit = g_strdup_printf("seconds for %s operations", count.printed);
	struct reading reading = reading_of_share(&time, 1, &count, 1, unit);
	run_figure(&state->run, sink, line, name);
	openssl_remember(state, line, name, name, NULL, &reading, doubt);
	return true;
}

bool openssl_progress(
	struct openssl_speed *state, const struct import_line *line, const struct import_sink *sink)
{
	/* Elapsed time is announced before the first line. */
	if (!state->timed && g_str_has_prefix(line->body, "Doing "))
		tell_fact(sink, line, "timing", "user CPU");
	return take_bulk(state, line, sink) || take_key(state, line, sink);
}

/* +DT:name:seconds:block begins what +R:count:name:seconds ends. */
static bool take_mr_bulk(
	struct openssl_speed *state, const struct import_line *line, const struct import_sink *sink)
{
	g_autoptr(GMatchInfo) start = NULL;
	g_autoptr(GMatchInfo) end = NULL;

	if (pattern_match(&start, "^\\+D[TN]:(?<name>[^:]+):\\d+:(?<block>\\d+)$", line->body)) {
		g_hash_table_replace(
			state->blocks, pattern_text(start, "name"), pattern_text(start, "block"));
		tell_other(sink, line);
		return true;
	}
	if (!pattern_match(&end, "^\\+R:(?<count>\\d+):(?<name>[^:]+):(?<time>[\\d.]+)$", line->body))
		return false;
	g_autofree char *name = pattern_text(end, "name");
	const char *block = g_hash_table_lookup(state->blocks, name);
	if (!block || strtoull(block, NULL, 10) == 0) {
		tell_unread(sink, line, "no +DT line tells its block size");
		return true;
	}
	run_figure(&state->run, sink, line, name);
	remember_bulk(state, line, end, name, block, openssl_child_doubt(state));
	return true;
}

/* The numbers of +R lines: what was done. +R5 and +R6 are of ECDSA, without the curve. */
static const struct {
	const char *number, *algorithm, *operation;
} results[] = {
	{"1", "rsa", "sign"},
	{"2", "rsa", "verify"},
	{"3", "dsa", "sign"},
	{"4", "dsa", "verify"},
	{"5", "ecdsa", "sign"},
	{"6", "ecdsa", "verify"},
	{"7", "ecdh", "op"},
	{"8", "eddsa", "sign"},
	{"9", "eddsa", "verify"},
	{"10", "sm2", "sign"},
	{"11", "sm2", "verify"},
	{"12", "ffdh", "op"},
	{"15", NULL, "keygen"},
	{"16", NULL, "encaps"},
	{"17", NULL, "decaps"},
	{"18", NULL, "keygen"},
	{"19", NULL, "sign"},
	{"20", NULL, "verify"},
};

static bool take_mr_key(
	struct openssl_speed *state, const struct import_line *line, const struct import_sink *sink)
{
	g_autoptr(GMatchInfo) match = NULL;
	struct number time, count;

	if (!pattern_match(&match,
		    "^\\+R(?<k>\\d+):(?<count>\\d+):(?:(?<bits>\\d+):)?(?:(?<name>[A-Za-z][^:]*):)?(?<time>["
		    "\\d.]+)$",
		    line->body) ||
		!pattern_number(&time, match, "time", COMMA) ||
		!pattern_number(&count, match, "count", COMMA))
		return false;
	g_autofree char *k = pattern_text(match, "k"), *bits = pattern_text(match, "bits");
	g_autofree char *named = pattern_text(match, "name");
	for (size_t i = 0; i < G_N_ELEMENTS(results); i++) {
		const char *what = named ? named : bits;
		if (strcmp(results[i].number, k) != 0 || !what)
			continue;
		g_autofree char *name = results[i].algorithm
						? g_strdup_printf("%s %s %s", results[i].algorithm, what,
							  results[i].operation)
						: g_strdup_printf("%s %s", what, results[i].operation);
		count.error = 0;
		g_autofree char *unit = g_strdup_printf("seconds for %s operations", count.printed);
		struct reading reading = reading_of_share(&time, 1, &count, 1, unit);
		if (!reading.problem)
			g_hash_table_replace(
				state->times, g_strdup(name), g_memdup2(&reading, sizeof reading));
		run_figure(&state->run, sink, line, name);
		openssl_remember(state, line, name, name, NULL, &reading, openssl_child_doubt(state));
		return true;
	}
	tell_unread(sink, line, "a kind of result that is not known");
	return true;
}

static const struct {
	const char *number, *algorithm;
	const char *operations[4];
} sums[] = {
	{"2", "rsa", {"sign", "verify", "encrypt", "decrypt"}},
	{"3", "dsa", {"sign", "verify"}},
	{"4", "ecdsa", {"sign", "verify"}},
	{"5", "ecdh", {"op"}},
	{"8", "ffdh", {"op"}},
};

/* A value of an +F line is seconds per operation until 1.1.0, operations per second since: what a +R line of
 * the same told decides, else the version. */
static struct reading reading_of_sum(const struct openssl_speed *state, const char *name,
	const struct number *number, const char **ret_doubt)
{
	struct reading time = reading_of(number, 1, "s"), rate = reading_of_rate(number, 1, "op/s");
	const struct reading *told = g_hash_table_lookup(state->times, name);

	*ret_doubt = NULL;
	if (told && !number->problem)
		return fabs(log(told->value / time.value)) < fabs(log(told->value / rate.value)) ? time
												 : rate;
	if (isnan(state->version))
		*ret_doubt = "seconds per operation until 1.1.0 and operations per second since, and the "
			     "document does "
			     "not say which version printed it";
	return state->version < 1.0101 ? time : rate;
}

/* +F2:index:bits:value:value, alone or behind "Got: " and before " from 3". */
static bool take_mr_sum(
	struct openssl_speed *state, const struct import_line *line, const struct import_sink *sink)
{
	g_autoptr(GMatchInfo) match = NULL;

	if (!pattern_match(&match,
		    "^(?:Got: )?\\+F(?<k>[23458]):\\d+:(?<bits>\\d+):(?<values>[\\d.:]+)(?: from \\d+)?$",
		    line->body))
		return false;
	state->got |= g_str_has_prefix(line->body, "Got:");
	g_autofree char *k = pattern_text(match, "k"), *bits = pattern_text(match, "bits");
	g_autofree char *joined = pattern_text(match, "values");
	g_auto(GStrv) values = g_strsplit(joined, ":", -1);
	size_t row = 0;
	while (strcmp(sums[row].number, k) != 0)
		row++;
	for (guint i = 0; i < 4 && values[i] && sums[row].operations[i]; i++) {
		g_autofree char *name =
			g_strdup_printf("%s %s %s", sums[row].algorithm, bits, sums[row].operations[i]);
		g_autofree char *child = openssl_child_doubt(state);
		const char *doubt;
		struct number number;
		if (!number_read(&number, values[i], COMMA))
			continue;
		struct reading reading = reading_of_sum(state, name, &number, &doubt);
		struct import_record figure = openssl_figure(state, line, name, WORK_OPERATION, NULL);
		g_free(openssl_covered(state, name, NULL, &reading));
		tell_readings(sink, &figure, &reading, 1, child ? child : doubt);
	}
	return true;
}

bool openssl_machine(
	struct openssl_speed *state, const struct import_line *line, const struct import_sink *sink)
{
	if (take_mr_bulk(state, line, sink) || take_mr_key(state, line, sink) ||
		take_mr_sum(state, line, sink))
		return true;
	if (!pattern_match(NULL, "^\\+D[TN]P:\\d", line->body))
		return false;
	tell_other(sink, line);
	return true;
}
