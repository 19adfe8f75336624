/* Results as tables: what compare, query and list runs show. */
#ifndef BM_TABLES_H
#define BM_TABLES_H

#include "compare.h"
#include "store.h"
#include "table.h"

/* Number with its unit for people: four significant digits below 1000, whole numbers with grouped digits from
 * there on; exact metrics keep all digits of a whole number: "912.3 MiB/s", "1,212 ops/s", "29,556,537
 * instructions/op". NULL where the value is unknown or not finite. Free with g_free(). Time of a bulk
 * benchmark is shown as throughput (MiB/s), of the others as ops/s, unless `unit` asks for "s", "ms", "us",
 * "ns" per operation or byte, "MiB/s", "MB/s" or "ops/s". DIAG_USAGE where the unit does not fit the metric
 * or the work. */
bool scale_text(char **ret, double value, enum metric metric, enum work work, const char *unit, GError **err);

/* What a value of the metric is for: "/B", "/op"; "" for the sizes of a build, which are whole values, in B
 * or (asked for by `unit`) KiB. Static. */
const char *scale_per(enum metric metric, enum work work);

/* "36.58x"; "-" where there is none. An exact ratio next to 1 shows on which side of it it is. */
char *ratio_text(double ratio, bool exact);

/* `unit` as above; rows whose work it does not fit are shown as without it. */
bool table_of_comparison(
	struct table **ret, const struct comparison *comparison, const char *unit, GError **err);
bool table_of_pivot(struct table **ret, const struct pivot *pivot, const char *unit, GError **err);

#endif
