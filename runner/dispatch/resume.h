/* What a run that was killed or cancelled has left, and going on with it. */
#ifndef BM_RESUME_H
#define BM_RESUME_H

#include "plan.h"
#include "spool.h"
#include "store.h"

/* Takes into the store what runs that nobody holds have left in the spool, and marks them as ended; attempts
 * that were not over become `cancelled`. `but`: the UUID of a run to leave alone; NULL: none. */
bool resume_sweep(struct store *store, const char *but, GError **err);

/* The attempts of the run that are not over: names of cells to paths of files (char *). */
bool resume_left_over(GHashTable **ret, const struct spool *spool, GError **err);

/* Gives the refs among a matrix's versions (struct version *) the commits at which they stood when the run
 * began, out of the text of its plan (may be NULL). Those that it does not name stay as they are. */
void resume_refs(const GPtrArray *versions, const char *began_with);

/* Takes the attempts of the run that are over into the store, and leaves of its plan, which was made anew,
 * what is still to be done: the cells of the plan that the run began with, but for those whose state is
 * final, and their builds. DIAG_INPUT names a cell that cannot be planned any more. */
bool resume_narrow(
	struct plan *plan, struct store *store, const struct spool *spool, int64_t run, GError **err);

#endif
