/* nettle-benchmark: "sha256 update 280.97" under a header of Mbyte/s, which are MiB, with cycles per byte and
 * per block where a clock was given. Without the header or the command a row has no unit. */
#include "context.h"
#include "names.h"

#include <string.h>

#define NAME  "nettle"
#define MIB   1048576.0
#define COMMA NUMBER_COMMA_UNKNOWN
/* Its buffer, where the mode does not name a size. */
#define BLOCK "10240"

static const char header[] = "^Algorithm\\s+mode\\s+Mbyte/s(?<cycles>\\s+cycles/byte\\s+cycles/block)?$";
/* It prints no other unit. */
static const char command[] = "^(?:[#$] *)?(?:\\S*/)?nettle-benchmark(?: .*)?$";
static const char markdown_header[] = "^\\| *Algorithm *\\|.*\\(Mbyte/s\\)";
static const char row_line[] =
	"^(?<name>\\S+(?: (?:ECB|CBC|CTR|CFB|XTS))?|openssl \\S+(?: \\S+)?)\\s+(?<mode>(?:ECB |CBC |CTR "
	")?(?:encrypt|decrypt)|update|CTR"
	"|(?<size>\\d+) bytes|single "
	"msg|digest)\\s+(?<rate>\\d[\\d.]*)(?:\\s+(?<cycles>\\d[\\d.]*))?(?:\\s+\\d[\\d.]*)?$";

/* state->group: what the header tells of a row. */
#define RATES	   "Mbyte/s"
#define AND_CYCLES "Mbyte/s, perhaps cycles"

static int recognise(const struct import_line *line)
{
	if (pattern_match(NULL, header, line->body) || pattern_match(NULL, markdown_header, line->body) ||
		pattern_match(NULL, "^(?:[#$] *)?(?:\\S*/)?nettle-benchmark$", line->body))
		return 10;
	return pattern_match(NULL, row_line, line->body);
}

/* Why the row's numbers are not sure to be what they seem; NULL where they are. */
static const char *row_doubt(const struct context *state, const GMatchInfo *match)
{
	g_autofree char *cycles = pattern_text(match, "cycles");

	if (!state->group)
		return "no header tells the unit";
	return cycles && strcmp(state->group, RATES) == 0 ? "more cells than the header has columns" : NULL;
}

static void tell_row(struct context *state, const struct import_line *line, const struct import_sink *sink,
	const GMatchInfo *match)
{
	g_autofree char *algorithm = pattern_text(match, "name"), *mode = pattern_text(match, "mode");
	g_autofree char *size = pattern_text(match, "size");
	g_autofree char *name = size ? g_strdup(algorithm) : g_strdup_printf("%s %s", algorithm, mode);
	const char *doubt = row_doubt(state, match);
	struct number rate, cycles;

	if (!pattern_number(&rate, match, "rate", COMMA)) {
		tell_unread(sink, line, "a number is damaged");
		return;
	}
	struct import_record figure = figure_of_line(line, NAME, name, WORK_BULK);
	figure.labels.v[LABEL_BLOCK] = size ? size : BLOCK;
	struct reading reading = reading_of_rate(&rate, MIB, "Mbyte/s");
	run_figure(&state->run, sink, line, size ? line->body : name);
	tell_readings(sink, &figure, &reading, 1, doubt);
	if (!pattern_number(&cycles, match, "cycles", COMMA))
		return;
	struct reading per_byte = reading_of(&cycles, 1, "cycles/byte");
	g_autofree char *clock =
		clock_doubt(&per_byte, &reading, clock_told(sink, state->clock), CLOCK_COMPUTED);
	figure.metric = METRIC_CYCLES;
	figure.figure_kind = KIND_DERIVED;
	tell_readings(sink, &figure, &per_byte, 1, doubt ? doubt : clock);
}

/* "| sha3_224 | 235.08 | 483.41 |": a rate per variant that the header names. */
static void tell_cells(struct context *state, const struct import_line *line, const struct import_sink *sink)
{
	g_auto(GStrv) cells = g_strsplit(line->body, "|", -1);

	for (guint i = 2; cells[i] && state->columns[i] && *cells[1]; i++) {
		g_autofree char *variant = pattern_replace("\\s*\\(Mbyte/s\\)\\s*$", state->columns[i], "");
		struct number number;
		g_strstrip(cells[i]);
		if (!number_read(&number, cells[i], COMMA))
			continue;
		g_autofree char *name = g_strdup_printf("%s update", g_strstrip(cells[1]));
		struct import_record figure = figure_of_line(line, NAME, name, WORK_BULK);
		struct reading reading = reading_of_rate(&number, MIB, "Mbyte/s");
		tell_fact(sink, line, "variant", g_strstrip(variant));
		state->run.figures++;
		tell_readings(sink, &figure, &reading, 1, NULL);
	}
}

static void take_line(void *user, const struct import_line *line, const struct import_sink *sink)
{
	struct context *state = user;
	g_autoptr(GMatchInfo) row = NULL;
	g_autoptr(GMatchInfo) head = NULL;

	bool begins = pattern_match(&head, header, line->body);

	if (begins || pattern_match(NULL, command, line->body)) {
		g_autofree char *cycles = begins ? pattern_text(head, "cycles") : NULL;
		run_heading(&state->run, sink, line);
		g_free(state->group);
		state->group = g_strdup(begins && !cycles ? RATES : AND_CYCLES);
		tell_other(sink, line);
	} else if (pattern_match(NULL, markdown_header, line->body)) {
		g_strfreev(state->columns);
		state->columns = g_strsplit(line->body, "|", -1);
		tell_other(sink, line);
	} else if (state->columns &&
		   pattern_match(NULL, "^\\| *\\w\\S* *\\|(?: *[\\d.]+ *\\|)+$", line->body)) {
		tell_cells(state, line, sink);
	} else if (pattern_match(&row, row_line, line->body)) {
		tell_row(state, line, sink, row);
	} else {
		tell_other(sink, line);
	}
}

const struct importer importer_nettle = {NAME, "nettle-benchmark", "nettle-benchmark", "nettle", recognise,
	context_begin, take_line, context_finish};
