#include "report_runs.h"

#include "asides.h"

#include <string.h>

static bool find_runs(struct report_model *model, GError **err)
{
	if (!store_runs(model->spec->store, &model->runs, err))
		return false;
	for (guint i = 0; i < model->runs->len; i++) {
		const struct run_info *run = model->runs->pdata[i];

		if (run->matrix == NULL || aside_is(run->matrix))
			continue;
		if (model->last == NULL)
			model->last = run;
		else if (model->previous == NULL && strcmp(run->matrix, model->last->matrix) == 0)
			model->previous = run;
	}
	return true;
}

static char *failure_key(const struct failure_info *failure)
{
	return g_strjoin(
		"\x1f", failure->cell, failure->benchmark ? failure->benchmark : "", failure->what, NULL);
}

/* What failed in the run before already; NULL: there was none, and so nothing is known of it. */
static bool known_before(GHashTable **ret, const struct report_model *model, GError **err)
{
	g_autoptr(GPtrArray) failures = NULL;

	*ret = NULL;
	if (model->previous == NULL)
		return true;
	if (!store_failures(model->spec->store, &failures, model->previous->id, err))
		return false;
	*ret = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (guint i = 0; i < failures->len; i++)
		g_hash_table_add(*ret, failure_key(failures->pdata[i]));
	return true;
}

static void add_failures(struct report_model *model, GHashTable *before, bool fresh)
{
	for (guint i = 0; i < model->failure_infos->len; i++) {
		const struct failure_info *what = model->failure_infos->pdata[i];
		g_autofree char *key = failure_key(what);
		bool is_fresh = before != NULL && !g_hash_table_contains(before, key);

		if (is_fresh != fresh)
			continue;
		struct report_failure *failure = g_new0(struct report_failure, 1);
		*failure = (struct report_failure){what, is_fresh};
		g_ptr_array_add(model->failures, failure);
	}
}

static bool find_failures(struct report_model *model, GError **err)
{
	g_autoptr(GHashTable) before = NULL;

	model->failures = g_ptr_array_new_with_free_func(g_free);
	if (model->last == NULL)
		return true;
	if (!store_cells(model->spec->store, &model->cells, model->last->id, err) ||
		!store_failures(model->spec->store, &model->failure_infos, model->last->id, err) ||
		!known_before(&before, model, err))
		return false;
	add_failures(model, before, true);
	add_failures(model, before, false);
	return true;
}

static struct report_failed *failed_of(struct report_model *model, int64_t build)
{
	struct report_failed *failed = g_hash_table_lookup(model->failed_of, &build);

	if (failed != NULL)
		return failed;
	failed = g_new0(struct report_failed, 1);
	*failed = (struct report_failed){build, g_ptr_array_new()};
	g_hash_table_insert(model->failed_of, &failed->id, failed);
	g_ptr_array_add(model->failed, failed);
	return failed;
}

static void failed_free(gpointer data)
{
	struct report_failed *failed = data;

	g_ptr_array_unref(failed->cells);
	g_free(failed);
}

static void find_failed(struct report_model *model)
{
	model->failed = g_ptr_array_new_with_free_func(failed_free);
	model->failed_of = g_hash_table_new(g_int64_hash, g_int64_equal);
	for (guint i = 0; model->cells != NULL && i < model->cells->len; i++) {
		struct cell_info *cell = model->cells->pdata[i];

		if (cell->build != 0 &&
			(strcmp(cell->state, "failed") == 0 || strcmp(cell->state, "partial") == 0))
			g_ptr_array_add(failed_of(model, cell->build)->cells, cell);
	}
}

bool report_find_runs(struct report_model *model, GError **err)
{
	if (!find_runs(model, err) || !find_failures(model, err))
		return false;
	find_failed(model);
	return true;
}
