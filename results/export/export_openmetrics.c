/* OpenMetrics 1.0 text: a family per metric and unit of work, a gauge per figure and statistic, labels for
 * identity, origin and what changes from run to run, and the time when it was measured. */
#include "export_out.h"

#include <math.h>
#include <string.h>

/* Units as OpenMetrics has them: base units in full, plural. */
static const char *unit_of(enum metric metric)
{
	const char *unit = metric_infos[metric].unit;

	if (strcmp(unit, "s") == 0)
		return "seconds";
	if (strcmp(unit, "B") == 0)
		return "bytes";
	return strcmp(unit, "x") == 0 ? "ratio" : unit;
}

/* "benchmatrix_time_per_byte_seconds": its unit last, as it must be. Free with g_free(). */
static char *family_of(enum metric metric, const char *per)
{
	g_autofree char *name = g_strdelimit(g_strdup(metric_infos[metric].name), "-", '_');
	const char *unit = unit_of(metric);
	bool same = strcmp(name, unit) == 0;

	return g_strconcat("benchmatrix", same ? "" : "_", same ? "" : name, per ? "_per_" : "",
		per ? per : "", "_", unit, NULL);
}

static void escaped(GString *text, const char *value)
{
	g_autofree char *valid = g_utf8_make_valid(value, -1);

	for (const char *at = valid; *at; at++) {
		if (*at == '\n')
			g_string_append(text, "\\n");
		else if (*at == '"' || *at == '\\')
			g_string_append_printf(text, "\\%c", *at);
		else
			g_string_append_c(text, *at);
	}
}

/* An empty label is an absent one. */
static void label(GString *text, const char *name, const char *value)
{
	if (!value || !*value)
		return;
	g_string_append_printf(text, "%s=\"", name);
	escaped(text, value);
	g_string_append(text, "\",");
}

static char *labels_of(const struct result *result)
{
	GString *text = g_string_new(NULL);

	for (int i = 0; i < LABEL_COUNT; i++)
		if (i != LABEL_METRIC)
			label(text, label_keys[i], result->what.labels.v[i]);
	label(text, "source", source_names[result->what.source]);
	label(text, "environment", environment_names[result->what.environment]);
	label(text, "kind", kind_names[result->what.kind]);
	label(text, "arch", result->what.arch);
	label(text, "revision", result->what.revision);
	label(text, "compiler", result->compiler);
	label(text, "run", result->run_uuid);
	return g_string_free(text, FALSE);
}

static void gauge(GString *text, const char *family, const char *labels, const char *statistic, double value,
	int64_t time)
{
	if (!isfinite(value))
		return;
	g_string_append_printf(text, "%s{%sstatistic=\"%s\"} ", family, labels, statistic);
	put_number(text, value);
	g_string_append_printf(
		text, " %" G_GINT64_FORMAT ".%03d\n", time / 1000000000, (int)(time % 1000000000 / 1000000));
}

static void figure(GString *text, const char *family, const struct result *result)
{
	const struct figure *figure = &result->figure;
	g_autofree char *labels = labels_of(result);
	int64_t time = result->started_at;

	gauge(text, family, labels, figure_statistic(figure), figure_value(figure), time);
	if (!figure_has_quartiles(result))
		return;
	gauge(text, family, labels, "quartile_1", figure->q1, time);
	gauge(text, family, labels, "quartile_3", figure->q3, time);
}

static void head(GString *text, const char *family, enum metric metric, const char *per)
{
	g_string_append_printf(
		text, "# TYPE %s gauge\n# UNIT %s %s\n# HELP %s ", family, family, unit_of(metric), family);
	escaped(text, metric_infos[metric].summary);
	g_string_append_printf(text, "%s%s\n", per ? ", per " : "", per ? per : "");
}

/* False once something has failed. */
static bool write_family(
	struct export_out *out, const struct export_set *set, enum metric metric, const char *per)
{
	g_autofree char *family = family_of(metric, per);
	bool begun = false;

	for (guint i = 0; i < set->results->len; i++) {
		const struct result *result = set->results->pdata[i];

		if (result->metric != metric || g_strcmp0(figure_per(result), per) != 0)
			continue;
		if (!begun)
			head(out->text, family, metric, per);
		begun = true;
		figure(out->text, family, result);
		out->count.figures++;
		if (!out_room(out))
			return false;
	}
	return true;
}

static void write_all(struct export_out *out, const struct export_set *set)
{
	static const char *const works[] = {"byte", "operation", NULL};

	for (int metric = 0; metric < METRIC_COUNT; metric++)
		for (size_t i = 0; i < G_N_ELEMENTS(works); i++)
			if (!write_family(out, set, (enum metric)metric, works[i]))
				return;
	g_string_append(out->text, "# EOF\n");
}

const struct exporter exporter_openmetrics = {"openmetrics", "OpenMetrics text, for Prometheus and the like",
	"application/openmetrics-text; version=1.0.0; charset=utf-8", NULL, false, write_all};
