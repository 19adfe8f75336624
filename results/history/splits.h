/* What p of one split becomes in a series of which it is the clearest. */
#ifndef BM_SPLITS_H
#define BM_SPLITS_H

#include <stddef.h>

/* p of a split as chosen among all windows of a series of n points. */
double history_series_p(double p, size_t n);
/* The smallest p of all windows, as it is. */
double history_smallest_p(const double *values, size_t n);

#endif
