/* mlkem-native's bench: "keypair cycles = 25342" below a line that names the parameter set. What its cycles
 * are depends on the build; on machines without a counter it prints 0, which is not measured. */
#include "context.h"
#include "names.h"

#include <string.h>

#define NAME "mlkem-native"

static const char scheme_line[] = "^(?<name>ML-?KEM-?\\d{3,4})$";
static const char cycles_line[] = "^(?<op>keypair|encaps|decaps) cycles ?= ?(?<cycles>\\d+)$";

static int recognise(const struct import_line *line)
{
	return pattern_match(NULL, cycles_line, line->body) ? 10 : 0;
}

static void tell(struct context *state, const struct import_line *line, const struct import_sink *sink,
	const GMatchInfo *match)
{
	g_autofree char *op = pattern_text(match, "op");
	struct number number;

	if (!state->group || !pattern_number(&number, match, "cycles", NUMBER_COMMA_UNKNOWN)) {
		tell_unread(sink, line, "no line tells the parameter set");
		return;
	}
	g_autofree char *name =
		g_strdup_printf("%s %s", state->group, strcmp(op, "keypair") == 0 ? "keygen" : op);
	struct import_record figure = figure_of_line(line, NAME, name, WORK_OPERATION);
	struct reading reading = reading_of(&number, 1, "cycles");
	figure.metric = METRIC_CYCLES;
	figure.statistic = IMPORT_MEDIAN;
	run_figure(&state->run, sink, line, name);
	tell_readings(sink, &figure, &reading, 1, NULL);
}

static void take_line(void *user, const struct import_line *line, const struct import_sink *sink)
{
	struct context *state = user;
	g_autoptr(GMatchInfo) scheme = NULL;
	g_autoptr(GMatchInfo) cycles = NULL;

	if (pattern_match(&scheme, scheme_line, line->body)) {
		context_group(state, scheme, "name");
		tell_other(sink, line);
	} else if (pattern_match(&cycles, cycles_line, line->body)) {
		tell(state, line, sink, cycles);
	} else if (pattern_match(NULL, "^(?:keypair|encaps|decaps) cycles", line->body)) {
		tell_unread(sink, line, "the line is cut or damaged");
	} else {
		tell_other(sink, line);
	}
}

const struct importer importer_mlkem_native = {NAME, "mlkem-native's bench", "mlkem-native-bench",
	"mlkem-native", recognise, context_begin, take_line, context_finish};
