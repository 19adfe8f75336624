/* What document.c is made of; nobody else includes it. */
#ifndef BM_DOCUMENT_BUILD_H
#define BM_DOCUMENT_BUILD_H

#include "document.h"

struct document_builder {
	struct document *document;
	struct document_part *part; /* in hand; NULL before its first figure */
	GArray *readings;	    /* struct document_reading: of the part in hand */
	GPtrArray *facts;	    /* struct document_fact *: of the part in hand or to come */
	GPtrArray *notes;	    /* const char *: of the part in hand */
	GHashTable *labels;	    /* set of const struct labels *, the document's */
	GHashTable *seen;	    /* of the part in hand: series and statistic of its readings, as set */
};

struct document_builder *document_builder_new(struct document *document);
void document_builder_take(const struct import_record *record, void *builder);
/* The last part is added, the builder freed. */
void document_builder_finish(struct document_builder *builder);

/* A string that lives as long as the document; NULL stays NULL. */
const char *document_keep(struct document *document, const char *text);

/* A copy that lives as long as the document; NULL for no bytes. */
void *document_keep_bytes(struct document *document, const void *bytes, size_t n);

/* Measurements out of the part's readings, which get their index; then what follows from them: cycles by the
 * clock (Hz; NAN: unknown), and what stated ratios are held against. */
void document_measure(struct document_builder *builder, struct document_part *part, double clock);

/* The labels as they live as long as the document: equal ones are one. */
const struct labels *document_keep_labels(struct document_builder *builder, const struct labels *labels);

void document_part_free(gpointer part);

/* Equal for readings of one series and origin. New. */
char *document_series_key(const struct document_reading *reading);

#endif
