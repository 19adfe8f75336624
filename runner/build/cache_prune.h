/* Keeping the cache within a size: the entries that were not used for longest go first.
 *
 * Never removed is what is pinned, and what a living process may be using: everything used since the oldest
 * process that has the cache open began. What was used within the last day stays as well, unless the user
 * names a limit and no process has the cache open. */
#ifndef BM_CACHE_PRUNE_H
#define BM_CACHE_PRUNE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#define CACHE_NO_LIMIT INT64_MAX

/* "20G", "512M", "1.5 GiB" or a number of bytes; K, M, G and T are powers of 1024. */
bool cache_size_parse(int64_t *ret, const char *text);

/* The limit that the user has set: $BENCHMATRIX_CACHE_SIZE, 20 GiB where it is not set, CACHE_NO_LIMIT where
 * it is "0". DIAG_USAGE with the variable's name where it is no size. */
bool cache_size_limit(int64_t *ret, GError **err);

struct cache_prune_spec {
	int64_t bytes;	/* what may stay; CACHE_NO_LIMIT: any */
	double older_s; /* what was not used for so long goes in any case; NAN: no such */
	bool asked;	/* the user named one of the two */
	bool dry_run;	/* only tell */
	/* The folder of unfinished work of the process that prunes, which is not one of the others; NULL: it
	 * has none. */
	const char *own_work;
};

struct cache_pruned {
	GPtrArray *removed; /* struct cache_entry *: in the order in which they went */
	int64_t removed_bytes, kept_bytes;
	int64_t kept_pinned, kept_in_use; /* of kept_bytes, what could not go, in this order of reasons */
	int processes;			  /* others that have the cache open */
};
void cache_pruned_clear(struct cache_pruned *pruned);

/* Also removes unfinished work of processes that are gone, and the files of locks whose entries are gone.
 * `root` is the cache's folder. On failure some entries may be gone already, each as a whole. */
bool cache_prune(
	struct cache_pruned *ret, const char *root, const struct cache_prune_spec *spec, GError **err);

#endif
