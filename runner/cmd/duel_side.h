/* One side of a duel: a build that was measured, and how it was planned. */
#ifndef BM_DUEL_SIDE_H
#define BM_DUEL_SIDE_H

#include "catalog.h"
#include "matrix.h"
#include "rows.h"
#include "store.h"

#include <jansson.h>

struct duel_side {
	const char *name;     /* "BEFORE"; static */
	struct labels labels; /* of the build; static */
	char *revision;	      /* NULL: unknown */
	struct matrix *matrix;
	json_t *json;		       /* the same, as written */
	const struct version *version; /* of the matrix */
	char *commit;		       /* that a ref stood at; NULL */
	char *version_name;	       /* in the duel */
	GHashTable *measured;	       /* names of benchmarks that it has figures of */
};

/* The labels that make a build, -1 behind the last. */
extern const int duel_side_labels[];

bool duel_side_find(struct duel_side **ret, struct store *store, const struct catalog *catalog,
	const char *name, const char *selector, const char *where, GError **err);
void duel_side_free(struct duel_side *side); /* takes NULL */

/* Whether equal names of versions mean the same source, at the same revision. */
bool duel_side_same_source(const struct duel_side *a, const struct duel_side *b);
/* What its version is in the duel's matrix. New reference. */
json_t *duel_side_version(const struct duel_side *side);

#endif
