/* The site of a database, as `report` and `nightly` make it. */
#ifndef BM_REPORTING_H
#define BM_REPORTING_H

#include "paths.h"
#include "store.h"

/* Writes it into the folder. `selector` may be NULL; `command` is what was typed, for the foot of each page.
 * DIAG_USAGE as report_write(). */
bool reporting_make(const struct paths *paths, struct store *store, const char *folder, const char *selector,
	const char *command, GError **err);

#endif
