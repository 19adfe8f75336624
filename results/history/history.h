/* A series over nights: its points in the order of time, where its level changed, and how much it moves
 * without a change. No printing here.
 *
 * Change points of sampled figures: in a fixed set of windows of many lengths (seeded binary segmentation:
 * Kovacs, Buehlmann, Li and Munk, Biometrika 110 (2023) 249) the split with the largest energy statistic
 * (e-divisive means: Matteson and James, Journal of the American Statistical Association 109 (2014) 334) of
 * ranks is held to the exact rank sum test, in place of e-divisive's random permutations; as Hunter does with
 * Student's t (Fleming et al., ICPE 2023), but nightly figures are few and have heavy tails. Ranks have one
 * distribution for every series of n points without a change, so that p is corrected once and for all for the
 * choice among windows and splits, and the answer is the same each time. Of exact figures each change of
 * value is a change point. */
#ifndef BM_HISTORY_H
#define BM_HISTORY_H

#include "compare.h"
#include "rows.h"
#include "selector.h"
#include "store_history.h"

#include <glib.h>

/* How often a series without a change may show one, at most. */
#define HISTORY_ALPHA COMPARISON_ALPHA
/* The neighbours that a threshold is learned from: the last so many; fewer than the second are few. */
#define HISTORY_NEIGHBOURS 30
#define HISTORY_FEWEST	   8

/* One night: the median of what was measured of one revision in one context in one run, or on one day (UTC).
 */
struct history_point {
	double value; /* the metric's base unit per unit of work */
	guint n;      /* results that it is the median of */
	bool carried; /* all of them were carried forward */
	/* of the latest of them: */
	int64_t run, attempt, measurement;
	int64_t started_at; /* of the attempt, ns since 1970 */
	const char *run_uuid, *run_label, *revision;
	const struct history_context *context;
};

/* Points without a change between them. */
struct history_segment {
	guint first, n;	       /* points */
	double centre, q1, q3; /* median and quartiles of their values; quartiles NAN for n < 2 */
};

/* What differs between the last point that is surely before a change and the first that is surely after. */
enum history_moved {
	HISTORY_REVISION = 1 << 0, /* the library's */
	HISTORY_CODE = 1 << 1,	   /* the library's code, or it is not known to be the same */
	HISTORY_COMPILER = 1 << 2,
	HISTORY_EMULATOR = 1 << 3, /* or what counts below it */
	HISTORY_CORE = 1 << 4,	   /* bench-core */
	HISTORY_MACHINE = 1 << 5,  /* processor or kernel */
};
#define HISTORY_MOVED_COUNT 6
/* "revision", "code", "compiler", "emulator", "bench-core", "machine" */
extern const char *const history_moved_names[HISTORY_MOVED_COUNT];

struct history_change {
	guint at; /* the first point of the segment after it */
	/* It came after the run of point `before` and not after that of point `after`: before < at <= after.
	 * Next to each other where figures are exact. Points between may be of either level. */
	guint before, after;
	double ratio; /* of the centres, as `ratio` of struct comparison_row: above 1 is better */
	double p;     /* how often a series of so many points without a change shows one as clear; exact: 0 */
	bool alarms;  /* sampled: always; exact: by COMPARISON_EXACT_ALARM or more */
	unsigned moved; /* enum history_moved */
};

struct history_series {
	int64_t id;		/* of the store */
	struct selectable what; /* labels and origin; arch and revision are those of the last point */
	enum metric metric;
	bool exact;	  /* then every difference is a change */
	GArray *points;	  /* struct history_point, in the order of time; at least one */
	GArray *segments; /* struct history_segment; at least one */
	GArray *changes;  /* struct history_change: between the segments */
	guint enough;	  /* points from which on a change can be found; 2 where exact */
	double noise;	  /* see history_threshold(), without the floor; NAN: no neighbours */
	guint neighbours; /* that it was learned from */
};

/* --- from the database --- */

struct history_request {
	const char *selector;  /* no `run` in it; NULL: all */
	const char *metric;    /* a name; NULL: as the selector says, else time. "*": all */
	int64_t since;	       /* ns since 1970: what was measured then or later */
	int64_t until;	       /* what was measured before; 0: no bound */
	const char *since_run; /* the same, from the start of a run on (store_run_find()); NULL */
	bool quiet;	       /* an empty selection is none, no error */
};

struct history {
	GPtrArray *series;	 /* struct history_series *, in the order of store_results() */
	struct labels common;	 /* labels that all share (NULL elsewhere) */
	bool shown[LABEL_COUNT]; /* labels that differ */
	guint left_out; /* series of emulated time: not shown unless a selector names `environment` */
	char *selector_text;
	GHashTable *places; /* for history_find() */
};

/* Reads the series and finds their changes. DIAG_USAGE: nothing is selected (what there is instead is said),
 * `run` in the selector, an unknown metric or run. */
bool history_make(
	struct history **ret, struct store *store, const struct history_request *request, GError **err);
void history_free(struct history *history); /* takes NULL */

/* The series and origin of a result, or NULL. */
const struct history_series *history_find(const struct history *history, const struct result *result);

/* How far, as a share of the value before, the next night may be from the last without being a suspect. Of
 * sampled figures Q3 + 3 (Q3 - Q1) of |x(i+1) - x(i)| / x(i) over the last HISTORY_NEIGHBOURS neighbours
 * without a change between them (rustc-perf, docs/comparison-analysis.md); where those are fewer than
 * HISTORY_FEWEST three times the largest; COMPARISON_FLOOR at least, and for NULL. Of exact ones
 * COMPARISON_EXACT_ALARM. tests/bench/history_simulation.c says how often that is wrong. */
double history_threshold(const struct history_series *series);

/* "2f1c3a9e..7b0d4410", "5.5.4-2" where it is the same on both sides; NULL where unknown. Free with g_free().
 */
char *history_revisions(const struct history_series *series, const struct history_change *change);
/* What moved beside the library, in words: "compiler gcc 12.2.0 -> gcc 12.3.0; bench-core 0.2.0 -> 0.3.0";
 * where the library's revision and code did not move, that is said. NULL where only the library moved. Free
 * with g_free(). */
char *history_moved_text(const struct history_series *series, const struct history_change *change);

/* --- without a database --- */

/* Fills segments, changes, noise and enough from `points`, `what`, `metric` and `exact`. */
void history_analyse(struct history_series *series);

/* A split of values: into [0, at) and [at, n). */
struct history_split {
	size_t at;
	double p; /* as in struct history_change */
};
/* The changes of sampled values, in order; `least` is the smallest relative difference of the medians of
 * neighbours that counts. GArray of struct history_split. */
GArray *history_splits(const double *values, size_t n, double alpha, double least);
/* Points from which on history_splits() can find a change in their middle. */
size_t history_enough(double alpha);

#endif
