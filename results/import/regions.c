#include "regions.h"

struct regions {
	GPtrArray *all;	       /* struct region */
	GHashTable *by_number; /* int64_t -> struct region */
};

struct regions *regions_new(void)
{
	struct regions *regions = g_new(struct regions, 1);

	regions->all = g_ptr_array_new_with_free_func(g_free);
	regions->by_number = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	return regions;
}

void regions_free(struct regions *regions)
{
	if (!regions)
		return;
	g_ptr_array_unref(regions->all);
	g_hash_table_unref(regions->by_number);
	g_free(regions);
}

struct region *regions_find(struct regions *regions, int64_t number, size_t line)
{
	struct region *region = g_hash_table_lookup(regions->by_number, &number);

	if (!region) {
		region = g_new0(struct region, 1);
		region->value = -1;
		region->line = line;
		g_ptr_array_add(regions->all, region);
		g_hash_table_insert(regions->by_number, g_memdup2(&number, sizeof number), region);
	}
	return region;
}

guint regions_count(const struct regions *regions)
{
	return regions->all->len;
}

const struct region *regions_at(const struct regions *regions, guint i)
{
	return regions->all->pdata[i];
}
