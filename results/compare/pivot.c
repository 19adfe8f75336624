#include "join.h"

#include "diag.h"
#include "doubts.h"
#include "pivot_keys.h"
#include "request.h"
#include "values.h"

#include <string.h>

static int order_values(gconstpointer a, gconstpointer b, gpointer user)
{
	const struct pivot_keys *keys = user;
	char **left = *(char **const *)a, **right = *(char **const *)b;
	int order = 0;

	for (size_t i = 0; i < keys->n && order == 0; i++)
		order = values_order(keys->keys[i], left[i], right[i]);
	return order;
}

static char *joined(char **values)
{
	return g_strjoinv("\x1f", values);
}

/* The distinct values of the keys, in order; *ret_index gets their places by their joined text. */
static GPtrArray *distinct(GHashTable **ret_index, const GPtrArray *results, const struct pivot_keys *keys)
{
	GPtrArray *list = g_ptr_array_new_with_free_func((GDestroyNotify)g_strfreev);
	GHashTable *index = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (guint i = 0; i < results->len; i++) {
		g_auto(GStrv) values = pivot_keys_values(results->pdata[i], keys);

		if (g_hash_table_add(index, joined(values)))
			g_ptr_array_add(list, g_steal_pointer(&values));
	}
	g_ptr_array_sort_with_data(list, order_values, (gpointer)keys);
	for (guint i = 0; i < list->len; i++)
		g_hash_table_insert(index, joined(list->pdata[i]), GUINT_TO_POINTER(i));
	*ret_index = index;
	return list;
}

static guint place_of(GHashTable *index, const struct result *result, const struct pivot_keys *keys)
{
	g_auto(GStrv) values = pivot_keys_values(result, keys);
	g_autofree char *text = joined(values);

	return GPOINTER_TO_UINT(g_hash_table_lookup(index, text));
}

/* Two results for one cell: an error that lists the labels to add; the later of two attempts at the same
 * thing. */
static bool settle(const struct result **cell, const struct result *result, GError **err)
{
	g_autoptr(GPtrArray) both = g_ptr_array_new();
	g_autofree char *differing = NULL, *example = NULL, *benchmark = values_benchmark(result);

	g_ptr_array_add(both, (struct result *)*cell);
	g_ptr_array_add(both, (struct result *)result);
	differing = values_differing(both, &example);
	if (differing)
		return diag_set(err, DIAG_USAGE,
			"two results fall into one cell (%s); they differ in %s; add these to --rows or "
			"--columns, or pick one by a term such as %s",
			benchmark, differing, example);
	if (result->started_at > (*cell)->started_at)
		*cell = result;
	return true;
}

static bool fill(struct pivot *pivot, const struct pivot_keys *row_keys, const struct pivot_keys *column_keys,
	const GPtrArray *results, GError **err)
{
	g_autoptr(GHashTable) rows = NULL, columns = NULL;

	pivot->rows = distinct(&rows, results, row_keys);
	pivot->columns = distinct(&columns, results, column_keys);
	g_ptr_array_set_size(pivot->cells, (int)(pivot->rows->len * pivot->columns->len));
	for (guint i = 0; i < results->len; i++) {
		guint row = place_of(rows, results->pdata[i], row_keys);
		guint column = place_of(columns, results->pdata[i], column_keys);
		const struct result **cell =
			(const struct result **)&pivot->cells->pdata[row * pivot->columns->len + column];

		if (!*cell)
			*cell = results->pdata[i];
		else if (!settle(cell, results->pdata[i], err))
			return false;
	}
	return true;
}

static void find_common(struct labels *common, const GPtrArray *results)
{
	const struct result *first = results->len > 0 ? results->pdata[0] : NULL;

	for (int l = 0; first && l < LABEL_COUNT; l++) {
		g_autoptr(GPtrArray) values = values_distinct(results, (enum selector_key)l);

		if (values->len < 2)
			common->v[l] = first->what.labels.v[l];
	}
}

static struct pivot *pivot_new(GArray *results, enum metric metric)
{
	struct pivot *pivot = g_new0(struct pivot, 1);

	pivot->metric = metric;
	pivot->cells = g_ptr_array_new();
	pivot->notes = g_ptr_array_new_with_free_func(g_free);
	pivot->results = g_array_ref(results);
	return pivot;
}

static void keep_keys(struct pivot *pivot, const struct pivot_keys *rows, const struct pivot_keys *columns)
{
	pivot->n_row_keys = rows->n;
	pivot->row_keys = g_memdup2(rows->keys, sizeof(rows->keys));
	pivot->n_column_keys = columns->n;
	pivot->column_keys = g_memdup2(columns->keys, sizeof(columns->keys));
}

/* Emulated time beside hardware's is left out unless it was asked for. Returns how many were. */
static guint leave_out_emulated(GPtrArray *results, const struct pivot_request *request)
{
	guint before = results->len;
	bool hardware = false;

	if (!values_time_like(request->metric) || selector_term(request->selector, SELECT_ENVIRONMENT))
		return 0;
	for (guint i = 0; i < results->len; i++)
		hardware |=
			((const struct result *)results->pdata[i])->what.environment == ENVIRONMENT_HARDWARE;
	for (guint i = results->len; hardware && i-- > 0;)
		if (((const struct result *)results->pdata[i])->what.environment == ENVIRONMENT_EMULATOR)
			g_ptr_array_remove_index(results, i);
	return before - results->len;
}

/* Derived figures beside others are left out unless they were asked for. */
static void leave_out_derived(GPtrArray *results, const struct pivot_request *request, GPtrArray *notes)
{
	guint before = results->len;
	bool others = false;

	if (selector_term(request->selector, SELECT_KIND))
		return;
	for (guint i = 0; i < results->len; i++)
		others |= ((const struct result *)results->pdata[i])->what.kind != KIND_DERIVED;
	for (guint i = results->len; others && i-- > 0;)
		if (((const struct result *)results->pdata[i])->what.kind == KIND_DERIVED)
			g_ptr_array_remove_index(results, i);
	if (results->len < before)
		g_ptr_array_add(
			notes, g_strdup_printf("%u derived result%s left out; kind=* shows them too",
				       before - results->len, before - results->len == 1 ? " is" : "s are"));
}

bool pivot_of(struct pivot **ret, GArray *results, const struct pivot_request *request, GError **err)
{
	const struct selector *const selectors[] = {request->selector, NULL};
	g_autoptr(GPtrArray) all = values_pointers(results);
	guint left_out = leave_out_emulated(all, request);
	struct pivot_keys rows = {.n = 0}, columns = {.n = 0};
	struct pivot *pivot = pivot_new(results, request->metric);

	doubts_prefer_own(all, selectors, pivot->notes);
	leave_out_derived(all, request, pivot->notes);
	if (!doubts_origins(all, selectors, false, pivot->notes, err) ||
		!pivot_keys_find(&rows, &columns, request, all, pivot->notes, err) ||
		!fill(pivot, &rows, &columns, all, err)) {
		pivot_free(pivot);
		return false;
	}
	keep_keys(pivot, &rows, &columns);
	find_common(&pivot->common, all);
	doubts_results(all, pivot->metric, pivot->notes);
	doubts_left_out(pivot->notes, left_out);
	*ret = pivot;
	return true;
}

/* Adds the results of one more metric, which must fit beside the first. */
static bool add_metric(
	GArray **results, struct store *store, struct pivot_request *request, const char *name, GError **err)
{
	g_autoptr(GArray) more = NULL;
	enum metric metric;

	if (!request_metric(&metric, name, (const struct selector *const[]){request->selector, NULL}, err))
		return false;
	if (*results && strcmp(metric_infos[metric].unit, metric_infos[request->metric].unit) != 0)
		return diag_set(err, DIAG_USAGE, "%s and %s have different units; one table shows one unit",
			metric_infos[request->metric].name, metric_infos[metric].name);
	if (!request_results(&more, store, "the selector", request->selector, NULL, metric, err))
		return false;
	if (!*results) {
		request->metric = metric;
		*results = g_steal_pointer(&more);
		return true;
	}
	/* What they hold goes over. */
	g_array_append_vals(*results, more->data, more->len);
	g_array_set_clear_func(more, NULL);
	return true;
}

/* Several metrics are told apart by columns, where nothing else was asked for. Free with g_free(). */
static char *columns_of(const struct pivot_request *request, guint metrics)
{
	g_autofree char *keys = g_strconcat(",", request->rows ? request->rows : "", ",",
		request->columns ? request->columns : "", ",", NULL);

	if (metrics < 2 || strstr(keys, ",metric,"))
		return g_strdup(request->columns);
	return request->columns ? g_strconcat(request->columns, ",metric", NULL) : g_strdup("metric");
}

bool pivot_make(struct pivot **ret, struct store *store, const char *selector, const char *metric,
	const char *rows, const char *columns, GError **err)
{
	struct selector *parsed = NULL;
	g_autoptr(GArray) results = NULL;
	g_auto(GStrv) names = g_strsplit(metric ? metric : "", ",", -1);
	struct pivot_request request = {.rows = rows, .columns = columns};
	g_autofree char *all_columns = columns_of(&request, g_strv_length(names));
	bool done;

	if (!selector_parse(&parsed, selector, err))
		return false;
	request.selector = parsed;
	request.columns = all_columns;
	done = add_metric(&results, store, &request, *names, err);
	for (char **name = names; done && *name && name[1]; name++)
		done = add_metric(&results, store, &request, name[1], err);
	done = done && pivot_of(ret, results, &request, err);
	selector_free(parsed);
	return done;
}

static bool read_printed(char **ret, struct store *store, const struct result *result, GError **err)
{
	g_autofree char *text = NULL, *unit = NULL;

	if (!store_printed(store, &text, &unit, result->measurement, figure_statistic(&result->figure), err))
		return false;
	if (text)
		*ret = g_strconcat(text, unit && *unit ? " " : "", unit ? unit : "", NULL);
	return true;
}

bool pivot_read_printed(struct pivot *pivot, struct store *store, GError **err)
{
	bool ok = true;

	g_clear_pointer(&pivot->printed, g_ptr_array_unref);
	pivot->printed = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_set_size(pivot->printed, (int)pivot->cells->len);
	for (guint i = 0; ok && i < pivot->cells->len; i++)
		if (pivot->cells->pdata[i])
			ok = read_printed(
				(char **)&pivot->printed->pdata[i], store, pivot->cells->pdata[i], err);
	return ok;
}

void pivot_free(struct pivot *pivot)
{
	if (!pivot)
		return;
	g_clear_pointer(&pivot->rows, g_ptr_array_unref);
	g_clear_pointer(&pivot->columns, g_ptr_array_unref);
	g_clear_pointer(&pivot->printed, g_ptr_array_unref);
	g_ptr_array_unref(pivot->cells);
	g_ptr_array_unref(pivot->notes);
	g_array_unref(pivot->results);
	g_free(pivot->row_keys);
	g_free(pivot->column_keys);
	g_free(pivot);
}
