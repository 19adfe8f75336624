#include "context.h"

#include <math.h>

void *context_begin(void)
{
	struct context *context = g_new0(struct context, 1);

	context->clock = (double)NAN;
	return context;
}

void context_finish(void *user, const struct import_sink *sink)
{
	struct context *context = user;

	(void)sink;
	run_done(&context->run);
	g_free(context->group);
	g_strfreev(context->columns);
	g_free(context);
}

void context_group(struct context *context, const GMatchInfo *match, const char *group)
{
	g_free(context->group);
	context->group = pattern_text(match, group);
}

void context_clock(struct context *context, const struct import_line *line, const struct import_sink *sink,
	const GMatchInfo *match)
{
	g_autofree char *unit = pattern_text(match, "unit");
	struct number number;
	double scale = 1e6;

	if (!pattern_number(&number, match, "value", NUMBER_COMMA_UNKNOWN) || number.problem) {
		tell_other(sink, line);
		return;
	}
	if (unit)
		scale = g_ascii_toupper(*unit) == 'G'	? 1e9
			: g_ascii_toupper(*unit) == 'M' ? 1e6
			: g_ascii_toupper(*unit) == 'K' ? 1e3
							: 1;
	context->clock = number.value * scale;
	g_autofree char *hertz = g_strdup_printf("%.0f", context->clock);
	tell_fact(sink, line, "clock", hertz);
}
