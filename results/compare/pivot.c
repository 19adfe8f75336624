#include "join.h"

#include "diag.h"
#include "doubts.h"
#include "request.h"
#include "values.h"

#include <string.h>

/* The keys of one side of a pivot. */
struct keys {
	enum label *keys;
	size_t n;
};

static bool has_key(const struct keys *keys, enum label key)
{
	for (size_t i = 0; i < keys->n; i++)
		if (keys->keys[i] == key)
			return true;
	return false;
}

static bool parse_key(enum label *ret, const char *word, const char *option, GError **err)
{
	int label = label_find(word);
	const char *nearest;
	g_autofree char *list = NULL;

	if (label >= 0) {
		*ret = label;
		return true;
	}
	nearest = diag_nearest(word, label_keys);
	list = g_strjoinv(", ", (char **)label_keys);
	return diag_set(err, DIAG_USAGE, "%s: unknown label \"%s\"%s%s%s; the labels are %s", option, word,
		nearest ? "; did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "", list);
}

/* Reads "config,toolchain"; `others` are the keys that are taken already. */
static bool parse_keys(
	struct keys *ret, const char *text, const char *option, const struct keys *others, GError **err)
{
	g_auto(GStrv) words = g_strsplit(text, ",", -1);

	ret->keys = g_new0(enum label, g_strv_length(words) + 1);
	for (char **word = words; *word; word++) {
		enum label key = LABEL_COUNT;

		if (!parse_key(&key, g_strstrip(*word), option, err))
			return false;
		if (has_key(ret, key) || has_key(others, key))
			return diag_set(
				err, DIAG_USAGE, "%s: %s stands more than once", option, label_keys[key]);
		ret->keys[ret->n++] = key;
	}
	return true;
}

static bool differs(const GPtrArray *results, enum label label)
{
	g_autoptr(GPtrArray) values = values_distinct(results, (enum selector_key)label);

	return values->len > 1;
}

/* Benchmark and block, but for what the columns take. */
static void default_rows(struct keys *ret, const struct keys *columns)
{
	static const enum label usual[] = {LABEL_BENCHMARK, LABEL_BLOCK};

	ret->keys = g_new0(enum label, LABEL_COUNT);
	for (size_t i = 0; i < G_N_ELEMENTS(usual); i++)
		if (!has_key(columns, usual[i]))
			ret->keys[ret->n++] = usual[i];
}

static void default_columns(struct keys *ret, const struct keys *rows, const GPtrArray *results)
{
	ret->keys = g_new0(enum label, LABEL_COUNT);
	for (int l = 0; l < LABEL_COUNT; l++)
		if (!has_key(rows, l) && differs(results, l))
			ret->keys[ret->n++] = l;
}

static bool find_keys(struct keys *rows, struct keys *columns, const struct pivot_request *request,
	const GPtrArray *results, GError **err)
{
	if (request->columns && !parse_keys(columns, request->columns, "--columns", rows, err))
		return false;
	if (request->rows && !parse_keys(rows, request->rows, "--rows", columns, err))
		return false;
	if (!request->rows)
		default_rows(rows, columns);
	if (!request->columns)
		default_columns(columns, rows, results);
	return true;
}

static char **values_at(const struct result *result, const struct keys *keys)
{
	char **values = g_new0(char *, keys->n + 1);

	for (size_t i = 0; i < keys->n; i++) {
		const char *value = result->what.labels.v[keys->keys[i]];

		values[i] = g_strdup(value ? value : "-");
	}
	return values;
}

static int order_values(gconstpointer a, gconstpointer b, gpointer user)
{
	const struct keys *keys = user;
	char **left = *(char **const *)a, **right = *(char **const *)b;
	int order = 0;

	for (size_t i = 0; i < keys->n && order == 0; i++)
		order = values_order((enum selector_key)keys->keys[i], left[i], right[i]);
	return order;
}

static char *joined(char **values)
{
	return g_strjoinv("\x1f", values);
}

/* The distinct values of the keys, in order; *ret_index gets their places by their joined text. */
static GPtrArray *distinct(GHashTable **ret_index, const GPtrArray *results, const struct keys *keys)
{
	GPtrArray *list = g_ptr_array_new_with_free_func((GDestroyNotify)g_strfreev);
	GHashTable *index = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (guint i = 0; i < results->len; i++) {
		g_auto(GStrv) values = values_at(results->pdata[i], keys);

		if (g_hash_table_add(index, joined(values)))
			g_ptr_array_add(list, g_steal_pointer(&values));
	}
	g_ptr_array_sort_with_data(list, order_values, (gpointer)keys);
	for (guint i = 0; i < list->len; i++)
		g_hash_table_insert(index, joined(list->pdata[i]), GUINT_TO_POINTER(i));
	*ret_index = index;
	return list;
}

static guint place_of(GHashTable *index, const struct result *result, const struct keys *keys)
{
	g_auto(GStrv) values = values_at(result, keys);
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
			"two results fall into one cell (%s); they differ in %s; add these labels to --rows "
			"or --columns, or pick one "
			"by a term such as %s",
			benchmark, differing, example);
	if (result->started_at > (*cell)->started_at)
		*cell = result;
	return true;
}

static bool fill(struct pivot *pivot, const GPtrArray *results, GError **err)
{
	const struct keys row_keys = {pivot->row_keys, pivot->n_row_keys};
	const struct keys column_keys = {pivot->column_keys, pivot->n_column_keys};
	g_autoptr(GHashTable) rows = NULL, columns = NULL;

	pivot->rows = distinct(&rows, results, &row_keys);
	pivot->columns = distinct(&columns, results, &column_keys);
	g_ptr_array_set_size(pivot->cells, (int)(pivot->rows->len * pivot->columns->len));
	for (guint i = 0; i < results->len; i++) {
		guint row = place_of(rows, results->pdata[i], &row_keys);
		guint column = place_of(columns, results->pdata[i], &column_keys);
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

	for (int l = 0; first && l < LABEL_COUNT; l++)
		if (!differs(results, l))
			common->v[l] = first->what.labels.v[l];
}

/* Takes the keys. */
static struct pivot *pivot_new(
	GArray *results, enum metric metric, const struct keys *rows, const struct keys *columns)
{
	struct pivot *pivot = g_new0(struct pivot, 1);

	pivot->metric = metric;
	pivot->row_keys = rows->keys;
	pivot->n_row_keys = rows->n;
	pivot->column_keys = columns->keys;
	pivot->n_column_keys = columns->n;
	pivot->cells = g_ptr_array_new();
	pivot->notes = g_ptr_array_new_with_free_func(g_free);
	pivot->results = g_array_ref(results);
	return pivot;
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

bool pivot_of(struct pivot **ret, GArray *results, const struct pivot_request *request, GError **err)
{
	const struct selector *const selectors[] = {request->selector, NULL};
	g_autoptr(GPtrArray) all = values_pointers(results);
	guint left_out = leave_out_emulated(all, request);
	struct keys rows = {0}, columns = {0};
	struct pivot *pivot;

	if (!find_keys(&rows, &columns, request, all, err)) {
		g_free(rows.keys);
		g_free(columns.keys);
		return false;
	}
	pivot = pivot_new(results, request->metric, &rows, &columns);
	if (!doubts_origins(all, selectors, false, pivot->notes, err) || !fill(pivot, all, err)) {
		pivot_free(pivot);
		return false;
	}
	find_common(&pivot->common, all);
	doubts_results(all, pivot->metric, pivot->notes);
	doubts_left_out(pivot->notes, left_out);
	*ret = pivot;
	return true;
}

bool pivot_make(struct pivot **ret, struct store *store, const char *selector, const char *metric,
	const char *rows, const char *columns, GError **err)
{
	struct selector *parsed = NULL;
	g_autoptr(GArray) results = NULL;
	struct pivot_request request = {.rows = rows, .columns = columns};
	bool done;

	if (!selector_parse(&parsed, selector, err))
		return false;
	request.selector = parsed;
	done = request_metric(&request.metric, metric, (const struct selector *const[]){parsed, NULL}, err) &&
	       request_results(&results, store, "the selector", parsed, NULL, request.metric, err) &&
	       pivot_of(ret, results, &request, err);
	selector_free(parsed);
	return done;
}

void pivot_free(struct pivot *pivot)
{
	if (!pivot)
		return;
	g_clear_pointer(&pivot->rows, g_ptr_array_unref);
	g_clear_pointer(&pivot->columns, g_ptr_array_unref);
	g_ptr_array_unref(pivot->cells);
	g_ptr_array_unref(pivot->notes);
	g_array_unref(pivot->results);
	g_free(pivot->row_keys);
	g_free(pivot->column_keys);
	g_free(pivot);
}
