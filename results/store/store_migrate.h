/* Brings a database up to date. */
#ifndef BM_STORE_MIGRATE_H
#define BM_STORE_MIGRATE_H

#include "store_sql.h"

/* What a file is, from what it says of itself. */
enum store_file {
	STORE_FILE_EMPTY, /* nothing in it yet */
	STORE_FILE_OURS,
};
/* DIAG_INPUT where it is another program's, or of a version above `newest`. Changes nothing. */
bool store_identify(enum store_file *ret, int64_t *ret_version, struct sql *sql, size_t newest, GError **err);

/* Runs the migrations that the database has not seen, each in one transaction with the version, after a
 * backup (FILE.v1.bak of a version 1) where there was anything to lose. Any number of processes may try at
 * once: one does it. */
bool store_migrate(struct sql *sql, const char *const *migrations, size_t n, GError **err);

/* Makes the views anew where `views` is not the text that the present ones were made from. */
bool store_make_views(struct sql *sql, const char *views, GError **err);
/* For a database that is only read: where its views are of another text, temporary ones stand before them. */
bool store_shadow_views(struct sql *sql, const char *views, GError **err);

#endif
