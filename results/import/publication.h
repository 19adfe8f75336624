/* Published accounts of benchmarks: results/published/NAME.json (schema/published.schema.json). */
#ifndef BM_PUBLICATION_H
#define BM_PUBLICATION_H

#include "document.h"

/* Its documents, each ready to be taken in. *ret is a GPtrArray of struct document with its own free
 * function. DIAG_INPUT names the file and the path of what is wrong. */
bool publication_read(GPtrArray **ret, const char *file, GError **err);

#endif
