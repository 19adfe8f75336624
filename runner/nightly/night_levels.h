/* Where each series of a night is expected to be: by what earlier nights measured, and what was told since.
 */
#ifndef BM_NIGHT_LEVELS_H
#define BM_NIGHT_LEVELS_H

#include "store.h"

#include <glib.h>

/* A series without a figure in so many nights is a new one. */
#define NIGHT_LOOK_BACK 14
/* What could not be decided is looked into again in so many nights, and is then taken as it is. */
#define NIGHT_UNCLEAR_MOST 3

/* What a night is held against. */
struct night_baseline {
	int nights;	  /* the median of so many nights; 0: a pinned run */
	const char *name; /* of the pinned run; lent */
};
/* "previous" (the median of one), "median:7", else the name of a baseline (store_baseline_put()), a run's
 * label or UUID. DIAG_USAGE. */
bool night_baseline_read(struct night_baseline *ret, const char *text, GError **err);

struct night_level {
	/* A figure that was measured: of the pinned run, or the (lower) median of the nights. Where an alarm
	 * was told since, no older figure counts: what was told once is where the series is. */
	const struct result *reference;
	const struct result *last; /* of the latest night that has one; NULL: none */
};

struct night_levels_spec {
	const char *matrix;
	int64_t run; /* tonight's; nights that began later do not count */
	const struct night_baseline *baseline;
	const GArray *tonight; /* struct result: the series that are asked for */
};
struct night_levels;
/* DIAG_USAGE where the pinned run is not there. */
bool night_levels_make(
	struct night_levels **ret, struct store *store, const struct night_levels_spec *spec, GError **err);
void night_levels_free(struct night_levels *levels); /* takes NULL */
/* NULL: the series is new. */
const struct night_level *night_levels_find(const struct night_levels *levels, int64_t series);
/* The runs whose failures are no news: the pinned one, and the night before. GArray of int64_t, lent. */
const GArray *night_levels_runs(const struct night_levels *levels);

/* Our own figures of a run. GArray of struct result. */
bool night_results(struct store *store, GArray **ret, const char *uuid, GError **err);

#endif
