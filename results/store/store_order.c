#include "store_pick.h"

#include <limits.h>
#include <string.h>

/* `ranks`: interned value -> its place in the list and 1, as far as it was looked up. */
static int known_index(GHashTable *ranks, enum label label, const char *value)
{
	int rank = GPOINTER_TO_INT(g_hash_table_lookup(ranks, value));

	if (rank == 0) {
		int index = label == LABEL_BENCHMARK ? benchmark_find(value) : metric_find(value);
		rank = index < 0 ? INT_MAX : index + 1;
		g_hash_table_insert(ranks, (gpointer)value, GINT_TO_POINTER(rank));
	}
	return rank;
}

/* Benchmarks and metrics as listed, others with their numbers in order of size ("64" before "1024"); absent
 * ones first. */
static int compare_label(GHashTable *ranks, enum label label, const char *a, const char *b)
{
	if (a == b)
		return 0;
	if (!a || !b)
		return a ? 1 : -1;
	if (label == LABEL_BENCHMARK || label == LABEL_METRIC) {
		int x = known_index(ranks, label, a), y = known_index(ranks, label, b);
		if (x != y)
			return x < y ? -1 : 1;
	}
	return strverscmp(a, b);
}

static int compare_labels(GHashTable *ranks, const struct labels *a, const struct labels *b)
{
	int order = 0;

	for (int i = 0; i < LABEL_COUNT && order == 0; i++)
		order = compare_label(ranks, (enum label)i, a->v[i], b->v[i]);
	return order;
}

static gint compare_results(gconstpointer a, gconstpointer b, gpointer ranks)
{
	const struct result *x = a, *y = b;
	int order = compare_labels(ranks, &x->what.labels, &y->what.labels);

	if (order != 0)
		return order;
	if (x->what.source != y->what.source)
		return x->what.source - y->what.source;
	if (x->what.environment != y->what.environment)
		return x->what.environment - y->what.environment;
	return x->what.kind - y->what.kind;
}

void store_sort_results(GArray *results)
{
	g_autoptr(GHashTable) ranks = g_hash_table_new(NULL, NULL);

	g_array_sort_with_data(results, compare_results, ranks);
}

static gint compare_series(gconstpointer a, gconstpointer b, gpointer ranks)
{
	const struct series_row *const *x = a, *const *y = b;

	return compare_labels(ranks, &(*x)->labels, &(*y)->labels);
}

void store_sort_series(GPtrArray *series)
{
	g_autoptr(GHashTable) ranks = g_hash_table_new(NULL, NULL);

	g_ptr_array_sort_with_data(series, compare_series, ranks);
}
