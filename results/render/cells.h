/* What the renderers share: cells as raw values and as lines. */
#ifndef BM_CELLS_H
#define BM_CELLS_H

#include "table.h"

/* The shortest decimal that reads back as the same double, with a point in every locale; NULL for a value
 * that is not finite. Free with g_free(). */
char *cell_number(double number);
/* The text of a cell in CSV and JSON where it is not a number; valid UTF-8; NULL where unknown. Free with
 * g_free(). */
char *cell_raw_text(const struct table_cell *cell);
/* Text that may stand in one line of a terminal: as diag_printable(), newlines and tabs as escapes too. Free
 * with g_free(). */
char *cell_line(const char *text);

#endif
