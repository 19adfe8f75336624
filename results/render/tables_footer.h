/* What stands below a comparison's rows, and what those lines share with its columns. */
#ifndef BM_TABLES_FOOTER_H
#define BM_TABLES_FOOTER_H

#include "compare.h"
#include "table.h"

/* The results of one side of all rows; lent. */
GPtrArray *comparison_side(const struct comparison *comparison, bool before);
/* Whether some figure shows a range. */
bool comparison_has_range(const struct comparison *comparison);
/* "speedup"; never that where an emulator took part, or where it is not known. Free with g_free(). */
char *comparison_ratio_title(const struct comparison *comparison);
/* comparison_too_few() where it says the same of all rows that were tested; else NULL. Free with g_free(). */
char *comparison_all_too_few(const struct comparison *comparison);

/* Verdicts, means (of groups by the key; NULL: by family), results without a partner, provenance, how to read
 * it, and doubts. `too_few`: of all rows; NULL. */
void tables_add_footer(
	struct table *table, const struct comparison *comparison, const char *group, const char *too_few);

/* What all results of a pivot share, where they come from, how to read the table, and its notes. */
void tables_add_pivot_footer(
	struct table *table, const struct pivot *pivot, const GPtrArray *results, const char *reading);

#endif
