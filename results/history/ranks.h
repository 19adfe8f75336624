/* Ranks of a stretch of a series: where it divides best, and how clear the division is. */
#ifndef BM_RANKS_H
#define BM_RANKS_H

#include <stddef.h>

/* A series that is divided again and again: its order by value, found once, and room to work in. */
struct ranks;
struct ranks *ranks_new(const double *values, size_t n);
void ranks_free(struct ranks *ranks);

/* The split of [first, end) whose two sides are farthest apart: the largest nm/(n+m) E, E = 2 mean|x-y| -
 * mean|x-x'| - mean|y-y'| (Matteson and James 2014, 2.2, with exponent 1) of the midranks within the stretch.
 * Each side has RANKS_LEAST points. Returns the first point of the second side, 0 where the stretch is too
 * short; *ret_p gets the p of its sides. */
size_t ranks_split(struct ranks *ranks, size_t first, size_t end, double *ret_p);
#define RANKS_LEAST 2

/* p of the rank sum test of [first, at) against [at, end). */
double ranks_p(struct ranks *ranks, size_t first, size_t at, size_t end);

/* Two-sided p of Mann and Whitney's U of n against m values: twice the probability of a U as far from nm/2,
 * by the coefficients of the Gaussian binomial (Mann and Whitney, Annals of Mathematical Statistics 18 (1947)
 * 50) where that takes few steps, else by the normal approximation with continuity. Of equal values half
 * counts for either side, and U is then less spread than this takes it to be. */
double ranks_u_p(double u, size_t n, size_t m);

#endif
