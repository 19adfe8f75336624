/* Records to parts: where one execution ends and the next begins, and what is known of each. */
#include "document_build.h"
#include "patterns.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

/* What the text says under one key, in the order of the text. */
struct document_fact {
	char *key;
	GPtrArray *values; /* char *, each once */
};

static void fact_free(gpointer data)
{
	struct document_fact *fact = data;

	g_free(fact->key);
	g_ptr_array_unref(fact->values);
	g_free(fact);
}

void document_part_free(gpointer data)
{
	struct document_part *part = data;

	g_array_unref(part->readings);
	g_array_unref(part->measurements);
	g_ptr_array_unref(part->labels_of);
	g_free(part);
}

/* Strings of a document that are equal are one string, as are those of the lists of names. */
static guint hash_labels(gconstpointer data)
{
	const struct labels *labels = data;
	guint hash = 0;

	for (int i = 0; i < LABEL_COUNT; i++)
		hash = hash * 33 + (guint)((uintptr_t)labels->v[i] >> 3);
	return hash;
}

static gboolean equal_labels(gconstpointer a, gconstpointer b)
{
	return memcmp(a, b, sizeof(struct labels)) == 0;
}

const struct labels *document_keep_labels(struct document_builder *builder, const struct labels *labels)
{
	const struct labels *known = g_hash_table_lookup(builder->labels, labels);

	if (!known) {
		known = document_keep_bytes(builder->document, labels, sizeof *labels);
		g_hash_table_add(builder->labels, (gpointer)known);
	}
	return known;
}

struct document_builder *document_builder_new(struct document *document)
{
	struct document_builder *builder = g_new0(struct document_builder, 1);

	builder->document = document;
	builder->facts = g_ptr_array_new_with_free_func(fact_free);
	builder->notes = g_ptr_array_new();
	builder->readings = g_array_new(FALSE, FALSE, sizeof(struct document_reading));
	builder->labels = g_hash_table_new(hash_labels, equal_labels);
	builder->seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	return builder;
}

/* --- facts --- */

static struct document_fact *find_fact(const struct document_builder *builder, const char *key)
{
	for (guint i = 0; i < builder->facts->len; i++) {
		struct document_fact *fact = builder->facts->pdata[i];
		if (strcmp(fact->key, key) == 0)
			return fact;
	}
	return NULL;
}

static void take_fact(struct document_builder *builder, const char *key, const char *value)
{
	struct document_fact *fact = find_fact(builder, key);

	if (!fact) {
		fact = g_new0(struct document_fact, 1);
		fact->key = g_strdup(key);
		fact->values = g_ptr_array_new_with_free_func(g_free);
		g_ptr_array_add(builder->facts, fact);
	}
	if (!g_ptr_array_find_with_equal_func(fact->values, value, g_str_equal, NULL))
		g_ptr_array_add(fact->values, g_strdup(value));
}

/* All that was said under the key, joined; NULL where nothing was. New. */
static char *fact_text(const struct document_builder *builder, const char *key)
{
	const struct document_fact *fact = find_fact(builder, key);
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; fact && i < fact->values->len; i++)
		g_string_append_printf(text, "%s%s", i > 0 ? "; " : "", (char *)fact->values->pdata[i]);
	return fact && text->len > 0 ? g_strdup(text->str) : NULL;
}

static const char *kept_fact(const struct document_builder *builder, const char *key)
{
	g_autofree char *text = fact_text(builder, key);

	return document_keep(builder->document, text);
}

/* The last that was said; NULL. */
static const char *last_fact(const struct document_builder *builder, const char *key)
{
	const struct document_fact *fact = find_fact(builder, key);

	return fact ? fact->values->pdata[fact->values->len - 1] : NULL;
}

static const char *facts_json(const struct document_builder *builder)
{
	json_t *object = json_object();

	for (guint i = 0; i < builder->facts->len; i++) {
		const struct document_fact *fact = builder->facts->pdata[i];
		g_autofree char *text = fact_text(builder, fact->key);
		if (text)
			json_object_set_new(object, fact->key, json_string(text));
	}
	/* For cycles of names that get their benchmark later. */
	if (!isnan(builder->document->source.clock))
		json_object_set_new(object, "clock", json_real(builder->document->source.clock));
	char *json = json_dumps(object, JSON_COMPACT);
	const char *kept = json_object_size(object) > 0 ? document_keep(builder->document, json) : NULL;
	free(json);
	json_decref(object);
	return kept;
}

/* "mbed TLS 2.16.0" is version 2.16.0. New. */
static char *version_in(const char *text)
{
	g_autoptr(GMatchInfo) match = NULL;

	if (text && strchr(text, ' ') && pattern_match(&match, "(?<version>\\d+\\.\\d+[\\w.+-]*)", text))
		return pattern_text(match, "version");
	return g_strdup(text);
}

/* --- parts --- */

static double part_clock(const struct document_builder *builder)
{
	const char *said = last_fact(builder, "clock");

	if (!isnan(builder->document->source.clock))
		return builder->document->source.clock;
	double clock = said ? g_ascii_strtod(said, NULL) : (double)NAN;
	return clock > 0 ? clock : (double)NAN;
}

/* What the user says goes before what the text says, and that before what the format implies. */
static struct labels part_labels(const struct document_builder *builder)
{
	struct document *document = builder->document;
	struct labels labels = {{NULL}};

	for (int i = 0; i < LABEL_BENCHMARK; i++) {
		g_autofree char *version =
			i == LABEL_VERSION ? version_in(last_fact(builder, "version")) : NULL;
		const char *told = version ? version : last_fact(builder, label_keys[i]);
		if (!told && i == LABEL_LIBRARY)
			told = document->importer->library;
		if (!told && i == LABEL_INSTRUMENT)
			told = document->importer->instrument;
		labels.v[i] = document->source.labels.v[i];
		if (!labels.v[i])
			labels.v[i] = document_keep(document, told);
	}
	return labels;
}

static void describe_part(struct document_builder *builder)
{
	struct document *document = builder->document;
	struct document_part *part = builder->part;
	const struct document_source *source = &document->source;
	const char *options = last_fact(builder, "options"), *own = last_fact(builder, "library_version");
	g_autofree char *version = version_in(own ? own : last_fact(builder, "version"));

	part->labels = part_labels(builder);
	part->library_version = document_keep(document, version);
	part->math = kept_fact(builder, "math");
	part->compiler = source->compiler ? source->compiler : kept_fact(builder, "compiler");
	part->arch = source->arch ? source->arch : kept_fact(builder, "arch");
	part->revision = source->revision ? source->revision : kept_fact(builder, "revision");
	part->configure_line = kept_fact(builder, "configure_line");
	if (!part->configure_line && options && strstr(options, "configure"))
		part->configure_line = document_keep(document, options);
	part->facts = facts_json(builder);
}

static void end_part(struct document_builder *builder)
{
	struct document_part *part = builder->part;

	if (!part)
		return;
	describe_part(builder);
	g_ptr_array_add(builder->notes, NULL);
	part->notes = document_keep_bytes(
		builder->document, builder->notes->pdata, builder->notes->len * sizeof(char *));
	g_ptr_array_set_size(builder->notes, 0);
	/* Documents of many parts take memory for what is there, and no more. */
	guint n = builder->readings->len;
	part->readings = g_array_sized_new(FALSE, FALSE, sizeof(struct document_reading), n);
	g_array_append_vals(part->readings, builder->readings->data, n);
	g_array_set_size(builder->readings, 0);
	part->measurements = g_array_sized_new(FALSE, FALSE, sizeof(struct measurement), n);
	part->labels_of = g_ptr_array_sized_new(n);
	document_measure(builder, part, part_clock(builder));
	g_ptr_array_add(builder->document->parts, part);
	g_hash_table_remove_all(builder->seen);
	builder->part = NULL;
}

static void begin_part(struct document_builder *builder, size_t line)
{
	if (builder->part)
		return;
	builder->part = g_new0(struct document_part, 1);
	builder->part->line = line;
}

/* --- figures --- */

char *document_series_key(const struct document_reading *reading)
{
	/* Digits of small numbers: this is done for each figure of large documents. */
	const char origin[] = {'\n', (char)('a' + reading->metric), (char)('a' + reading->kind),
		(char)('a' + reading->environment), '\0'};
	GString *key = g_string_sized_new(128);

	g_string_append(key, reading->labels.v[LABEL_BENCHMARK] ? "" : reading->name);
	for (int i = 0; i < LABEL_METRIC; i++) {
		g_string_append_c(key, '\n');
		if (reading->labels.v[i])
			g_string_append(key, reading->labels.v[i]);
	}
	g_string_append(key, origin);
	return g_string_free(key, FALSE);
}

/* The line's own labels; what the user says of all goes before them, a block only for bulk work. Those of the
 * build and the platform are the part's unless this line alone has one. */
static struct labels reading_labels(struct document *document, const struct import_record *record)
{
	struct labels labels = {{NULL}};

	for (int i = 0; i < LABEL_METRIC; i++) {
		const char *said = document->source.labels.v[i];
		if (i == LABEL_BENCHMARK || (i == LABEL_BLOCK && record->work != WORK_BULK))
			said = NULL;
		if (i > LABEL_BENCHMARK || record->labels.v[i])
			labels.v[i] = said ? said : document_keep(document, record->labels.v[i]);
	}
	return labels;
}

/* Copies that live as long as the document. */
static void keep_samples(
	struct document *document, struct document_reading *reading, const struct import_record *record)
{
	if (!record->figure)
		return;
	reading->figure = document_keep_bytes(document, record->figure, sizeof *record->figure);
	struct sample_set *sets =
		document_keep_bytes(document, record->samples, record->n_samples * sizeof *record->samples);
	for (size_t i = 0; i < record->n_samples; i++)
		sets[i].values = document_keep_bytes(document, record->samples[i].values,
			record->samples[i].n * sizeof *record->samples[i].values);
	reading->samples = sets;
	reading->n_samples = record->n_samples;
}

static struct document_reading reading_of_record(
	struct document *document, const struct import_record *record)
{
	struct document_reading reading = {
		.line = record->line,
		.name = document_keep(document, record->name),
		.labels = reading_labels(document, record),
		.metric = record->metric,
		.work = record->work,
		.kind = record->figure_kind,
		.statistic = record->statistic,
		.environment = record->environment ? *record->environment : document->source.environment,
		.value = record->value,
		.error = record->error,
		.printed = document_keep(document, record->printed),
		.unit = document_keep(document, record->unit ? record->unit : ""),
		.problem = document_keep(document, record->problem),
		.measurement = -1,
	};

	keep_samples(document, &reading, record);
	return reading;
}

static void take_figure(struct document_builder *builder, const struct import_record *record)
{
	struct document *document = builder->document;
	struct document_reading reading = reading_of_record(document, record);
	g_autofree char *series = document_series_key(&reading);
	const char statistic[] = {(char)('a' + reading.statistic), '\0'};
	char *key = g_strconcat(series, statistic, NULL);

	/* What is quarantined never counts, so that it can stand twice. */
	if (!reading.problem && g_hash_table_contains(builder->seen, key))
		end_part(builder);
	begin_part(builder, record->line);
	if (reading.problem)
		g_free(key);
	else
		g_hash_table_add(builder->seen, key);
	g_array_append_val(builder->readings, reading);
	if (!reading.problem && record->note) {
		g_autofree char *note =
			g_strdup_printf("line %zu: %s: %s", record->line, reading.name, record->note);
		g_ptr_array_add(builder->notes, (gpointer)document_keep(document, note));
	}
}

void document_builder_take(const struct import_record *record, void *user)
{
	struct document_builder *builder = user;
	struct document *document = builder->document;

	if (record->kind == IMPORT_FIGURE) {
		take_figure(builder, record);
	} else if (record->kind == IMPORT_FACT && strcmp(record->key, "note") == 0) {
		g_ptr_array_add(builder->notes, (gpointer)document_keep(document, record->fact));
	} else if (record->kind == IMPORT_FACT) {
		take_fact(builder, record->key, record->fact);
	} else if (record->kind == IMPORT_BREAK) {
		end_part(builder);
		g_ptr_array_set_size(builder->facts, 0);
	} else if (record->kind == IMPORT_UNREAD) {
		struct document_remark remark = {record->line, document_keep(document, record->text),
			document_keep(document, record->problem)};
		g_array_append_val(document->remarks, remark);
	} else {
		document->other++;
	}
}

void document_builder_finish(struct document_builder *builder)
{
	end_part(builder);
	g_ptr_array_unref(builder->facts);
	g_ptr_array_unref(builder->notes);
	g_array_unref(builder->readings);
	g_hash_table_unref(builder->labels);
	g_hash_table_unref(builder->seen);
	g_free(builder);
}
