/* What is in the cache: sizes, last uses, and the marks of those that stay. */
#ifndef BM_CACHE_ENTRIES_H
#define BM_CACHE_ENTRIES_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

enum cache_kind {
	CACHE_DOWNLOADS,
	CACHE_SOURCES,
	CACHE_CONFIGURE,
	CACHE_LIBRARIES,
	CACHE_PROGRAMS,
	CACHE_KIND_COUNT
};
extern const char *const cache_kind_names[CACHE_KIND_COUNT]; /* also the names of their folders */

struct cache_entry {
	enum cache_kind kind;
	char *name;	 /* in its folder: a key, or "wolfssl-5.5.4-2-d429b5190bd9" */
	char *build;	 /* "aarch64-gcc wolfssl-5.5.4 sp crypto -O2", the first that made it; of a source
			    "wolfssl-5.5.4"; NULL: unknown */
	int64_t bytes;	 /* on the disk, as du(1) counts */
	int64_t used_at; /* last use: nanoseconds of the clock of the day */
	bool pinned;
};

void cache_entry_free(gpointer entry);

/* struct cache_entry *, owned, by kind and then name. Those of a cache that is not there are none. */
bool cache_entries(GPtrArray **ret, const char *root, GError **err);

/* Where it lies, and the file whose time is that of its last use. Free with g_free(). */
char *cache_entry_path(const struct cache_entry *entry, const char *root);
char *cache_entry_stamp(const struct cache_entry *entry, const char *root);
/* The time of that file, or -1 where the entry is gone. */
int64_t cache_entry_used_at(const struct cache_entry *entry, const char *root);

/* Whether the entry is meant by a pattern: a glob that takes its build or its name, or the beginning of its
 * name, 4 characters at least. */
bool cache_entry_matches(const struct cache_entry *entry, const char *pattern);

/* Sets or takes off the mark that keeps an entry from being removed; it also holds for an entry that is made
 * again under the same name. */
bool cache_entry_pin(struct cache_entry *entry, const char *root, bool pinned, GError **err);

#endif
