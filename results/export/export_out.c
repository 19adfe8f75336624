#include "export_out.h"

#include "decimal.h"
#include "values.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MUCH 65536

bool out_room(struct export_out *out)
{
	if (!out->error && out->text->len >= MUCH) {
		out->target->take(out->target->user, out->text->str, out->text->len, &out->error);
		g_string_truncate(out->text, 0);
	}
	return out->error == NULL;
}

const struct attempt_context *out_context(struct export_out *out, const struct result *result)
{
	if (out->context && out->context_of == result->attempt)
		return out->context;
	attempt_context_free(g_steal_pointer(&out->context));
	if (out->error ||
		!store_attempt_context(out->store, &out->context, result->attempt, result->cell, &out->error))
		return NULL;
	out->context_of = result->attempt;
	return out->context;
}

GPtrArray *out_printings(struct export_out *out, const struct result *result)
{
	GPtrArray *printings = NULL;

	/* What was measured here was never printed. */
	if (result->what.source == SOURCE_OWN)
		return g_ptr_array_new();
	if (!out->error)
		store_printings(out->store, &printings, result->measurement, &out->error);
	return printings;
}

struct sample_list *out_samples(struct export_out *out, const struct result *result)
{
	struct sample_list *list = NULL;

	if (!out->error)
		store_sample_sets(out->store, &list, result->measurement, &out->error);
	return list;
}

void put_number(GString *text, double number)
{
	char buffer[DECIMAL_SIZE];

	decimal_shortest(buffer, number);
	g_string_append(text, buffer);
}

void put_computed(GString *text, double number)
{
	char buffer[G_ASCII_DTOSTR_BUF_SIZE];

	g_string_append(text, g_ascii_formatd(buffer, sizeof(buffer), "%.12g", number));
}

void put_json(GString *text, const char *string)
{
	g_autofree char *valid = g_utf8_make_valid(string, -1);
	json_t *json = json_string(valid);
	char *dumped = json_dumps(json, JSON_ENCODE_ANY | JSON_ENSURE_ASCII);

	g_string_append(text, dumped);
	free(dumped);
	json_decref(json);
}

void put_time(GString *text, int64_t time)
{
	int64_t second = time / 1000000000, rest = time % 1000000000;

	if (rest < 0) {
		rest += 1000000000;
		second--;
	}
	g_autoptr(GDateTime) date = g_date_time_new_from_unix_utc(second);
	g_autofree char *to_second = date ? g_date_time_format(date, "%Y-%m-%dT%H:%M:%S") : NULL;
	g_string_append_printf(text, "%s.%09dZ", to_second ? to_second : "1970-01-01T00:00:00", (int)rest);
}

const char *figure_per(const struct result *result)
{
	if (metric_is_whole(result->metric))
		return NULL;
	return values_work(result) == WORK_BULK ? "byte" : "operation";
}

static const char *per_suffix(const struct result *result)
{
	const char *per = figure_per(result);

	return !per ? "" : strcmp(per, "byte") == 0 ? "/B" : "/op";
}

char *figure_unit(const struct result *result)
{
	return g_strconcat(metric_infos[result->metric].unit, per_suffix(result), NULL);
}

double figure_block(const struct result *result)
{
	const char *block = result->what.labels.v[LABEL_BLOCK];
	guint64 bytes;

	if (!block || !g_ascii_string_to_unsigned(block, 10, 1, G_MAXUINT32, &bytes, NULL))
		return 0;
	return (double)bytes;
}

/* Whether a figure per byte is told as one per call. */
static bool is_told_per_call(const struct result *result)
{
	return g_strcmp0(figure_per(result), "byte") == 0 && figure_block(result) > 0 &&
	       metric_infos[result->metric].assume == ASSUME_SAMPLED;
}

void put_per_call(GString *text, const struct result *result, double value)
{
	double factor = is_told_per_call(result) ? figure_block(result) : 1;

	if (result->metric == METRIC_TIME)
		factor *= 1e9;
	if (factor == 1)
		put_number(text, value);
	else
		put_computed(text, value * factor);
}

char *figure_per_call_unit(const struct result *result)
{
	return g_strconcat(result->metric == METRIC_TIME ? "ns" : metric_infos[result->metric].unit,
		is_told_per_call(result) ? "/op" : per_suffix(result), NULL);
}

void put_name(GString *text, const struct result *result)
{
	const struct labels *labels = &result->what.labels;

	g_string_append(text, labels->v[LABEL_BENCHMARK] ? labels->v[LABEL_BENCHMARK] : "-");
	for (int i = 0; i < LABEL_COUNT; i++)
		if (labels->v[i] && i != LABEL_BENCHMARK && i != LABEL_METRIC)
			g_string_append_printf(text, " %s=%s", label_keys[i], labels->v[i]);
	g_string_append_printf(text, " source=%s environment=%s kind=%s", source_names[result->what.source],
		environment_names[result->what.environment], kind_names[result->what.kind]);
}

bool figure_has_quartiles(const struct result *result)
{
	const struct figure *figure = &result->figure;

	return figure->n > 1 && isfinite(figure->q1) && isfinite(figure->q3);
}
