/* What a program or an archive really is, read from its ELF files. */
#ifndef BM_ELF_CODE_H
#define BM_ELF_CODE_H

#include <glib.h>
#include <stdbool.h>

/* "EM_AARCH64 64-bit little-endian": machine as in <elf.h> ("EM_4711" where it has no name here). New text,
 * or NULL with DIAG_FAILED. */
char *elf_machine(const char *file, GError **err);
/* The same words from their parts. New text. */
char *elf_machine_text(const char *machine, int bits, bool big_endian);

struct elf_archive {
	char *code_sha256; /* NULL where no member holds code of the machine, or one was compiled with -flto:
			      its code is made at the link */
	GHashTable *symbols; /* char *: the names of all defined symbols, local ones too, as a set */
};

/* Reads a static library. The hash is SHA-256 over its members in the order of their names, and in each over
 * its sections of code and read-only data (allocated, not writable, with bytes) with their relocations. Left
 * out: notes, and sections of strings that the linker may merge (SHF_STRINGS), since a library's record of
 * how it was configured stands there; a relocation into such a section counts with its place and type, not
 * with what it points at. So equal hashes mean equal code and tables; string constants alone do not count. At
 * -O0 GCC keeps string constants among the tables: there a recorded configuration shows as a difference. */
bool elf_read_archive(struct elf_archive *ret, const char *file, GError **err);
void elf_archive_clear(struct elf_archive *archive);

#endif
