/* Carries a plan out: builds, then counts beside them, then native timing alone on its machine; every result
 * goes into the store. */
#ifndef BM_DISPATCH_H
#define BM_DISPATCH_H

#include "build.h"
#include "plan.h"
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
	int jobs;			     /* builds and counts at once */
	bool fresh;			     /* measure exact results again */
	const char *locks;		     /* folder for the timing lock */
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

/* Runs the default main context until the plan is done, or until SIGINT or SIGTERM has cancelled it: what had
 * ended is kept, what was under way is stopped and recorded as cancelled, and so is what had not begun. Fails
 * only where the store does. */
bool dispatch_run(struct dispatch_result *ret, const struct dispatch_spec *spec, GError **err);

#endif
