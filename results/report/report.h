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
	const char *assets;   /* folder of report.css, report.js and chart.js */
	const char *program;  /* version, for the foot of each page */
	const char *command;  /* what was typed, for the same */
};

/* Files that the site has are written anew, pages of an earlier report that it no longer has are removed, and
 * nothing else of the folder is touched. DIAG_USAGE where the folder holds something that is no report, or
 * where the selector takes nothing. */
bool report_write(const struct report_spec *spec, GError **err);

#endif
