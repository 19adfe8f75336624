#include "cache.h"

#include "diag.h"
#include "fsx.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define POLL_MS	   100
#define TAKEN_AWAY "removed-"

struct cache_wait {
	char *file;
	guint timer;
	void (*done)(int lock, const GError *err, void *user);
	void *user;
};

char *cache_path(const struct cache *cache, const char *kind, const char *name)
{
	return g_build_filename(cache->root, kind, name, NULL);
}

/* A folder of unfinished work belongs to whoever holds the lock in it. */
static void remove_if_left(const char *folder)
{
	g_autofree char *file = g_build_filename(folder, "lock", NULL);
	int lock = -1;
	if (!fsx_lock(&lock, file, false, NULL) || lock < 0)
		return;
	fsx_remove_tree(folder, NULL);
	fsx_unlock(lock);
}

void cache_clean(const char *root)
{
	g_autofree char *work = g_build_filename(root, "work", NULL);
	g_autoptr(GDir) dir = g_dir_open(work, 0, NULL);
	const char *name;
	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *folder = g_build_filename(work, name, NULL);
		if (g_str_has_prefix(name, TAKEN_AWAY))
			fsx_remove_tree(folder, NULL);
		else
			remove_if_left(folder);
	}
}

/* Another process may take a new folder for a leftover before its lock is held; then there is another try. */
static bool make_work(struct cache *cache, const char *parent, GError **err)
{
	for (int tries = 0; tries < 10; tries++) {
		g_autofree char *folder = fsx_unique_folder(parent, "process", err);
		if (!folder)
			return false;
		g_autofree char *file = g_build_filename(folder, "lock", NULL);
		int lock = -1;
		struct stat st;
		if (!fsx_lock(&lock, file, false, NULL) || lock < 0)
			continue;
		if (stat(file, &st) == 0) {
			cache->work = g_steal_pointer(&folder);
			cache->work_lock = lock;
			return true;
		}
		fsx_unlock(lock);
	}
	return diag_set(err, DIAG_FAILED, "%s: cannot keep a folder for unfinished work", parent);
}

bool cache_open(struct cache *ret, const char *root, GError **err)
{
	static const char *const kinds[] = {"sources", "configure", "libraries", "programs", "locks", "work"};
	struct cache cache = {.root = g_canonicalize_filename(root, NULL), .work_lock = -1};
	for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
		g_autofree char *folder = g_build_filename(cache.root, kinds[i], NULL);
		if (!fsx_make_folder(folder, err)) {
			g_free(cache.root);
			return false;
		}
	}
	g_autofree char *work = g_build_filename(cache.root, "work", NULL);
	cache_clean(cache.root);
	if (!make_work(&cache, work, err)) {
		g_free(cache.root);
		return false;
	}
	*ret = cache;
	return true;
}

void cache_close(struct cache *cache)
{
	fsx_remove_tree(cache->work, NULL);
	fsx_unlock(cache->work_lock);
	g_free(cache->work);
	g_free(cache->root);
}

bool cache_lock_uses(int *ret, const char *root, GError **err)
{
	g_autofree char *file = g_build_filename(root, "locks", "uses", NULL);
	return fsx_lock(ret, file, true, err);
}

bool cache_use(const struct cache *cache, const char *file)
{
	int lock = -1;
	/* In a cache that cannot be written to, nothing is removed either. */
	cache_lock_uses(&lock, cache->root, NULL);
	bool there = utimensat(AT_FDCWD, file, NULL, 0) == 0 || access(file, F_OK) == 0;
	fsx_unlock(lock);
	return there;
}

bool cache_take_away(char **ret, const char *root, const char *entry, GError **err)
{
	/* No folder is made for it: on a full disk, which this is there to mend, none can be. */
	g_autofree char *name =
		g_strdup_printf(TAKEN_AWAY "%x-%08x%08x", (unsigned)getpid(), g_random_int(), g_random_int());
	g_autofree char *away = g_build_filename(root, "work", name, NULL);
	*ret = NULL;
	if (rename(entry, away) == 0)
		*ret = g_steal_pointer(&away);
	else if (errno != ENOENT)
		return diag_set(err, DIAG_FAILED, "%s: cannot be removed: %s", entry, g_strerror(errno));
	return true;
}

bool cache_remove(const char *root, const char *entry, GError **err)
{
	g_autofree char *away = NULL;
	return cache_take_away(&away, root, entry, err) && (!away || fsx_remove_tree(away, err));
}

bool cache_publish(const char *unfinished, const char *entry, GError **err)
{
	if (rename(unfinished, entry) == 0)
		return true;
	if (errno != EEXIST && errno != ENOTEMPTY)
		return diag_set(
			err, DIAG_FAILED, "%s: cannot become %s: %s", unfinished, entry, g_strerror(errno));
	return fsx_remove_tree(unfinished, err);
}

static gboolean try_lock(gpointer user)
{
	struct cache_wait *wait = user;
	g_autoptr(GError) err = NULL;
	int lock = -1;
	if (fsx_lock(&lock, wait->file, false, &err) && lock < 0) {
		wait->timer = g_timeout_add(POLL_MS, try_lock, wait);
		return G_SOURCE_REMOVE;
	}
	wait->timer = 0;
	wait->done(lock, err, wait->user);
	g_free(wait->file);
	g_free(wait);
	return G_SOURCE_REMOVE;
}

struct cache_wait *cache_lock(const struct cache *cache, const char *key,
	void (*done)(int lock, const GError *err, void *user), void *user)
{
	struct cache_wait *wait = g_new0(struct cache_wait, 1);
	wait->file = cache_path(cache, "locks", key);
	wait->done = done;
	wait->user = user;
	wait->timer = g_idle_add(try_lock, wait);
	return wait;
}

void cache_lock_cancel(struct cache_wait *wait)
{
	g_source_remove(wait->timer);
	g_free(wait->file);
	g_free(wait);
}
