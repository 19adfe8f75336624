/* How our own formats tell a figure that nobody printed: by its value in base units. */
#ifndef BM_OWN_FIGURE_H
#define BM_OWN_FIGURE_H

#include "decimal.h"
#include "importer.h"

struct own_figure {
	struct figure figure;
	char printed[DECIMAL_SIZE]; /* the value, with as many digits as it takes to read it back */
	char *unit;		    /* "s/B", "s/op", "B" of whole values */
	enum import_statistic statistic;
	const char *problem;
};

/* What such a figure shows where nothing printed is known of it. `whole`: it is not per unit of work. The
 * unit is the caller's: g_free(). */
struct own_figure own_figure_of(const struct figure *figure, enum metric metric, enum work work, bool whole);

/* Why it is no measured value; NULL where it is. A whole value may be 0: a program without variables. Static.
 */
const char *own_problem(double value, bool whole);

#endif
