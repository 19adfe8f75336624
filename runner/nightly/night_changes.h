/* What may have changed, and what measures it again. */
#ifndef BM_NIGHT_CHANGES_H
#define BM_NIGHT_CHANGES_H

#include "night_suspects.h"
#include "plan.h"

/* The names of the two revisions in what measures them again. */
#define NIGHT_BEFORE "before"
#define NIGHT_AFTER  "after"

/* The suspects of one version between the same two revisions. */
struct night_change {
	const struct matrix *matrix;
	const struct version *version; /* of the matrix */
	const char *from, *to;	       /* revisions; NULL: unknown */
	/* Whether both revisions can be built again: from a repository. Else the version alone is measured
	 * again, as it is now. */
	bool two;
	GPtrArray *suspects; /* const struct night_suspect * */
	char *label;	     /* of the run that measures it again */
	GHashTable *cells;   /* what is measured again */
	/* Set by what does: */
	int64_t run; /* 0: none */
	char *run_uuid;
	GArray *again; /* struct result of that run; NULL: none */
	char *problem; /* why something was not measured, in words; NULL: nothing that is known */
};

/* In the order of the suspects. `cells` are those of the night (struct cell_info). GPtrArray of struct
 * night_change with its own free function. */
GPtrArray *night_changes(const struct night_suspects *suspects, const struct matrix *matrix,
	const GPtrArray *cells, const char *night_uuid);

/* The text of the matrix that measures it again: the night's, with the suspects' benchmarks, and processes
 * enough for a verdict on each of them. Free with g_free(). */
char *night_change_matrix(const struct night_change *change);
/* Whether a cell of that matrix is one of the suspects'. */
bool night_change_takes(const struct planned_cell *cell, const void *change);

#endif
