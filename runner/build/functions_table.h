/* The functions of a program, for a counter that adds up by them. */
#ifndef BM_FUNCTIONS_TABLE_H
#define BM_FUNCTIONS_TABLE_H

#include <glib.h>
#include <stdbool.h>

/* Writes the table that agents/plugin/functions.h describes, from the program's symbols: functions, and
 * global labels in code. One that has no size (assembly) reaches to the next or to the end of its section; of
 * several at one address the global one counts, and what begins within another belongs to it. What compilers
 * append (".part.0", ".constprop.1", ".cold") is cut off, so that parts count for their function. DIAG_FAILED
 * where the program has no symbols, or is not linked to a fixed address. */
bool functions_table_write(const char *table, const char *program, GError **err);

#endif
