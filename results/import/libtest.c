/* cargo bench by libtest: "test aes128_gcm ... bench:  4,640 ns/iter (+/- 1,016) = 3 MB/s". Commas
 * always stand between thousands; MB are 10^6 bytes, cut to whole ones. */
#include "context.h"
#include "names.h"

#define NAME  "libtest"
#define COMMA NUMBER_COMMA_GROUPS

static const char bench_line[] = "^test (?<name>\\S+)\\s+\\.\\.\\. bench:\\s+(?<ns>[\\d,.]+) ns/iter(?: "
				 "\\(\\+/- (?<spread>[\\d,.]+)\\))?(?: = (?<rate>[\\d,]+) "
				 "MB/s)?$";

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

	rate.error = 1; /* cut, not rounded */
	if (!pattern_number(&ns, match, "ns", COMMA)) {
		tell_unread(sink, line, "a number is damaged");
		return;
	}
	struct import_record figure = figure_of_line(line, NAME, name, bulk ? WORK_BULK : WORK_OPERATION);
	struct reading reading =
		bulk ? reading_of_rate(&rate, 1e6, "MB/s") : reading_of(&ns, 1e-9, "ns/iter");
	/* It prints the median of its samples. */
	figure.statistic = IMPORT_MEDIAN;
	state->run.figures++;
	tell_readings(sink, &figure, &reading, 1, NULL);
}

static void take_line(void *user, const struct import_line *line, const struct import_sink *sink)
{
	struct context *state = user;
	g_autoptr(GMatchInfo) match = NULL;

	if (pattern_match(&match, bench_line, line->body))
		tell(state, line, sink, match);
	else if (pattern_match(NULL, "^test \\S+\\s+\\.\\.\\. bench:", line->body))
		tell_unread(sink, line, "the line is cut or damaged");
	else
		tell_other(sink, line);
}

const struct importer importer_libtest = {
	NAME, "cargo bench by libtest", "libtest", NULL, recognise, context_begin, take_line, context_finish};
