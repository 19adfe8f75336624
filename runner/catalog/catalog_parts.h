/* The readers of the catalog's kinds of files; private to the catalog. */
#ifndef BM_CATALOG_PARTS_H
#define BM_CATALOG_PARTS_H

#include "catalog.h"
#include "jsonx.h"

/* Reads a toolchain's or a library's document; its strings are lent by the document. `name` and `adapter` are
 * copied. NULL with a DIAG_INPUT error where anything in it is wrong. */
struct toolchain *toolchain_read(const char *name, struct jx_document *doc, GError **err);
void toolchain_free(struct toolchain *toolchain);
struct library *library_read(const char *name, const char *adapter, struct jx_document *doc, GError **err);
void library_free(struct library *library);

#endif
