/* How large code and data are, by ELF sections. */
#ifndef BM_SIZES_H
#define BM_SIZES_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Bytes that are loaded, notes left out; -1: unknown. */
struct sizes {
	int64_t text;	/* executable */
	int64_t rodata; /* neither executable nor writable */
	int64_t data;	/* writable, with bytes in the file */
	int64_t bss;	/* writable, without */
};
extern const struct sizes sizes_unknown;

struct object_sizes {
	char *name; /* of the archive's member */
	struct sizes sizes;
};

/* Of a program, or the sum over all members of a static library: unknown where one of them was compiled with
 * -flto, since its code is made at the link. Fails with DIAG_FAILED, *ret is then
 * unknown. */
bool sizes_read(struct sizes *ret, const char *file, GError **err);
/* The same of each member, in the order of the archive: struct object_sizes, owned. */
bool sizes_of_objects(GPtrArray **ret, const char *file, GError **err);

#endif
