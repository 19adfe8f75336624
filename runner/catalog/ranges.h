/* Ranges of versions, ">=4.0 <5.0": version_in_range() is in catalog.h. */
#ifndef BM_RANGES_H
#define BM_RANGES_H

#include <stdbool.h>

/* Whether every condition of a range can be read: one of >= > <= < = followed by numbers with dots, joined by
 * blanks. */
bool range_valid(const char *range);

#endif
