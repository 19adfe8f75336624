/* Whether a state of a source is worse than another one in what is watched. */
#ifndef BM_CHECK_H
#define BM_CHECK_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct store;

enum check_answer { CHECK_GOOD, CHECK_BAD, CHECK_UNTESTABLE };

struct check_spec {
	struct store *store;
	int64_t run;	  /* that AFTER was measured by, and BEFORE where it is no stored result */
	const char *uuid; /* of the run */
	const char
		*stored; /* a selector of stored results to hold AFTER against; NULL: BEFORE is of the run */
	const char *metric;	/* known */
	const char *benchmarks; /* globs, comma-separated: what is watched; NULL: all */
	double above;		/* a worsening counts from this share on; NAN: the usual one */
};

/* Whether the metric is compared exactly; DIAG_USAGE where there is no such metric. */
bool check_is_exact(bool *ret, const char *metric, GError **err);
/* Pairs that a verdict over so many benchmarks takes; 0: there is none of those names. */
int check_pairs(const char *benchmarks);

/* Says what it finds in one line on standard output. One that is worse is CHECK_BAD; else one of which AFTER
 * has no result, or whose difference cannot be told from noise, is CHECK_UNTESTABLE. Fails where BEFORE has
 * no results, or nothing is watched. */
bool check_judge(enum check_answer *ret, const struct check_spec *spec, GError **err);

#endif
