/* A file that bench-core wrote (schema/wire.md): the streams of one or more processes, one after the other.
 */
#include "intake.h"
#include "own_figure.h"
#include "telling.h"
#include "wire_reader.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#define NAME "bench-core"

struct stream {
	struct intake_builder *builder; /* NULL before the first header */
	GHashTable *lines;		/* "name\nblock" to the number of the line that told its outcome */
	char *identity;			/* what the header says of the program */
	size_t last;			/* line */
};

static void *begin(void)
{
	struct stream *stream = g_new0(struct stream, 1);

	stream->lines = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	return stream;
}

static int recognise(const struct import_line *line)
{
	static const char *const heads[] = {"{\"r\":\"header\",", "{\"r\":\"benchmark\",",
		"{\"r\":\"start\",", "{\"r\":\"samples\",\"name\":"};

	for (size_t i = 0; i < G_N_ELEMENTS(heads); i++)
		if (g_str_has_prefix(line->text, heads[i]))
			return 10;
	return 0;
}

static char *key_of(const char *name, const char *block)
{
	return g_strdup_printf("%s\n%s", name, block ? block : "");
}

/* --- what is told when the streams of a program are whole --- */

static void tell_measurement(
	struct stream *stream, const struct import_sink *sink, const struct measurement *measurement)
{
	static const enum environment emulator = ENVIRONMENT_EMULATOR;
	g_autofree char *key = key_of(measurement->benchmark, measurement->block);
	int benchmark = benchmark_find(measurement->benchmark);
	enum work work = benchmark >= 0 ? benchmark_infos[benchmark].work : WORK_OPERATION;
	struct own_figure own = own_figure_of(
		&measurement->figure, measurement->metric, work, metric_is_whole(measurement->metric));
	struct import_record figure = {
		.kind = IMPORT_FIGURE,
		.line = GPOINTER_TO_SIZE(g_hash_table_lookup(stream->lines, key)),
		.text = measurement->benchmark,
		.problem = own.problem,
		.name = measurement->benchmark,
		.metric = measurement->metric,
		.work = work,
		.figure_kind = measurement->kind,
		.statistic = own.statistic,
		.value = figure_value(&measurement->figure),
		.error = (double)NAN,
		.printed = own.printed,
		.unit = own.unit,
		.figure = &measurement->figure,
		.samples = measurement->samples,
		.n_samples = measurement->n_samples,
	};

	figure.labels.v[LABEL_BENCHMARK] = measurement->benchmark;
	figure.labels.v[LABEL_BLOCK] = measurement->block;
	/* Nothing else counts instructions, and nobody else tells a counted region's time. */
	if (measurement->metric == METRIC_INSTRUCTIONS || measurement->environment == ENVIRONMENT_EMULATOR)
		figure.environment = &emulator;
	sink->take(&figure, sink->user);
	g_free(own.unit);
}

static void tell_outcome(struct stream *stream, const struct import_sink *sink, const struct outcome *outcome)
{
	g_autofree char *key = key_of(outcome->benchmark, outcome->block);
	g_autofree char *text = g_strdup_printf("%s%s%s: %s", outcome->benchmark, outcome->block ? " " : "",
		outcome->block ? outcome->block : "", outcome->reason ? outcome->reason : "");
	struct import_line line = {
		.text = text, .number = GPOINTER_TO_SIZE(g_hash_table_lookup(stream->lines, key))};

	if (outcome->state != OUTCOME_OK)
		tell_fact(sink, &line, outcome_states[outcome->state].name, text);
}

static void flush(struct stream *stream, const struct import_sink *sink)
{
	if (!stream->builder)
		return;

	struct intake *intake = intake_builder_finish(stream->builder);
	struct import_line end = {.text = "", .number = stream->last};
	stream->builder = NULL;
	for (guint i = 0; i < intake->outcomes->len; i++)
		tell_outcome(stream, sink, intake->outcomes->pdata[i]);
	for (guint i = 0; i < intake->measurements->len; i++)
		tell_measurement(stream, sink, intake->measurements->pdata[i]);
	if (!intake->complete)
		tell_unread(sink, &end, intake->incomplete_reason);
	intake_free(intake);
	g_hash_table_remove_all(stream->lines);
}

/* --- lines --- */

/* What the header says, under its own keys but for the version, which is a label's. */
static void tell_header(const struct import_line *line, const struct import_sink *sink)
{
	json_t *header = json_loads(line->text, 0, NULL), *value;
	const char *key;

	json_object_foreach(header, key, value)
	{
		if (!json_is_string(value) || !*json_string_value(value) || strcmp(key, "r") == 0 ||
			strcmp(key, "build") == 0)
			continue;
		tell_fact(sink, line, strcmp(key, "library_version") == 0 ? "version" : key,
			json_string_value(value));
	}
	json_decref(header);
}

static void take_header(struct stream *stream, const struct import_line *line, const struct import_sink *sink,
	const struct wire_record *record)
{
	g_autofree char *identity = g_strdup_printf("%s\n%s\n%s", record->build ? record->build : "",
		record->library_version ? record->library_version : "", record->mode);

	if (stream->builder && strcmp(identity, stream->identity) != 0) {
		flush(stream, sink);
		tell_break(sink, line);
	}
	if (!stream->builder) {
		stream->builder = intake_builder_new(ENVIRONMENT_UNKNOWN, NULL);
		tell_header(line, sink);
	}
	tell_other(sink, line);
	g_free(stream->identity);
	stream->identity = g_steal_pointer(&identity);
	intake_builder_process_began(stream->builder, record->invocation);
}

/* The line as a record of its own; what is none is told. */
static bool judge(struct stream *stream, const struct import_line *line, const struct import_sink *sink,
	const char *whole)
{
	struct wire_reader *reader = wire_reader_new();
	struct wire_record record = {0};

	wire_reader_push(reader, whole, strlen(whole));
	bool good = wire_reader_next(reader, &record) && record.kind != WIRE_PROBLEM;
	if (!good && !g_str_has_prefix(line->text, "{\"r\":"))
		tell_other(sink, line);
	else if (!good)
		tell_unread(sink, line, record.problem);
	else if (record.kind == WIRE_HEADER)
		take_header(stream, line, sink, &record);
	else if (!stream->builder)
		tell_unread(sink, line, "a record that no header went before");
	else
		tell_other(sink, line);
	if (good && record.kind == WIRE_BENCHMARK)
		g_hash_table_insert(
			stream->lines, key_of(record.name, record.block), GSIZE_TO_POINTER(line->number));
	wire_reader_free(reader);
	return good && stream->builder;
}

static void take_line(void *user, const struct import_line *line, const struct import_sink *sink)
{
	struct stream *stream = user;
	g_autofree char *whole = g_strconcat(line->text, "\n", NULL);

	stream->last = line->number;
	if (judge(stream, line, sink, whole))
		intake_builder_push(stream->builder, whole, strlen(whole));
}

static void finish(void *user, const struct import_sink *sink)
{
	struct stream *stream = user;

	flush(stream, sink);
	g_hash_table_unref(stream->lines);
	g_free(stream->identity);
	g_free(stream);
}

const struct importer importer_bench_core = {NAME, "what bench-core writes (schema/wire.md)", "bench-core",
	NULL, recognise, begin, take_line, finish};
