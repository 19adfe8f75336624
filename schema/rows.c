#include "rows.h"

#include <glib.h>
#include <math.h>
#include <string.h>

const char *const label_keys[] = {
#define LABEL(id, key, summary) key,
#include "labels.def"
#undef LABEL
	NULL};

const char *const label_summaries[] = {
#define LABEL(id, key, summary) summary,
#include "labels.def"
#undef LABEL
};

const struct metric_info metric_infos[] = {
#define METRIC(id, name, unit, assume, better, ratio, summary)                                               \
	{name, unit, ratio, summary, ASSUME_##assume, BETTER_##better},
#include "metrics.def"
#undef METRIC
};

const struct benchmark_info benchmark_infos[] = {
#define BENCHMARK(id, name, algorithm, operation, work) {name, algorithm, operation, WORK_##work},
#include "benchmarks.def"
#undef BENCHMARK
};

const struct state_info build_states[] = {
#define BUILD_STATE(id, name, good, summary) {name, summary, good},
#include "states.def"
#undef BUILD_STATE
};

const struct state_info attempt_states[] = {
#define ATTEMPT_STATE(id, name, good, summary) {name, summary, good},
#include "states.def"
#undef ATTEMPT_STATE
};

const struct state_info outcome_states[] = {
#define OUTCOME_STATE(id, name, good, summary) {name, summary, good},
#include "states.def"
#undef OUTCOME_STATE
};

const char *const source_names[] = {"own", "imported", "published"};
const char *const environment_names[] = {"hardware", "emulator", "unknown"};
const char *const kind_names[] = {"sampled", "exact", "derived", "stated"};

int label_find(const char *key)
{
	for (int i = 0; i < LABEL_COUNT; i++)
		if (strcmp(label_keys[i], key) == 0)
			return i;
	return -1;
}

int metric_find(const char *name)
{
	for (int i = 0; i < METRIC_COUNT; i++)
		if (strcmp(metric_infos[i].name, name) == 0)
			return i;
	return -1;
}

bool metric_is_whole(enum metric metric)
{
	const char *unit = metric_infos[metric].unit;

	return strcmp(unit, "B") == 0 || strcmp(unit, "allocations") == 0 || strcmp(unit, "x") == 0;
}

bool metric_is_of_memory(enum metric metric)
{
	return metric == METRIC_HEAP_PEAK || metric == METRIC_HEAP_IDLE ||
	       metric == METRIC_HEAP_ALLOCATIONS || metric == METRIC_STACK_PEAK;
}

static gpointer index_benchmarks(gpointer unused)
{
	GHashTable *places = g_hash_table_new(g_str_hash, g_str_equal);
	(void)unused;

	for (int i = 0; i < BENCHMARK_COUNT; i++)
		g_hash_table_insert(places, (gpointer)benchmark_infos[i].name, GINT_TO_POINTER(i + 1));
	return places;
}

/* Asked for each figure that is compared, shown or imported. */
int benchmark_find(const char *name)
{
	static GOnce once = G_ONCE_INIT;

	return GPOINTER_TO_INT(g_hash_table_lookup(g_once(&once, index_benchmarks, NULL), name)) - 1;
}

static const double *value_of(const struct figure *figure, const char **ret_statistic)
{
	const double *values[] = {&figure->median, &figure->mean, &figure->min, &figure->max};
	static const char *const names[] = {"median", "mean", "best", "worst"};
	size_t i = 0;

	while (i < 3 && isnan(*values[i]))
		i++;
	*ret_statistic = names[i];
	return values[i];
}

double figure_value(const struct figure *figure)
{
	const char *statistic;

	return *value_of(figure, &statistic);
}

const char *figure_statistic(const struct figure *figure)
{
	const char *statistic;

	value_of(figure, &statistic);
	return statistic;
}
