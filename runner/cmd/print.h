/* Tables onto standard output. */
#ifndef BM_PRINT_H
#define BM_PRINT_H

#include "table.h"

/* Writes the table in the named format; NULL: "table". DIAG_USAGE where there is no such format. */
bool print_table(const struct table *table, const char *format, GError **err);

/* Of standard output; 0 where it is no terminal. */
int print_width(void);

/* "3.4 MiB". Free with g_free(). */
char *print_size(int64_t bytes);

#endif
