#include "duels.h"

#include "asides.h"
#include "compare.h"

#include <string.h>

struct duels {
	struct store *store;
	GPtrArray *runs;   /* struct run_info *; NULL: not asked for yet */
	GHashTable *known; /* int64_t * -> run's cells (GPtrArray of struct cell_info *) where it is a duel,
			      else NULL */
};

static void unref_cells(gpointer cells)
{
	if (cells != NULL)
		g_ptr_array_unref(cells);
}

struct duels *duels_new(struct store *store)
{
	struct duels *duels = g_new0(struct duels, 1);

	duels->store = store;
	duels->known = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, unref_cells);
	return duels;
}

void duels_free(struct duels *duels)
{
	g_clear_pointer(&duels->runs, g_ptr_array_unref);
	g_hash_table_unref(duels->known);
	g_free(duels);
}

static bool alternates(struct duels *duels, bool *ret, int64_t run, GError **err)
{
	*ret = false;
	if (duels->runs == NULL && !store_runs(duels->store, &duels->runs, err))
		return false;
	for (guint i = 0; i < duels->runs->len; i++) {
		const struct run_info *info = duels->runs->pdata[i];
		if (info->id == run)
			*ret = aside_alternates(info->matrix);
	}
	return true;
}

/* *ret NULL: the run is no duel. */
static bool cells_of(struct duels *duels, GPtrArray **ret, int64_t run, GError **err)
{
	gpointer found = NULL;
	bool alternated;

	if (!g_hash_table_lookup_extended(duels->known, &run, NULL, &found)) {
		if (!alternates(duels, &alternated, run, err) ||
			(alternated && !store_cells(duels->store, (GPtrArray **)&found, run, err)))
			return false;
		g_hash_table_insert(duels->known, g_memdup2(&run, sizeof(run)), found);
	}
	*ret = found;
	return true;
}

bool duels_pair(
	struct duels *duels, bool *ret, const struct result *before, const struct result *after, GError **err)
{
	GPtrArray *cells = NULL;
	int timed = 0, ours = 0;

	*ret = false;
	if (before->run != after->run || before->cell == after->cell)
		return true;
	if (!cells_of(duels, &cells, before->run, err))
		return false;
	for (guint i = 0; cells != NULL && i < cells->len; i++) {
		const struct cell_info *cell = cells->pdata[i];
		bool is_timed = g_strcmp0(cell->mode, "time") == 0;
		timed += is_timed;
		ours += is_timed && (cell->id == before->cell || cell->id == after->cell);
	}
	*ret = timed == 2 && ours == 2;
	return true;
}
