/* Cells of the report's tables. */
#ifndef BM_REPORT_CELLS_H
#define BM_REPORT_CELLS_H

#include "report_model.h"
#include "table.h"

void cell_put_text(struct table_cell *cell, const char *text); /* NULL: unknown */
void cell_put_count(struct table_cell *cell, guint n);
/* NAN: unknown. */
void cell_put_ratio(struct table_cell *cell, double ratio, bool exact);
/* Bytes. */
void cell_put_size(struct table_cell *cell, double bytes);
/* The value with its unit and spread; NULL: unknown. `unit` as in figures_unit(). */
void cell_put_result(struct table_cell *cell, const struct result *result, const char *unit);

/* "history.html#series=12" of a result; NULL where it has no number. Free with g_free(). */
char *cell_history_link(const struct report_model *model, const struct result *result);

#endif
