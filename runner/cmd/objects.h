/* What each object of a library's archive takes. */
#ifndef BM_OBJECTS_H
#define BM_OBJECTS_H

#include "paths.h"
#include "store.h"

/* Prints a table of the archive in the cache, of the build that is described; the largest objects first.
 * DIAG_LACKS where the archive is no longer there, DIAG_USAGE where there never was one. */
bool objects_print(const struct paths *paths, const struct store_description *build, GError **err);

#endif
