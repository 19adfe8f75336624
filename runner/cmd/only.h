/* `run --only SELECTOR`: a part of a plan. */
#ifndef BM_ONLY_H
#define BM_ONLY_H

#include "plan.h"

/* Drops the cells that the selector does not take, and the builds that no cell is left of. Terms that can
 * only be known of results (platform, block, metric, benchmark, revision, run, origin) are DIAG_USAGE, as is
 * a selector that leaves nothing. NULL keeps all. */
bool only_apply(struct plan *plan, const char *selector, GError **err);

/* Drops the cells that `takes` does not take, and the builds that no cell is left of. DIAG_USAGE where
 * nothing is left. */
bool only_keep(struct plan *plan, bool (*takes)(const struct planned_cell *cell, const void *user),
	const void *user, GError **err);

#endif
