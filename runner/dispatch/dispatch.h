/* Carries a plan out: builds, then counts beside them, then native timing alone on its machine; every result
 * goes into the store. */
#ifndef BM_DISPATCH_H
#define BM_DISPATCH_H

#include "build.h"
#include "plan.h"
#include "spool.h"
#include "store.h"

/* What is going on, for progress. Strings are lent for the call. */
struct dispatch_event {
	enum { DISPATCH_STEP, DISPATCH_BUILT, DISPATCH_RAN } what;
	const char *name;   /* of the build or cell */
	const char *state;  /* STEP: the step; BUILT: build state; RAN: cell state */
	const char *reason; /* NULL where all is well */
	bool cached;	    /* BUILT: from the cache; RAN: carried forward */
	double seconds;	    /* NAN: unknown */
	int done, total;    /* builds and cells */
};

struct attempt_limits;
struct host_settings_spec;

struct dispatch_spec {
	const struct plan *plan;
	struct store *store;
	struct builder *builder;
	int64_t run;
	const struct spool *spool; /* of the run; attempts that it holds are gone on with */
	int jobs;		   /* builds and counts at once */
	bool fresh;		   /* measure exact results again */
	bool pairs;		   /* the cells that are timed are two, in alternation: pairs.h */
	double pairs_s;		   /* how long their timing may take; 0: as long as it takes */
	const char *const *locks;  /* files for the machine's lock; the first that can be opened is used */
	const struct attempt_limits *limits; /* attempt.h; NULL: the usual ones */
	/* host_settings.h: applied when native timing begins, put back when it ends; NULL: none */
	const struct host_settings_spec *host;
	void (*on_event)(const struct dispatch_event *event, void *user);
	void *user;
};

/* What the run did; what became of each cell is in the store. */
struct dispatch_result {
	int programs_built, programs_cached; /* made in this run; taken from the cache */
	int libraries_compiled;		     /* in this run */
	int measured, carried;		     /* cells */
	bool cancelled;
	bool nothing_could_run; /* every cell is unsupported: this machine lacks what is needed */
};

/* Runs the default main context until the plan is done, or until SIGINT, SIGTERM or SIGHUP (where it was not
 * ignored) has cancelled it: what had ended is kept; attempts under way stay in the spool, to be gone on
 * with, and their cells without an attempt; builds that were not made are recorded as cancelled. A second
 * signal puts back the settings of the machine and ends the process at once with exit status 1. Fails only
 * where the store, the spool or the lock does.
 */
bool dispatch_run(struct dispatch_result *ret, const struct dispatch_spec *spec, GError **err);

#endif
