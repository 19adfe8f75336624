/* From a spool file into the store: the only way of an attempt's results. */
#ifndef BM_TAKE_IN_H
#define BM_TAKE_IN_H

#include "course.h"
#include "spool.h"
#include "store.h"

/* What a spool file tells of an attempt, short of its results. */
struct left_over {
	char *uuid, *cell, *build, *exact_key; /* as in struct spool_head */
	int invocations;
	struct course *course; /* as far as it came; what was under way is lost */
	double seconds;	       /* that its processes took, as far as known */
};
bool left_over_read(struct left_over **ret, const char *path, GError **err);
void left_over_free(struct left_over *left); /* takes NULL */

/* Takes the attempt into the store in one transaction, then removes the file. One that the store has already
 * is not taken in again. `unfinished`: the reason for the state `cancelled` of one whose course is not over.
 * A file whose run or cell the store does not know stays. */
bool take_in(struct store *store, const char *path, const char *unfinished, GError **err);

#endif
