/* Where a difference of counts comes from: what each function of both programs executed itself. */
#ifndef BM_COMPARE_FUNCTIONS_H
#define BM_COMPARE_FUNCTIONS_H

#include "compare.h"

/* Instructions of one operation (of a bulk benchmark: of one call at its block), the share of the loop around
 * it among them. 0: it executed none. */
struct function_change {
	const char *name;
	double before, after;
};

/* One row of the comparison; names are its own. */
struct function_row {
	const struct comparison_row *row; /* lent */
	double before, after;		  /* of all functions together */
	GArray *changes; /* struct function_change, those that differ, the largest difference first */
	GHashTable *names;
};

/* A row for each of the comparison's for which both sides tell their functions; its metric must be
 * instructions. GPtrArray of struct function_row with its own free function. *ret_without is how many do not
 * tell them. DIAG_USAGE where none does. */
bool functions_of_comparison(GPtrArray **ret, guint *ret_without, const struct comparison *comparison,
	struct store *store, GError **err);

#endif
