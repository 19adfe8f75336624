/* What is told of a document that is read. */
#ifndef BM_DOCUMENT_TEXT_H
#define BM_DOCUMENT_TEXT_H

#include "document.h"
#include "table.h"

/* Figures that count. */
size_t document_counting(const struct document *document);

/* "speed.txt: openssl-speed, 120 lines: 36 figures, ..."; where `instead` is not NULL, it instead of the
 * figures. Without a line's end. */
void document_line(GString *out, const struct document *document, const char *instead);

/* Lines about what does not count and about doubts, `most` of them (0: none but the names and the notes). */
void document_doubts(GString *out, const struct document *document, size_t most);

/* Each number that was read, and what was not understood. */
struct table *document_table(const struct document *document);

#endif
