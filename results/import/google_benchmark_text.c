/* Google Benchmark's table: "BM_seal/64  141 ns  141 ns  4901515 bytes_per_second=648.653M/s", and its form
 * of 2015 with the unit in the header. Its prefixes of bytes are powers of 1024; the time is the real one. */
#include "context.h"
#include "names.h"

#include <string.h>

#define NAME  "google-benchmark-text"
#define TOOL  "google-benchmark"
#define COMMA NUMBER_COMMA_UNKNOWN

static const char header[] =
	"^Benchmark\\s+Time(?:\\((?<unit>ns|us|ms)\\))?\\s+CPU(?:\\(\\w+\\))?\\s+Iterations";
static const char row_line[] = "^(?<name>\\S+)\\s+(?<time>-?[\\d.]+(?:e[+-]?\\d+)?)(?: "
			       "(?<unit>ns|us|ms|s))?\\s+-?[\\d.]+(?:e[+-]?\\d+)?(?: (?:ns|us|ms|s))?"
			       "\\s+\\d+(?<rest>\\s.*)?$";
static const char rate_in_rest[] = "bytes_per_second=(?<rate>[\\d.]+)(?<prefix>[kKMGT]?)i?/s";
/* Without a name, as it was printed until 2018. */
static const char old_rate[] = "(?:^|\\s)(?<rate>[\\d.]+)(?<prefix>[kKMGT]?)B/s";

static int recognise(const struct import_line *line)
{
	return pattern_match(NULL, header, line->body)
		       ? 10
		       : pattern_match(NULL, "^BM_\\S+\\s+-?[\\d.]+", line->body);
}

static double seconds_of(const char *unit)
{
	return strcmp(unit, "s") == 0	 ? 1
	       : strcmp(unit, "ms") == 0 ? 1e-3
	       : strcmp(unit, "us") == 0 ? 1e-6
					 : 1e-9;
}

static double bytes_of(const char *prefix)
{
	static const char prefixes[] = "kMGT";
	const char *found = prefix ? strchr(prefixes, *prefix == 'K' ? 'k' : *prefix) : NULL;
	double bytes = 1;

	for (const char *c = prefixes; found && c <= found; c++)
		bytes *= 1024;
	return bytes;
}

static void tell(struct context *state, const struct import_line *line, const struct import_sink *sink,
	const GMatchInfo *match)
{
	g_autofree char *name = pattern_text(match, "name"), *unit = pattern_text(match, "unit");
	g_autofree char *rest = pattern_text(match, "rest"), *prefix = NULL, *shown = NULL;
	g_autoptr(GMatchInfo) found = NULL;
	struct number time, rate;

	if (!unit)
		unit = g_strdup(state->group);
	if (!unit || !pattern_number(&time, match, "time", COMMA)) {
		tell_unread(sink, line, unit ? "a number is damaged" : "no header tells the unit");
		return;
	}
	bool named = rest && pattern_match(&found, rate_in_rest, rest);
	if (rest && !named) {
		g_clear_pointer(&found, g_match_info_unref);
		pattern_match(&found, old_rate, rest);
	}
	bool bulk = found && pattern_number(&rate, found, "rate", COMMA);
	struct import_record figure = figure_of_line(line, TOOL, name, bulk ? WORK_BULK : WORK_OPERATION);
	struct reading reading = reading_of(&time, seconds_of(unit), unit);
	if (bulk) {
		prefix = pattern_text(found, "prefix");
		shown = g_strdup_printf("%s%s/s", prefix ? prefix : "", named && prefix ? "" : "B");
		reading = reading_of_rate(&rate, bytes_of(prefix), shown);
	}
	g_autofree char *threads = pattern_replace("^.*/threads:(\\d+)$|^.*$", name, "\\1");
	if (*threads && strcmp(threads, "1") != 0)
		figure.labels.v[LABEL_THREADS] = threads;
	state->run.figures++;
	tell_readings(sink, &figure, &reading, 1, NULL);
}

static void take_line(void *user, const struct import_line *line, const struct import_sink *sink)
{
	struct context *state = user;
	g_autoptr(GMatchInfo) columns = NULL;
	g_autoptr(GMatchInfo) row = NULL;

	if (pattern_match(&columns, header, line->body)) {
		run_heading(&state->run, sink, line);
		context_group(state, columns, "unit");
		tell_other(sink, line);
	} else if (pattern_match(&row, row_line, line->body)) {
		tell(state, line, sink, row);
	} else if (pattern_match(NULL, "^BM_\\S+", line->body)) {
		tell_unread(sink, line, "the line is cut or damaged");
	} else {
		tell_other(sink, line);
	}
}

const struct importer importer_google_benchmark_text = {NAME, "Google Benchmark's table", "google-benchmark",
	NULL, recognise, context_begin, take_line, context_finish};
