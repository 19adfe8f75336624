/* Any bytes, in pieces of any size, through the importers and what becomes of their records: no crash, no
 * leak, and what comes out keeps the promises of importer.h. BM_FUZZ_IMPORTER names the importer;
 * "recognition" is the choice of one by the text, and what that one reads; without it, that and every
 * importer. */
#include "document.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_figure(const struct import_record *figure)
{
	if (!figure->name || !figure->printed || !figure->unit || figure->error < 0)
		abort();
	/* Only what our own formats tell as a whole may be 0. */
	if (!figure->problem &&
		!(isfinite(figure->value) && (figure->value > 0 || (figure->figure && figure->value == 0))))
		abort();
}

static void check(const struct import_record *record, void *user)
{
	(void)user;
	if (record->line == 0 || !record->text || !g_utf8_validate(record->text, -1, NULL))
		abort();
	if (record->kind == IMPORT_FIGURE)
		check_figure(record);
	if (record->kind == IMPORT_UNREAD && !record->problem)
		abort();
	if (record->kind == IMPORT_FACT && (!record->key || !record->fact))
		abort();
}

static size_t next_piece(uint32_t *seed, size_t left)
{
	*seed = *seed * 1664525 + 1013904223;
	size_t piece = (*seed >> 16) % 128 + 1;
	return piece < left ? piece : left;
}

static void read_with(const struct importer *importer, const char *bytes, size_t size)
{
	struct import_sink sink = {.take = check, .clock = (double)NAN};
	struct import_reader *reader = import_reader_new(importer, &sink);
	uint32_t seed = (uint32_t)size;

	for (size_t at = 0, piece; at < size; at += piece) {
		piece = next_piece(&seed, size - at);
		import_reader_push(reader, bytes + at, piece);
	}
	import_reader_finish(reader);
}

/* Every reading that counts has its measurement, with a value and all labels. */
static void check_part(const struct document_part *part)
{
	if (part->readings->len == 0 || part->measurements->len != part->labels_of->len || !part->notes)
		abort();
	for (guint i = 0; i < part->readings->len; i++) {
		const struct document_reading *reading =
			&g_array_index(part->readings, struct document_reading, i);
		bool counts = !reading->problem && reading->labels.v[LABEL_BENCHMARK];
		if (counts != (reading->measurement >= 0) ||
			reading->measurement >= (int)part->measurements->len)
			abort();
	}
	for (guint i = 0; i < part->measurements->len; i++)
		if (isnan(figure_value(&g_array_index(part->measurements, struct measurement, i).figure)) ||
			!((const struct labels *)part->labels_of->pdata[i])->v[LABEL_METRIC])
			abort();
}

static void read_document(const char *format, const char *bytes, size_t size)
{
	const struct document_source source = {.name = "fuzz",
		.format = format,
		.source = SOURCE_IMPORTED,
		.before = {{[LABEL_CONFIG] = "default"}},
		.clock = 1e9};
	struct document *document;

	if (!document_read(&document, &source, bytes, size, NULL))
		return;
	for (guint i = 0; i < document->parts->len; i++)
		check_part(document->parts->pdata[i]);
	document_free(document);
}

static void recognise(const char *bytes, size_t size)
{
	g_autofree char *seen = NULL;
	const struct importer *importer = import_recognise(&seen, bytes, size);

	if ((importer == NULL) != (seen != NULL))
		abort();
	read_document(NULL, bytes, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *name = g_getenv("BM_FUZZ_IMPORTER"), *bytes = (const char *)data;
	bool recognition = !name || strcmp(name, "recognition") == 0;

	if (recognition)
		recognise(bytes, size);
	for (size_t i = 0; !name && importers[i]; i++)
		read_with(importers[i], bytes, size);
	if (recognition)
		return 0;
	const struct importer *importer = importer_find(name);
	if (!importer)
		g_error("BM_FUZZ_IMPORTER: no importer is named %s", name);
	read_with(importer, bytes, size);
	read_document(name, bytes, size);
	return 0;
}
