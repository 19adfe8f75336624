/* What changed beside the figures. */
#ifndef BM_MOVED_H
#define BM_MOVED_H

#include "history.h"

/* enum history_moved of the points from `before` to `after`. What is unknown on either side of a step did not
 * move, but for the code. */
unsigned moved_between(const struct history_series *series, guint before, guint after);

#endif
