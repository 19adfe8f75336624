/* What `benchmatrix export` writes (schema/export.md). */
#include "intake.h"
#include "own_figure.h"
#include "telling.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#define NAME	"benchmatrix"
#define VERSION 1

/* A figure whose samples may still come. */
struct pending {
	json_t *json; /* its line; NULL: none */
	size_t line;
	GArray *sets; /* struct sample_set, values owned */
	bool more;    /* the next samples line goes on with the last set */
};

struct exported {
	struct pending pending;
	json_t *labels; /* of the attempt in hand; NULL: none */
	json_int_t lines, figures;
	bool told; /* a figure since the last attempt */
	bool begun, refused, ended;
};

static void clear_set(gpointer set)
{
	g_free((gpointer)((struct sample_set *)set)->values);
}

static void *begin(void)
{
	struct exported *exported = g_new0(struct exported, 1);

	exported->pending.sets = g_array_new(FALSE, FALSE, sizeof(struct sample_set));
	g_array_set_clear_func(exported->pending.sets, clear_set);
	return exported;
}

static int recognise(const struct import_line *line)
{
	static const char *const heads[] = {"{\"r\":\"export\",", "{\"r\":\"attempt\",", "{\"r\":\"figure\",",
		"{\"r\":\"samples\",\"invocation\":"};

	for (size_t i = 0; i < G_N_ELEMENTS(heads); i++)
		if (g_str_has_prefix(line->text, heads[i]))
			return 10;
	return 0;
}

static const char *text_at(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static double number_at(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

/* The index of the text among names, or -1. */
static int index_of(const char *text, const char *const *names, int n)
{
	for (int i = 0; text && i < n; i++)
		if (strcmp(names[i], text) == 0)
			return i;
	return -1;
}

/* --- figures --- */

static struct figure figure_at(const json_t *json)
{
	struct figure figure = {
		.n = json_integer_value(json_object_get(json, "n")),
		.min = number_at(json, "min"),
		.q1 = number_at(json, "q1"),
		.median = number_at(json, "median"),
		.q3 = number_at(json, "q3"),
		.max = number_at(json, "max"),
		.mean = number_at(json, "mean"),
		.sd = number_at(json, "sd"),
	};

	if (figure.n == 1)
		figure.min = figure.max = figure.mean = figure.median;
	return figure;
}

/* The labels of the series that its attempt does not give, and the benchmark. */
static struct labels labels_at(const struct exported *exported, const json_t *json)
{
	struct labels labels = {{NULL}};
	const json_t *own = json_object_get(json, "labels");

	for (int i = 0; i < LABEL_METRIC; i++) {
		const char *text = text_at(own, label_keys[i]);
		const char *shared = text_at(exported->labels, label_keys[i]);
		/* Sizes are of the whole build, which is no benchmark of the list. */
		if (i == LABEL_BENCHMARK && text && text_at(json, "per") && benchmark_find(text) < 0)
			continue;
		if (i >= LABEL_BENCHMARK || g_strcmp0(text, shared) != 0)
			labels.v[i] = text;
	}
	return labels;
}

/* What keeps a figure's line from being understood; NULL where nothing does. */
static const char *unusable(const json_t *json)
{
	const json_t *labels = json_object_get(json, "labels");
	const char *metric = text_at(labels, "metric");
	struct figure figure = figure_at(json);

	if (!text_at(labels, "benchmark") || !metric)
		return "a figure without benchmark or metric";
	if (metric_find(metric) < 0)
		return "an unknown metric";
	if (index_of(text_at(json, "kind"), kind_names, KIND_COUNT) < 0 ||
		index_of(text_at(json, "environment"), environment_names, ENVIRONMENT_COUNT) < 0)
		return "an unknown kind or environment";
	if (figure.n < 0)
		return "a negative number of samples";
	return isnan(figure_value(&figure)) ? "a figure without a value" : NULL;
}

/* Once for each number that was printed of it, the value itself where none was. */
static void tell_printed(const struct import_sink *sink, struct import_record *record, const json_t *printed,
	double value, bool whole)
{
	static const char *const statistics[IMPORT_STATISTIC_COUNT] = {[IMPORT_MEAN] = "mean",
		[IMPORT_BEST] = "best",
		[IMPORT_MEDIAN] = "median",
		[IMPORT_WORST] = "worst"};
	const double values[IMPORT_STATISTIC_COUNT] = {[IMPORT_MEAN] = record->figure->mean,
		[IMPORT_BEST] = record->figure->min,
		[IMPORT_MEDIAN] = record->figure->median,
		[IMPORT_WORST] = record->figure->max};
	int statistic = index_of(text_at(printed, "statistic"), statistics, IMPORT_STATISTIC_COUNT);

	if (statistic >= 0) {
		const char *name = text_at(printed, "name");
		const char *text = text_at(printed, "text"), *unit = text_at(printed, "unit");
		record->statistic = (enum import_statistic)statistic;
		record->printed = text ? text : "";
		record->unit = unit ? unit : "";
		record->name = name ? name : record->name;
		value = values[statistic];
	}
	record->value = value;
	record->problem = own_problem(value, whole);
	sink->take(record, sink->user);
}

static void tell_figure(
	struct exported *exported, const struct import_sink *sink, const struct import_line *line)
{
	const json_t *json = exported->pending.json, *printed = json_object_get(json, "printed");
	const json_t *series = json_object_get(json, "labels");
	const char *per = text_at(json, "per");
	enum work work = g_strcmp0(per, "byte") == 0 ? WORK_BULK : WORK_OPERATION;
	enum metric metric = (enum metric)metric_find(text_at(series, "metric"));
	enum environment environment = (enum environment)index_of(
		text_at(json, "environment"), environment_names, ENVIRONMENT_COUNT);
	struct figure figure = figure_at(json);
	struct own_figure own = own_figure_of(&figure, metric, work, !per);
	struct import_record record = {
		.kind = IMPORT_FIGURE,
		.line = line->number,
		.text = line->text,
		.name = text_at(series, "benchmark"),
		.labels = labels_at(exported, json),
		.metric = metric,
		.work = work,
		.figure_kind = (enum kind)index_of(text_at(json, "kind"), kind_names, KIND_COUNT),
		.statistic = own.statistic,
		.error = (double)NAN,
		.printed = own.printed,
		.unit = own.unit,
		.figure = &figure,
		.samples = (const struct sample_set *)(const void *)exported->pending.sets->data,
		.n_samples = exported->pending.sets->len,
		.environment = &environment,
	};

	for (size_t i = 0; i < json_array_size(printed) || i == 0; i++)
		tell_printed(sink, &record, json_array_get(printed, i), figure_value(&figure), !per);
	g_free(own.unit);
}

static void tell_without_samples(
	struct exported *exported, const struct import_sink *sink, const struct import_line *line)
{
	tell_unread(sink, line, "samples of the figure are missing");
	g_array_set_size(exported->pending.sets, 0);
	tell_figure(exported, sink, line);
}

static bool is_of_its_samples(const struct pending *pending)
{
	g_autoptr(GArray) values = g_array_new(FALSE, FALSE, sizeof(double));
	struct figure told = figure_at(pending->json);

	for (guint i = 0; i < pending->sets->len; i++) {
		const struct sample_set *set = &g_array_index(pending->sets, struct sample_set, i);

		g_array_append_vals(values, set->values, (guint)set->n);
	}
	if (values->len == 0)
		return true;
	struct figure computed = figure_of((const double *)(void *)values->data, values->len);
	return figure_follows(&told, &computed);
}

/* Tells the figure whose samples were awaited. One that its own samples contradict is told as that only:
 * which of the two was damaged cannot be known. */
static void flush(struct exported *exported, const struct import_sink *sink)
{
	struct pending *pending = &exported->pending;

	if (!pending->json)
		return;
	struct import_line line = {.text = text_at(json_object_get(pending->json, "labels"), "benchmark"),
		.number = pending->line};
	if (json_integer_value(json_object_get(pending->json, "samples")) != (json_int_t)pending->sets->len ||
		pending->more)
		tell_without_samples(exported, sink, &line);
	else if (!is_of_its_samples(pending))
		tell_unread(sink, &line, "the figure does not follow from its samples");
	else
		tell_figure(exported, sink, &line);
	exported->told = true;
	json_decref(pending->json);
	pending->json = NULL;
	pending->more = false;
	g_array_set_size(pending->sets, 0);
}

static const char *take_figure(struct exported *exported, const struct import_line *line, json_t *json)
{
	const char *problem = unusable(json);

	exported->figures++;
	if (problem)
		return problem;
	exported->pending.json = json_incref(json);
	exported->pending.line = line->number;
	return NULL;
}

/* --- samples --- */

static bool all_numbers(const json_t *values)
{
	for (size_t i = 0; i < json_array_size(values); i++)
		if (!json_is_number(json_array_get(values, i)))
			return false;
	return json_array_size(values) > 0;
}

static struct sample_set *set_of(struct pending *pending, json_int_t invocation, json_int_t iterations)
{
	struct sample_set set = {.invocation = (uint32_t)invocation, .iterations = (uint64_t)iterations};

	if (!pending->more)
		g_array_append_val(pending->sets, set);
	return &g_array_index(pending->sets, struct sample_set, pending->sets->len - 1);
}

static const char *take_samples(struct exported *exported, const json_t *json)
{
	const json_t *values = json_object_get(json, "values");
	json_int_t invocation = json_integer_value(json_object_get(json, "invocation"));
	json_int_t iterations = json_integer_value(json_object_get(json, "iterations"));

	if (!exported->pending.json)
		return "samples without their figure";
	if (!all_numbers(values) || iterations < 1 || invocation < 0 || invocation > G_MAXUINT32)
		return "samples that are no numbers, or of no invocation";

	struct sample_set *set = set_of(&exported->pending, invocation, iterations);
	size_t n = json_array_size(values);
	double *all = g_renew(double, (double *)set->values, set->n + n);
	for (size_t i = 0; i < n; i++)
		all[set->n + i] = json_number_value(json_array_get(values, i));
	set->values = all;
	set->n += n;
	exported->pending.more = json_is_true(json_object_get(json, "more"));
	return NULL;
}

/* --- attempts --- */

/* Each text of the object as a fact, under its key behind the prefix. */
static void tell_texts(
	const struct import_sink *sink, const struct import_line *line, const char *prefix, json_t *object)
{
	const char *key;
	json_t *value;

	json_object_foreach(object, key, value)
	{
		g_autofree char *whole = g_strconcat(prefix, key, NULL);
		if (json_is_string(value) && *json_string_value(value))
			tell_fact(sink, line, whole, json_string_value(value));
	}
}

static void tell_notes(const struct import_sink *sink, const struct import_line *line, const json_t *notes)
{
	for (size_t i = 0; i < json_array_size(notes); i++)
		if (json_is_string(json_array_get(notes, i)))
			tell_fact(sink, line, "note", json_string_value(json_array_get(notes, i)));
}

static void take_attempt(struct exported *exported, const struct import_sink *sink,
	const struct import_line *line, json_t *json)
{
	json_t *platform = json_object_get(json, "platform");

	if (exported->told)
		tell_break(sink, line);
	exported->told = false;
	json_decref(exported->labels);
	exported->labels = json_incref(json_object_get(json, "labels"));
	tell_texts(sink, line, "", exported->labels);
	json_object_del(json, "r");
	tell_texts(sink, line, "", json);
	/* "library" and "version" of the program's own words are under library_version, or in the labels. */
	tell_texts(sink, line, "program-", json_object_get(json, "facts"));
	tell_texts(sink, line, "platform-", platform);
	tell_texts(sink, line, "platform-", json_object_get(platform, "facts"));
	tell_texts(sink, line, "document-", json_object_get(json, "document"));
	tell_notes(sink, line, json_object_get(json, "notes"));
}

/* --- lines --- */

static const char *take_export(struct exported *exported, const json_t *json)
{
	exported->begun = true;
	exported->refused = json_integer_value(json_object_get(json, "version")) != VERSION;
	return exported->refused
		       ? "another version of the format than 1: export it with this program's version"
		       : NULL;
}

static const char *take_end(struct exported *exported, const json_t *json)
{
	exported->ended = true;
	if (json_integer_value(json_object_get(json, "records")) != exported->lines - 1 ||
		json_integer_value(json_object_get(json, "figures")) != exported->figures)
		return "lines before it are missing, or are there twice";
	return NULL;
}

/* Why the line is not understood; NULL where it is. */
static const char *take_json(struct exported *exported, const struct import_line *line,
	const struct import_sink *sink, json_t *json)
{
	const char *r = text_at(json, "r");

	exported->lines++;
	if (!r)
		return "no object with a key \"r\"";
	if (strcmp(r, "export") == 0)
		return take_export(exported, json);
	if (exported->refused || !exported->begun)
		return exported->begun ? "of another version of the format" : "no export line before it";
	if (strcmp(r, "samples") == 0)
		return take_samples(exported, json);
	flush(exported, sink);
	if (strcmp(r, "figure") == 0)
		return take_figure(exported, line, json);
	if (strcmp(r, "end") == 0)
		return take_end(exported, json);
	if (strcmp(r, "attempt") != 0)
		return "an unknown kind of line";
	take_attempt(exported, sink, line, json);
	return NULL;
}

static void take_line(void *user, const struct import_line *line, const struct import_sink *sink)
{
	struct exported *exported = user;

	if (*line->text != '{') {
		tell_other(sink, line);
		return;
	}
	json_t *json = json_loads(line->text, JSON_REJECT_DUPLICATES, NULL);
	const char *problem = take_json(exported, line, sink, json);
	if (problem)
		tell_unread(sink, line, json ? problem : "no JSON: the line is cut or damaged");
	else if (exported->pending.line != line->number)
		tell_other(sink, line);
	json_decref(json);
}

static void finish(void *user, const struct import_sink *sink)
{
	struct exported *exported = user;
	struct import_line end = {.text = "", .number = (size_t)MAX(exported->lines, 1)};

	flush(exported, sink);
	if (!exported->ended)
		tell_unread(sink, &end, "no end line: the file is cut");
	json_decref(exported->labels);
	g_array_unref(exported->pending.sets);
	g_free(exported);
}

const struct importer importer_benchmatrix = {NAME, "what `benchmatrix export` writes (schema/export.md)",
	"bench-core", NULL, recognise, begin, take_line, finish};
