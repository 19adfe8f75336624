#include "store_migrate.h"

#include "diag.h"
#include "schema_sql.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

struct marks {
	int64_t application, version, objects;
};

/* In one transaction: another process may be making the database at this moment. */
static bool read_marks(struct marks *ret, struct sql *sql, GError **err)
{
	if (!sql_run(sql, "BEGIN", NULL, err))
		return false;
	bool ok = sql_number(sql, &ret->application, "PRAGMA application_id", NULL, err) &&
		  sql_number(sql, &ret->version, "PRAGMA user_version", NULL, err) &&
		  sql_number(sql, &ret->objects, "SELECT count(*) FROM sqlite_schema", NULL, err);
	return sql_end(sql, ok, err);
}

bool store_identify(enum store_file *ret, int64_t *ret_version, struct sql *sql, size_t newest, GError **err)
{
	struct marks marks;

	if (!read_marks(&marks, sql, err))
		return false;
	*ret_version = marks.version;
	*ret = STORE_FILE_OURS;
	if (marks.application == 0 && marks.version == 0 && marks.objects == 0)
		*ret = STORE_FILE_EMPTY;
	else if (marks.application != SCHEMA_APPLICATION_ID)
		return diag_set(err, DIAG_INPUT,
			"%s: is a SQLite database of another program; name another file with --db",
			sql_file(sql));
	else if (marks.version > (int64_t)newest)
		return diag_set(err, DIAG_INPUT,
			"%s: was made by a newer benchmatrix (schema version %" PRId64
			", this one knows %zu); use that one, nothing was changed",
			sql_file(sql), marks.version, newest);
	return true;
}

/* --- backup --- */

static bool sync_file(const char *file, GError **err)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC);
	bool ok = fd >= 0 && fsync(fd) == 0;

	if (!ok)
		diag_set(err, DIAG_FAILED, "%s: cannot be written to disk (%s)", file, g_strerror(errno));
	if (fd >= 0)
		close(fd);
	return ok;
}

/* The caller holds the write lock, so what is copied is what will be migrated; a second connection is needed,
 * since a copy cannot be made within a transaction. */
static bool copy_to(const char *file, const char *target, GError **err)
{
	struct sql *reader = sql_open(file, SQLITE_OPEN_READONLY, err);

	if (!reader)
		return false;
	bool ok = sql_run(reader, "VACUUM INTO :target", SQL_ARGS(SQL_TEXT(":target", target)), err);
	sql_close(reader);
	return ok && sync_file(target, err);
}

static bool back_up(struct sql *sql, int64_t version, GError **err)
{
	g_autofree char *backup = g_strdup_printf("%s.v%" PRId64 ".bak", sql_file(sql), version);
	g_autofree char *partial = g_strconcat(backup, ".partial", NULL);

	g_unlink(partial);
	if (!copy_to(sql_file(sql), partial, err)) {
		g_prefix_error(err, "no backup could be made before the database was brought up to date: ");
		g_unlink(partial);
		return false;
	}
	if (g_rename(partial, backup) != 0)
		return diag_set(err, DIAG_FAILED, "%s: cannot be made (%s)", backup, g_strerror(errno));
	return true;
}

/* --- migrations --- */

static bool drop_views(struct sql *sql, GError **err)
{
	g_autoptr(GPtrArray) drops = g_ptr_array_new_with_free_func(g_free);
	struct sql_query query;

	if (!sql_query(&query, sql,
		    "SELECT format('DROP VIEW \"%w\"', name) FROM main.sqlite_schema WHERE type = 'view'",
		    NULL, err))
		return false;
	while (sql_next(&query))
		g_ptr_array_add(drops, g_strdup(sql_text(&query, 0)));
	if (!sql_done(&query, err))
		return false;
	for (guint i = 0; i < drops->len; i++)
		if (!sql_script(sql, drops->pdata[i], err))
			return false;
	return true;
}

static bool check_references(struct sql *sql, GError **err)
{
	int64_t broken;

	if (!sql_number(sql, &broken, "SELECT count(*) FROM pragma_foreign_key_check", NULL, err))
		return false;
	return broken == 0 || diag_set(err, DIAG_FAILED,
				      "%s: bringing it up to date would leave %" PRId64
				      " references to nothing; it was left as it was",
				      sql_file(sql), broken);
}

/* Within the transaction: the step from `version` to the next. Views go first, since they would stop a table
 * from changing. `fresh`: it is being made, so there is nothing to lose. */
static bool migrate_step(struct sql *sql, int64_t version, bool fresh, const char *migration, GError **err)
{
	g_autofree char *mark = g_strdup_printf("PRAGMA application_id = %d; PRAGMA user_version = %" PRId64,
		SCHEMA_APPLICATION_ID, version + 1);

	if (!fresh && (!back_up(sql, version, err) || !drop_views(sql, err) ||
			      !sql_run(sql, "DELETE FROM view_text", NULL, err)))
		return false;
	return sql_script(sql, migration, err) && check_references(sql, err) && sql_script(sql, mark, err);
}

bool store_migrate(struct sql *sql, const char *const *migrations, size_t n, GError **err)
{
	int64_t version;
	bool fresh = false;

	if (!sql_number(sql, &version, "PRAGMA user_version", NULL, err))
		return false;
	while (version < (int64_t)n) {
		if (!sql_begin(sql, err))
			return false;
		/* Read again under the lock: another process may have done it meanwhile. */
		bool ok = sql_number(sql, &version, "PRAGMA user_version", NULL, err);
		fresh = ok && (fresh || version == 0);
		if (ok && version < (int64_t)n)
			ok = migrate_step(sql, version, fresh, migrations[version], err);
		if (!sql_end(sql, ok, err) || !sql_number(sql, &version, "PRAGMA user_version", NULL, err))
			return false;
	}
	return true;
}

/* --- views --- */

static bool views_are_of(bool *ret, struct sql *sql, const char *hash, GError **err)
{
	int64_t same;

	if (!sql_number(sql, &same, "SELECT count(*) FROM view_text WHERE sha256 = :hash",
		    SQL_ARGS(SQL_TEXT(":hash", hash)), err))
		return false;
	*ret = same == 1;
	return true;
}

static bool replace_views(struct sql *sql, const char *views, const char *hash, GError **err)
{
	return drop_views(sql, err) && sql_script(sql, views, err) &&
	       sql_run(sql, "INSERT OR REPLACE INTO view_text (one, sha256) VALUES (1, :hash)",
		       SQL_ARGS(SQL_TEXT(":hash", hash)), err);
}

bool store_make_views(struct sql *sql, const char *views, GError **err)
{
	g_autofree char *hash = g_compute_checksum_for_string(G_CHECKSUM_SHA256, views, -1);
	bool current;

	if (!views_are_of(&current, sql, hash, err))
		return false;
	if (current)
		return true;
	if (!sql_begin(sql, err))
		return false;
	bool ok = views_are_of(&current, sql, hash, err);
	if (ok && !current)
		ok = replace_views(sql, views, hash, err);
	return sql_end(sql, ok, err);
}

bool store_shadow_views(struct sql *sql, const char *views, GError **err)
{
	g_autofree char *hash = g_compute_checksum_for_string(G_CHECKSUM_SHA256, views, -1);
	bool current;

	if (!views_are_of(&current, sql, hash, err))
		return false;
	if (current)
		return true;
	GString *text = g_string_new(views);
	g_string_replace(text, "CREATE VIEW", "CREATE TEMP VIEW", 0);
	bool ok = sql_script(sql, text->str, err);
	g_string_free(text, TRUE);
	return ok;
}
