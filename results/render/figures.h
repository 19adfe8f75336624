/* Figures as cells: what the tables of comparisons and pivots share. */
#ifndef BM_FIGURES_H
#define BM_FIGURES_H

#include "rows.h"
#include "store.h"
#include "table.h"

#include <glib.h>

/* DIAG_USAGE where the unit fits the metric for no work. */
bool figures_check_unit(enum metric metric, const char *unit, GError **err);

/* The median with its unit, and where there are several samples half the distance between their quartiles in
 * percent of it: "912.3 MiB/s ±1.2%". A unit of operations is of whole calls where the work is bulk with a
 * known block: "ops/s" of 1024 bytes each. One that does not fit is not used. */
void figures_put(struct table_cell *cell, const struct result *result, const char *unit);
/* The unit for figures of one metric that stand side by side (const struct result *, NULLs skipped), for
 * those of the same work as `result`: the one that is asked for where it fits, else scale_unit()'s. */
const char *figures_unit(const GPtrArray *results, const struct result *result, const char *unit);
/* Whether figures_put() shows a range. */
bool figures_has_range(const struct result *result);
/* What "±" means, for a footer. */
extern const char figures_range_note[];

/* "s/B", "instructions/op". Free with g_free(). */
char *figures_base_unit(const struct result *result);
/* The base unit of all results (const struct result *, NULLs skipped); NULL where they differ. Free with
 * g_free(). */
char *figures_common_unit(const GPtrArray *results);

/* A label; a block is a number of bytes. NULL is unknown. */
void figures_put_label(struct table_cell *cell, enum label label, const char *value);
void figures_add_label_column(struct table *table, enum label label);

#endif
