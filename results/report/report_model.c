#include "report_model.h"

#include "report_runs.h"

#include "diag.h"
#include "values.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* --- builds and platforms --- */

static struct report_build *build_of(struct report_model *model, const struct result *result)
{
	struct report_build *build = g_hash_table_lookup(model->build_of, &result->build);

	if (build != NULL)
		return build;
	build = g_new0(struct report_build, 1);
	*build = (struct report_build){
		.id = result->build, .example = result, .size = NAN, .latest_size = NAN};
	g_hash_table_insert(model->build_of, &build->id, build);
	g_ptr_array_add(model->builds, build);
	return build;
}

/* A sum of which a part is unknown is unknown: `parts` are text, rodata and data. */
static void add_size(struct report_build *build, const struct result *result, double parts[3])
{
	static const enum metric metrics[] = {METRIC_TEXT, METRIC_RODATA, METRIC_DATA};

	for (size_t i = 0; i < G_N_ELEMENTS(metrics); i++)
		if (result->metric == metrics[i])
			parts[i] = figure_value(&result->figure);
	build->size = parts[0] + parts[1] + parts[2];
}

static gint by_labels(gconstpointer a, gconstpointer b)
{
	const struct report_build *x = *(struct report_build *const *)a,
				  *y = *(struct report_build *const *)b;

	for (int l = 0; l < LABEL_COUNT; l++) {
		int order = values_order(
			(enum selector_key)l, x->example->what.labels.v[l], y->example->what.labels.v[l]);
		if (order != 0)
			return order;
	}
	return x->id < y->id ? -1 : x->id > y->id;
}

/* Its figures may be of several builds, of which one was the last to be measured for size. */
static void find_latest_sizes(struct report_model *model)
{
	for (guint i = 0; i < model->builds->len; i++) {
		struct report_build *build = model->builds->pdata[i];
		int64_t newest = 0;

		for (guint k = 0; k < model->builds->len; k++) {
			const struct report_build *other = model->builds->pdata[k];

			if (isnan(other->size) || other->id <= newest ||
				!report_same_build(
					&build->example->what.labels, &other->example->what.labels))
				continue;
			newest = other->id;
			build->latest_size = other->size;
		}
	}
}

static void find_builds(struct report_model *model)
{
	g_autoptr(GHashTable) sizes = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, g_free);

	model->builds = g_ptr_array_new_with_free_func(g_free);
	model->build_of = g_hash_table_new(g_int64_hash, g_int64_equal);
	for (guint i = 0; i < model->results->len; i++) {
		const struct result *result = &g_array_index(model->results, struct result, i);
		struct report_build *build = build_of(model, result);
		const char *benchmark = result->what.labels.v[LABEL_BENCHMARK];

		build->figures++;
		if (g_strcmp0(benchmark, "library size") != 0)
			continue;
		double *parts = g_hash_table_lookup(sizes, build);
		if (parts == NULL) {
			parts = g_new(double, 3);
			parts[0] = parts[1] = parts[2] = NAN;
			g_hash_table_insert(sizes, build, parts);
		}
		add_size(build, result, parts);
	}
	g_ptr_array_sort(model->builds, by_labels);
	find_latest_sizes(model);
}

static gint by_name(gconstpointer a, gconstpointer b)
{
	const struct report_platform *x = *(struct report_platform *const *)a,
				     *y = *(struct report_platform *const *)b;

	return strcmp(x->name, y->name);
}

/* Its figures speak of the newest platform of a name. */
static bool platform_id(struct report_platform *platform, struct store *store, GError **err)
{
	g_autoptr(GArray) ids = NULL;
	g_autoptr(GString) pattern = g_string_new(platform->name);

	/* A name may hold what a glob takes for its own. */
	g_string_replace(pattern, "[", "[[]", 0);
	g_string_replace(pattern, "*", "[*]", 0);
	g_string_replace(pattern, "?", "[?]", 0);
	if (!store_find(store, &ids, STORE_PLATFORM, pattern->str, err))
		return false;
	platform->id = ids->len > 0 ? g_array_index(ids, int64_t, 0) : 0;
	return true;
}

static bool find_platforms(struct report_model *model, GError **err)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	bool ok = true;

	model->platforms = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; i < model->results->len; i++) {
		const struct result *result = &g_array_index(model->results, struct result, i);
		const char *name = result->what.labels.v[LABEL_PLATFORM];
		struct report_platform *platform = name ? g_hash_table_lookup(seen, name) : NULL;

		if (name == NULL)
			continue;
		if (platform == NULL) {
			platform = g_new0(struct report_platform, 1);
			*platform = (struct report_platform){.name = name, .example = result};
			g_hash_table_insert(seen, (gpointer)name, platform);
			g_ptr_array_add(model->platforms, platform);
		}
		platform->figures++;
	}
	g_ptr_array_sort(model->platforms, by_name);
	for (guint i = 0; ok && i < model->platforms->len; i++)
		ok = platform_id(model->platforms->pdata[i], model->spec->store, err);
	return ok;
}

static void find_varying(struct report_model *model)
{
	for (int l = 0; l < LABEL_COUNT; l++) {
		const char *first = NULL;

		for (guint i = 0; i < model->builds->len && !model->varies[l]; i++) {
			const struct report_build *build = model->builds->pdata[i];
			const char *value = build->example->what.labels.v[l];

			if (build->example->what.source != SOURCE_OWN || value == NULL)
				continue;
			model->varies[l] = first != NULL && strcmp(first, value) != 0;
			first = value;
		}
	}
}

/* --- before and after --- */

static void change_free(gpointer data)
{
	struct report_change *change = data;

	comparison_free(change->comparison);
	g_free(change);
}

static bool add_change(struct report_model *model, enum metric metric, GError **err)
{
	g_autofree char *before = g_strdup_printf("run=%s", model->previous->uuid);
	g_autofree char *after = g_strdup_printf("run=%s", model->last->uuid);
	g_autoptr(GError) nothing = NULL;
	struct comparison *comparison;

	if (!comparison_make(&comparison, model->spec->store, before, after, model->spec->selector,
		    metric_infos[metric].name, &nothing)) {
		/* That a run has nothing of a metric is no failure of the report. */
		if (nothing->domain == DIAG_ERROR && nothing->code == DIAG_USAGE)
			return true;
		g_propagate_error(err, g_steal_pointer(&nothing));
		return false;
	}
	struct report_change *change = g_new0(struct report_change, 1);
	*change = (struct report_change){metric, comparison};
	g_ptr_array_add(model->changes, change);
	return true;
}

static bool find_changes(struct report_model *model, GError **err)
{
	bool has[METRIC_COUNT] = {false}, ok = true;

	model->changes = g_ptr_array_new_with_free_func(change_free);
	if (model->previous == NULL)
		return true;
	for (guint i = 0; i < model->results->len; i++)
		has[g_array_index(model->results, struct result, i).metric] = true;
	for (int assume = ASSUME_EXACT; assume >= ASSUME_SAMPLED; assume--)
		for (int m = 0; ok && m < METRIC_COUNT; m++)
			if (has[m] && (int)metric_infos[m].assume == assume)
				ok = add_change(model, m, err);
	return ok;
}

static bool find_history(struct report_model *model, GError **err)
{
	const struct history_request request = {
		.selector = model->spec->selector, .metric = "*", .quiet = true};

	return history_make(&model->history, model->spec->store, &request, err);
}

/* --- which is which --- */

static char *result_key(const struct result *result)
{
	return g_strdup_printf("%" PRId64 " %d %d %d", result->series, result->what.source,
		result->what.environment, result->what.kind);
}

static void number_results(struct report_model *model)
{
	model->index = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (guint i = 0; i < model->results->len; i++)
		g_hash_table_insert(model->index,
			result_key(&g_array_index(model->results, struct result, i)), GUINT_TO_POINTER(i));
}

int report_index(const struct report_model *model, const struct result *result)
{
	g_autofree char *key = result_key(result);
	gpointer at;

	return g_hash_table_lookup_extended(model->index, key, NULL, &at) ? (int)GPOINTER_TO_UINT(at) : -1;
}

/* --- the whole --- */

bool report_model_make(struct report_model **ret, const struct report_spec *spec, GError **err)
{
	struct report_model *model = g_new0(struct report_model, 1);
	g_autoptr(GDateTime) now = g_date_time_new_now_utc();

	model->spec = spec;
	model->made = g_date_time_format(now, "%Y-%m-%d %H:%M UTC");
	model->written = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	if (!selector_parse(&model->selector, spec->selector, err) ||
		!store_results(spec->store, &model->results, model->selector, err) ||
		!report_find_runs(model, err)) {
		report_model_free(model);
		return false;
	}
	/* A night of which all failed has much to tell. */
	if (model->results->len == 0 && (spec->selector != NULL || model->failed->len == 0)) {
		diag_set(err, DIAG_USAGE, "%s: no results%s%s to report; `benchmatrix run` makes some",
			store_file(spec->store), spec->selector ? " of " : "",
			spec->selector ? spec->selector : "");
		report_model_free(model);
		return false;
	}
	find_builds(model);
	find_varying(model);
	number_results(model);
	if (!find_platforms(model, err) || !find_changes(model, err) || !find_history(model, err)) {
		report_model_free(model);
		return false;
	}
	*ret = model;
	return true;
}

void report_model_free(struct report_model *model)
{
	if (model == NULL)
		return;
	selector_free(model->selector);
	g_clear_pointer(&model->runs, g_ptr_array_unref);
	g_clear_pointer(&model->failed_of, g_hash_table_unref);
	g_clear_pointer(&model->failed, g_ptr_array_unref);
	g_clear_pointer(&model->cells, g_ptr_array_unref);
	g_clear_pointer(&model->failures, g_ptr_array_unref);
	g_clear_pointer(&model->failure_infos, g_ptr_array_unref);
	g_clear_pointer(&model->builds, g_ptr_array_unref);
	g_clear_pointer(&model->build_of, g_hash_table_unref);
	g_clear_pointer(&model->index, g_hash_table_unref);
	history_free(model->history);
	g_clear_pointer(&model->platforms, g_ptr_array_unref);
	g_clear_pointer(&model->changes, g_ptr_array_unref);
	g_clear_pointer(&model->results, g_array_unref);
	g_hash_table_unref(model->written);
	g_free(model->made);
	g_free(model);
}

/* --- names --- */

char *report_build_name(const struct report_model *model, const struct labels *labels)
{
	static const enum label parts[] = {LABEL_LIBRARY, LABEL_VERSION, LABEL_PROFILE, LABEL_OPTIMISATION};
	GString *name = g_string_new(labels->v[LABEL_CONFIG] ? labels->v[LABEL_CONFIG] : "unknown");

	for (size_t i = 0; i < G_N_ELEMENTS(parts); i++)
		if (model->varies[parts[i]] && labels->v[parts[i]] != NULL)
			g_string_append_printf(name, " %s", labels->v[parts[i]]);
	return g_string_free(name, FALSE);
}

bool report_same_build(const struct labels *a, const struct labels *b)
{
	static const enum label parts[] = {LABEL_CONFIG, LABEL_TOOLCHAIN, LABEL_VERSION, LABEL_OPTIMISATION,
		LABEL_PROFILE, LABEL_LIBRARY};

	for (size_t i = 0; i < G_N_ELEMENTS(parts); i++)
		if (g_strcmp0(a->v[parts[i]], b->v[parts[i]]) != 0)
			return false;
	return true;
}

char *report_build_file(const struct report_model *model, int64_t build)
{
	if (!g_hash_table_contains(model->build_of, &build) &&
		!g_hash_table_contains(model->failed_of, &build))
		return NULL;
	return g_strdup_printf("build-%" PRId64 ".html", build);
}

char *report_platform_file(const struct report_model *model, const char *name)
{
	for (guint i = 0; name != NULL && i < model->platforms->len; i++) {
		const struct report_platform *platform = model->platforms->pdata[i];

		if (strcmp(platform->name, name) == 0)
			return g_strdup_printf("platform-%u.html", i + 1);
	}
	return NULL;
}
