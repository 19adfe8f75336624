/* What a cell of the plan is in the store. */
#ifndef BM_CELL_ROW_H
#define BM_CELL_ROW_H

#include "build.h"
#include "plan.h"
#include "store.h"

/* Puts a cell of a run, and the build that was made or not made for it. `platform` 0: not reached. *ret is
 * the cell's row. */
bool cell_row_put(struct store *store, int64_t *ret, int64_t run, const struct planned_cell *cell,
	const struct build_result *result, int64_t platform, GError **err);

#endif
