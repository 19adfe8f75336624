/* Before against after: schema/selector.md for the sides, and what is joined, computed and doubted. No
 * printing here. */
#ifndef BM_COMPARE_H
#define BM_COMPARE_H

#include "rows.h"
#include "selector.h"
#include "statistics.h"
#include "store.h"

#include <glib.h>

enum verdict {
	VERDICT_EQUAL,	 /* exact and equal */
	VERDICT_BETTER,	 /* exact and different; sampled, proved and by COMPARISON_FLOOR or more */
	VERDICT_WORSE,	 /* the same */
	VERDICT_SAME,	 /* sampled, and the interval of the ratio lies within COMPARISON_FLOOR around 1 */
	VERDICT_UNCLEAR, /* sampled, and neither */
	VERDICT_NONE,	 /* not to be had: too few samples, or the figures are not that sort */
	VERDICT_COUNT
};

/* Of the ratios of sampled figures. */
#define COMPARISON_ALPHA      0.01 /* how often a table without any difference may name one, at most */
#define COMPARISON_CONFIDENCE 0.95 /* of each row's interval by itself */
#define COMPARISON_FLOOR      0.01 /* a smaller effect is none: code that only lies elsewhere makes it */
/* A change of an exact figure below this share is shown, and alarms nobody. */
#define COMPARISON_EXACT_ALARM 0.001

/* How p is corrected for there being several rows: statistics.h. */
enum correction { CORRECTION_HOLM, CORRECTION_BH, CORRECTION_NONE, CORRECTION_COUNT };
extern const char *const correction_names[CORRECTION_COUNT + 1]; /* NULL-terminated */

/* What the samples of a row say, by process invocation. */
struct evidence {
	size_t n_before, n_after;  /* invocations; 0: unknown, and then nothing else is known */
	bool paired;		   /* the k-th of both sides stand together: all is of their pairs */
	struct estimate ratio;	   /* Hodges-Lehmann, as `ratio` of the row; NAN where unknown */
	struct interval of_before; /* of each side's median over invocations, in the metric's unit */
	struct interval of_after;
	double p, p_adjusted; /* NAN: unknown */
	double level;	      /* what the smallest p of all rows must not exceed */
	size_t enough; /* invocations a side, or pairs, that a verdict takes; 0: none is given by samples */
};

struct comparison_row {
	struct labels labels;		     /* what both sides share */
	const struct result *before, *after; /* lent by the two arrays */
	double ratio; /* before / after where lower is better, after / before else: above 1 is better */
	enum verdict verdict;
	struct evidence evidence;
	GPtrArray *notes; /* char *: doubts about this row, may be empty */
};

struct comparison {
	enum metric metric;
	enum environment environment;
	GPtrArray *rows;	 /* struct comparison_row *, in the order of results */
	bool shown[LABEL_COUNT]; /* labels that differ between rows and so tell them apart */
	struct labels common;	 /* labels that all rows share (NULL elsewhere) */
	double geomean;		 /* of the ratios; NAN for no rows */
	guint tested;		 /* rows whose p was corrected together */
	guint paired;		 /* of those: by pairs */
	enum correction correction;
	GPtrArray *only_before, *only_after; /* const struct result *: without a partner */
	const char *unmet; /* the note of why no result has a partner; lent; NULL: some have */
	GPtrArray *notes;  /* char *: doubts about the whole: "emulated time", "carried forward", compilers
			      that differ */
	char *before_text, *after_text; /* selectors as asked */
	GArray *before, *after;		/* struct result: keeps them alive */
};

/* Fetches both sides from the store and joins them on every identity label that neither selector names. Where
 * both name `library` and have none in common, version, config, profile and optimisation are not joined on.
 * `where` applies to both sides; `metric` is a name or NULL: time. Emulated time is left out unless a
 * selector names `environment`; either is noted. DIAG_USAGE: an empty side (what there is instead is said),
 * one with nothing but emulated time, origins that differ and were not asked for, a join that stays ambiguous
 * (lists the labels to add). */
bool comparison_make(struct comparison **ret, struct store *store, const char *before, const char *after,
	const char *where, const char *metric, GError **err);
/* Corrects the sampled rows' p again, in another way than Holm's, and gives their verdicts anew. */
void comparison_correct(struct comparison *comparison, enum correction correction);
/* "faster", "worse", "same within 1 %", "too few"; NULL where there is none to give. Static. */
const char *comparison_word(const struct comparison_row *row);
/* What a row of pairs that is unclear would take: "about 40 pairs would tell", as far as its spread so far
 * says; NULL for all others. Free with g_free(). */
char *comparison_would_tell(const struct comparison_row *row);
/* Why a sampled row has no verdict: "too few samples for a verdict: 1 of 8 invocations a side"; NULL. Free
 * with g_free(). */
char *comparison_too_few(const struct comparison_row *row);
void comparison_free(struct comparison *comparison);
/* Leaves the rows that `stays` takes, and says in the notes how many went; the geometric mean is then theirs.
 */
void comparison_narrow(struct comparison *comparison,
	bool (*stays)(const struct comparison_row *row, const void *user), const void *user);

/* A pivot: values of one metric by row keys and column keys. */
struct pivot {
	enum metric metric;
	GPtrArray *rows, *columns; /* char **: the values of the keys (NULL-terminated), "-" for none */
	enum selector_key *row_keys, *column_keys;
	size_t n_row_keys, n_column_keys;
	GPtrArray *cells;   /* const struct result *, rows x columns, NULL where there is none */
	GPtrArray *printed; /* char *, the same: "912.347 MB/s" as a document had it, NULL where none did; or
			       NULL */
	struct labels common; /* labels that all results share */
	GPtrArray *notes;     /* char * */
	GArray *results;
};
/* Keys are comma-separated: labels, source, environment, kind, arch, revision, run, algorithm, operation.
 *
 * NULL rows: benchmark and block, but for what the columns say (algorithm and operation stand for benchmark);
 * where columns are given, also each key without which two results would fall into one cell. NULL columns:
 * every other key that differs, but for those that tell no two columns apart that others do not; what was
 * left out so is noted. Both NULL: where there would be many columns, rows and columns change places, or
 * (where most cells would be empty) all keys are of rows.
 *
 * Two results for one cell are DIAG_USAGE that lists the keys to add. */
bool pivot_make(struct pivot **ret, struct store *store, const char *selector, const char *metric,
	const char *rows, const char *columns, GError **err);
/* Fills `printed`. */
bool pivot_read_printed(struct pivot *pivot, struct store *store, GError **err);
void pivot_free(struct pivot *pivot);

#endif
