/* From a matrix to what will be done: builds, cells, and what is left out with its reason. Pure: touches
 * nothing. */
#ifndef BM_PLAN_H
#define BM_PLAN_H

#include "matrix.h"

/* A build that the plan wants. */
struct planned_build {
	char *name; /* "aarch64-gcc wolfssl-5.5.4 fastmath+sp crypto -O2": unique in the plan */
	const struct library *library;
	const struct version *version;
	const struct toolchain *toolchain;
	const struct profile *profile;
	const char *optimisation;
	const struct tool *tool; /* the program is the library's own benchmark; NULL: it is bench-core */
	char *config;		 /* "default", "fastmath+sp" */
	GPtrArray *flags;	 /* const struct flag *, in the library's order; empty for default */
};

/* A build on an agent. */
struct planned_cell {
	char *name; /* "<build's name> on qemu-user count" */
	const struct planned_build *build;
	const struct agent *agent;
	enum agent_mode mode;
};

/* What was left out. */
struct exclusion {
	char *what;   /* "x86_64-gcc wolfssl-5.5.4 {armasm}" */
	char *reason; /* "flag armasm: aarch64 only, not x86_64" */
};

struct plan {
	const struct matrix *matrix;
	GPtrArray *builds;     /* struct planned_build * */
	GPtrArray *cells;      /* struct planned_cell * */
	GPtrArray *exclusions; /* struct exclusion *, in the order in which they were met, each once */
};

/* DIAG_INPUT where nothing is left. */
bool plan_make(struct plan **ret, const struct matrix *matrix, GError **err);
void plan_free(struct plan *plan);
/* JSON for the record: every build, cell and exclusion. Free with g_free(). */
char *plan_text(const struct plan *plan);

/* The label instrument of what a build's program measures. Lent. */
const char *planned_instrument(const struct planned_build *build);

/* What the library's own benchmark is told, to measure the matrix's benchmarks at a block. NULL where it has
 * none of them. A build may lack some, and end at a word that it does not know: words that do not stand in
 * the file `program` (NULL: not there yet) are left out where others do. Free with g_strfreev(). */
char **tool_arguments(const struct matrix *matrix, int block, const char *program);

/* The name of a set: sorted (case ignored first), joined by "+"; "default" for none. Free with g_free(). */
char *config_name(const char *const *flags);

/* Why this set of flags cannot stand on this toolchain and version, or NULL where it is valid and closed.
 * `flags` are names, all known. New text: "fasthugemath implies fastmath: the same as fasthugemath+fastmath",
 * "TFM_NO_ASM needs fastmath". */
char *flags_refused(const struct library *library, const char *version, const struct toolchain *toolchain,
	const char *const *flags);

#endif
