/* Results as tables: what compare, query and list runs show. */
#ifndef BM_TABLES_H
#define BM_TABLES_H

#include "compare.h"
#include "store.h"
#include "table.h"

/* Number with its unit for people, three to four significant digits: "912.3 MiB/s", "1.212 k op/s", "3.21 instructions/B". Free with g_free().
 * Time of a bulk benchmark is shown as throughput (MiB/s), of the others as ops/s, unless `unit` asks for "s", "ms", "us", "ns" per
 * operation or byte, "MiB/s", "MB/s" or "ops/s". DIAG_USAGE where the unit does not fit the metric. */
bool scale_text(char **ret, double value, enum metric metric, enum work work, const char *unit, GError **err);

/* "36.58x" */
char *ratio_text(double ratio);

bool table_of_comparison(struct table **ret, const struct comparison *comparison, const char *unit, GError **err);
bool table_of_pivot(struct table **ret, const struct pivot *pivot, const char *unit, GError **err);

#endif
