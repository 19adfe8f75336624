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

/* Stores the sizes of a build that is done, once for each run: a cell of the instrument `build` with one
 * attempt. Sizes that are not known are left out. `run_uuid` is the run's. */
bool cell_row_put_sizes(struct store *store, int64_t run, const char *run_uuid,
	const struct build_result *result, GError **err);

#endif
