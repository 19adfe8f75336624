/* What the files that pick results share. */
#ifndef BM_STORE_PICK_H
#define BM_STORE_PICK_H

#include "store_private.h"

/* store_shared.c: what all figures of an attempt share, each attempt read once. */
GHashTable *store_shared_new(void); /* int64_t -> struct result; g_hash_table_unref() */
const struct result *store_shared(struct store *store, GHashTable *shared, int64_t attempt, GError **err);
/* Fills what follows from the series; false where its metric is one of a newer benchmatrix, which cannot be
 * shown: neither its unit nor what is better is known. */
bool store_fill_result(struct result *result, const struct series_row *series);

/* The terms of the selector but those whose keys stand in `without` (ends with SELECTOR_KEY_COUNT). Their
 * strings are lent; g_array_unref(terms). */
struct selector store_terms_without(const struct selector *selector, const enum selector_key *without);
/* Whether the terms hold for what a series alone says. */
bool store_takes_labels(const struct selector *terms, const struct labels *labels);

/* store_order.c: by labels in the order of schema/labels.def, benchmarks and metrics as listed; then by
 * source, environment and kind. */
void store_sort_results(GArray *results);
void store_sort_series(GPtrArray *series); /* const struct series_row *: the same */

/* store_labels.c: the series that the terms hold for, by id; no more than those are read where a term names a
 * label by its whole value. GPtrArray of const struct series_row * with its own free function, good until
 * store_load_series() is called. */
bool store_select_series(struct store *store, GPtrArray **ret, const struct selector *terms, GError **err);

/* store_ahead.c: runs the query, whose one parameter is an id, for all ids by several connections at once,
 * where they are many and not in memory; what it reads comes quickly afterwards. int64_t, in the order of the
 * file. */
void store_read_ahead(struct store *store, const char *text, const GArray *ids);

/* store_latest.c: within a transaction. The attempt's figures are there now: they may be the latest. */
bool store_note_latest(struct store *store, int64_t attempt, GError **err);
/* The figure of that id goes away. */
bool store_forget_latest(struct store *store, int64_t measurement, GError **err);

#endif
