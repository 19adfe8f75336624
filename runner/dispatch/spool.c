#include "spool.h"

#include "diag.h"
#include "fsx.h"
#include "spool_private.h"

#include <glib/gstdio.h>
#include <string.h>

struct spool {
	char *root, *folder; /* of all runs, of this one */
	int lock;
};

#define LOCK "lock"

static char *root_of(const char *db)
{
	return g_strconcat(db, ".spool", NULL);
}

const char *spool_folder(const struct spool *spool)
{
	return spool->folder;
}

const char *spool_run(const struct spool *spool)
{
	return spool->folder + strlen(spool->root) + 1;
}

/* *ret -1: another process holds it. */
static bool lock_folder(int *ret, const char *folder, GError **err)
{
	g_autofree char *file = g_build_filename(folder, LOCK, NULL);

	return fsx_lock(ret, file, false, err);
}

/* A folder that is seen is held: one that was not yet could be taken for left over. */
static bool make_folder(struct spool *spool, GError **err)
{
	g_autofree char *fresh = g_strconcat(spool->folder, ".new", NULL);

	if (!fsx_make_folder(fresh, err) || !lock_folder(&spool->lock, fresh, err))
		return false;
	return spool->lock < 0 || g_rename(fresh, spool->folder) == 0 ||
	       diag_set(err, DIAG_FAILED, "%s: the folder cannot be made: %s", spool->folder,
		       g_strerror(errno));
}

static bool hold(struct spool *spool, const char *run_uuid, GError **err)
{
	bool ok = g_file_test(spool->folder, G_FILE_TEST_IS_DIR)
			  ? lock_folder(&spool->lock, spool->folder, err)
			  : make_folder(spool, err);

	if (ok && spool->lock < 0)
		return diag_set(err, DIAG_FAILED, "run %.8s is going on in another process", run_uuid);
	return ok;
}

bool spool_open(struct spool **ret, const char *db, const char *run_uuid, GError **err)
{
	struct spool *spool = g_new0(struct spool, 1);

	spool->lock = -1;
	spool->root = root_of(db);
	spool->folder = g_build_filename(spool->root, run_uuid, NULL);
	if (hold(spool, run_uuid, err)) {
		*ret = spool;
		return true;
	}
	fsx_unlock(spool->lock);
	g_free(spool->root);
	g_free(spool->folder);
	g_free(spool);
	return false;
}

void spool_close(struct spool *spool)
{
	if (spool == NULL)
		return;

	g_autoptr(GPtrArray) left = spool_files(spool);
	g_autofree char *lock = g_build_filename(spool->folder, LOCK, NULL);
	if (left->len == 0) {
		g_unlink(lock);
		g_rmdir(spool->folder);
		g_rmdir(spool->root);
	}
	fsx_unlock(spool->lock);
	g_free(spool->root);
	g_free(spool->folder);
	g_free(spool);
}

static gint by_text(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The entries of a folder that are named by a UUID, sorted. */
static GPtrArray *entries(const char *folder)
{
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
	GDir *dir = g_dir_open(folder, 0, NULL);
	const char *name;

	while (dir != NULL && (name = g_dir_read_name(dir)) != NULL)
		if (g_uuid_string_is_valid(name))
			g_ptr_array_add(names, g_strdup(name));
	if (dir != NULL)
		g_dir_close(dir);
	g_ptr_array_sort(names, by_text);
	return names;
}

GPtrArray *spool_files(const struct spool *spool)
{
	GPtrArray *files = entries(spool->folder);

	for (guint i = 0; i < files->len; i++) {
		char *name = files->pdata[i];
		files->pdata[i] = g_build_filename(spool->folder, name, NULL);
		g_free(name);
	}
	return files;
}

GPtrArray *spool_left_over(const char *db)
{
	g_autofree char *root = root_of(db);
	GPtrArray *names = entries(root);

	for (guint i = names->len; i-- > 0;) {
		g_autofree char *folder = g_build_filename(root, names->pdata[i], NULL);
		int lock;
		if (!lock_folder(&lock, folder, NULL) || lock < 0)
			g_ptr_array_remove_index(names, i);
		else
			fsx_unlock(lock);
	}
	return names;
}
