/* Results as tables: what compare, query and list runs show. */
#ifndef BM_TABLES_H
#define BM_TABLES_H

#include "arrange.h"
#include "compare.h"
#include "store.h"
#include "table.h"

/* Number with its unit for people: four significant digits below 1000, whole numbers with grouped digits from
 * there on; exact metrics keep all digits of a whole number: "912.3 MiB/s", "1,212 ops/s", "29,556,537
 * instructions/op". NULL where the value is unknown or not finite. Free with g_free(). Without a `unit` it is
 * in that of scale_unit(). `unit` is one of scale.c's list; one that is no rate may have its work behind it:
 * "ns/byte", "cycles/op". DIAG_USAGE where it does not fit the metric or the work. */
bool scale_text(char **ret, double value, enum metric metric, enum work work, const char *unit, GError **err);
/* Whether that unit fits the metric and the work. */
bool scale_fits(enum metric metric, enum work work, const char *unit);

/* The same as release notes have it: two digits behind the point, however large: "1,242.28 MiB/s". */
bool scale_note_text(
	char **ret, double value, enum metric metric, enum work work, const char *unit, GError **err);

/* The unit in which values (NAN: unknown) that stand side by side are shown, so that they compare at a
 * glance. Time of a bulk benchmark: MiB/s, unless one of them would be below 1; then KiB/s, then B/s. Of the
 * others: ops/s. All other metrics: their own. Static. */
const char *scale_unit(const double *values, size_t n, enum metric metric, enum work work);

/* The one metric that a unit belongs to: "cycles/byte" is of cycles. False where there is none or several. */
bool scale_metric(enum metric *ret, const char *unit);

/* What a value of the metric is for: "/B", "/op"; "" for sizes and ratios, which are whole values. Static. */
const char *scale_per(enum metric metric, enum work work);

/* "36.58x"; "-" where there is none. An exact ratio next to 1 shows on which side of it it is. */
char *ratio_text(double ratio, bool exact);

/* `unit` as above; rows whose work it does not fit are shown as without it. */
bool table_of_comparison(
	struct table **ret, const struct comparison *comparison, const char *unit, GError **err);
/* The same, some rows of it, in another order or group by group; all NULL and 0 is as above. Means are of all
 * rows. */
struct comparison_view {
	const char *unit;
	struct arrangement arrangement;
};
bool table_of_comparison_view(struct table **ret, const struct comparison *comparison,
	const struct comparison_view *view, GError **err);

/* A line for each row that has a ratio, as release notes have them: "AES-128 GCM encrypt: 1,242.28 MiB/s
 * (193.65x)", the value after and the ratio; each begins with `bullet`. The table's footer follows. Free with
 * g_free(). */
bool brief_of_comparison(char **ret, const struct comparison *comparison, const struct comparison_view *view,
	const char *bullet, GError **err);
/* "AES-128 GCM encrypt" of "aes-128-gcm encrypt": the algorithm in capitals (but for names that have their
 * own spelling), and a blank for each hyphen between a part that begins with a digit and one that does not.
 * Free with g_free(). */
char *brief_name(const char *benchmark);

/* Where the differences come from: the functions of each row that changed most (by_function.h), the others of
 * it together; `all`: every function, of rows without a difference as well. `without` rows do not tell
 * theirs. */
void table_of_functions(struct table **ret, const struct comparison *comparison, const GPtrArray *rows,
	guint without, bool all);

bool table_of_pivot(struct table **ret, const struct pivot *pivot, const char *unit, GError **err);
/* A row for each figure of the pivot: its samples' number, best, median, mean, worst and standard deviation.
 */
bool table_of_spread(struct table **ret, const struct pivot *pivot, const char *unit, GError **err);
/* A row for each benchmark at several block sizes: what a call costs, and what a byte costs on top, each with
 * its interval (slope.h). */
bool table_of_slopes(struct table **ret, const struct pivot *pivot, GError **err);

#endif
