/* The part of comparing and pivoting that needs no database. */
#ifndef BM_JOIN_H
#define BM_JOIN_H

#include "compare.h"

/* What is asked. Lent for the call. */
struct comparison_request {
	const struct selector *before, *after, *where;
	enum metric metric;
};

/* Joins results that the selectors have already taken (struct result; referenced by the comparison). Leaves
 * out emulated time that was not asked for. DIAG_USAGE: an empty side, mixed origins, nothing but emulated
 * time, an ambiguous join. */
bool comparison_join(struct comparison **ret, GArray *before, GArray *after,
	const struct comparison_request *request, GError **err);

/* How many times better `after` is: before / after where lower is better, after / before where higher is. NAN
 * where either is unknown, not finite or not above zero, or the quotient is out of range; *ret_why then gets
 * the reason (g_free(), may be NULL). */
double comparison_ratio(double before, double after, enum better better, char **ret_why);
/* Of the rows that have a ratio; NAN where none has. */
double comparison_geomean(const GPtrArray *rows);
/* Of exact values. VERDICT_NONE where either is unknown. */
enum verdict comparison_verdict(double before, double after, enum better better);

/* What is asked of a pivot: lent for the call. */
struct pivot_request {
	const struct selector *selector;
	enum metric metric;
	const char *rows, *columns; /* comma-separated labels; NULL as in pivot_make() */
};
bool pivot_of(struct pivot **ret, GArray *results, const struct pivot_request *request, GError **err);

#endif
