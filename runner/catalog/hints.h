/* What to try against a failure whose words are known. */
#ifndef BM_HINTS_H
#define BM_HINTS_H

#include "catalog.h"

/* A known failure: one row of a library's "hints". */
struct hint {
	GRegex *match;	  /* found anywhere in the reason */
	const char *text; /* what to try; lent by the catalog */
};

/* The hint for a failure's reason, or NULL where nothing is known of it: the library's own first, in the
 * order of its file, then those that hold for every library. `library` and `reason` may be NULL. New text. */
char *hint_for(const struct library *library, const char *reason);

#endif
