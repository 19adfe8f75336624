/* Two builds that the database knows, made ready to be measured in alternation: a matrix, of whose plan two
 * cells are kept. */
#ifndef BM_DUEL_H
#define BM_DUEL_H

#include "asides.h"
#include "catalog.h"
#include "plan.h"
#include "store.h"

/* Its runs are of the matrix ASIDE_DUEL. */
#define DUEL_FILE	ASIDE_DUEL ".json"
#define DUEL_MOST_PAIRS 1000

struct duel_spec {
	const char *before, *after; /* selectors */
	const char *where;	    /* of both; NULL: none */
	const char *agent;	    /* NULL: local */
	const char *benchmarks; /* globs, comma-separated; NULL: those of the matrix that BEFORE was measured
				   by */
	int pairs;		/* at most; 0: as many as a verdict over the rows takes */
};

struct duel {
	char *text;			  /* of the matrix */
	guint rows;			  /* that are expected of it; 1 at least */
	int pairs;			  /* at most */
	struct duel_side *before, *after; /* private */
};

/* Each side settles on one build: of those that a selector takes, the latest measured. DIAG_USAGE: a side
 * takes none, or several builds (lists the labels to add); the libraries differ; the agent takes no time; no
 * such benchmark. DIAG_INPUT where a build cannot be planned any more. A matrix's relative paths are meant
 * from where a matrix of its name is found, else from the current folder. */
bool duel_prepare(struct duel **ret, struct store *store, const struct catalog *catalog,
	const struct duel_spec *spec, GError **err);
void duel_free(struct duel *duel); /* takes NULL */

/* struct carry_out's `narrow`, `user` being the duel: leaves the two cells, and pins refs to the commits that
 * were measured. */
bool duel_narrow(struct plan *plan, const void *user, GError **err);

/* The selectors that tell the sides of such a matrix apart: "config=default" and "config=sp". Free with
 * g_free(). */
void duel_selectors(char **ret_before, char **ret_after, const struct matrix *matrix);

#endif
