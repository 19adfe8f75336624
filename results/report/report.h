/* A static site from the database: pages that open from disk, with their data once and nothing from outside.
 */
#ifndef BM_REPORT_H
#define BM_REPORT_H

#include "store.h"

#include <glib.h>

struct report_spec {
	struct store *store;
	const char *selector; /* which results; NULL: all */
	const char *folder;   /* where to; made where missing */
	const char *assets;   /* folder of the style sheets and scripts */
	const char *program;  /* version, for the foot of each page */
	const char *command;  /* what was typed, for the same */
	/* What to try against a failure, by the name of the library and what was said of it (both may be
	 * NULL): new text, or NULL where nothing is known. NULL: there are no hints. */
	char *(*hint)(const void *hints, const char *library, const char *reason);
	const void *hints; /* handed to it */
};

/* Whether a report may be written there: nothing is there yet, or a report. DIAG_USAGE where not. */
bool report_check_folder(const char *folder, GError **err);

/* Files that the site has are written anew, pages of an earlier report that it no longer has are removed, and
 * nothing else of the folder is touched. DIAG_USAGE where the folder holds something that is no report, or
 * where the selector takes nothing. */
bool report_write(const struct report_spec *spec, GError **err);

#endif
