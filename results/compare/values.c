#include "values.h"

#include <string.h>

static const char *const key_names[] = {
	[SELECT_ARCH] = "arch",
	[SELECT_REVISION] = "revision",
	[SELECT_RUN] = "run",
	[SELECT_ALGORITHM] = "algorithm",
	[SELECT_OPERATION] = "operation",
	[SELECT_SOURCE] = "source",
	[SELECT_ENVIRONMENT] = "environment",
	[SELECT_KIND] = "kind",
	[SELECT_FLAG] = "flag",
};

const char *values_key_name(enum selector_key key)
{
	return (int)key < LABEL_COUNT ? label_keys[key] : key_names[key];
}

char *values_key_text(const struct selector_term *term)
{
	if (term->key == SELECT_FLAG)
		return g_strconcat("flag:", term->flag, NULL);
	return g_strdup(values_key_name(term->key));
}

char *values_term_text(const struct selector_term *term)
{
	g_autofree char *key = values_key_text(term);

	return g_strconcat(key, "=", term->pattern, NULL);
}

static const char *named(const char *const *names, int count, int value)
{
	return value >= 0 && value < count ? names[value] : NULL;
}

/* The algorithm or operation of a benchmark: of benchmarks.def, else unknown. */
static const char *part_of_benchmark(const struct result *result, enum selector_key key)
{
	const char *name = result->what.labels.v[LABEL_BENCHMARK];
	int i = name ? benchmark_find(name) : -1;

	if (i < 0)
		return NULL;
	return key == SELECT_ALGORITHM ? benchmark_infos[i].algorithm : benchmark_infos[i].operation;
}

const char *values_of(const struct result *result, enum selector_key key)
{
	if ((int)key < LABEL_COUNT)
		return result->what.labels.v[key];
	switch (key) {
	case SELECT_ARCH:
		return result->what.arch;
	case SELECT_REVISION:
		return result->what.revision;
	case SELECT_RUN:
		return result->run_uuid;
	case SELECT_ALGORITHM:
	case SELECT_OPERATION:
		return part_of_benchmark(result, key);
	case SELECT_SOURCE:
		return named(source_names, SOURCE_COUNT, result->what.source);
	case SELECT_ENVIRONMENT:
		return named(environment_names, ENVIRONMENT_COUNT, result->what.environment);
	case SELECT_KIND:
		return named(kind_names, KIND_COUNT, result->what.kind);
	default:
		return result->what.labels.v[LABEL_CONFIG];
	}
}

static int benchmark_rank(const char *name)
{
	int i = benchmark_find(name);

	return i < 0 ? BENCHMARK_COUNT : i;
}

/* Of an algorithm or operation: where it comes first. */
static int part_rank(enum selector_key key, const char *name)
{
	int i = 0;

	while (i < BENCHMARK_COUNT &&
		strcmp(key == SELECT_ALGORITHM ? benchmark_infos[i].algorithm : benchmark_infos[i].operation,
			name) != 0)
		i++;
	return i;
}

static int rank_of(enum selector_key key, const char *name)
{
	if ((int)key == LABEL_BENCHMARK)
		return benchmark_rank(name);
	return key == SELECT_ALGORITHM || key == SELECT_OPERATION ? part_rank(key, name) : 0;
}

int values_order(enum selector_key key, const char *a, const char *b)
{
	if (!a || !b)
		return (a != NULL) - (b != NULL);
	if (rank_of(key, a) != rank_of(key, b))
		return rank_of(key, a) - rank_of(key, b);
	return strverscmp(a, b);
}

static int order_by_key(gconstpointer a, gconstpointer b, gpointer key)
{
	return values_order(GPOINTER_TO_INT(key), *(const char *const *)a, *(const char *const *)b);
}

GPtrArray *values_distinct(const GPtrArray *results, enum selector_key key)
{
	GPtrArray *values = g_ptr_array_new();
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	const char *last = NULL;

	for (guint i = 0; i < results->len; i++) {
		const char *value = values_of(results->pdata[i], key);

		if (!value)
			value = "-";
		/* Equal labels are mostly one string, and neighbours share most of them. */
		if (value == last)
			continue;
		last = value;
		if (g_hash_table_add(seen, (char *)value))
			g_ptr_array_add(values, (char *)value);
	}
	g_ptr_array_sort_with_data(values, order_by_key, GINT_TO_POINTER(key));
	return values;
}

char *values_list(const GPtrArray *values)
{
	enum { MOST = 8 };
	GString *list = g_string_new(NULL);

	for (guint i = 0; i < values->len && i < MOST; i++)
		g_string_append_printf(list, "%s%s", i > 0 ? ", " : "", (const char *)values->pdata[i]);
	if (values->len > MOST)
		g_string_append_printf(list, " and %u more", values->len - MOST);
	return g_string_free(list, FALSE);
}

char *values_differing(const GPtrArray *results, char **ret_example)
{
	static const enum selector_key others[] = {
		SELECT_SOURCE, SELECT_ENVIRONMENT, SELECT_KIND, SELECT_ARCH, SELECT_REVISION, SELECT_RUN};
	g_autoptr(GString) list = g_string_new(NULL);

	*ret_example = NULL;
	for (size_t i = 0; i < LABEL_COUNT + G_N_ELEMENTS(others); i++) {
		enum selector_key key = i < LABEL_COUNT ? (enum selector_key)i : others[i - LABEL_COUNT];
		g_autoptr(GPtrArray) values = values_distinct(results, key);
		g_autofree char *text = values_list(values);

		if (values->len < 2)
			continue;
		g_string_append_printf(
			list, "%s%s (%s)", list->len > 0 ? ", " : "", values_key_name(key), text);
		if (!*ret_example)
			*ret_example = g_strdup_printf(
				"%s=%s", values_key_name(key), (const char *)values->pdata[0]);
	}
	return list->len > 0 ? g_strdup(list->str) : NULL;
}

char *values_benchmark(const struct result *result)
{
	const char *name = result->what.labels.v[LABEL_BENCHMARK],
		   *block = result->what.labels.v[LABEL_BLOCK];

	return g_strconcat(name ? name : "-", block ? " " : NULL, block, NULL);
}

enum work values_work(const struct result *result)
{
	const char *name = result->what.labels.v[LABEL_BENCHMARK];
	int i = name ? benchmark_find(name) : -1;

	if (i >= 0)
		return benchmark_infos[i].work;
	return result->what.labels.v[LABEL_BLOCK] ? WORK_BULK : WORK_OPERATION;
}

bool values_time_like(enum metric metric)
{
	return metric_infos[metric].assume == ASSUME_SAMPLED;
}

GPtrArray *values_pointers(const GArray *results)
{
	GPtrArray *pointers = g_ptr_array_new();

	for (guint i = 0; i < results->len; i++)
		g_ptr_array_add(pointers, &g_array_index(results, struct result, i));
	return pointers;
}
