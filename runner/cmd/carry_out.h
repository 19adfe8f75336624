/* From a matrix to results that are kept and told: what `run` and its like have in common. */
#ifndef BM_CARRY_OUT_H
#define BM_CARRY_OUT_H

#include "catalog.h"
#include "dispatch.h"
#include "host_settings.h"
#include "matrix.h"
#include "paths.h"
#include "plan.h"
#include "summary.h"

#define CARRY_OUT_ALL_PROCESSORS 0

/* What a run needs, from its matrix to its end. */
struct carry_out {
	/* Set by the command, lent. */
	const struct paths *paths;
	const char *again; /* what goes on with it: "run quick --resume" */
	const char *file;  /* of the matrix: gives its name, and the folder that its paths are meant from */
	const char *text;  /* the matrix itself; NULL: what stands in the file */
	const char *label, *only, *known_file, *host; /* options of the command; may be NULL */
	int jobs;				      /* builds and counts at once */
	bool fresh, resume;
	bool (*takes)(const struct planned_cell *cell, const void *user); /* NULL: all cells are wanted */
	/* Called when a new run has begun, before anything of it is done; may be NULL. */
	bool (*begun)(struct store *store, int64_t run, const void *user, GError **err);
	const void *user; /* of both */
	/* Takes out of the plan of a new run what is not wanted, beside `only`; may give versions the commits
	 * that they are to stand at. NULL: nothing. */
	bool (*narrow)(struct plan *plan, const void *user, GError **err);
	const void *narrow_user;
	bool pairs;		 /* where exactly two cells are timed, in alternation: pairs.h */
	double pairs_s;		 /* how long their timing may take; 0: as long as it takes */
	struct catalog *catalog; /* loaded by the command */
	/* Set on the way. */
	struct matrix *matrix;
	struct plan *plan;
	struct store *store;
	struct spool *spool;
	int64_t run;
	char *uuid;
	struct known *known; /* NULL: nothing is */
	struct host_settings_spec host_settings;
	struct dispatch_result result;
	struct verdict *verdict; /* NULL: it did not come to its end */
};

/* Before anything else: puts back what a run that was killed has left changed of this machine, and looks
 * whether the settings that are asked for can be had. From then on nobody's reading our progress stops us. */
bool carry_out_prepare(struct carry_out *job, GError **err);

/* Plans, builds, measures and keeps it, or goes on with the latest run of the matrix (`resume`); prints
 * progress alone. Returns the exit status that the run ended with. */
int carry_out(struct carry_out *job, GError **err);

/* What came of a run that has come to its end, on standard output. */
bool carry_out_tell(const struct carry_out *job, GError **err);

/* Frees all that was set on the way, and the catalog. */
void carry_out_clear(struct carry_out *job);

#endif
