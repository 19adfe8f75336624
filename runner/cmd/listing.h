/* Plain lists: tables of texts. */
#ifndef BM_LISTING_H
#define BM_LISTING_H

#include "store.h"
#include "table.h"

/* The title, then the columns; NULL-terminated. */
struct table *listing_new(const char *const *words);
/* As many texts as there are columns; NULL is unknown. */
void listing_add(struct table *table, const char *const *texts);

#define TABLE(...)	listing_new((const char *const[]){__VA_ARGS__, NULL})
#define ROW(table, ...) listing_add(table, (const char *const[]){__VA_ARGS__})

/* "2026-11-30 20:20:58", of ns since 1970; NULL of 0. New. */
char *listing_utc(int64_t ns);

/* --- of what was imported --- */

bool list_imports(struct table **ret, struct store *store, GError **err);
bool list_unknown_names(struct table **ret, struct store *store, GError **err);
bool list_aliases(struct table **ret, struct store *store, GError **err);
/* What the import printed and what of it was not understood. `run` as in store_run_find(); NULL: the latest
 * import. */
bool list_readings(struct table **ret, struct store *store, const char *run, GError **err);

/* --- of the nights --- */

/* What each night found, series by series, newest first: alarms, and suspects that were not confirmed. */
bool list_alarms(struct table **ret, struct store *store, GError **err);

#endif
