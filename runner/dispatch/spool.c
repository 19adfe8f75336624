#include "spool.h"

#include "diag.h"
#include "fsx.h"
#include "spool_private.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

struct spool {
	char *root, *folder; /* of all runs, of this one */
	int lock;
};

#define LOCK "lock"
/* A child has our descriptors between its making and its exec: where we are killed then, it holds our lock a
 * little longer than we live. */
#define REMAINS_S  5
#define PAUSE_US   (G_USEC_PER_SEC / 20)
#define LONGEST_ID 32 /* bytes */

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

/* Says who holds the folder. On a full disk that is missing, and nobody is told. */
static void sign(int lock)
{
	g_autofree char *id = g_strdup_printf("%d\n", (int)getpid());

	if (ftruncate(lock, 0) == 0)
		(void)!write(lock, id, strlen(id));
}

/* The live process that has signed for the folder; 0: it is dead, or has not signed yet. */
static int holder_of(const char *folder)
{
	g_autofree char *file = g_build_filename(folder, LOCK, NULL);
	g_autofree char *text = NULL;
	size_t length;

	if (!fsx_read(&text, &length, file, LONGEST_ID, NULL))
		return 0;
	int id = (int)g_ascii_strtoll(text, NULL, 10);
	g_autofree char *program = g_strdup_printf("/proc/%d/exe", id);
	char first;
	/* One that is dead and not yet waited for has no program. */
	return id > 0 && (readlink(program, &first, 1) > 0 || errno == EACCES) ? id : 0;
}

/* A folder that is seen is held: one that was not yet could be taken for left over. */
static bool make_folder(struct spool *spool, const char *fresh, GError **err)
{
	if (!fsx_make_folder(fresh, err) || !lock_folder(&spool->lock, fresh, err))
		return false;
	return spool->lock < 0 || g_rename(fresh, spool->folder) == 0 ||
	       diag_set(err, DIAG_FAILED, "%s: the folder cannot be made: %s", spool->folder,
		       g_strerror(errno));
}

/* spool->lock stays -1 where another process holds it; *ret_holder as of holder_of(). */
static bool try_to_hold(struct spool *spool, int *ret_holder, GError **err)
{
	g_autofree char *fresh = g_strconcat(spool->folder, ".new", NULL);
	bool made = g_file_test(spool->folder, G_FILE_TEST_IS_DIR);
	bool ok = made ? lock_folder(&spool->lock, spool->folder, err) : make_folder(spool, fresh, err);

	*ret_holder = ok && spool->lock < 0 ? holder_of(made ? spool->folder : fresh) : 0;
	return ok;
}

static bool hold(struct spool *spool, const char *run_uuid, GError **err)
{
	gint64 end = g_get_monotonic_time() + REMAINS_S * G_USEC_PER_SEC;
	int holder;

	while (try_to_hold(spool, &holder, err)) {
		if (spool->lock >= 0) {
			sign(spool->lock);
			return true;
		}
		if (holder != 0)
			return diag_set(err, DIAG_FAILED, "run %.8s is going on in another process (%d)",
				run_uuid, holder);
		if (g_get_monotonic_time() >= end)
			return diag_set(err, DIAG_FAILED,
				"%s: is still held by what the process that was killed has left, after "
				"%d s; end that (`fuser` names it), then try again",
				spool->folder, REMAINS_S);
		g_usleep(PAUSE_US);
	}
	return false;
}

bool spool_open(struct spool **ret, const char *db, const char *run_uuid, GError **err)
{
	struct spool *spool = g_new0(struct spool, 1);

	spool->lock = -1;
	spool->root = root_of(db);
	spool->folder = spool_folder_of(db, run_uuid);
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

char *spool_folder_of(const char *db, const char *run_uuid)
{
	g_autofree char *root = root_of(db);

	return g_build_filename(root, run_uuid, NULL);
}

GPtrArray *spool_files_in(const char *folder)
{
	GPtrArray *files = entries(folder);

	for (guint i = 0; i < files->len; i++) {
		char *name = files->pdata[i];
		files->pdata[i] = g_build_filename(folder, name, NULL);
		g_free(name);
	}
	return files;
}

GPtrArray *spool_files(const struct spool *spool)
{
	return spool_files_in(spool->folder);
}

/* Whether a live process has it. */
static bool is_held(const char *folder)
{
	int lock;

	if (!lock_folder(&lock, folder, NULL))
		return true;
	fsx_unlock(lock);
	return lock < 0 && holder_of(folder) != 0;
}

GPtrArray *spool_left_over(const char *db)
{
	g_autofree char *root = root_of(db);
	GPtrArray *names = entries(root);

	for (guint i = names->len; i-- > 0;) {
		g_autofree char *folder = spool_folder_of(db, names->pdata[i]);
		if (is_held(folder))
			g_ptr_array_remove_index(names, i);
	}
	return names;
}
