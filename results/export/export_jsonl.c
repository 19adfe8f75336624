/* Our own format: schema/export.md. */
#include "export_out.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT_VERSION 1
#define LINE_MAX_BYTES 65536
/* So many numbers of 24 bytes and a comma fit into a line. */
#define VALUES_PER_LINE 2500

struct writer {
	struct export_out *out;
	GString *text;
	size_t lines;
};

static void begin(struct writer *writer, const char *record)
{
	g_string_append_printf(writer->text, "{\"r\":\"%s\"", record);
}

static void end(struct writer *writer)
{
	g_string_append(writer->text, "}\n");
	writer->lines++;
}

static void key(struct writer *writer, const char *name)
{
	g_string_append_printf(writer->text, ",\"%s\":", name);
}

static void text(struct writer *writer, const char *name, const char *value)
{
	if (!value)
		return;
	key(writer, name);
	put_json(writer->text, value);
}

static void number(struct writer *writer, const char *name, double value)
{
	if (!isfinite(value))
		return;
	key(writer, name);
	put_number(writer->text, value);
}

static void whole(struct writer *writer, const char *name, int64_t value)
{
	g_string_append_printf(writer->text, ",\"%s\":%" PRId64, name, value);
}

static void labels(struct writer *writer, const struct labels *set)
{
	const char *comma = "";

	g_string_append(writer->text, ",\"labels\":{");
	for (int i = 0; i < LABEL_COUNT; i++) {
		if (!set->v[i])
			continue;
		g_string_append_printf(writer->text, "%s\"%s\":", comma, label_keys[i]);
		put_json(writer->text, set->v[i]);
		comma = ",";
	}
	g_string_append_c(writer->text, '}');
}

/* --- attempts --- */

static void platform(struct writer *writer, const struct attempt_context *context)
{
	if (!context->platform_uuid)
		return;
	g_string_append(writer->text, ",\"platform\":{\"uuid\":");
	put_json(writer->text, context->platform_uuid);
	text(writer, "environment", context->platform_environment);
	for (guint i = 0; i + 1 < context->platform_facts->len; i += 2) {
		g_string_append(writer->text, i > 0 ? "," : ",\"facts\":{");
		put_json(writer->text, context->platform_facts->pdata[i]);
		g_string_append_c(writer->text, ':');
		put_json(writer->text, context->platform_facts->pdata[i + 1]);
	}
	g_string_append(writer->text, context->platform_facts->len > 0 ? "}}" : "}");
}

/* What the program said, without what belongs to its stream, or is here already; not where the line would get
 * too long by it. */
static void facts(struct writer *writer, const char *object, size_t line_start)
{
	static const char *const left_out[] = {"r", "wire", "invocation", "build"};
	json_t *json = object ? json_loads(object, 0, NULL) : NULL;

	if (!json_is_object(json)) {
		json_decref(json);
		return;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(left_out); i++)
		json_object_del(json, left_out[i]);
	char *dumped = json_dumps(json, JSON_COMPACT | JSON_ENSURE_ASCII);
	if (dumped && writer->text->len - line_start + strlen(dumped) + 16 < LINE_MAX_BYTES)
		g_string_append_printf(writer->text, ",\"facts\":%s", dumped);
	free(dumped);
	json_decref(json);
}

static void notes(struct writer *writer, const char *const *list)
{
	if (!*list)
		return;
	key(writer, "notes");
	for (size_t i = 0; list[i]; i++) {
		g_string_append_c(writer->text, i > 0 ? ',' : '[');
		put_json(writer->text, list[i]);
	}
	g_string_append_c(writer->text, ']');
}

static void document(struct writer *writer, const struct attempt_context *context)
{
	if (!context->importer)
		return;
	g_string_append(writer->text, ",\"document\":{\"name\":");
	put_json(writer->text, context->document);
	text(writer, "importer", context->importer);
	text(writer, "reference", context->reference);
	g_string_append_c(writer->text, '}');
}

static void attempt(struct writer *writer, const struct result *result, const struct attempt_context *context)
{
	size_t start = writer->text->len;

	begin(writer, "attempt");
	text(writer, "attempt", context->uuid);
	text(writer, "run", result->run_uuid);
	text(writer, "run_label", result->run_label);
	text(writer, "matrix", context->matrix);
	g_string_append(writer->text, ",\"time\":\"");
	put_time(writer->text, result->started_at);
	g_string_append_c(writer->text, '"');
	labels(writer, &context->labels);
	text(writer, "arch", result->what.arch);
	text(writer, "revision", result->what.revision);
	text(writer, "parent", context->parent);
	text(writer, "compiler", result->compiler);
	text(writer, "configure_line", context->configure_line);
	text(writer, "optimisation_effective", result->optimisation_effective);
	text(writer, "math", result->math);
	text(writer, "code_sha256", context->code_sha256);
	text(writer, "library_version", context->library_version);
	text(writer, "emulator", result->emulator);
	platform(writer, context);
	document(writer, context);
	notes(writer, result->notes);
	if (result->carried)
		g_string_append(writer->text, ",\"carried\":true");
	facts(writer, context->facts, start);
	end(writer);
}

/* --- figures --- */

static void statistics(struct writer *writer, const struct figure *figure)
{
	if (figure->n > 0)
		whole(writer, "n", figure->n);
	if (figure->n == 1) {
		number(writer, "median", figure->median);
		return;
	}
	number(writer, "min", figure->min);
	number(writer, "q1", figure->q1);
	number(writer, "median", figure->median);
	number(writer, "q3", figure->q3);
	number(writer, "max", figure->max);
	number(writer, "mean", figure->mean);
	number(writer, "sd", figure->sd);
}

static double statistic_of(const struct figure *figure, const char *name)
{
	if (strcmp(name, "mean") == 0)
		return figure->mean;
	if (strcmp(name, "best") == 0)
		return figure->min;
	return strcmp(name, "median") == 0 ? figure->median : figure->max;
}

/* Whether it is only what the line says anyway. */
static bool is_no_news(const struct printing *printing, const struct result *result)
{
	double value = statistic_of(&result->figure, printing->statistic);
	g_autofree char *unit = figure_unit(result);
	g_autoptr(GString) decimal = g_string_new(NULL);

	if (!isfinite(value))
		return false;
	put_number(decimal, value);
	return strcmp(printing->text, decimal->str) == 0 && strcmp(printing->unit, unit) == 0 &&
	       g_strcmp0(printing->name, result->what.labels.v[LABEL_BENCHMARK]) == 0;
}

static void printed(struct writer *writer, const struct result *result, const GPtrArray *printings)
{
	const char *before = ",\"printed\":[";

	for (guint i = 0; i < printings->len; i++) {
		const struct printing *printing = printings->pdata[i];

		if (is_no_news(printing, result))
			continue;
		g_string_append_printf(writer->text, "%s{\"statistic\":\"%s\"", before, printing->statistic);
		text(writer, "text", printing->text);
		text(writer, "unit", *printing->unit ? printing->unit : NULL);
		text(writer, "name", printing->name);
		if (printing->line > 0)
			whole(writer, "line", printing->line);
		g_string_append_c(writer->text, '}');
		before = ",";
	}
	if (strcmp(before, ",") == 0)
		g_string_append_c(writer->text, ']');
}

static guint sets_of(const struct sample_list *samples)
{
	guint sets = 0;

	for (guint i = 0; samples && i < samples->sets->len; i++)
		sets += g_array_index(samples->sets, struct sample_set, i).n > 0;
	return sets;
}

static void sample_line(struct writer *writer, const struct sample_set *set, size_t from)
{
	size_t to = MIN(set->n, from + VALUES_PER_LINE);

	begin(writer, "samples");
	whole(writer, "invocation", set->invocation);
	g_string_append_printf(writer->text, ",\"iterations\":%" PRIu64 ",\"values\":", set->iterations);
	for (size_t i = from; i < to; i++) {
		g_string_append_c(writer->text, i > from ? ',' : '[');
		put_number(writer->text, set->values[i]);
	}
	g_string_append(writer->text, to < set->n ? "],\"more\":true" : "]");
	end(writer);
}

static void sample_lines(struct writer *writer, const struct sample_list *samples)
{
	for (guint i = 0; samples && i < samples->sets->len; i++) {
		const struct sample_set *set = &g_array_index(samples->sets, struct sample_set, i);
		for (size_t from = 0; from < set->n; from += VALUES_PER_LINE)
			sample_line(writer, set, from);
	}
}

static void figure(struct writer *writer, const struct result *result, const struct attempt_context *context,
	const GPtrArray *printings, const struct sample_list *samples)
{
	guint sets = sets_of(samples);

	begin(writer, "figure");
	text(writer, "attempt", context->uuid);
	labels(writer, &result->what.labels);
	text(writer, "source", source_names[result->what.source]);
	text(writer, "environment", environment_names[result->what.environment]);
	text(writer, "kind", kind_names[result->what.kind]);
	text(writer, "unit", metric_infos[result->metric].unit);
	text(writer, "per", figure_per(result));
	statistics(writer, &result->figure);
	printed(writer, result, printings);
	if (sets > 0)
		whole(writer, "samples", sets);
	end(writer);
	sample_lines(writer, samples);
	writer->out->count.figures++;
}

/* --- the whole --- */

struct place {
	gint64 attempt; /* in order of first figures */
	const struct result *result;
};

static gint by_attempt(gconstpointer a, gconstpointer b)
{
	const struct place *x = a, *y = b;

	if (x->attempt != y->attempt)
		return x->attempt < y->attempt ? -1 : 1;
	return x->result < y->result ? -1 : x->result > y->result; /* places in one array, which is sorted */
}

/* The figures of an attempt together, so that it is told once. GArray of struct place. */
static GArray *in_order(const struct export_set *set)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(g_int64_hash, g_int64_equal);
	GArray *places = g_array_sized_new(FALSE, FALSE, sizeof(struct place), set->results->len);

	for (guint i = 0; i < set->results->len; i++) {
		struct place place = {.result = set->results->pdata[i]};
		gpointer number = g_hash_table_lookup(seen, &place.result->attempt);
		if (!number) {
			number = GUINT_TO_POINTER(g_hash_table_size(seen) + 1);
			g_hash_table_insert(seen, (gpointer)&place.result->attempt, number);
		}
		place.attempt = GPOINTER_TO_UINT(number);
		g_array_append_val(places, place);
	}
	g_array_sort(places, by_attempt);
	return places;
}

static bool one(struct writer *writer, const struct result *result, bool first_of_attempt)
{
	struct export_out *out = writer->out;
	const struct attempt_context *context = out_context(out, result);
	g_autoptr(GPtrArray) printings = out_printings(out, result);
	struct sample_list *samples = out->options->samples ? out_samples(out, result) : NULL;

	if (!out->error) {
		if (first_of_attempt)
			attempt(writer, result, context);
		figure(writer, result, context, printings, samples);
	}
	sample_list_free(samples);
	return out_room(out);
}

static void write_all(struct export_out *out, const struct export_set *set)
{
	struct writer writer = {.out = out, .text = out->text};
	g_autoptr(GArray) places = in_order(set);
	gint64 attempt_before = 0;

	begin(&writer, "export");
	whole(&writer, "version", FORMAT_VERSION);
	text(&writer, "program", out->options->program);
	text(&writer, "selector", set->selector);
	end(&writer);
	for (guint i = 0; i < places->len; i++) {
		const struct place *place = &g_array_index(places, struct place, i);
		if (!one(&writer, place->result, place->attempt != attempt_before))
			return;
		attempt_before = place->attempt;
	}
	begin(&writer, "end");
	whole(&writer, "figures", (int64_t)out->count.figures);
	whole(&writer, "records", (int64_t)writer.lines);
	end(&writer);
}

const struct exporter exporter_jsonl = {"jsonl",
	"JSON lines with everything that is known of each figure, for `import` and other programs",
	"application/x-ndjson", NULL, true, write_all};
