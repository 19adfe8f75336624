/* Two states of a library's source, as a matrix. */
#ifndef BM_TREES_H
#define BM_TREES_H

#include <glib.h>
#include <stdbool.h>

/* The names of the two versions in the matrix, and so in the database. */
#define TREES_BEFORE "before"
#define TREES_AFTER  "after"

struct trees_spec {
	const char *before,
		*after; /* folders, or what git takes for a commit; before NULL: there is AFTER alone */
	const char *repository; /* folder in a git work tree or repository; NULL: the current folder */
	const char *library;
	const char *toolchains; /* comma-separated names */
	const char *configs;	/* comma-separated sets of flags: "default,fastmath+TFM_NO_ASM" */
	const char *benchmarks; /* globs, comma-separated; NULL: all */
	int invocations;	/* of what is timed; 0: as a matrix has it that names none */
	int budget_ms;		/* of each benchmark in one of them; 0: likewise */
	bool count, time;
};

/* The text of the matrix. What names a folder is one, unless a repository was named that has such a commit.
 * DIAG_USAGE where one is neither. */
bool trees_matrix(char **ret, const struct trees_spec *spec, GError **err);

#endif
