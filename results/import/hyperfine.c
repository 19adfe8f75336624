/* hyperfine --export-json: seconds of whole commands, whatever unit it shows on the screen. */
#include "json_document.h"
#include "names.h"
#include "patterns.h"
#include "telling.h"

#define NAME "hyperfine"

static int recognise(const struct import_line *line)
{
	if (pattern_match(NULL, "^\"exit_codes\": \\[|^\"command\": \"", line->body))
		return 10;
	return pattern_match(
		NULL, "^\"(?:mean|stddev|median|user|system|min|max)\": [\\d.e-]+,?$", line->body);
}

static void tell_result(const struct import_sink *sink, const struct import_line *line, const json_t *result)
{
	static const struct {
		const char *key;
		enum import_statistic statistic;
	} kinds[] = {{"mean", IMPORT_MEAN}, {"median", IMPORT_MEDIAN}, {"min", IMPORT_BEST},
		{"max", IMPORT_WORST}};
	const json_t *command = json_object_get(result, "command");

	if (!json_is_string(command)) {
		tell_unread(sink, line, "a result without its command");
		return;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
		struct number number;
		if (!json_document_number(&number, result, kinds[i].key))
			continue;
		struct import_record figure =
			figure_of_line(line, NAME, json_string_value(command), WORK_OPERATION);
		struct reading reading = reading_of(&number, 1, "s");
		figure.statistic = kinds[i].statistic;
		tell_readings(sink, &figure, &reading, 1, NULL);
	}
}

static void finish(void *document, const struct import_sink *sink)
{
	json_t *root = json_document_root(document, sink);
	const json_t *results = json_object_get(root, "results");

	for (size_t i = 0; i < json_array_size(results); i++) {
		struct import_line line = json_document_next(document, "command", json_array_get(results, i));
		tell_result(sink, &line, json_array_get(results, i));
	}
	json_decref(root);
	json_document_free(document);
}

const struct importer importer_hyperfine = {NAME, "hyperfine's JSON", "hyperfine", NULL, recognise,
	json_document_begin, json_document_line, finish};
