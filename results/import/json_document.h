/* Importers of JSON: the document is gathered line by line and read at its end. */
#ifndef BM_JSON_DOCUMENT_H
#define BM_JSON_DOCUMENT_H

#include "importer.h"
#include "numbers.h"

#include <jansson.h>

void *json_document_begin(void);
void json_document_line(void *document, const struct import_line *line, const struct import_sink *sink);

/* The document, or NULL after telling why it is none (UNREAD). json_decref() it. */
json_t *json_document_root(void *document, const struct import_sink *sink);

/* The line in which the element begins, by the key that each has once; the elements are asked for in their
 * order. Lent until the document is freed. */
struct import_line json_document_next(void *document, const char *key, const json_t *element);

void json_document_free(void *document);

/* A member as a number as exact as JSON has it; false where there is none. */
bool json_document_number(struct number *ret, const json_t *object, const char *key);

#endif
