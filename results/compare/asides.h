/* Matrices that commands make up: their runs answer a question about two builds, and are no nights. */
#ifndef BM_ASIDES_H
#define BM_ASIDES_H

#include <stdbool.h>

#define ASIDE_DUEL    "duel"
#define ASIDE_TREES   "compare-trees" /* two states of a source */
#define ASIDE_CONFIRM "confirm"	      /* nightly's second look at what it suspects */

/* Whether the timed cells of such a run, where they are two, were measured in alternation, the k-th
 * invocation of one next to the k-th of the other. Rows with both sides from one of them are compared by
 * pairs. */
bool aside_alternates(const char *matrix);

/* Whether a matrix is one of these. */
bool aside_is(const char *matrix);

#endif
