/* The reader of a library's hints; private to the catalog. */
#ifndef BM_HINTS_READ_H
#define BM_HINTS_READ_H

#include "hints.h"
#include "jsonx.h"

/* The member "hints" of a library's document: struct hint *, empty where there is none. NULL with a
 * DIAG_INPUT error where anything in it is wrong, a regular expression for one. */
GPtrArray *hints_read(struct jx root, GError **err);

#endif
