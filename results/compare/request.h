/* What the user asked for, made ready to fetch. */
#ifndef BM_REQUEST_H
#define BM_REQUEST_H

#include "rows.h"
#include "selector.h"
#include "store.h"

#include <glib.h>

/* The metric by name, else by a `metric` term of a selector (NULL-terminated list), else time. DIAG_USAGE
 * where it is not known or two are asked for. */
bool request_metric(
	enum metric *ret, const char *name, const struct selector *const *selectors, GError **err);

/* The results that all terms of `side` and `where` (may be NULL) take, of one metric; `name` is the side in
 * messages. DIAG_USAGE where there are none: says which term leaves none and what there is instead. */
bool request_results(GArray **ret, struct store *store, const char *name, const struct selector *side,
	const struct selector *where, enum metric metric, GError **err);

/* Sets the error of request_results(): walks the terms over `universe` (const struct result *), and for the
 * first that leaves none lists what there is instead. Returns false. */
bool request_explain_empty(
	const char *name, const struct selector *terms, const GPtrArray *universe, GError **err);

#endif
