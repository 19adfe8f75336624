/* Statistics of small samples: pure functions of numbers, no database. No value is assumed to be normal.
 *
 * A value is one process invocation's median: samples of one process share its memory layout, clock frequency
 * and luck, and are no independent observations. Values are finite. p is two-sided: twice the smaller tail, 1
 * at most. */
#ifndef BM_STATISTICS_H
#define BM_STATISTICS_H

#include <stddef.h>

/* An interval and how often such an interval holds the truth: at least the confidence that was asked for.
 * Where there are too few values for it, it is infinite on both sides, with coverage 1. */
struct interval {
	double low, high, coverage;
};

/* An estimate with its interval. */
struct estimate {
	double value;
	struct interval interval;
};

/* Sorts in place; NAN for none. Of an even number the mean of the middle two. */
double statistics_median(double *values, size_t n);

/* Of the median of the population, by order statistics: [x(k), x(n+1-k)] holds it unless fewer than k of n
 * fall on one side, so its coverage is 1 - 2 P(B <= k-1) with B ~ binomial(n, 1/2); k is the largest for
 * which that is at least `confidence`. David and Nagaraja, Order Statistics (2003), 7.1. `sorted` ascends. */
struct interval statistics_median_interval(const double *sorted, size_t n, double confidence);

/* --- two independent samples --- */

/* p of the Mann-Whitney U test. With at most STATISTICS_EXACT_U values a side the exact permutation
 * distribution of the sum of midranks, so ties cost nothing; above that the normal approximation with the
 * correction for ties and for continuity. Lehmann, Nonparametrics (1975), 1.2 to 1.4. NAN where a side is
 * empty. */
double statistics_u_test(const double *x, size_t n, const double *y, size_t m);
#define STATISTICS_EXACT_U 25

/* The smallest p that the U test can give for n against m values without ties: 2 / C(n+m, n), at most 1. */
double statistics_smallest_p(size_t n, size_t m);

/* How many values a side the U test needs to be able to find one of `tests` differences, at family-wise level
 * `alpha`: the smallest n whose smallest p is at most alpha / tests, which is what Holm and
 * Benjamini-Hochberg ask of the smallest of so many p. */
size_t statistics_enough(double alpha, size_t tests);

/* Hodges-Lehmann: by how much x lies above y, the median of all differences x(i) - y(j); its interval are the
 * k-th difference from either end, k from the distribution of U without ties, by the normal approximation
 * above STATISTICS_EXACT_U values a side. Hollander and Wolfe, Nonparametric Statistical Methods (1999), 4.2
 * and 4.3. Of logarithms it is that of a ratio. NAN where a side is empty. */
struct estimate statistics_shift(const double *x, size_t n, const double *y, size_t m, double confidence);

/* --- pairs --- */

/* p of the Wilcoxon signed rank test of differences. Zeros are left out, as Wilcoxon does; equal sizes share
 * their midrank. Exact for STATISTICS_EXACT_W differences or fewer, else the normal approximation with the
 * correction for ties and for continuity. Lehmann (1975), 3.2 and 3.3. 1 where all are zero, NAN for none. */
double statistics_signed_rank_test(const double *differences, size_t n);
#define STATISTICS_EXACT_W 50

/* The smallest p that it can give for n differences, none of them zero and no two of a size: 2 / 2^n, at
 * most 1. */
double statistics_smallest_p_of_pairs(size_t n);
/* How many pairs it needs, as statistics_enough() says of values a side. */
size_t statistics_enough_pairs(double alpha, size_t tests);

/* The median of all means of two differences (each with itself too), with the k-th from either end as its
 * interval, k from the distribution of the signed rank sum without ties or zeros. Hollander and Wolfe (1999),
 * 3.2 and 3.3. NAN for none. */
struct estimate statistics_paired_shift(const double *differences, size_t n, double confidence);

/* --- many tests --- */

/* So many standard deviations from its mean, or further, a normal value lies with probability p, on both
 * sides taken together: 1.96 for 0.05. 0 for p >= 1, INFINITY for p <= 0. */
double statistics_normal_distance(double p);

/* Adjusted p of each test, into `adjusted` (may be `p`): at most alpha where the test is rejected at alpha.
 * Holm holds the probability of any false rejection, Scandinavian Journal of Statistics 6 (1979) 65;
 * Benjamini and Hochberg the expected share of false rejections among all, Journal of the Royal Statistical
 * Society B 57 (1995) 289. */
void statistics_holm(double *adjusted, const double *p, size_t n);
void statistics_benjamini_hochberg(double *adjusted, const double *p, size_t n);

#endif
