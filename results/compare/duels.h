/* Which results were measured in alternation. */
#ifndef BM_DUELS_H
#define BM_DUELS_H

#include "store.h"

/* What is known of runs; asks the store for each once. */
struct duels;
struct duels *duels_new(struct store *store); /* lent */
void duels_free(struct duels *duels);

/* Whether the two are the sides of one duel: of one run that alternates (asides.h), whose timed cells are
 * exactly theirs. Equal invocations are then pairs. */
bool duels_pair(struct duels *duels, bool *ret, const struct result *before, const struct result *after,
	GError **err);

#endif
