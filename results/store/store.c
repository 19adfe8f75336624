#include "store_private.h"

#include "diag.h"
#include "fsx.h"
#include "schema_sql.h"
#include "store_migrate.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

/* Indexes of years are written all over: with SQLite's 2 MB their pages go out and come back all the time. */
#define CACHE "PRAGMA cache_size = -65536;"

#define WAL_TRIES    600
#define WAL_PAUSE_US 50000

int64_t store_now(void)
{
	return g_get_real_time() * 1000;
}

const char *store_intern(struct store *store, const char *text)
{
	return text ? g_string_chunk_insert_const(store->strings, text) : NULL;
}

const char *store_file(const struct store *store)
{
	return store->file;
}

bool store_begin(struct store *store, GError **err)
{
	return store->grouped || sql_begin(store->sql, err);
}

bool store_end(struct store *store, bool ok, GError **err)
{
	if (store->grouped)
		return ok;
	if (sql_end(store->sql, ok, err))
		return true;
	g_hash_table_remove_all(store->label_ids);
	g_hash_table_remove_all(store->series_ids);
	return false;
}

bool store_group_begin(struct store *store, GError **err)
{
	return store->grouped = store_begin(store, err);
}

bool store_group_end(struct store *store, bool ok, GError **err)
{
	store->grouped = false;
	return store_end(store, ok, err);
}

bool store_begin_reading(struct store *store, GError **err)
{
	return sql_run(store->sql, "BEGIN", NULL, err);
}

void store_end_reading(struct store *store)
{
	sql_end(store->sql, false, NULL);
}

/* --- opening --- */

static bool check_kind(const char *file, enum store_mode mode, GError **err)
{
	if (g_file_test(file, G_FILE_TEST_IS_DIR))
		return diag_set(err, DIAG_INPUT,
			"%s: is a folder; the database is a file in one, name it with --db", file);
	if (g_file_test(file, G_FILE_TEST_EXISTS)) {
		if (g_file_test(file, G_FILE_TEST_IS_REGULAR))
			return true;
		return diag_set(err, DIAG_INPUT, "%s: is not a regular file; name another with --db", file);
	}
	if (mode == STORE_READ)
		return diag_set(err, DIAG_INPUT,
			"%s: there is no database yet; `benchmatrix run` or `import` makes one, or name "
			"another with "
			"--db",
			file);
	return true;
}

/* Changing to WAL needs the file alone for a moment, and SQLite does not wait for it when two processes try
 * at once. */
static bool use_wal(struct sql *sql, GError **err)
{
	for (int i = 0; i < WAL_TRIES; i++) {
		g_autoptr(GError) failed = NULL;
		if (sql_run(sql, "PRAGMA journal_mode = WAL", NULL, &failed))
			return true;
		if (sqlite3_errcode(sql_handle(sql)) != SQLITE_BUSY) {
			g_propagate_error(err, g_steal_pointer(&failed));
			return false;
		}
		g_usleep(WAL_PAUSE_US);
	}
	return sql_run(sql, "PRAGMA journal_mode = WAL", NULL, err);
}

/* FULL: what is committed survives a power cut, so that a spool file may go as soon as the database has it.
 */
static bool prepare_for_writing(struct sql *sql, GError **err)
{
	return use_wal(sql, err) &&
	       sql_script(sql, CACHE "PRAGMA synchronous = FULL; PRAGMA foreign_keys = OFF", err) &&
	       store_migrate(sql, schema_migrations, schema_version, err) &&
	       store_make_views(sql, schema_views, err) && sql_script(sql, "PRAGMA foreign_keys = ON", err);
}

static bool prepare_for_reading(struct sql *sql, enum store_file kind, int64_t version, GError **err)
{
	if (kind == STORE_FILE_EMPTY)
		return diag_set(err, DIAG_INPUT,
			"%s: the database is empty; `benchmatrix run` fills it, or name another with --db",
			sql_file(sql));
	if (version < (int64_t)schema_version)
		return diag_set(err, DIAG_INPUT,
			"%s: was made by an older benchmatrix (schema version %" PRId64
			", this one needs %zu); any command that writes brings it up to date after a backup",
			sql_file(sql), version, schema_version);
	return sql_script(sql, CACHE "PRAGMA temp_store = MEMORY", err) &&
	       store_shadow_views(sql, schema_views, err) && sql_script(sql, "PRAGMA query_only = ON", err);
}

/* Closing a database that is refused must not even move its log into it. */
static void keep_log(struct sql *sql, bool keep)
{
	sqlite3_db_config(sql_handle(sql), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keep ? 1 : 0, NULL);
}

static bool prepare(struct sql *sql, enum store_mode mode, GError **err)
{
	enum store_file kind;
	int64_t version;

	keep_log(sql, true);
	if (!store_identify(&kind, &version, sql, schema_version, err))
		return false;
	if (mode == STORE_READ) {
		if (!prepare_for_reading(sql, kind, version, err))
			return false;
		keep_log(sql, false);
		return true;
	}
	if (sqlite3_db_readonly(sql_handle(sql), "main") == 1)
		return diag_set(err, DIAG_FAILED,
			"%s: cannot be written; look at the permissions of the file, or name another with "
			"--db",
			sql_file(sql));
	keep_log(sql, false);
	return prepare_for_writing(sql, err);
}

static struct sql *open_and_prepare(const char *path, int flags, enum store_mode mode, GError **err)
{
	struct sql *sql = sql_open(path, flags, err);

	if (sql && !prepare(sql, mode, err))
		g_clear_pointer(&sql, sql_close);
	return sql;
}

/* Reading a WAL database makes files beside it. Where the folder forbids that and no log is left, nobody who
 * may write is at it, and the file can be read as one that does not change. */
static struct sql *open_unchanging(const char *path, GError **err)
{
	g_autofree char *uri = g_filename_to_uri(path, NULL, err);
	g_autofree char *unchanging = uri ? g_strconcat(uri, "?immutable=1", NULL) : NULL;

	return unchanging
		       ? open_and_prepare(unchanging, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, STORE_READ, err)
		       : NULL;
}

static struct sql *fail_read_only(const char *path, int error, GError **err)
{
	diag_set(err, DIAG_FAILED,
		"%s: cannot be written (%s); look at the permissions of the file and its folder, or name "
		"another with "
		"--db",
		path, g_strerror(error));
	return NULL;
}

static struct sql *open_file(const char *file, enum store_mode mode, GError **err)
{
	g_autofree char *path = g_canonicalize_filename(file, NULL), *folder = g_path_get_dirname(path);
	g_autofree char *log = g_strconcat(path, "-wal", NULL);

	if (!check_kind(path, mode, err))
		return NULL;
	/* SQLite opens it for reading then, and fails later with an error that misleads. */
	if (mode == STORE_WRITE && access(path, F_OK) == 0 && access(path, W_OK) != 0)
		return fail_read_only(path, errno, err);
	/* The path is absolute, so it is no URI; a file that is attached to it is named by one. */
	if (mode == STORE_WRITE)
		return fsx_make_folder(folder, err)
			       ? open_and_prepare(path,
					 SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI, mode,
					 err)
			       : NULL;
	if (access(folder, W_OK) != 0 && access(path, R_OK) == 0 && access(log, F_OK) != 0)
		return open_unchanging(path, err);
	/* Only who may write takes away the files beside it when it is the last to go. */
	return open_and_prepare(
		path, access(path, W_OK) == 0 ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY, mode, err);
}

struct store *store_open(const char *file, enum store_mode mode, GError **err)
{
	struct sql *sql = open_file(file, mode, err);

	if (!sql)
		return NULL;
	struct store *store = g_new0(struct store, 1);
	store->sql = sql;
	store->file = g_strdup(file);
	store->strings = g_string_chunk_new(4096);
	store->label_ids = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	store->series_ids = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	store->series = g_array_new(FALSE, FALSE, sizeof(struct series_row));
	store->owned = g_ptr_array_new_with_free_func(g_free);
	return store;
}

void store_close(struct store *store)
{
	if (!store)
		return;
	sql_close(store->sql);
	g_string_chunk_free(store->strings);
	g_hash_table_unref(store->label_ids);
	g_hash_table_unref(store->series_ids);
	g_array_unref(store->series);
	g_ptr_array_unref(store->owned);
	g_free(store->file);
	g_free(store);
}
