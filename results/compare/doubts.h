/* What a reader of a comparison must be told. */
#ifndef BM_DOUBTS_H
#define BM_DOUBTS_H

#include "compare.h"

/* Refuses results of more than one source, kind or (where `environment` is true) environment unless one of
 * the selectors (NULL-terminated) names that key. What was asked for is said in `notes` (char *). DIAG_USAGE.
 */
bool doubts_origins(const GPtrArray *results, const struct selector *const *selectors, bool environment,
	GPtrArray *notes, GError **err);

/* Own results go before imported and published ones: these leave `results` where own ones are there and none
 * of the selectors names the source, which `notes` then says. */
void doubts_prefer_own(GPtrArray *results, const struct selector *const *selectors, GPtrArray *notes);

/* Says in `notes` that so many emulated results are left out; nothing for 0. */
void doubts_left_out(GPtrArray *notes, guint n);

/* Adds to the notes of rows and of the whole: instruments and compilers that differ, what was carried
 * forward, what the attempts say of themselves, emulated time. */
void doubts_comparison(struct comparison *comparison);

/* Clocks that differ, as the programs told of themselves. */
bool doubts_clocks(struct comparison *comparison, struct store *store, GError **err);

/* Notes one text for each row (char *, NULL: none): of the whole where all rows have the same one, else of
 * each. */
void doubts_note_rows(struct comparison *comparison, const GPtrArray *texts);

/* The same of one set of results, to a pivot's notes. */
void doubts_results(const GPtrArray *results, enum metric metric, GPtrArray *notes);

#endif
