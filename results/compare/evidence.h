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
/* Fills in p_adjusted, level and enough of all that have a p. Returns how many those are. */
size_t evidence_correct(struct evidence **all, size_t n, enum correction correction);
/* By what was corrected. */
enum verdict evidence_verdict(const struct evidence *evidence);

/* Whether samples can give the row a verdict: both sides sampled, on hardware, and a ratio. */
bool evidence_applies(const struct comparison_row *row);
/* Weighs the rows that it applies to by their samples in the store, and corrects them (Holm). A ratio that
 * lies outside its interval is noted. */
bool evidence_gather(struct comparison *comparison, struct store *store, GError **err);

#endif
