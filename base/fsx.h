/* Files: whole reads with a ceiling, writes that are there entirely or not at all, trees, locks, hashes. */
#ifndef BM_FSX_H
#define BM_FSX_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

/* Reads a regular file of at most `ceiling` bytes; refuses directories, pipes and devices (DIAG_INPUT).
 * *ret is followed by a NUL that `*ret_length` does not count; free with g_free(). */
bool fsx_read(char **ret, size_t *ret_length, const char *file, size_t ceiling, GError **err);

/* Writes a file through a temporary beside it, fsync and rename. */
bool fsx_write(const char *file, const void *bytes, size_t length, GError **err);

/* mkdir -p; an existing folder is fine. */
bool fsx_make_folder(const char *folder, GError **err);

/* Removes a tree without following links; a missing tree is fine. */
bool fsx_remove_tree(const char *folder, GError **err);

/* A new, empty, unique folder `parent/prefix-XXXXXX`. Free the name with g_free(). */
char *fsx_unique_folder(const char *parent, const char *prefix, GError **err);

/* SHA-256 in lower-case hexadecimal, free with g_free(). Of a tree: of the sorted relative names, file types,
 * execute bits, link targets and contents; names in `skip` (NULL-terminated, may be NULL) are left out at
 * every depth. */
char *fsx_hash_file(const char *file, GError **err);
char *fsx_hash_tree(const char *folder, const char *const *skip, GError **err);

/* An advisory lock on `file`, which is made where missing. Held until fsx_unlock() or the end of the process,
 * however it ends. `wait` false: *ret is -1 and the function returns true where another process holds it. */
bool fsx_lock(int *ret, const char *file, bool wait, GError **err);
/* A lock that every user of the machine can hold, in a folder that all can write: never waits (*ret -1),
 * takes a file that belongs to another user as it is, follows no link, writes nothing. `shared`: held
 * together with other shared holders, and with nobody else. */
bool fsx_lock_machine(int *ret, const char *file, bool shared, GError **err);
void fsx_unlock(int lock); /* takes -1 */

/* The absolute path of `name` as a file means it that names it: relative to the file's own folder. Free with
 * g_free(). */
char *fsx_beside(const char *file, const char *name);

/* The absolute path of a program as execvp would find it along `path` (a colon-separated list; NULL: $PATH),
 * or NULL. */
char *fsx_find_program(const char *name, const char *path);

#endif
