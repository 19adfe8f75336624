/* Ranges of versions, ">=4.0 <5.0": version_in_range() is in catalog.h. */
#ifndef BM_RANGES_H
#define BM_RANGES_H

#include "jsonx.h"

#include <stdbool.h>

/* Refuses a range of which a condition cannot be read: one of >= > <= < = followed by numbers with dots,
 * joined by blanks. `at` is where it stands. */
bool range_check(const char *range, struct jx at, GError **err);

#endif
