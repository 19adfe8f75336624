/* How far a figure may be off without a suspicion. */
#ifndef BM_NIGHT_THRESHOLDS_H
#define BM_NIGHT_THRESHOLDS_H

#include "store.h"

/* A size, of code or of memory, is a change from this share on: most patches move it a little. */
#define NIGHT_SIZE_ALARM 0.01

/* What a series' next figure may be off without a suspicion, as a share: learned from its nights. */
struct night_thresholds;
/* `tonight`: struct result; `started_at` of the night, ns since 1970: only earlier ones teach. */
bool night_thresholds_make(struct night_thresholds **ret, struct store *store, const GArray *tonight,
	int64_t started_at, GError **err);
void night_thresholds_free(struct night_thresholds *thresholds); /* takes NULL */
/* NULL thresholds: nothing was learned. An exact figure needs none of that. */
double night_threshold(const struct night_thresholds *thresholds, const struct result *result);

#endif
