/* The counted regions of a process: what it said of each, and what was counted in it, in either order. */
#ifndef BM_REGIONS_H
#define BM_REGIONS_H

#include "gathered.h"

struct region {
	struct gathered *gathered; /* NULL until the program's record came */
	int64_t value;		   /* -1 until the count came */
	size_t line;		   /* of the first of the two */
	int64_t ns;
	uint64_t iterations;
};

struct regions;
struct regions *regions_new(void);
void regions_free(struct regions *regions); /* takes NULL */
/* The region of that number; a new one where it did not come up yet. Lent. */
struct region *regions_find(struct regions *regions, int64_t number, size_t line);
/* In the order in which they came up. */
guint regions_count(const struct regions *regions);
const struct region *regions_at(const struct regions *regions, guint i);

#endif
