/* Selectors: schema/selector.md. */
#ifndef BM_SELECTOR_H
#define BM_SELECTOR_H

#include "rows.h"

#include <glib.h>

enum selector_key {
	/* the identity labels come first: key k < LABEL_COUNT is enum label k */
	SELECT_ARCH = LABEL_COUNT,
	SELECT_REVISION,
	SELECT_RUN, /* not matched here: the store resolves it to runs */
	SELECT_ALGORITHM,
	SELECT_OPERATION,
	SELECT_SOURCE,
	SELECT_ENVIRONMENT,
	SELECT_KIND,
	SELECT_FLAG, /* with the flag's name in struct selector_term */
	SELECTOR_KEY_COUNT
};

struct selector_term {
	enum selector_key key;
	char *flag;    /* SELECT_FLAG: its name; else NULL */
	char *pattern; /* SELECT_FLAG: "on" or "off" */
};

struct selector {
	GArray *terms; /* struct selector_term */
};

/* NULL text is the empty selector. DIAG_USAGE where it cannot be read; names the nearest known key. */
bool selector_parse(struct selector **ret, const char *text, GError **err);
void selector_free(struct selector *selector);

/* The term for a key, or NULL. */
const struct selector_term *selector_term(const struct selector *selector, enum selector_key key);
/* Whether it fixes the label, directly or (config by flag:, benchmark by algorithm and operation) in part. */
bool selector_names(const struct selector *selector, enum label label);

/* What a selector is held against; a NULL value is unknown or absent. Lent. */
struct selectable {
	struct labels labels;
	const char *arch, *revision;
	int source, environment, kind; /* enums of rows.h; -1: not known yet, and such a term then holds */
};

/* Whether all terms but `run` hold. */
bool selector_matches(const struct selector *selector, const struct selectable *what);
/* Whether the glob takes the text. NULL text is matched by "-" alone. */
bool selector_glob(const char *pattern, const char *text);

/* Canonical text, to show what was asked; free with g_free(). */
char *selector_text(const struct selector *selector);

#endif
