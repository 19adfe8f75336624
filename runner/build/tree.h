/* Copies of trees, for what `cp` does not select. */
#ifndef BM_TREE_H
#define BM_TREE_H

#include <glib.h>
#include <stdbool.h>

/* Copies the tree `from` to the folder `to` (made where missing) with modes, times and links; `takes` (may be
 * NULL) is asked about every entry by its folder and name. Sockets, pipes and devices are left out. */
bool tree_copy(const char *from, const char *to,
	bool (*takes)(const char *folder, const char *name, bool is_folder), GError **err);

/* Leaves out what version control keeps for itself and what building in place leaves behind. */
bool tree_takes_source(const char *folder, const char *name, bool is_folder);
/* Takes what a program that is compiled against a library includes. */
bool tree_takes_headers(const char *folder, const char *name, bool is_folder);

/* Copies one file, its folder made where missing. */
bool tree_copy_file(const char *from, const char *to, GError **err);

#endif
