/* bssl speed of BoringSSL and AWS-LC: "Did 2844000 AES-128-GCM seal (16384 bytes) operations in 10002055us
 * (284341.6 ops/sec): 4658.7 MB/s". MB are 10^6 bytes. */
#include "context.h"
#include "names.h"

#define NAME  "boringssl"
#define COMMA NUMBER_COMMA_UNKNOWN

static const char did_line[] = "^Did (?<count>\\d+) (?<name>\\S.*?)(?: \\((?<block>\\d+) bytes?[^)]*\\))? "
			       "operations in (?<time>\\d+)us "
			       "\\((?<ops>[\\d.]+) ops/sec\\)(?:: (?<rate>[\\d.]+) MB/s)?";

static int recognise(const struct import_line *line)
{
	return pattern_match(NULL, did_line, line->body) ? 10 : 0;
}

static void tell(struct context *state, const struct import_line *line, const struct import_sink *sink,
	const GMatchInfo *match)
{
	g_autofree char *name = pattern_text(match, "name"), *block = pattern_text(match, "block");
	struct number count, time, ops, rate;
	size_t n = 2;

	if (!pattern_number(&count, match, "count", COMMA) || !pattern_number(&time, match, "time", COMMA) ||
		!pattern_number(&ops, match, "ops", COMMA)) {
		tell_unread(sink, line, "a number is damaged");
		return;
	}
	bool bulk = block && pattern_number(&rate, match, "rate", COMMA);
	double bytes = bulk ? g_ascii_strtod(block, NULL) : 1;
	count.error = 0;
	struct reading readings[3] = {
		reading_of_share(&time, 1e-6, &count, bytes, "us for all"),
		reading_of_rate(&ops, bytes, "ops/sec"),
	};
	if (bulk)
		readings[n++] = reading_of_rate(&rate, 1e6, "MB/s");
	struct import_record figure = figure_of_line(line, NAME, name, bulk ? WORK_BULK : WORK_OPERATION);
	figure.labels.v[LABEL_BLOCK] = bulk ? block : NULL;
	state->run.figures++;
	tell_readings(sink, &figure, readings, n, NULL);
}

static void take_line(void *user, const struct import_line *line, const struct import_sink *sink)
{
	g_autoptr(GMatchInfo) match = NULL;

	if (pattern_match(&match, did_line, line->body))
		tell(user, line, sink, match);
	else if (pattern_match(NULL, "^Did \\d", line->body))
		tell_unread(sink, line, "the line is cut or damaged");
	else
		tell_other(sink, line);
}

const struct importer importer_boringssl = {NAME, "bssl speed of BoringSSL and AWS-LC", "bssl-speed",
	"boringssl", recognise, context_begin, take_line, context_finish};
