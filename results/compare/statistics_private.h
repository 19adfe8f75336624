/* Distributions of rank sums, for the files of statistics.h. */
#ifndef BM_STATISTICS_PRIVATE_H
#define BM_STATISTICS_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>

/* A distribution over 0..most, as counts of equally likely cases. They are whole numbers below 2^53 for the
 * sizes that statistics.h calls exact, so that sums of them are too. */
struct counts {
	double *of; /* g_free() */
	size_t most;
	double all;
};

/* P(X <= at); 0 below 0. */
double counts_below(const struct counts *counts, long at);
/* P(X >= at). */
double counts_above(const struct counts *counts, long at);

/* Of the sum of `take` out of `n` weights, each subset as likely: the shift algorithm of Streitberg and
 * Roehmel, Statistical Software Newsletter 12 (1986) 10. */
struct counts counts_of_choice(const size_t *weights, size_t n, size_t take);
/* Of the sum of the weights that a coin picks. */
struct counts counts_of_coins(const size_t *weights, size_t n);

/* How often an interval may miss. */
double outside_of(double confidence);

/* How many of the sorted differences to cut off at either end: the largest k with 2 P(X <= k-1) <= 1 -
 * confidence; 0 where there is none. *ret_coverage is then 1 - 2 P(X <= k-1). */
size_t counts_cut(const struct counts *counts, double confidence, double *ret_coverage);
/* The same of a normal distribution. */
size_t normal_cut(double mean, double sd, double confidence, double *ret_coverage);

/* Two-sided p of a value at least so far from the mean; continuity: half a step towards it. */
double normal_p(double value, double mean, double sd, double half_step);

/* Twice the midrank of each value among all, whole numbers. *ret_ties gets the sum of t^3 - t over the groups
 * of t equal values. Free with g_free(). */
size_t *midranks_doubled(const double *values, size_t n, double *ret_ties);

/* The middle of `sorted` and its interval after a cut. */
struct estimate estimate_of_sorted(const double *sorted, size_t n, size_t cut, double coverage);
int compare_doubles(const void *a, const void *b);

#endif
