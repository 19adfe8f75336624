/* Failures that everybody knows of: known-failures.json, schema/known-failures.schema.json. They are shown as
 * such, and alone they do not make a run fail. */
#ifndef BM_KNOWN_H
#define BM_KNOWN_H

#include <glib.h>
#include <stdbool.h>

/* Lent strings; globs as in selectors (schema/selector.md). */
struct known_failure {
	const char *cell;      /* glob over names of cells */
	const char *benchmark; /* glob over benchmarks, with their block or without; NULL: all */
	const char *state;     /* glob over states; NULL: all */
	const char *reason;
	const char *until; /* "2027-03-31": the last day (UTC) that it holds; NULL: for ever */
};

struct known {
	const char *file;
	GPtrArray *entries; /* struct known_failure *, in the order of the file */
	/* private */
	struct jx_document *document;
};

/* DIAG_INPUT with file and path where anything in it is wrong. */
bool known_load(struct known **ret, const char *file, GError **err);
void known_free(struct known *known); /* takes NULL */

/* Today as `until` has it; free with g_free(). */
char *known_today(void);
bool known_expired(const struct known_failure *entry, const char *today);

/* Whether the entry is about such a failure, expired or not. `benchmark` is "" where none is to blame. */
bool known_matches(
	const struct known_failure *entry, const char *cell, const char *benchmark, const char *state);

/* The first entry for a failure that has not expired, else the first that has; NULL where there is none.
 * `known` may be NULL. */
const struct known_failure *known_find(const struct known *known, const char *cell, const char *benchmark,
	const char *state, const char *today);

#endif
