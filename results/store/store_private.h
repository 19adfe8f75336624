/* What the store's files share. */
#ifndef BM_STORE_PRIVATE_H
#define BM_STORE_PRIVATE_H

#include "store.h"
#include "store_sql.h"

struct store {
	struct sql *sql;
	char *file;		/* as it was named */
	GStringChunk *strings;	/* interned for the life of the store */
	GHashTable *label_ids;	/* "key=value" -> int64_t */
	GHashTable *series_ids; /* its labels, one after the other -> int64_t */
	GArray *series;		/* struct series_row, by id: as far as they were loaded */
	GPtrArray *owned;	/* lists that results lend, g_free() */
	bool grouped;		/* between store_group_begin() and its end */
};

struct series_row {
	int64_t id;
	struct labels labels; /* interned */
};

/* store.c */
const char *store_intern(struct store *store, const char *text); /* NULL: NULL */
/* Within a group, these two are its own: what is written is committed, or not, at the group's end. */
bool store_begin(struct store *store, GError **err);
/* As sql_end(); forgets cached ids where nothing was committed. */
bool store_end(struct store *store, bool ok, GError **err);
/* What is read between the two is of one moment. */
bool store_begin_reading(struct store *store, GError **err);
void store_end_reading(struct store *store);
int64_t store_now(void); /* ns since 1970 */

/* store_raw.c: raw texts. NULL bytes: id 0; id 0, and a text that was pruned: NULL text. *ret of
 * store_raw_get() is followed by a NUL; g_free(). A pruned text that is put again has its bytes back. */
bool store_raw_put(struct store *store, int64_t *ret_id, const void *bytes, size_t length, GError **err);
bool store_raw_get(struct store *store, char **ret, size_t *ret_length, int64_t id, GError **err);

/* store_backup.c: a whole copy of the main database, into a file that is not there yet. */
bool store_copy(struct sql *from, const char *file, GError **err);
/* Whether both names lead to one file that is there. */
bool store_same_file(const char *a, const char *b);
/* Whether the name is "latest" or "latest~N", which mean no certain run. */
bool store_is_latest(const char *name);

/* store_labels.c */
bool store_label_id(struct store *store, int64_t *ret_id, enum label label, const char *value, GError **err);
bool store_series_id(struct store *store, int64_t *ret_id, const struct labels *labels, GError **err);
/* The labels that a cell gives to its figures: build's, platform, instrument. Interned. */
bool store_cell_labels(struct store *store, struct labels *ret, int64_t cell, GError **err);
/* The build's labels into *ret, which keeps the others. Interned. */
bool store_build_labels(struct store *store, struct labels *ret, int64_t build, GError **err);
/* Brings store->series up to date. */
bool store_load_series(struct store *store, GError **err);
/* The row of a series, or NULL. */
const struct series_row *store_series_row(const struct store *store, int64_t id);
/* SHA-256 of the "key=value\n" lines, in hexadecimal. */
char *store_labels_hash(const struct labels *labels);

/* What the stream of an attempt told; raw texts by their ids. */
struct attempt_told {
	int64_t out, errors, problems;
	const char *library_version, *facts; /* facts that are no JSON are left out */
};
/* store_attempt.c: within a transaction. NULL told: nothing. */
bool store_insert_attempt(struct store *store, int64_t *ret_id, const struct attempt_row *attempt,
	const struct attempt_told *told, GError **err);

/* store_outcome.c: within a transaction. const struct outcome *. */
bool store_insert_outcomes(struct store *store, int64_t attempt, const GPtrArray *outcomes, GError **err);

/* The id of the attempt's measurement at that place: schema/0004_imports.sql. */
static inline int64_t store_measurement_id(int64_t attempt, int64_t place)
{
	return (attempt << 20) + place;
}
/* SQL: the measurements `m` of an attempt, found by their ids. */
#define STORE_OF_ATTEMPT(m, attempt) " " m ".id BETWEEN " attempt " << 20 AND (" attempt " << 20) + 1048575 "
/* The row of a figure without its samples; its labels are in the series. */
bool store_insert_figure(
	struct store *store, int64_t id, int64_t series, const struct measurement *measurement, GError **err);

bool store_insert_samples(
	struct store *store, int64_t id, const struct measurement *measurement, GError **err);
/* The most figures that an attempt can have: schema/0004_imports.sql. */
#define STORE_MOST_FIGURES (1 << 20)

/* n, minimum, quartile_1, median, quartile_3, maximum, mean, sd: eight columns from `column` on. */
struct figure store_read_figure(struct sql_query *row, int column);

/* Samples as they are packed in the table `sample`: store_attempt.c. */
GByteArray *store_pack_samples(const struct measurement *measurement);
/* All values in order; NULL where the bytes are not whole. */
GArray *store_unpack_samples(const void *bytes, size_t length);

/* store_platform.c: the platform of a part of the document, within a transaction. NULL name: id 0. */
bool store_document_platform(struct store *store, int64_t *ret_id, const char *name,
	const struct document *document, GError **err);

/* store_document.c: a UUID (version 8, RFC 9562) that follows from what it is given: SHA-256 of the word, a
 * NUL, the bytes and the number (64 bits, big-endian). */
char *store_derived_uuid(const char *word, const void *bytes, size_t length, int64_t number);

/* store_naming.c: within a transaction. The numbers of that importer and printed name get the benchmark and
 * become figures where they can (*ret_figures: how many), or lose both again. Run 0: of all documents. */
bool store_name_readings(
	struct store *store, int64_t *ret_figures, const struct alias_info *alias, int64_t run, GError **err);
/* The id of the attempt's next figure. DIAG_FAILED where it has as many as can be kept. */
bool store_next_place(struct store *store, int64_t *ret_id, int64_t attempt, GError **err);
bool store_unname_readings(struct store *store, const struct alias_info *alias, GError **err);

/* store_cycles.c: within a transaction. Cycles that follow from the figure where it is a time that was
 * printed, its document tells the clock, and the text has none of them; the same are taken away again. */
bool store_derive_cycles(struct store *store, int64_t id, GError **err);
bool store_drop_cycles(struct store *store, int64_t id, GError **err);

/* store_alias.c: within a transaction. Gives the user's aliases to the import's names that are unknown. */
bool store_alias_run(struct store *store, int64_t run, const char *importer, GError **err);

#endif
