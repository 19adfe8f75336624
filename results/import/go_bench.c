/* go test -bench: "BenchmarkAESGCM-8  1000000  1046 ns/op  978.97 MB/s  0 B/op". MB are 10^6 bytes; where
 * they are printed, the figure is per byte. */
#include "context.h"
#include "names.h"

#define NAME  "go-bench"
#define COMMA NUMBER_COMMA_UNKNOWN

static const char bench_line[] = "^Benchmark(?<name>\\S+?)(?:-\\d+)?\\s+(?<n>\\d+)\\s+(?<ns>[\\d.]+|inf|nan) "
				 "ns/op(?:\\s+(?<rate>[\\d.]+|inf|nan) MB/s)?(?:\\s+.*)?$";

static const struct fact_rule facts[] = {
	{"^goos: (?<value>\\S+)$", "os", true},
	{"^goarch: (?<value>\\S+)$", "arch", false},
	{"^pkg: (?<value>\\S+)$", "package", false},
	{"^cpu: (?<value>.*)$", "cpu", false},
	{NULL, NULL, false},
};

static int recognise(const struct import_line *line)
{
	return pattern_match(NULL, bench_line, line->body) ? 10 : 0;
}

static void tell(struct context *state, const struct import_line *line, const struct import_sink *sink,
	const GMatchInfo *match)
{
	g_autofree char *name = pattern_text(match, "name");
	struct number ns, rate;
	bool bulk = pattern_number(&rate, match, "rate", COMMA);

	if (!pattern_number(&ns, match, "ns", COMMA)) {
		tell_unread(sink, line, "a number is damaged");
		return;
	}
	struct import_record figure = figure_of_line(line, NAME, name, bulk ? WORK_BULK : WORK_OPERATION);
	struct reading reading = bulk ? reading_of_rate(&rate, 1e6, "MB/s") : reading_of(&ns, 1e-9, "ns/op");
	state->run.figures++;
	tell_readings(sink, &figure, &reading, 1, NULL);
}

static void take_line(void *user, const struct import_line *line, const struct import_sink *sink)
{
	struct context *state = user;
	g_autoptr(GMatchInfo) match = NULL;

	if (pattern_match(&match, bench_line, line->body))
		tell(state, line, sink, match);
	else if (pattern_match(NULL, "^Benchmark\\S+\\s+\\d+\\s+[\\d.]+", line->body))
		tell_unread(sink, line, "the line is cut or damaged");
	else if (!run_fact(&state->run, facts, sink, line))
		tell_other(sink, line);
}

const struct importer importer_go_bench = {
	NAME, "go test -bench", "go-bench", NULL, recognise, context_begin, take_line, context_finish};
