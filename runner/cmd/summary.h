/* What came of a run, on standard output. */
#ifndef BM_SUMMARY_H
#define BM_SUMMARY_H

#include "catalog.h"
#include "dispatch.h"
#include "known.h"
#include "paths.h"
#include "store.h"

/* "" for one, else "s". */
const char *plural(int n);

/* What became of the cells, and what it took. */
void print_summary(const struct run_info *run, const struct dispatch_result *result);

/* The list of known failures: `file`, or where that is NULL the user's known-failures.json; *ret is NULL
 * where there is none. */
bool summary_known(struct known **ret, const struct paths *paths, const char *file, GError **err);

/* The failures of a run, held against the known ones. */
struct verdict {
	GPtrArray *failures; /* struct failure_info *, new ones first */
	GPtrArray *entries;  /* const struct known_failure *: what each is known by; NULL: nothing */
	GPtrArray *idle;     /* const struct known_failure *: what they are about was measured, and is good */
	int fresh;	     /* failures that nothing knows, or only what has expired */
	char *today;	     /* the day (UTC) that it was made on */
	const struct known *known; /* lent; may be NULL */
	GPtrArray *all;		   /* owns the failures */
};
bool verdict_make(
	struct verdict **ret, struct store *store, int64_t run, const struct known *known, GError **err);
void verdict_free(struct verdict *verdict); /* takes NULL */

/* What failed, with hints and what is known; prints nothing where there is nothing to tell. `library` gives
 * its own hints; NULL: general ones alone. */
void verdict_print(const struct verdict *verdict, const struct library *library);

#endif
