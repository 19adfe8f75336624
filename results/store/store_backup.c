#include "store_private.h"

#include "diag.h"
#include "schema_sql.h"
#include "store_migrate.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* All pages in one step: a writer that comes between two would make the copy begin again, for ever where
 * writers are busier than we are. In WAL mode nobody waits for us meanwhile. */
static bool copy_pages(struct sql *from, struct sql *to, GError **err)
{
	sqlite3_backup *backup = sqlite3_backup_init(sql_handle(to), "main", sql_handle(from), "main");

	if (!backup)
		return sql_fail(to, err);
	/* A lock in the way is no error of the whole, by SQLite's own words, and still leaves no copy. */
	bool whole = sqlite3_backup_step(backup, -1) == SQLITE_DONE;
	return (sqlite3_backup_finish(backup) == SQLITE_OK && whole) || sql_fail(to, err);
}

bool store_copy(struct sql *from, const char *file, GError **err)
{
	struct sql *to = sql_open(file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, err);

	if (!to)
		return false;
	bool ok = copy_pages(from, to, err);
	sql_close(to);
	return ok;
}

static bool sync_path(const char *path, GError **err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool ok = fd >= 0 && fsync(fd) == 0;

	if (!ok)
		diag_set(err, DIAG_FAILED, "%s: cannot be written to disk (%s)", path, g_strerror(errno));
	if (fd >= 0)
		close(fd);
	return ok;
}

bool store_same_file(const char *a, const char *b)
{
	struct stat left, right;

	return stat(a, &left) == 0 && stat(b, &right) == 0 && left.st_dev == right.st_dev &&
	       left.st_ino == right.st_ino;
}

static bool is_ours(const char *file)
{
	struct sql *sql = sql_open(file, SQLITE_OPEN_READONLY, NULL);
	enum store_file kind;
	int64_t version;
	bool ours = sql && store_identify(&kind, &version, sql, G_MAXINT, NULL) && kind == STORE_FILE_OURS;

	sql_close(sql);
	return ours;
}

/* An older backup is replaced; nothing else is. A log beside the file would be played into the copy. */
static bool check_target(const struct store *store, const char *file, GError **err)
{
	g_autofree char *log = g_strconcat(file, "-wal", NULL);
	g_autofree char *folder = g_path_get_dirname(file);
	struct stat there;

	if (stat(folder, &there) != 0)
		return diag_set(err, DIAG_USAGE,
			"%s: there is no folder %s (%s); make it or name another file", file, folder,
			g_strerror(errno));
	if (stat(log, &there) == 0 && there.st_size > 0)
		return diag_set(err, DIAG_USAGE,
			"%s: there is a log of it (%s), so it is in use or was not closed; name another file",
			file, log);
	if (stat(file, &there) != 0)
		return true;
	if (store_same_file(store->file, file))
		return diag_set(
			err, DIAG_USAGE, "%s: is the database itself; name another file for the copy", file);
	if (S_ISDIR(there.st_mode))
		return diag_set(err, DIAG_USAGE, "%s: is a folder; name a file in it", file);
	return is_ours(file) || diag_set(err, DIAG_USAGE,
					"%s: is there already and is no database of benchmatrix; name "
					"another file or remove it",
					file);
}

bool store_backup(struct store *store, const char *file, GError **err)
{
	g_autofree char *path = g_canonicalize_filename(file, NULL), *folder = g_path_get_dirname(path);
	g_autofree char *partial = g_strdup_printf("%s.%ld.partial", path, (long)getpid());
	g_autofree char *log = g_strconcat(path, "-wal", NULL), *shared = g_strconcat(path, "-shm", NULL);

	if (!check_target(store, path, err))
		return false;
	if (!store_copy(store->sql, partial, err) || !sync_path(partial, err)) {
		g_unlink(partial);
		return false;
	}
	/* Empty ones may be left of the older copy. */
	g_unlink(log);
	g_unlink(shared);
	if (g_rename(partial, path) != 0) {
		diag_set(err, DIAG_FAILED, "%s: cannot be made (%s)", file, g_strerror(errno));
		g_unlink(partial);
		return false;
	}
	return sync_path(folder, err);
}
