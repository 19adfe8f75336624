#include "history.h"

#include "diag.h"
#include "points.h"
#include "request.h"
#include "values.h"

#include <string.h>

/* The figures of one series as they come, by origin. */
struct gathering {
	struct history *history;
	bool emulated_time; /* asked for */
	int64_t id;	    /* the series in hand; 0: none yet */
	int64_t left_out;   /* the last series that is left out */
	GPtrArray *rows;    /* GArray of struct history_row, of one origin each */
};

/* --- series --- */

static bool same_origin(const struct selectable *a, const struct selectable *b)
{
	return a->source == b->source && a->environment == b->environment && a->kind == b->kind;
}

static void free_series(gpointer data)
{
	struct history_series *series = data;

	g_array_unref(series->points);
	g_array_unref(series->segments);
	g_array_unref(series->changes);
	g_free(series);
}

static struct history_series *series_of(GArray *rows)
{
	struct history_series *series = g_new0(struct history_series, 1);

	series->points = points_of(rows);
	const struct history_row *last = &g_array_index(rows, struct history_row, rows->len - 1);
	series->id = last->series;
	series->what = last->what;
	series->metric = last->metric;
	series->exact = metric_infos[last->metric].assume == ASSUME_EXACT;
	history_analyse(series);
	return series;
}

static void finish_series(struct gathering *gathering)
{
	for (guint i = 0; i < gathering->rows->len; i++)
		g_ptr_array_add(gathering->history->series, series_of(gathering->rows->pdata[i]));
	g_ptr_array_set_size(gathering->rows, 0);
}

static GArray *rows_like(struct gathering *gathering, const struct history_row *row)
{
	for (guint i = 0; i < gathering->rows->len; i++) {
		GArray *rows = gathering->rows->pdata[i];
		if (same_origin(&g_array_index(rows, struct history_row, 0).what, &row->what))
			return rows;
	}
	GArray *rows = g_array_new(FALSE, FALSE, sizeof(struct history_row));
	g_ptr_array_add(gathering->rows, rows);
	return rows;
}

static void gather(const struct history_row *row, void *user)
{
	struct gathering *gathering = user;

	if (values_time_like(row->metric) && row->what.environment == ENVIRONMENT_EMULATOR &&
		!gathering->emulated_time) {
		gathering->history->left_out += row->series != gathering->left_out;
		gathering->left_out = row->series;
		return;
	}
	if (row->series != gathering->id)
		finish_series(gathering);
	gathering->id = row->series;
	g_array_append_vals(rows_like(gathering, row), row, 1);
}

/* --- the whole --- */

static gint by_labels(gconstpointer a, gconstpointer b)
{
	const struct history_series *x = *(const struct history_series *const *)a,
				    *y = *(const struct history_series *const *)b;

	for (int l = 0; l < LABEL_COUNT; l++) {
		int order = values_order((enum selector_key)l, x->what.labels.v[l], y->what.labels.v[l]);
		if (order != 0)
			return order;
	}
	if (x->what.source != y->what.source)
		return x->what.source - y->what.source;
	if (x->what.environment != y->what.environment)
		return x->what.environment - y->what.environment;
	return x->what.kind - y->what.kind;
}

static void find_labels(struct history *history)
{
	for (guint i = 0; i < history->series->len; i++) {
		const struct labels *labels =
			&((const struct history_series *)history->series->pdata[i])->what.labels;
		if (i == 0)
			history->common = *labels;
		for (int l = 0; l < LABEL_COUNT; l++)
			history->shown[l] |= g_strcmp0(labels->v[l], history->common.v[l]) != 0;
	}
	for (int l = 0; l < LABEL_COUNT; l++)
		if (history->shown[l])
			history->common.v[l] = NULL;
}

static int64_t place_key(int64_t series, const struct selectable *what)
{
	return ((series * SOURCE_COUNT + what->source) * ENVIRONMENT_COUNT + what->environment) * KIND_COUNT +
	       what->kind;
}

static void index_places(struct history *history)
{
	for (guint i = 0; i < history->series->len; i++) {
		struct history_series *series = history->series->pdata[i];
		int64_t key = place_key(series->id, &series->what);
		g_hash_table_insert(history->places, g_memdup2(&key, sizeof key), series);
	}
}

const struct history_series *history_find(const struct history *history, const struct result *result)
{
	int64_t key = place_key(result->series, &result->what);

	return g_hash_table_lookup(history->places, &key);
}

void history_free(struct history *history)
{
	if (!history)
		return;
	g_ptr_array_unref(history->series);
	g_hash_table_unref(history->places);
	g_free(history->selector_text);
	g_free(history);
}

static struct history *read_history(
	struct store *store, const struct selector *selector, int64_t since, int64_t until, GError **err)
{
	struct history *history = g_new0(struct history, 1);
	struct gathering gathering = {.history = history,
		.emulated_time = selector_term(selector, SELECT_ENVIRONMENT) != NULL,
		.rows = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref)};

	history->series = g_ptr_array_new_with_free_func(free_series);
	history->places = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	history->selector_text = selector_text(selector);
	bool ok = store_history(store, selector, since, until, gather, &gathering, err);
	if (ok)
		finish_series(&gathering);
	g_ptr_array_unref(gathering.rows);
	if (!ok) {
		history_free(history);
		return NULL;
	}
	g_ptr_array_sort(history->series, by_labels);
	find_labels(history);
	index_places(history);
	return history;
}

/* --- what is asked --- */

static bool start_of(int64_t *ret, struct store *store, const char *name, GError **err)
{
	g_autoptr(GPtrArray) runs = NULL;
	int64_t id;

	if (!store_run_find(store, &id, name, err) || !store_runs(store, &runs, err))
		return false;
	for (guint i = 0; i < runs->len; i++) {
		const struct run_info *run = runs->pdata[i];
		if (run->id == id)
			*ret = run->started_at;
	}
	return true;
}

/* Adds the metric to the selector, which then names one. */
static bool add_metric(
	enum metric *ret, struct selector *selector, const struct history_request *request, GError **err)
{
	const struct selector *const selectors[] = {selector, NULL};
	struct selector_term term = {.key = (enum selector_key)LABEL_METRIC};

	if (!request_metric(ret, request->metric, selectors, err))
		return false;
	if (selector_term(selector, term.key))
		return true;
	term.pattern = g_strdup(metric_infos[*ret].name);
	g_array_append_val(selector->terms, term);
	return true;
}

/* Says what there is instead. */
static bool explain_empty(const struct history *history, struct store *store, const struct selector *selector,
	enum metric metric, GError **err)
{
	g_autoptr(GArray) results = NULL;

	if (history->left_out > 0)
		return diag_set(err, DIAG_USAGE,
			"the selector takes emulated %s only, which says nothing about speed; ask for "
			"--metric instructions, or name environment=emulator to see it all the same",
			metric_infos[metric].name);
	if (!request_results(&results, store, "the selector", selector, NULL, metric, err))
		return false;
	return diag_set(err, DIAG_USAGE, "no run since then has such results; begin earlier (--since)");
}

static bool make(struct history **ret, struct store *store, struct selector *selector,
	const struct history_request *request, GError **err)
{
	bool all = g_strcmp0(request->metric, "*") == 0;
	int64_t since = request->since;
	enum metric metric = METRIC_TIME;

	if (selector_term(selector, SELECT_RUN))
		return diag_set(err, DIAG_USAGE,
			"a history is of all runs; leave \"run\" out of the selector and say --since");
	if ((!all && !add_metric(&metric, selector, request, err)) ||
		(request->since_run && !start_of(&since, store, request->since_run, err)))
		return false;
	struct history *history = read_history(store, selector, since, request->until, err);
	if (!history)
		return false;
	if (history->series->len > 0 || request->quiet) {
		*ret = history;
		return true;
	}
	explain_empty(history, store, selector, metric, err);
	history_free(history);
	return false;
}

bool history_make(
	struct history **ret, struct store *store, const struct history_request *request, GError **err)
{
	struct selector *selector = NULL;

	if (!selector_parse(&selector, request->selector, err))
		return false;
	bool ok = make(ret, store, selector, request, err);
	selector_free(selector);
	return ok;
}
