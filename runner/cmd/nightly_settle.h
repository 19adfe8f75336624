/* A night, from its run to what it has to tell. */
#ifndef BM_NIGHTLY_SETTLE_H
#define BM_NIGHTLY_SETTLE_H

#include "night_levels.h"
#include "paths.h"

#include <glib.h>

struct nightly_spec {
	const struct paths *paths;
	const char *matrix; /* as the user named it */
	const char *baseline_text;
	struct night_baseline baseline;
	const char *label, *only, *known_file, *host; /* as for run; may be NULL */
	int jobs;
};

/* A night that was settled. */
struct nightly_night {
	int64_t run;
	char *uuid, *report; /* report: JSON */
	bool recent;	     /* it began so lately that another one is not due */
	bool lacks;	     /* nothing could be run on this machine */
};
void nightly_night_done(struct nightly_night *night);

/* Nights of the matrix that were settled and not told to the end, oldest first; none where there is no
 * database yet. GPtrArray of struct nightly_night with its own free function. */
bool nightly_untold(GPtrArray **ret, const struct nightly_spec *spec, GError **err);

/* Makes a new night, or goes on with one that was stopped: runs the matrix, holds it against the baseline,
 * measures suspects again, and keeps the report with its alarms in one transaction. *ret_cancelled: a signal
 * came; the same again goes on. */
bool nightly_settle(
	struct nightly_night *ret, bool *ret_cancelled, const struct nightly_spec *spec, GError **err);

#endif
