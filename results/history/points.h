/* From figures to points. */
#ifndef BM_POINTS_H
#define BM_POINTS_H

#include "history.h"

/* The points of figures of one series and origin (struct history_row, sorted here by time). What was measured
 * of one revision in one context in one run or on one day (UTC) is one point, where the first of it stands.
 */
GArray *points_of(GArray *rows);

#endif
