/* cryptsetup benchmark: PBKDF2 in iterations per second, ciphers in MiB/s with a decimal, by kernel code.
 *
 * It prints in the user's locale: a comma before one digit is the decimal comma there, since a decimal is
 * always printed. Test suites hand its figures on as TEST_CASE_ID=... MEASUREMENT=... */
#include "context.h"
#include "names.h"

#include <string.h>

#define NAME "cryptsetup"
#define MIB  1048576.0
/* Bytes in one request to the kernel. */
#define BLOCK "65536"

static const char cipher_row[] =
	"^(?<name>[\\w,.-]+)\\s+(?<key>\\d+)b\\s+(?<enc>[\\d.,]+|N/A) MiB/s\\s+(?<dec>[\\d.,]+|N/A) MiB/s$"
	"|^(?<name2>[\\w,.-]+)\\s+(?<key2>\\d+)b\\s+N/A\\s+N/A$";
static const char pbkdf_row[] =
	"^(?<name>PBKDF2-\\S+)\\s+(?<rate>\\d[\\d.,]*) iterations per second(?: for \\d+-bit key)?$";
static const char header[] = "^#\\s+Algorithm \\|\\s+Key \\|\\s+Encryption \\|\\s+Decryption$";
static const char test_line[] =
	"^<TEST_CASE_ID=cryptsetup-benchmark-(?<name>\\S+) RESULT=\\w+ MEASUREMENT=(?<value>[\\d.,]+) "
	"UNITS=(?<unit>iter/s|MiB/s)>$";

static int recognise(const struct import_line *line)
{
	if (pattern_match(NULL, header, line->body) || pattern_match(NULL, test_line, line->body) ||
		pattern_match(NULL, pbkdf_row, line->body))
		return 10;
	return pattern_match(NULL, cipher_row, line->body);
}

static void tell_rate(const struct import_line *line, const struct import_sink *sink, const char *name,
	const char *text, const char *unit)
{
	bool bulk = *unit == 'M';
	bool decimal_comma = pattern_match(NULL, "^\\d+,\\d$", text);
	struct number number;

	if (!number_read(&number, text, decimal_comma ? NUMBER_COMMA_DECIMAL : NUMBER_COMMA_UNKNOWN)) {
		tell_fact(sink, line, "unavailable", name); /* N/A */
		return;
	}
	struct import_record figure = figure_of_line(line, NAME, name, bulk ? WORK_BULK : WORK_OPERATION);
	figure.labels.v[LABEL_ENGINE] = bulk ? "kernel" : NULL;
	figure.labels.v[LABEL_BLOCK] = bulk ? BLOCK : NULL;
	struct reading reading = reading_of_rate(&number, bulk ? MIB : 1, unit);
	tell_readings(sink, &figure, &reading, 1, NULL);
}

static void take_cipher(struct context *state, const struct import_line *line, const struct import_sink *sink,
	const GMatchInfo *match)
{
	static const char *const directions[][2] = {{"enc", "encryption"}, {"dec", "decryption"}};
	g_autofree char *name = pattern_text(match, "name"), *key = pattern_text(match, "key");

	if (!name) {
		g_autofree char *lacks = pattern_text(match, "name2");
		tell_fact(sink, line, "unavailable", lacks);
		return;
	}
	g_autofree char *whole = g_strdup_printf("%s %sb", name, key);
	run_figure(&state->run, sink, line, whole);
	for (size_t i = 0; i < G_N_ELEMENTS(directions); i++) {
		g_autofree char *text = pattern_text(match, directions[i][0]);
		g_autofree char *one = g_strdup_printf("%s %s", whole, directions[i][1]);
		tell_rate(line, sink, one, text, "MiB/s");
	}
}

/* "aes-cbc_128-encryption" as "aes-cbc 128b encryption", "sha1" as "PBKDF2-sha1". */
static void take_test(struct context *state, const struct import_line *line, const struct import_sink *sink,
	const GMatchInfo *match)
{
	g_autofree char *printed = pattern_text(match, "name"), *unit = pattern_text(match, "unit");
	g_autofree char *value = pattern_text(match, "value");
	g_autofree char *name = *unit == 'M' ? pattern_replace("_(\\d+)-(\\w+)$", printed, " \\1b \\2")
					     : g_strconcat("PBKDF2-", printed, NULL);

	run_figure(&state->run, sink, line, name);
	tell_rate(line, sink, name, value, unit);
}

static void take_line(void *user, const struct import_line *line, const struct import_sink *sink)
{
	static const struct fact_rule facts[] = {
		{"^(?:[#$] *)?(?<value>cryptsetup benchmark.*)$", "command", true},
		{"^(?<value>argon2\\S+ .*)$", "argon2", false},
		{NULL, NULL, false},
	};
	struct context *state = user;
	g_autoptr(GMatchInfo) cipher = NULL;
	g_autoptr(GMatchInfo) pbkdf = NULL;
	g_autoptr(GMatchInfo) test = NULL;

	if (pattern_match(&cipher, cipher_row, line->body)) {
		take_cipher(state, line, sink, cipher);
	} else if (pattern_match(&pbkdf, pbkdf_row, line->body)) {
		g_autofree char *name = pattern_text(pbkdf, "name"), *rate = pattern_text(pbkdf, "rate");
		run_figure(&state->run, sink, line, name);
		tell_rate(line, sink, name, rate, "iterations per second");
	} else if (pattern_match(&test, test_line, line->body)) {
		take_test(state, line, sink, test);
	} else if (pattern_match(
			   NULL, "^[\\w,.-]+\\s+\\d+b(?:\\s|$)|^PBKDF2-\\S+ +\\d|MEASUREMENT=", line->body)) {
		tell_unread(sink, line, "the line is cut or damaged");
	} else if (!run_fact(&state->run, facts, sink, line)) {
		tell_other(sink, line);
	}
}

const struct importer importer_cryptsetup = {NAME, "cryptsetup benchmark", "cryptsetup-benchmark", NULL,
	recognise, context_begin, take_line, context_finish};
