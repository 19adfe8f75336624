/* By which keys a pivot's rows and columns are told apart. */
#ifndef BM_PIVOT_KEYS_H
#define BM_PIVOT_KEYS_H

#include "join.h"

/* The keys of one side. */
struct pivot_keys {
	enum selector_key keys[SELECTOR_KEY_COUNT];
	size_t n;
};

/* As pivot_make() says. DIAG_USAGE: an unknown key, one that stands twice. */
bool pivot_keys_find(struct pivot_keys *ret_rows, struct pivot_keys *ret_columns,
	const struct pivot_request *request, const GPtrArray *results, GPtrArray *notes, GError **err);

/* What a result says for each of the keys, "-" for none. Free with g_strfreev(). */
char **pivot_keys_values(const struct result *result, const struct pivot_keys *keys);

#endif
