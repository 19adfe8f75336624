/* One script that sets one object. Strings are JSON in ASCII: nothing of them ends the script or a line of
 * it. */
#include "report_cells.h"
#include "report_headline.h"
#include "report_pages.h"

#include "arrange.h"
#include "cells.h"
#include "report_page.h"
#include "tables.h"
#include "values.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>

/* Labels that charts choose and tell by. */
static const enum label chosen[] = {
	LABEL_LIBRARY, LABEL_CONFIG, LABEL_TOOLCHAIN, LABEL_PLATFORM, LABEL_BENCHMARK, LABEL_BLOCK};

/* Changes that the chart of bars shows. */
#define BARS 40

struct script {
	GString *text;
	const struct report_model *model;
};

/* As the tables show it, and no tag in it, wherever the script stands. */
static void put_string(GString *text, const char *string)
{
	g_autofree char *line = string ? cell_line(string) : NULL;
	g_autofree char *valid = line ? g_utf8_make_valid(line, -1) : NULL;
	json_t *value = valid ? json_string(valid) : NULL;
	char *json = value ? json_dumps(value, JSON_ENSURE_ASCII | JSON_ENCODE_ANY) : NULL;
	g_autoptr(GString) safe = g_string_new(json ? json : "null");

	g_string_replace(safe, "<", "\\u003C", 0);
	g_string_append_len(text, safe->str, (gssize)safe->len);
	free(json);
	json_decref(value);
}

/* Six digits: more than a chart shows. */
static void put_number(GString *text, double number)
{
	char buffer[G_ASCII_DTOSTR_BUF_SIZE];

	if (!isfinite(number))
		g_string_append(text, "null");
	else
		g_string_append(text, g_ascii_formatd(buffer, sizeof(buffer), "%.6g", number));
}

static void put_comma(GString *text)
{
	char last = text->len > 0 ? text->str[text->len - 1] : '[';

	if (last != '[' && last != '{' && last != ':')
		g_string_append_c(text, ',');
}

static void put_key(GString *text, const char *key)
{
	put_comma(text);
	put_string(text, key);
	g_string_append_c(text, ':');
}

/* --- results: columns of numbers, and what the numbers mean --- */

static const struct result *result_at(const struct script *script, guint i)
{
	return &g_array_index(script->model->results, struct result, i);
}

/* Each label's values once, and for each result which one (-1: none). */
static void put_label(struct script *script, enum label label)
{
	g_autoptr(GHashTable) numbers = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GPtrArray) pointers = values_pointers(script->model->results);
	g_autoptr(GPtrArray) values = values_distinct(pointers, (enum selector_key)label);
	GString *text = script->text;

	put_key(text, label_keys[label]);
	g_string_append(text, "{\"values\":[");
	for (guint i = 0; i < values->len; i++) {
		g_hash_table_insert(numbers, values->pdata[i], GUINT_TO_POINTER(i + 1));
		put_comma(text);
		put_string(text, values->pdata[i]);
	}
	g_string_append(text, "],\"of\":[");
	for (guint i = 0; i < script->model->results->len; i++) {
		const char *value = result_at(script, i)->what.labels.v[label];
		int number = value ? GPOINTER_TO_INT(g_hash_table_lookup(numbers, value)) - 1 : -1;

		g_string_append_printf(text, "%s%d", i > 0 ? "," : "", number);
	}
	g_string_append(text, "]}");
}

static void put_column(struct script *script, const char *key, double (*of)(const struct result *result))
{
	GString *text = script->text;

	put_key(text, key);
	g_string_append_c(text, '[');
	for (guint i = 0; i < script->model->results->len; i++) {
		if (i > 0)
			g_string_append_c(text, ',');
		put_number(text, of(result_at(script, i)));
	}
	g_string_append_c(text, ']');
}

static double value_of(const struct result *result)
{
	return figure_value(&result->figure);
}
static double low_of(const struct result *result)
{
	return result->figure.q1;
}
static double high_of(const struct result *result)
{
	return result->figure.q3;
}
static double metric_of(const struct result *result)
{
	return result->metric;
}
static double build_of(const struct result *result)
{
	return (double)result->build;
}
static double bulk_of(const struct result *result)
{
	return values_work(result) == WORK_BULK;
}
static double source_of(const struct result *result)
{
	return result->what.source;
}
static double environment_of(const struct result *result)
{
	return result->what.environment;
}
static double kind_of(const struct result *result)
{
	return result->what.kind;
}

static void put_results(struct script *script)
{
	put_key(script->text, "labels");
	g_string_append_c(script->text, '{');
	for (size_t l = 0; l < G_N_ELEMENTS(chosen); l++)
		put_label(script, chosen[l]);
	g_string_append_c(script->text, '}');
	put_column(script, "value", value_of);
	put_column(script, "low", low_of);
	put_column(script, "high", high_of);
	put_column(script, "metric", metric_of);
	put_column(script, "build", build_of);
	put_column(script, "bulk", bulk_of);
	put_column(script, "source", source_of);
	put_column(script, "environment", environment_of);
	put_column(script, "kind", kind_of);
}

static void put_names(GString *text, const char *key, const char *const *names, size_t n)
{
	put_key(text, key);
	g_string_append_c(text, '[');
	for (size_t i = 0; i < n; i++) {
		put_comma(text);
		put_string(text, names[i]);
	}
	g_string_append_c(text, ']');
}

static void put_vocabulary(struct script *script)
{
	GString *text = script->text;

	put_names(text, "sources", source_names, SOURCE_COUNT);
	put_names(text, "environments", environment_names, ENVIRONMENT_COUNT);
	put_names(text, "kinds", kind_names, KIND_COUNT);
	put_key(text, "metrics");
	g_string_append_c(text, '[');
	for (int m = 0; m < METRIC_COUNT; m++) {
		put_comma(text);
		g_string_append(text, "{\"name\":");
		put_string(text, metric_infos[m].name);
		g_string_append(text, ",\"unit\":");
		put_string(text, metric_infos[m].unit);
		g_string_append_printf(text, ",\"higher\":%s,\"exact\":%s,\"time\":%s,\"whole\":%s}",
			metric_infos[m].better == BETTER_HIGHER ? "true" : "false",
			metric_infos[m].assume == ASSUME_EXACT ? "true" : "false",
			values_time_like(m) ? "true" : "false",
			*scale_per(m, WORK_OPERATION) == '\0' ? "true" : "false");
	}
	g_string_append_c(text, ']');
}

/* The benchmark that is shown until another is chosen. */
static void put_first(struct script *script)
{
	struct headline headlines[HEADLINES];

	if (headlines_find(headlines, script->model) == 0)
		return;
	g_autofree char *name = headlines[0].block
					? g_strjoin(" ", headlines[0].benchmark, headlines[0].block, NULL)
					: g_strdup(headlines[0].benchmark);
	put_key(script->text, "first");
	put_string(script->text, name);
}

static void put_builds(struct script *script)
{
	GString *text = script->text;

	put_key(text, "builds");
	g_string_append_c(text, '{');
	for (guint i = 0; i < script->model->builds->len; i++) {
		const struct report_build *build = script->model->builds->pdata[i];
		g_autofree char *name = report_build_name(script->model, &build->example->what.labels);
		g_autofree char *id = g_strdup_printf("%" PRId64, build->id);

		put_key(text, id);
		g_string_append(text, "{\"name\":");
		put_string(text, name);
		g_string_append(text, ",\"size\":");
		put_number(text, build->latest_size);
		g_string_append_c(text, '}');
	}
	g_string_append_c(text, '}');
}

/* --- before and after --- */

static void put_bar(
	struct script *script, const struct report_change *change, const struct comparison_row *row)
{
	GString *text = script->text;
	g_autofree char *benchmark = values_benchmark(row->after);
	g_autofree char *build = report_build_name(script->model, &row->after->what.labels);

	put_comma(text);
	g_string_append(text, "{\"benchmark\":");
	put_string(text, benchmark);
	put_key(text, "build");
	put_string(text, build);
	put_key(text, "toolchain");
	put_string(text, row->after->what.labels.v[LABEL_TOOLCHAIN]);
	put_key(text, "ratio");
	put_number(text, row->ratio);
	put_key(text, "low");
	put_number(text, row->evidence.n_before ? row->evidence.ratio.interval.low : NAN);
	put_key(text, "high");
	put_number(text, row->evidence.n_before ? row->evidence.ratio.interval.high : NAN);
	g_string_append_printf(text, ",\"metric\":%d,\"verdict\":", (int)change->metric);
	put_string(text, comparison_word(row));
	g_string_append_printf(text, ",\"series\":%d}", report_index(script->model, row->after));
}

static void put_changes(struct script *script)
{
	GString *text = script->text;

	put_key(text, "changes");
	g_string_append_c(text, '[');
	for (guint c = 0; c < script->model->changes->len; c++) {
		const struct report_change *change = script->model->changes->pdata[c];
		const struct arrangement arrangement = {.sort = ARRANGE_WORST, .changed = true};
		g_autofree char *left_out = NULL;
		g_autoptr(GPtrArray) rows = arrange_rows(change->comparison, &arrangement, &left_out);

		for (guint r = 0; r < rows->len; r++)
			if (r < BARS / 2 || r + BARS / 2 >= rows->len)
				put_bar(script, change, rows->pdata[r]);
	}
	g_string_append_c(text, ']');
}

/* --- history: runs once, each series' values; points at equal value are told by their last --- */

static guint run_number(GHashTable *runs, GPtrArray *order, const struct history_point *point)
{
	gpointer at;

	if (g_hash_table_lookup_extended(runs, point->run_uuid, NULL, &at))
		return GPOINTER_TO_UINT(at);
	g_hash_table_insert(runs, (gpointer)point->run_uuid, GUINT_TO_POINTER(order->len));
	g_ptr_array_add(order, (gpointer)point);
	return order->len - 1;
}

/* What an unbroken level of an exact figure holds in between is known by its two ends. */
static bool can_skip(const struct history_series *series, guint i)
{
	const struct history_point *points = (const struct history_point *)series->points->data;

	return series->exact && i > 0 && i + 1 < series->points->len &&
	       points[i].value == points[i - 1].value && points[i].value == points[i + 1].value;
}

/* Those that alarm: of exact figures each difference is a change, and most are of no weight. */
static void put_level_changes(
	struct script *script, const struct history_series *series, GHashTable *runs, GPtrArray *order)
{
	const struct history_point *points = (const struct history_point *)series->points->data;
	GString *text = script->text;
	bool first = true;

	for (guint c = 0; c < series->changes->len; c++) {
		const struct history_change *change =
			&g_array_index(series->changes, struct history_change, c);

		if (!change->alarms)
			continue;
		g_string_append_printf(text, "%s[%u,%u,", first ? ",\"c\":[" : ",",
			run_number(runs, order, &points[change->before]),
			run_number(runs, order, &points[change->after]));
		put_number(text, change->ratio);
		g_string_append_c(text, ']');
		first = false;
	}
	if (!first)
		g_string_append_c(text, ']');
}

static void put_series(
	struct script *script, const struct history_series *series, GHashTable *runs, GPtrArray *order)
{
	GString *text = script->text;

	g_string_append(text, "{\"x\":[");
	for (guint i = 0; i < series->points->len; i++) {
		const struct history_point *point = &g_array_index(series->points, struct history_point, i);

		if (can_skip(series, i))
			continue;
		put_comma(text);
		g_string_append_printf(text, "%u", run_number(runs, order, point));
	}
	g_string_append(text, "],\"y\":[");
	for (guint i = 0; i < series->points->len; i++) {
		if (can_skip(series, i))
			continue;
		put_comma(text);
		put_number(text, g_array_index(series->points, struct history_point, i).value);
	}
	g_string_append(text, "]");
	put_level_changes(script, series, runs, order);
	g_string_append_c(text, '}');
}

static void put_history(struct script *script)
{
	g_autoptr(GHashTable) runs = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GPtrArray) order = g_ptr_array_new();
	GString *text = script->text;

	put_key(text, "history");
	g_string_append_c(text, '{');
	for (guint i = 0; i < script->model->results->len; i++) {
		const struct history_series *series =
			history_find(script->model->history, result_at(script, i));
		g_autofree char *number = g_strdup_printf("%u", i);

		if (series == NULL || series->points->len < 2)
			continue;
		put_key(text, number);
		put_series(script, series, runs, order);
	}
	g_string_append_c(text, '}');
	put_key(text, "runs");
	g_string_append_c(text, '[');
	for (guint i = 0; i < order->len; i++) {
		const struct history_point *point = order->pdata[i];

		put_comma(text);
		g_string_append_printf(text, "{\"at\":%" PRId64 ",\"run\":", point->started_at / 1000000);
		put_string(text, point->run_uuid);
		put_key(text, "revision");
		put_string(text, point->revision);
		g_string_append_c(text, '}');
	}
	g_string_append_c(text, ']');
}

static bool write_script(struct script *script, const char *name, const char *end, GError **err)
{
	g_string_append(script->text, end);
	bool ok = page_write_file(script->model, name, script->text, err);
	g_string_free(script->text, TRUE);
	return ok;
}

/* Only one page draws histories, which are most of it. */
static bool write_history(const struct report_model *model, GError **err)
{
	struct script script = {g_string_sized_new(1 << 20), model};

	g_string_append(script.text, "Object.assign(window.benchmatrix,{");
	put_history(&script);
	return write_script(&script, "history.js", "});\n", err);
}

bool report_data(const struct report_model *model, GError **err)
{
	struct script script = {g_string_sized_new(1 << 20), model};

	g_string_append(script.text, "window.benchmatrix={");
	put_vocabulary(&script);
	put_first(&script);
	put_results(&script);
	put_builds(&script);
	put_changes(&script);
	return write_script(&script, "data.js", "};\n", err) && write_history(model, err);
}
