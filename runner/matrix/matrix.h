/* A matrix file: what is asked for, before anything is excluded. schema/matrix.schema.json. */
#ifndef BM_MATRIX_H
#define BM_MATRIX_H

#include "catalog.h"

#include <glib.h>

struct flag_request {
	char **names; /* as written; closed and checked by the plan */
};

/* Seconds of one process of a program; 0: the usual ones of its mode. */
struct matrix_deadlines {
	int start;   /* to its first byte; 0: as `silence` */
	int silence; /* between two bytes */
	int total;
};

struct matrix {
	char *name, *file, *summary;
	char *text;		       /* the file as it is, for the record */
	const struct library *library; /* with the flags that the matrix adds, where it adds some */
	GPtrArray *versions;   /* struct version *: the library's own or a folder that the matrix names */
	GPtrArray *toolchains; /* const struct toolchain * */
	GPtrArray *profiles;   /* const struct profile * */
	char **optimisations;  /* "-O2", "library" */
	bool all_flags;	       /* every valid closed set of `flags_of` once */
	char **flags_of;       /* all_flags: the flags to combine, in the library's order */
	GPtrArray *flag_sets;  /* struct flag_request *, where not all_flags */
	GPtrArray *agents;     /* const struct agent * */
	bool bench_core, own;  /* instruments: ours, the library's own benchmark */
	char **benchmarks;     /* globs over names of benchmarks.def; default "*" */
	int *blocks;	       /* bytes, 0-terminated; default 16384 */
	int invocations; /* process invocations of a timing cell; default 8: fewer give no verdict on a table
			    of 20 rows */
	int budget_ms;	 /* time that a benchmark is measured for in one invocation; default 100 */
	struct matrix_deadlines deadlines;
	bool functions;	 /* counts add up by functions as well */
	bool times_once; /* what its machine, described as now, has timed is carried forward */
	/* private */
	struct jx_document *doc;
	GPtrArray *owned;
	GPtrArray *extra_flags;
	struct library *extended;
};

/* DIAG_INPUT: file, path, what was wrong, the nearest valid name. */
bool matrix_load(struct matrix **ret, const char *file, const struct catalog *catalog, GError **err);
/* The same from a text that was kept: `file` gives the name, and the folder that relative paths are meant
 * from.
 */
bool matrix_load_text(
	struct matrix **ret, const char *file, const char *text, const struct catalog *catalog, GError **err);
void matrix_free(struct matrix *matrix);

#endif
