/* The member "own" of a library's file: its own benchmark. */
#ifndef BM_LIBRARY_TOOL_H
#define BM_LIBRARY_TOOL_H

#include "catalog.h"
#include "jsonx.h"

/* *ret NULL where the library names none. */
bool tool_read(struct tool **ret, struct jx library, GError **err);
void tool_free(struct tool *tool); /* takes NULL */

#endif
