/* How much of the disk the cache's entries take, remembered: an entry of a library is a thousand files, and
 * never changes once it is there. For the files of the cache only. */
#ifndef BM_CACHE_SIZES_H
#define BM_CACHE_SIZES_H

#include <stdint.h>

struct cache_sizes;

/* What was found out before; `root` is the cache's folder, which need not be there. */
struct cache_sizes *cache_sizes_open(const char *root);

/* As du(1) counts. `entry`: "libraries/KEY". What another process removes meanwhile has no size. An entry
 * that was made anew under its name is measured anew. */
int64_t cache_sizes_of(struct cache_sizes *sizes, const char *entry);

/* Keeps what was asked for, where anything of it is new; that it cannot be kept is no failure. */
void cache_sizes_close(struct cache_sizes *sizes);

#endif
