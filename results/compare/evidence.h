/* From samples to verdicts. */
#ifndef BM_EVIDENCE_H
#define BM_EVIDENCE_H

#include "compare.h"

/* Nothing is known. */
extern const struct evidence evidence_none;

/* Of the medians of invocations, at least one a side; sorts both. Its p is not corrected yet. evidence_none
 * where a value is not above zero or not finite: there is no ratio then. */
struct evidence evidence_weigh(
	double *before, size_t n_before, double *after, size_t n_after, enum better better);
/* The same of pairs: the k-th of both sides stand together. By the differences of their logarithms. */
struct evidence evidence_weigh_pairs(double *before, double *after, size_t n, enum better better);
/* Fills in p_adjusted, level and enough of all that have a p. Returns how many those are. */
size_t evidence_correct(struct evidence **all, size_t n, enum correction correction);
/* By what was corrected. */
enum verdict evidence_verdict(const struct evidence *evidence);

/* Pairs that would do for a verdict by what is known of an unclear row, where the spread stays as it is: so
 * many that the ratio is told from 1 at the row's level, or where it lies within COMPARISON_FLOOR, that its
 * whole interval does. Errors shrink with the root of n. 0: unknown, or more than EVIDENCE_MOST_PAIRS. */
size_t evidence_pairs_needed(const struct evidence *evidence);
#define EVIDENCE_MOST_PAIRS 1000

/* Whether samples can give the row a verdict: both sides sampled, on hardware, and a ratio. */
bool evidence_applies(const struct comparison_row *row);
/* Weighs the rows that it applies to by their samples in the store, and corrects them (Holm). A ratio that
 * lies outside its interval is noted. */
bool evidence_gather(struct comparison *comparison, struct store *store, GError **err);

#endif
