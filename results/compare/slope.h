/* What a call costs whatever its size, and what each byte costs on top: a straight line through the figures
 * of one benchmark at several block sizes. */
#ifndef BM_SLOPE_H
#define BM_SLOPE_H

#include "compare.h"
#include "statistics.h"

/* Least squares of cost = per_call + per_byte * bytes. Each point weighs as the inverse square of its cost,
 * since what disturbs a time is a share of it: the largest blocks would else decide alone, and say nothing of
 * the cost of a call. The intervals are Student's with n - 2 degrees of freedom, from what the points lie off
 * the line: they are wide where there is no such line, as beyond a cache. Draper and Smith, Applied
 * Regression Analysis (1998), chapters 1 and 9. With two points they are infinite. False: fewer than two
 * sizes, or a cost that is not above zero. */
struct slope {
	size_t points;
	struct estimate per_byte, per_call;
};
bool slope_fit(struct slope *ret, const double *bytes, const double *costs, size_t n, double confidence);

/* P(|T| <= t) for Student's t; Abramowitz and Stegun, 26.7.3 and 26.7.4. */
double slope_student(double t, size_t degrees);

/* One line of a pivot. */
struct slope_row {
	char **values; /* of the row keys but block, then of the column keys; "-" for none */
	struct slope slope;
	size_t left_out; /* figures that are not above zero */
};
/* A row for each benchmark of the pivot with at least two block sizes, with all that else tells its figures
 * apart. In metrics' base units. GPtrArray of struct slope_row with its own free function. DIAG_USAGE where
 * there is none, or the metric's values are whole. Confidence 0.95. */
bool slope_rows(GPtrArray **ret, const struct pivot *pivot, GError **err);
#define SLOPE_CONFIDENCE 0.95

#endif
