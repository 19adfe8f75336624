/* The ELF files that a file holds: the members of a static library, or a program. For this folder's files. */
#ifndef BM_ELF_OBJECTS_H
#define BM_ELF_OBJECTS_H

#include <gelf.h>
#include <glib.h>
#include <libelf.h>
#include <stdbool.h>

struct open_elf {
	int fd;
	Elf *elf;
};
bool elf_open(struct open_elf *ret, const char *file, GError **err);
void elf_shut(struct open_elf *open);

/* Calls `visit` for each, in the order of the archive; `name` is the member's, or of a program the file's
 * own. DIAG_FAILED where the file is neither. */
bool elf_objects_visit(
	const char *file, void (*visit)(Elf *elf, const char *name, void *user), void *user, GError **err);

/* Whether an object was compiled with -flto: the code that it may hold is not what will be linked. */
bool elf_is_lto(Elf *elf);

#endif
