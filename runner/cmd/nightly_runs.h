/* The runs of a night: its own, and those that measure suspects again. */
#ifndef BM_NIGHTLY_RUNS_H
#define BM_NIGHTLY_RUNS_H

#include "night_changes.h"
#include "nightly_settle.h"

enum nightly_end {
	NIGHTLY_DONE,
	NIGHTLY_LACKS, /* nothing could be run on this machine */
	NIGHTLY_CANCELLED,
};

/* Carries the matrix out as a night, or goes on with the latest run of it. */
bool nightly_run(enum nightly_end *ret, const struct nightly_spec *spec, bool resume, GError **err);

/* Measures a change again, or finds where that was done already: fills its run, run_uuid, again and problem.
 */
bool nightly_confirm(enum nightly_end *ret, struct night_change *change, struct store *store,
	const struct nightly_spec *spec, GError **err);

#endif
