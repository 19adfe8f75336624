#include "store_private.h"

#include "diag.h"
#include "fsx.h"
#include "schema_sql.h"
#include "store_merge.h"
#include "store_migrate.h"

#include <unistd.h>

/* --- the other file --- */

/* The other database as it is merged from: itself, or a copy that was brought up to date. */
struct other {
	char *file;
	char *folder; /* of the copy; NULL: there is none */
};

static void other_done(struct other *other)
{
	if (other->folder)
		fsx_remove_tree(other->folder, NULL);
	g_free(other->file);
	g_free(other->folder);
}

static bool identify(int64_t *ret_version, struct sql *sql, GError **err)
{
	enum store_file kind;

	if (!store_identify(&kind, ret_version, sql, schema_version, err))
		return false;
	return kind == STORE_FILE_OURS ||
	       diag_set(err, DIAG_INPUT, "%s: the database is empty; there is nothing to take in",
		       sql_file(sql));
}

/* Lies beside our database: that disk has room for results. */
static bool copy_and_migrate(struct store *store, struct other *other, struct sql *sql, GError **err)
{
	g_autofree char *path = g_canonicalize_filename(store->file, NULL),
			*beside = g_path_get_dirname(path);

	other->folder = fsx_unique_folder(beside, "merge", err);
	if (!other->folder)
		return false;
	g_autofree char *copy = g_build_filename(other->folder, "other.db", NULL);
	if (!store_copy(sql, copy, err))
		return false;
	struct store *migrated = store_open(copy, STORE_WRITE, err);
	store_close(migrated);
	g_free(other->file);
	other->file = g_steal_pointer(&copy);
	return migrated != NULL;
}

static bool make_ready(struct store *store, struct other *other, GError **err)
{
	struct sql *sql = sql_open(other->file, SQLITE_OPEN_READONLY, err);
	int64_t version;

	if (!sql)
		return false;
	bool ok = identify(&version, sql, err) &&
		  (version == (int64_t)schema_version || copy_and_migrate(store, other, sql, err));
	sql_close(sql);
	return ok;
}

static bool find_other(struct store *store, struct other *ret, const char *file, GError **err)
{
	if (!g_file_test(file, G_FILE_TEST_IS_REGULAR))
		return diag_set(err, DIAG_INPUT, "%s: %s", file,
			g_file_test(file, G_FILE_TEST_EXISTS) ? "is not a regular file"
							      : "there is no such file");
	if (store_same_file(store->file, file))
		return diag_set(
			err, DIAG_USAGE, "%s: is the database itself; there is nothing to take in", file);
	ret->file = g_canonicalize_filename(file, NULL);
	return make_ready(store, ret, err);
}

/* Reading a WAL database makes files beside it; where that is forbidden and there is no log, nothing changes
 * it. */
static char *uri_of(const char *file, GError **err)
{
	g_autofree char *uri = g_filename_to_uri(file, NULL, err), *log = g_strconcat(file, "-wal", NULL);
	g_autofree char *folder = g_path_get_dirname(file);
	bool unchanging = access(folder, W_OK) != 0 && access(log, F_OK) != 0;

	return uri ? g_strconcat(uri, unchanging ? "?immutable=1" : "?mode=ro", NULL) : NULL;
}

/* --- what is in it --- */

static bool check_pages(struct store *store, GError **err)
{
	struct sql_query query;
	g_autofree char *problem = NULL;

	if (!sql_query(&query, store->sql, "PRAGMA other.quick_check(1)", NULL, err))
		return false;
	if (sql_next(&query) && g_strcmp0(sql_text(&query, 0), "ok") != 0)
		problem = g_strdup(sql_text(&query, 0));
	return sql_done(&query, err) && (!problem || diag_set(err, DIAG_INPUT, "%s", problem));
}

static bool check_references(struct store *store, GError **err)
{
	struct sql_query query;
	g_autofree char *table = NULL;

	if (!sql_query(&query, store->sql, "PRAGMA other.foreign_key_check", NULL, err))
		return false;
	if (sql_next(&query))
		table = g_strdup(sql_text(&query, 0));
	return sql_done(&query, err) &&
	       (!table || diag_set(err, DIAG_INPUT, "a row of %s refers to nothing", table));
}

/* A series with a label that we do not know would be taken for another one. */
static bool check_labels(struct store *store, const char *file, GError **err)
{
	struct sql_query query;
	g_autofree char *unknown = NULL;

	if (!sql_query(&query, store->sql, "SELECT DISTINCT key FROM other.label", NULL, err))
		return false;
	while (sql_next(&query))
		if (label_find(sql_text(&query, 0)) < 0)
			unknown = unknown ? unknown : g_strdup(sql_text(&query, 0));
	return sql_done(&query, err) &&
	       (!unknown ||
		       diag_set(err, DIAG_INPUT,
			       "%s: has the label \"%s\" of a newer benchmatrix; use that one, nothing was "
			       "taken in",
			       file, unknown));
}

static bool check_other(struct store *store, const char *file, GError **err)
{
	g_autoptr(GError) damage = NULL;

	if (check_pages(store, &damage) && check_references(store, &damage))
		return check_labels(store, file, err);
	return diag_set(err, DIAG_INPUT,
		"%s: the database is damaged (%s); `benchmatrix --db %s db check` says more, nothing was "
		"taken in",
		file, damage->message, file);
}

/* --- merging --- */

/* Names that either side had given an alias get it in what came from the other. */
static bool apply_aliases(struct store *store, GError **err)
{
	g_autoptr(GPtrArray) aliases = NULL;
	bool ok = store_aliases(store, &aliases, err);

	for (guint i = 0; ok && i < aliases->len; i++) {
		int64_t figures;

		ok = store_name_readings(store, &figures, aliases->pdata[i], 0, err);
	}
	return ok;
}

static bool merge(struct store *store, struct merge_result *ret, const char *file, GError **err)
{
	return check_other(store, file, err) && store_begin(store, err) &&
	       store_end(store, store_merge_rows(store, ret, err) && apply_aliases(store, err), err);
}

static bool attach_and_merge(struct store *store, struct merge_result *ret, const struct other *other,
	const char *file, GError **err)
{
	g_autofree char *uri = uri_of(other->file, err);

	if (!uri ||
		!sql_run(store->sql, "ATTACH DATABASE :uri AS other", SQL_ARGS(SQL_TEXT(":uri", uri)), err))
		return false;
	bool ok = merge(store, ret, file, err);
	return sql_run(store->sql, "DETACH DATABASE other", NULL, ok ? err : NULL) && ok;
}

bool store_merge(struct store *store, struct merge_result *ret, const char *other_file, GError **err)
{
	struct other other = {0};

	*ret = (struct merge_result){0};
	bool ok = find_other(store, &other, other_file, err) &&
		  attach_and_merge(store, ret, &other, other_file, err);
	other_done(&other);
	return ok;
}
