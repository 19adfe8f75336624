/* Google Benchmark with --benchmark_format=json. A run with bytes_per_second is per byte, of the real time;
 * the aggregates mean and median are figures of their own, deviations are none. */
#include "json_document.h"
#include "names.h"
#include "patterns.h"
#include "telling.h"

#include <string.h>

#define NAME "google-benchmark"

static int recognise(const struct import_line *line)
{
	return pattern_match(NULL, "^\"(?:real_time|cpu_time)\": |^\"time_unit\": \"|^\"benchmarks\": \\[",
		       line->body)
		       ? 10
		       : 0;
}

static double seconds_of(const char *unit)
{
	return strcmp(unit, "s") == 0	 ? 1
	       : strcmp(unit, "ms") == 0 ? 1e-3
	       : strcmp(unit, "us") == 0 ? 1e-6
					 : 1e-9;
}

static const char *word(const json_t *object, const char *key, const char *fallback)
{
	const json_t *member = json_object_get(object, key);

	return json_is_string(member) ? json_string_value(member) : fallback;
}

/* False for an aggregate that is no figure (stddev, cv). */
static bool statistic_of(enum import_statistic *ret, const json_t *run)
{
	const char *aggregate = word(run, "aggregate_name", "");

	*ret = strcmp(aggregate, "median") == 0 ? IMPORT_MEDIAN
	       : strcmp(aggregate, "min") == 0	? IMPORT_BEST
	       : strcmp(aggregate, "max") == 0	? IMPORT_WORST
						: IMPORT_MEAN;
	return *ret != IMPORT_MEAN || !*aggregate || strcmp(aggregate, "mean") == 0;
}

static void tell_run(const struct import_sink *sink, const struct import_line *line, const json_t *run)
{
	const char *name = word(run, "run_name", word(run, "name", NULL));
	const char *unit = word(run, "time_unit", "ns");
	struct number time, bytes, threads;
	enum import_statistic statistic;

	if (!name || !json_document_number(&time, run, "real_time")) {
		tell_unread(sink, line, "a benchmark without name or real_time");
		return;
	}
	if (!statistic_of(&statistic, run))
		return;
	bool bulk = json_document_number(&bytes, run, "bytes_per_second");
	struct import_record figure = figure_of_line(line, NAME, name, bulk ? WORK_BULK : WORK_OPERATION);
	struct reading reading =
		bulk ? reading_of_rate(&bytes, 1, "bytes/s") : reading_of(&time, seconds_of(unit), unit);
	figure.statistic = statistic;
	if (json_document_number(&threads, run, "threads") && threads.value > 1)
		figure.labels.v[LABEL_THREADS] = threads.printed;
	tell_readings(sink, &figure, &reading, 1,
		json_is_true(json_object_get(run, "error_occurred")) ? "it failed" : NULL);
}

static void finish(void *document, const struct import_sink *sink)
{
	json_t *root = json_document_root(document, sink);
	const json_t *runs = json_object_get(root, "benchmarks");

	for (size_t i = 0; i < json_array_size(runs); i++) {
		struct import_line line = json_document_next(document, "name", json_array_get(runs, i));
		tell_run(sink, &line, json_array_get(runs, i));
	}
	json_decref(root);
	json_document_free(document);
}

const struct importer importer_google_benchmark = {NAME, "Google Benchmark's JSON", "google-benchmark", NULL,
	recognise, json_document_begin, json_document_line, finish};
