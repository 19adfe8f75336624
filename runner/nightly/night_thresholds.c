#include "night_thresholds.h"

#include "history.h"
#include "night_weigh.h"

#include <string.h>

/* Nights that teach what a series' noise is. */
#define TEACHING_DAYS 60
#define NS_PER_DAY    (86400 * G_GINT64_CONSTANT(1000000000))

struct night_thresholds {
	GPtrArray *histories; /* struct history *, one of each sampled metric */
};

static bool learn(struct night_thresholds *thresholds, struct store *store, enum metric metric,
	int64_t started_at, GError **err)
{
	const struct history_request request = {.selector = "source=own,environment=hardware",
		.metric = metric_infos[metric].name,
		.since = started_at - TEACHING_DAYS * NS_PER_DAY,
		.until = started_at,
		.quiet = true};
	struct history *history = NULL;

	if (!history_make(&history, store, &request, err))
		return false;
	if (history != NULL)
		g_ptr_array_add(thresholds->histories, history);
	return true;
}

bool night_thresholds_make(struct night_thresholds **ret, struct store *store, const GArray *tonight,
	int64_t started_at, GError **err)
{
	struct night_thresholds *thresholds = g_new0(struct night_thresholds, 1);
	bool seen[METRIC_COUNT] = {false}, ok = true;

	thresholds->histories = g_ptr_array_new_with_free_func((GDestroyNotify)history_free);
	for (guint i = 0; ok && i < tonight->len; i++) {
		const struct result *result = &g_array_index(tonight, struct result, i);
		if (seen[result->metric] || !night_weighs(result) ||
			metric_infos[result->metric].assume == ASSUME_EXACT)
			continue;
		seen[result->metric] = true;
		ok = learn(thresholds, store, result->metric, started_at, err);
	}
	if (!ok) {
		night_thresholds_free(thresholds);
		return false;
	}
	*ret = thresholds;
	return true;
}

void night_thresholds_free(struct night_thresholds *thresholds)
{
	if (thresholds == NULL)
		return;
	g_ptr_array_unref(thresholds->histories);
	g_free(thresholds);
}

/* Bytes: of a program, or of the memory that it takes. */
static bool is_size(const struct result *result)
{
	return strcmp(metric_infos[result->metric].unit, "B") == 0;
}

double night_threshold(const struct night_thresholds *thresholds, const struct result *result)
{
	const struct history_series *series = NULL;

	if (metric_infos[result->metric].assume == ASSUME_EXACT)
		return is_size(result) ? NIGHT_SIZE_ALARM : COMPARISON_EXACT_ALARM;
	for (guint i = 0; thresholds != NULL && series == NULL && i < thresholds->histories->len; i++)
		series = history_find(thresholds->histories->pdata[i], result);
	return series != NULL ? history_threshold(series) : COMPARISON_FLOOR;
}
