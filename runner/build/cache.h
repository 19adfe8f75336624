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

/* "ROOT/kind/name". Free with g_free(). */
char *cache_path(const struct cache *cache, const char *kind, const char *name);

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
