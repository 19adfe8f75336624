/* What github-action-benchmark reads as customSmallerIsBetter: [{name, unit, value, range, extra}]. */
#include "export_out.h"

#include <string.h>

static void extra(GString *text, const struct result *result)
{
	g_autoptr(GString) extra = g_string_new(NULL);

	if (result->figure.n == 1)
		g_string_append(extra, "one value");
	else
		g_string_append(extra, figure_statistic(&result->figure));
	if (result->figure.n > 1)
		g_string_append_printf(extra, " of %" G_GINT64_FORMAT " samples", result->figure.n);
	if (result->what.arch)
		g_string_append_printf(extra, "\narch: %s", result->what.arch);
	if (result->what.revision)
		g_string_append_printf(extra, "\nrevision: %s", result->what.revision);
	if (result->compiler)
		g_string_append_printf(extra, "\ncompiler: %s", result->compiler);
	if (result->emulator)
		g_string_append_printf(extra, "\nemulator: %s", result->emulator);
	for (size_t i = 0; result->notes[i]; i++)
		g_string_append_printf(extra, "\nnote: %s", result->notes[i]);
	g_string_append(text, ", \"extra\": ");
	put_json(text, extra->str);
}

/* Half the distance between the quartiles. */
static void range(GString *text, const struct result *result)
{
	g_autoptr(GString) half = g_string_new("\302\261 ");
	put_per_call(half, result, (result->figure.q3 - result->figure.q1) / 2);
	g_string_append(text, ", \"range\": ");
	put_json(text, half->str);
}

static void entry(GString *text, const struct result *result)
{
	g_autofree char *unit = figure_per_call_unit(result);
	g_autoptr(GString) name = g_string_new(NULL);

	put_name(name, result);
	g_string_append_printf(name, " metric=%s", metric_infos[result->metric].name);
	g_string_append(text, "{\"name\": ");
	put_json(text, name->str);
	g_string_append(text, ", \"unit\": ");
	put_json(text, unit);
	g_string_append(text, ", \"value\": ");
	put_per_call(text, result, figure_value(&result->figure));
	if (figure_has_quartiles(result))
		range(text, result);
	extra(text, result);
	g_string_append_c(text, '}');
}

static void write_all(struct export_out *out, const struct export_set *set)
{
	const char *before = "\n  ";

	g_string_append_c(out->text, '[');
	for (guint i = 0; i < set->results->len && out_room(out); i++) {
		const struct result *result = set->results->pdata[i];

		if (metric_infos[result->metric].better != BETTER_LOWER) {
			out->count.left_out++;
			continue;
		}
		g_string_append(out->text, before);
		entry(out->text, result);
		out->count.figures++;
		before = ",\n  ";
	}
	g_string_append(out->text, "\n]\n");
}

const struct exporter exporter_github_action_benchmark = {"github-action-benchmark",
	"a JSON list for github-action-benchmark (customSmallerIsBetter)", "application/json",
	"figures of which more is better", false, write_all};
