/* Tables onto standard output. */
#ifndef BM_PRINT_H
#define BM_PRINT_H

#include "table.h"

/* Writes the table in the named format; NULL: "table". DIAG_USAGE where there is no such format. */
bool print_table(const struct table *table, const char *format, GError **err);

#endif
