/* The cache's folders: who may make an entry, and how it appears whole. */
#ifndef BM_CACHE_H
#define BM_CACHE_H

#include <glib.h>
#include <stdbool.h>

struct cache {
	char *root;
	char *work;    /* this process's folder for unfinished work */
	int work_lock; /* held as long as the folder is in use */
};

/* Makes the folders; removes unfinished work of processes that are gone. */
bool cache_open(struct cache *ret, const char *root, GError **err);
void cache_close(struct cache *cache);

/* Removes unfinished work of processes that are gone, as opening does. */
void cache_clean(const char *root);

/* "ROOT/kind/name". Free with g_free(). */
char *cache_path(const struct cache *cache, const char *kind, const char *name);

/* Says that an entry is being used: the time of `file`, which is the entry or within it, becomes now. Asked
 * before the entry is read; false where it is not there. From then on the entry stays as long as this process
 * has the cache open (cache_prune.h). */
bool cache_use(const struct cache *cache, const char *file);

/* Takes an entry away: out of sight at once, so that nobody finds half of it, and then removed. A missing one
 * is fine. `root` is the cache's. */
bool cache_remove(const char *root, const char *entry, GError **err);
/* The same in two steps: *ret is where it lies now, to be removed with fsx_remove_tree(). NULL where it was
 * not there. Who opens the cache next removes it otherwise. */
bool cache_take_away(char **ret, const char *root, const char *entry, GError **err);
/* Held for the moment in which an entry is said to be used, or found to be out of use and taken away. */
bool cache_lock_uses(int *ret, const char *root, GError **err);

/* Makes `unfinished` the entry `entry` by rename. Where the entry is there already, it stays, and
 * `unfinished` is removed. */
bool cache_publish(const char *unfinished, const char *entry, GError **err);

/* Waiting for the lock of a key without holding up the main loop. `done` is called once, never before
 * cache_lock() returns, with a lock for fsx_unlock(), or -1 and an error. Locks of one process keep each
 * other out as well. */
struct cache_wait;
struct cache_wait *cache_lock(const struct cache *cache, const char *key,
	void (*done)(int lock, const GError *err, void *user), void *user);
/* `done` is not called any more. */
void cache_lock_cancel(struct cache_wait *wait);

#endif
