#include "publication.h"

#include "jsonx.h"

#include <math.h>
#include <string.h>

/* What a publication says of all its documents. */
struct publication {
	const char *title, *reference;
	int64_t published_at;
	struct jx platforms;
	GPtrArray *documents; /* struct document * */
};

static void free_document(gpointer document)
{
	document_free(document);
}

/* "2018-03-01", in UTC, as ns since 1970; 0 where it is not said. */
static bool read_date(int64_t *ret, struct jx root, GError **err)
{
	const char *text;

	*ret = 0;
	if (!jx_string_or(&text, root, "date", NULL, err))
		return false;
	if (!text)
		return true;
	g_autoptr(GTimeZone) utc = g_time_zone_new_utc();
	g_autofree char *whole = g_strconcat(text, "T00:00:00", NULL);
	g_autoptr(GDateTime) time = g_date_time_new_from_iso8601(whole, utc);
	if (!time)
		return jx_fail(root, err, "the date \"%s\" is not YYYY-MM-DD", text);
	*ret = g_date_time_to_unix(time) * 1000000000;
	return true;
}

static bool read_labels(struct labels *ret, struct jx at, const char *key, GError **err)
{
	struct jx object;

	*ret = (struct labels){{NULL}};
	if (!jx_has(at, key))
		return true;
	if (!jx_object(&object, at, key, err))
		return false;
	for (size_t i = 0; i < jx_size(object); i++) {
		const char *name;
		struct jx value = jx_member_at(object, i, &name);
		int label = label_find(name);
		if (label < 0 || label == LABEL_METRIC || label == LABEL_BENCHMARK || label == LABEL_BLOCK)
			return jx_fail(value, err, "\"%s\" is no label that a publication can give", name);
		if (!jx_as_string(&ret->v[label], value, err))
			return false;
	}
	return true;
}

static bool read_environment(enum environment *ret, struct jx platform, GError **err)
{
	const char *text;

	if (!jx_string(&text, platform, "environment", err))
		return false;
	for (int i = 0; i < ENVIRONMENT_COUNT; i++) {
		if (strcmp(environment_names[i], text) != 0)
			continue;
		*ret = (enum environment)i;
		return true;
	}
	return jx_fail(platform, err, "the environment \"%s\" is none of hardware, emulator, unknown", text);
}

/* Keys and values in turn, NULL-terminated; lent by the document. */
static bool read_facts(GPtrArray *facts, struct jx platform, GError **err)
{
	struct jx object;

	if (!jx_object(&object, platform, "facts", err))
		return false;
	for (size_t i = 0; i < jx_size(object); i++) {
		const char *key, *value;
		struct jx member = jx_member_at(object, i, &key);
		if (!jx_as_string(&value, member, err))
			return false;
		g_ptr_array_add(facts, (gpointer)key);
		g_ptr_array_add(facts, (gpointer)value);
	}
	g_ptr_array_add(facts, NULL);
	return true;
}

static bool read_platform(struct document_source *source, GPtrArray *facts,
	const struct publication *publication, struct jx at, GError **err)
{
	static const char *const keys[] = {"environment", "arch", "clock", "facts", NULL};
	struct jx platform;
	int64_t clock;

	source->environment = ENVIRONMENT_UNKNOWN;
	source->clock = (double)NAN;
	if (!jx_string_or(&source->platform, at, "platform", NULL, err))
		return false;
	if (!source->platform)
		return true;
	if (!jx_has(publication->platforms, source->platform))
		return jx_fail(at, err, "the platform \"%s\" is not among $.platforms", source->platform);
	if (!jx_object(&platform, publication->platforms, source->platform, err) ||
		!jx_only(platform, keys, err) || !read_environment(&source->environment, platform, err) ||
		!jx_string_or(&source->arch, platform, "arch", NULL, err) ||
		!jx_int_or(&clock, platform, "clock", 0, 1, G_GINT64_CONSTANT(1000000000000), err) ||
		!read_facts(facts, platform, err))
		return false;
	source->clock = clock > 0 ? (double)clock : (double)NAN;
	source->platform_facts = (const char *const *)facts->pdata;
	return true;
}

/* --- figures that prose states, as lines of schema/export.md --- */

static void add_line(GString *text, json_t *line)
{
	g_autofree char *flat = json_dumps(line, JSON_COMPACT);

	g_string_append_printf(text, "%s\n", flat);
	json_decref(line);
}

/* The figure's labels: its own, and the metric. */
static json_t *figure_labels(struct jx figure)
{
	json_t *labels = json_object();

	for (int i = LABEL_BENCHMARK; i < LABEL_COUNT; i++) {
		json_t *text = json_object_get(figure.json, label_keys[i]);
		if (text)
			json_object_set(labels, label_keys[i], text);
	}
	return labels;
}

/* Values under the statistics that were printed; a figure has one to three. */
static bool add_values(json_t *line, struct jx figure, GError **err)
{
	static const char *const statistics[][2] = {
		{"mean", "mean"}, {"best", "min"}, {"median", "median"}, {"worst", "max"}};
	static const char *const keys[] = {"mean", "best", "median", "worst", NULL};
	static const char *const inner[] = {"value", "printed", NULL};
	json_t *printed = json_array();
	struct jx values;

	json_object_set_new(line, "printed", printed);
	if (!jx_object(&values, figure, "values", err) || !jx_only(values, keys, err))
		return false;
	for (size_t i = 0; i < G_N_ELEMENTS(statistics); i++) {
		struct jx value;
		const char *text;
		if (!jx_has(values, statistics[i][0]))
			continue;
		if (!jx_object(&value, values, statistics[i][0], err) || !jx_only(value, inner, err) ||
			!jx_string(&text, value, "printed", err))
			return false;
		if (!(json_number_value(json_object_get(value.json, "value")) > 0))
			return jx_fail(value, err, "\"value\" must be a number above 0");
		json_object_set(line, statistics[i][1], json_object_get(value.json, "value"));
		json_array_append_new(
			printed, json_pack("{s:s,s:s,s:O,s:O}", "statistic", statistics[i][0], "text", text,
					 "unit", json_object_get(figure.json, "unit"), "name",
					 json_object_get(figure.json, "name")));
	}
	return true;
}

static bool add_figure(GString *text, struct jx figure, enum environment environment, GError **err)
{
	static const char *const keys[] = {"name", "benchmark", "block", "threads", "engine", "async",
		"metric", "kind", "per", "unit", "values", NULL};
	const char *name, *benchmark, *metric, *kind, *per, *unit;

	if (!jx_only(figure, keys, err) || !jx_string(&name, figure, "name", err) ||
		!jx_string(&benchmark, figure, "benchmark", err) ||
		!jx_string(&metric, figure, "metric", err) ||
		!jx_string_or(&kind, figure, "kind", "sampled", err) ||
		!jx_string_or(&per, figure, "per", NULL, err) || !jx_string(&unit, figure, "unit", err))
		return false;
	if (metric_find(metric) < 0)
		return jx_fail(figure, err, "the metric \"%s\" is unknown", metric);
	if (per && benchmark_find(benchmark) < 0)
		return jx_fail(figure, err, "the benchmark \"%s\" is unknown", benchmark);

	json_t *line = json_pack("{s:s,s:o,s:s,s:s}", "r", "figure", "labels", figure_labels(figure),
		"environment", environment_names[environment], "kind", kind);
	if (per)
		json_object_set_new(line, "per", json_string(per));
	bool ok = add_values(line, figure, err);
	add_line(text, line);
	return ok;
}

static bool figures_text(GString *text, struct jx document, enum environment environment, GError **err)
{
	struct jx figures;
	json_t *notes = json_object_get(document.json, "notes");

	add_line(text, json_pack("{s:s,s:i}", "r", "export", "version", 1));
	add_line(text, json_pack("{s:s,s:{},s:O*}", "r", "attempt", "labels", "notes", notes));
	if (!jx_array(&figures, document, "figures", err))
		return false;
	for (size_t i = 0; i < jx_size(figures); i++)
		if (!add_figure(text, jx_at(figures, i), environment, err))
			return false;
	add_line(text, json_pack("{s:s,s:I,s:I}", "r", "end", "figures", (json_int_t)jx_size(figures),
			       "records", (json_int_t)jx_size(figures) + 2));
	return true;
}

/* --- documents --- */

static bool lines_text(GString *text, struct jx document, GError **err)
{
	g_auto(GStrv) lines = NULL;

	if (!jx_strings_or_empty(&lines, document, "lines", err))
		return false;
	for (char **line = lines; *line; line++)
		g_string_append_printf(text, "%s\n", *line);
	return true;
}

static bool read_document(const struct publication *publication, struct jx at, GError **err)
{
	static const char *const keys[] = {"title", "platform", "compiler", "revision", "labels", "before",
		"format", "lines", "figures", "notes", NULL};
	g_autoptr(GPtrArray) facts = g_ptr_array_new();
	g_autoptr(GString) text = g_string_new(NULL);
	struct document_source source = {.reference = publication->reference,
		.source = SOURCE_PUBLISHED,
		.published_at = publication->published_at};
	const char *title;

	if (!jx_only(at, keys, err) || !jx_string_or(&title, at, "title", NULL, err) ||
		!jx_string_or(&source.format, at, "format", NULL, err) ||
		!jx_string_or(&source.compiler, at, "compiler", NULL, err) ||
		!jx_string_or(&source.revision, at, "revision", NULL, err) ||
		!read_labels(&source.labels, at, "labels", err) ||
		!read_labels(&source.before, at, "before", err) ||
		!read_platform(&source, facts, publication, at, err))
		return false;
	bool stated = jx_has(at, "figures");
	if (stated == jx_has(at, "lines") || stated == (source.format != NULL))
		return jx_fail(at, err, "either \"lines\" with their \"format\", or \"figures\"");
	if (stated)
		source.format = "benchmatrix";
	g_autofree char *name =
		title ? g_strdup_printf("%s: %s", publication->title, title) : g_strdup(publication->title);
	source.name = name;
	struct document *document;
	if (!(stated ? figures_text(text, at, source.environment, err) : lines_text(text, at, err)))
		return false;
	if (!document_read(&document, &source, text->str, text->len, err)) {
		g_prefix_error(err, "%s: %s: ", jx_file(at), at.path);
		return false;
	}
	g_ptr_array_add(publication->documents, document);
	return true;
}

static bool read_documents(GPtrArray *documents, struct jx root, GError **err)
{
	static const char *const keys[] = {
		"title", "reference", "date", "summary", "platforms", "documents", NULL};
	struct publication publication = {.documents = documents};
	struct jx all;
	const char *summary;

	if (!jx_only(root, keys, err) || !jx_string(&publication.title, root, "title", err) ||
		!jx_string(&publication.reference, root, "reference", err) ||
		!jx_string_or(&summary, root, "summary", NULL, err) ||
		!read_date(&publication.published_at, root, err) ||
		!jx_object(&publication.platforms, root, "platforms", err) ||
		!jx_array(&all, root, "documents", err))
		return false;
	for (size_t i = 0; i < jx_size(all); i++)
		if (!read_document(&publication, jx_at(all, i), err))
			return false;
	return true;
}

bool publication_read(GPtrArray **ret, const char *file, GError **err)
{
	struct jx_document *json = jx_load(file, err);
	g_autoptr(GPtrArray) documents = g_ptr_array_new_with_free_func(free_document);

	if (!json)
		return false;
	bool ok = read_documents(documents, jx_root(json), err);
	jx_document_free(json);
	if (ok)
		*ret = g_steal_pointer(&documents);
	return ok;
}
