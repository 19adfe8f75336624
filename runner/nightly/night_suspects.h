/* Which series of a night are not where they should be. */
#ifndef BM_NIGHT_SUSPECTS_H
#define BM_NIGHT_SUSPECTS_H

#include "night_levels.h"

struct night_thresholds;

struct night_suspect {
	const struct result *before; /* where it should be */
	const struct result *after;  /* tonight */
	const struct result *last;   /* the last one that was there: the change came after it */
	double threshold;	     /* share from which on it is a change */
	double ratio;		     /* above 1 is better */
};
struct night_suspects {
	GArray *of;	       /* struct night_suspect, in the order of results */
	guint compared, fresh; /* series with and without a level */
};
/* Differences for the better are suspects, too. What may be noise is named rather than missed, since each
 * suspect is measured again: p of sampled figures is not corrected for there being many. */
bool night_suspects_find(struct night_suspects *ret, struct store *store, const GArray *tonight,
	const struct night_levels *levels, const struct night_thresholds *thresholds, GError **err);
void night_suspects_clear(struct night_suspects *suspects);

#endif
