/* Rows of flags: those of a library's file, and those that a matrix adds for itself. */
#ifndef BM_LIBRARY_FLAGS_H
#define BM_LIBRARY_FLAGS_H

#include "jsonx.h"

#include <glib.h>

/* Reads an array of rows into a new array of struct flag *, which owns them; their strings are lent by the
 * document. Rows may name each other and the flags of `before` (may be NULL), and must not repeat one of
 * these. NULL with a DIAG_INPUT error. */
GPtrArray *flags_read(const GPtrArray *before, struct jx list, GError **err);

#endif
