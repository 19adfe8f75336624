#include "by_function.h"

#include "diag.h"
#include "wire_reader.h"

#include <math.h>
#include <string.h>

/* --- what an attempt tells --- */

/* A counted region of the process in hand. */
struct region {
	char *benchmark; /* "name\nblock"; NULL until it was told */
	double iterations;
	GHashTable *counts; /* char * -> double * */
};

static void region_free(gpointer data)
{
	struct region *region = data;

	g_free(region->benchmark);
	g_clear_pointer(&region->counts, g_hash_table_unref);
	g_free(region);
}

static char *key_of(const char *name, const char *block)
{
	return g_strdup_printf("%s\n%s", name, block ? block : "");
}

static struct region *find(GHashTable *regions, int64_t number)
{
	struct region *region = g_hash_table_lookup(regions, &number);

	if (!region) {
		region = g_new0(struct region, 1);
		region->counts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
		g_hash_table_insert(regions, g_memdup2(&number, sizeof number), region);
	}
	return region;
}

static void add_count(GHashTable *counts, const char *name, double count)
{
	double *sum = g_hash_table_lookup(counts, name);

	if (!sum) {
		sum = g_new0(double, 1);
		g_hash_table_insert(counts, g_strdup(name), sum);
	}
	*sum += count;
}

/* Moves what the regions hold to their benchmarks. */
static void settle(GHashTable *regions, GHashTable *all)
{
	GHashTableIter iter, counts;
	struct region *region;
	double *count;

	g_hash_table_iter_init(&iter, regions);
	while (g_hash_table_iter_next(&iter, NULL, (gpointer *)&region)) {
		if (!region->benchmark || g_hash_table_size(region->counts) == 0)
			continue;
		g_hash_table_iter_init(&counts, region->counts);
		while (g_hash_table_iter_next(&counts, NULL, (gpointer *)&count))
			*count /= region->iterations;
		g_hash_table_replace(
			all, g_steal_pointer(&region->benchmark), g_steal_pointer(&region->counts));
	}
	g_hash_table_remove_all(regions);
}

static void take(GHashTable *regions, GHashTable *all, const struct wire_record *record)
{
	struct region *region;

	switch (record->kind) {
	case WIRE_HEADER:
		settle(regions, all);
		return;
	case WIRE_REGION:
		region = find(regions, record->region);
		g_free(region->benchmark);
		region->benchmark = key_of(record->name, record->block);
		region->iterations = (double)record->iterations;
		return;
	case WIRE_FUNCTIONS:
		region = find(regions, record->region);
		for (size_t i = 0; i < record->n_values; i++)
			add_count(region->counts, record->names[i], record->values[i]);
		return;
	default:
		return;
	}
}

/* "name\nblock" -> (char * -> double *), instructions per operation. */
static GHashTable *read_output(const char *text, size_t length)
{
	GHashTable *all =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_hash_table_unref);
	g_autoptr(GHashTable) regions =
		g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, region_free);
	struct wire_reader *reader = wire_reader_new();
	struct wire_record record;

	wire_reader_push(reader, text, length);
	wire_reader_finish(reader);
	while (wire_reader_next(reader, &record))
		take(regions, all, &record);
	settle(regions, all);
	wire_reader_free(reader);
	return all;
}

/* Of the attempt that a result is of, read once; lent. NULL with an error, or without: it tells none. */
static bool functions_of(GHashTable **ret, GHashTable *attempts, const struct result *result,
	struct store *store, GError **err)
{
	GHashTable *all = g_hash_table_lookup(attempts, &result->attempt);
	g_autofree char *text = NULL;
	size_t length = 0;

	if (!all) {
		if (!store_attempt_output(store, &text, &length, result->attempt, err))
			return false;
		all = read_output(text ? text : "", length);
		g_hash_table_insert(attempts, g_memdup2(&result->attempt, sizeof result->attempt), all);
	}
	const char *const *v = result->what.labels.v;
	g_autofree char *key = key_of(v[LABEL_BENCHMARK], v[LABEL_BLOCK]);
	*ret = g_hash_table_lookup(all, key);
	return true;
}

/* --- both sides --- */

static void row_free(gpointer data)
{
	struct function_row *row = data;

	g_array_unref(row->changes);
	g_hash_table_unref(row->names);
	g_free(row);
}

static int by_difference(gconstpointer first, gconstpointer other)
{
	const struct function_change *a = first, *b = other;
	double left = fabs(a->after - a->before), right = fabs(b->after - b->before);

	if (left != right)
		return left > right ? -1 : 1;
	return strcmp(a->name, b->name);
}

static double count_in(GHashTable *counts, const char *name)
{
	const double *count = g_hash_table_lookup(counts, name);

	return count ? *count : 0;
}

static void add_names(GHashTable *names, GHashTable *counts)
{
	GHashTableIter iter;
	gpointer name;

	g_hash_table_iter_init(&iter, counts);
	while (g_hash_table_iter_next(&iter, &name, NULL))
		if (!g_hash_table_contains(names, name))
			g_hash_table_add(names, g_strdup(name));
}

static struct function_row *row_of(const struct comparison_row *from, GHashTable *before, GHashTable *after)
{
	struct function_row *row = g_new0(struct function_row, 1);
	GHashTableIter iter;
	gpointer name;

	row->row = from;
	row->changes = g_array_new(FALSE, FALSE, sizeof(struct function_change));
	row->names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	add_names(row->names, before);
	add_names(row->names, after);
	g_hash_table_iter_init(&iter, row->names);
	while (g_hash_table_iter_next(&iter, &name, NULL)) {
		const struct function_change change = {name, count_in(before, name), count_in(after, name)};
		row->before += change.before;
		row->after += change.after;
		if (change.before != change.after)
			g_array_append_val(row->changes, change);
	}
	g_array_sort(row->changes, by_difference);
	return row;
}

static bool add_row(GPtrArray *rows, guint *without, GHashTable *attempts, const struct comparison_row *row,
	struct store *store, GError **err)
{
	GHashTable *before, *after;

	if (!functions_of(&before, attempts, row->before, store, err) ||
		!functions_of(&after, attempts, row->after, store, err))
		return false;
	if (before && after)
		g_ptr_array_add(rows, row_of(row, before, after));
	else
		++*without;
	return true;
}

bool functions_of_comparison(GPtrArray **ret, guint *ret_without, const struct comparison *comparison,
	struct store *store, GError **err)
{
	g_autoptr(GPtrArray) rows = g_ptr_array_new_with_free_func(row_free);
	g_autoptr(GHashTable) attempts = g_hash_table_new_full(
		g_int64_hash, g_int64_equal, g_free, (GDestroyNotify)g_hash_table_unref);

	*ret_without = 0;
	for (guint i = 0; i < comparison->rows->len; i++)
		if (!add_row(rows, ret_without, attempts, comparison->rows->pdata[i], store, err))
			return false;
	if (rows->len == 0)
		return diag_set(err, DIAG_USAGE,
			"no count of both sides was taken by function, or its text was pruned: `benchmatrix "
			"run "
			"MATRIX --functions` takes them so");
	*ret = g_steal_pointer(&rows);
	return true;
}
