/* Whether two figures differ: by how much for exact ones, by their samples for sampled ones. */
#ifndef BM_NIGHT_WEIGH_H
#define BM_NIGHT_WEIGH_H

#include "compare.h"

struct night_pair {
	const struct result *before, *after;
	double threshold; /* the share of `before` from which on it is a difference */
	/* Set by night_weigh(): */
	double ratio; /* above 1 is better; NAN: there is none */
	/* VERDICT_BETTER, VERDICT_WORSE: by the threshold or more, and proved where it is sampled.
	 * VERDICT_SAME: it is less. VERDICT_UNCLEAR, VERDICT_NONE: the samples do not say. */
	enum verdict verdict;
};
/* `pairs`: struct night_pair. The p of sampled ones are corrected together. */
bool night_weigh(GArray *pairs, struct store *store, enum correction correction, GError **err);

/* Whether a figure can be held against others at all: time under an emulator says nothing. */
bool night_weighs(const struct result *result);

#endif
