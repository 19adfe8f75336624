#include "resume.h"

#include "diag.h"
#include "take_in.h"

#include <glib/gstdio.h>
#include <jansson.h>

/* *ret NULL: nothing had happened in it yet, and it is removed. */
static bool look_at(struct left_over **ret, const char *path, GError **err)
{
	g_autoptr(GError) error = NULL;

	*ret = NULL;
	if (left_over_read(ret, path, &error))
		return true;
	if (g_error_matches(error, DIAG_ERROR, DIAG_INPUT)) {
		g_unlink(path);
		return true;
	}
	g_propagate_error(err, g_steal_pointer(&error));
	return false;
}

/* --- runs that nobody holds --- */

static bool sweep_file(struct store *store, const char *path, GError **err)
{
	struct left_over *left;

	if (!look_at(&left, path, err))
		return false;
	bool ok = left == NULL || take_in(store, path, "the run was killed before it ended", err);
	left_over_free(left);
	return ok;
}

static bool end_run(struct store *store, const char *uuid, GError **err)
{
	int64_t run;

	return store_run_by_uuid(store, &run, uuid, err) &&
	       (run == 0 || store_run_end_killed(store, run, err));
}

static bool sweep_run(struct store *store, const char *uuid, GError **err)
{
	struct spool *spool;

	/* Another process may have taken it up meanwhile. */
	if (!spool_open(&spool, store_file(store), uuid, NULL))
		return true;

	g_autoptr(GPtrArray) files = spool_files(spool);
	bool ok = true;
	for (guint i = 0; ok && i < files->len; i++)
		ok = sweep_file(store, files->pdata[i], err);
	ok = ok && end_run(store, uuid, err);
	spool_close(spool);
	return ok;
}

bool resume_sweep(struct store *store, const char *but, GError **err)
{
	g_autoptr(GPtrArray) runs = spool_left_over(store_file(store));

	for (guint i = 0; i < runs->len; i++)
		if (g_strcmp0(runs->pdata[i], but) != 0 && !sweep_run(store, runs->pdata[i], err))
			return false;
	return true;
}

/* --- the run in hand --- */

static bool take_in_if_over(struct store *store, const char *path, GError **err)
{
	struct left_over *left;

	if (!look_at(&left, path, err))
		return false;
	bool ok = left == NULL || !course_over(left->course) || take_in(store, path, NULL, err);
	left_over_free(left);
	return ok;
}

static bool take_in_what_is_over(struct store *store, const struct spool *spool, GError **err)
{
	g_autoptr(GPtrArray) files = spool_files(spool);

	for (guint i = 0; i < files->len; i++)
		if (!take_in_if_over(store, files->pdata[i], err))
			return false;
	return true;
}

bool resume_left_over(GHashTable **ret, const struct spool *spool, GError **err)
{
	g_autoptr(GPtrArray) files = spool_files(spool);
	g_autoptr(GHashTable) by_cell = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);

	for (guint i = 0; i < files->len; i++) {
		struct left_over *left;
		if (!look_at(&left, files->pdata[i], err))
			return false;
		if (left != NULL)
			g_hash_table_insert(by_cell, g_strdup(left->cell), g_strdup(files->pdata[i]));
		left_over_free(left);
	}
	*ret = g_steal_pointer(&by_cell);
	return true;
}

/* --- its plan --- */

/* The commit that a plan's builds of this version name; NULL where none does. */
static const char *commit_of(const json_t *builds, const char *version)
{
	const json_t *build;
	size_t i;

	json_array_foreach(builds, i, build)
	{
		const char *name = json_string_value(json_object_get(build, "version"));
		if (g_strcmp0(name, version) == 0)
			return json_string_value(json_object_get(build, "commit"));
	}
	return NULL;
}

void resume_refs(const GPtrArray *versions, const char *began_with)
{
	json_t *root = began_with != NULL ? json_loads(began_with, 0, NULL) : NULL;

	for (guint i = 0; i < versions->len; i++) {
		struct version *version = versions->pdata[i];
		const char *commit = commit_of(json_object_get(root, "builds"), version->name);
		if (version->origin.kind != ORIGIN_GIT || commit == NULL)
			continue;
		g_free(version->origin.commit);
		version->origin.commit = g_strdup(commit);
	}
	json_decref(root);
}

/* The names of the cells in a plan's text; empty where it is NULL or none. */
static GHashTable *cells_of(const char *text)
{
	json_t *root = text != NULL ? json_loads(text, 0, NULL) : NULL, *cell;
	GHashTable *names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	size_t i;

	json_array_foreach(json_object_get(root, "cells"), i, cell)
	{
		const char *name = json_string_value(json_object_get(cell, "name"));
		if (name != NULL)
			g_hash_table_add(names, g_strdup(name));
	}
	json_decref(root);
	return names;
}

static void drop_builds_without_cells(struct plan *plan)
{
	g_autoptr(GHashTable) wanted = g_hash_table_new(NULL, NULL);

	for (guint i = 0; i < plan->cells->len; i++)
		g_hash_table_add(
			wanted, (gpointer)((const struct planned_cell *)plan->cells->pdata[i])->build);
	for (guint i = plan->builds->len; i-- > 0;)
		if (!g_hash_table_contains(wanted, plan->builds->pdata[i]))
			g_ptr_array_remove_index(plan->builds, i);
}

static bool narrow(struct plan *plan, const char *began_with, GHashTable *done, GError **err)
{
	g_autoptr(GHashTable) wanted = cells_of(began_with);
	GHashTableIter iter;
	const char *name;

	g_hash_table_iter_init(&iter, done);
	while (g_hash_table_iter_next(&iter, (gpointer *)&name, NULL))
		g_hash_table_remove(wanted, name);
	for (guint i = plan->cells->len; i-- > 0;) {
		const struct planned_cell *cell = plan->cells->pdata[i];
		if (!g_hash_table_remove(wanted, cell->name))
			g_ptr_array_remove_index(plan->cells, i);
	}
	drop_builds_without_cells(plan);
	g_hash_table_iter_init(&iter, wanted);
	if (g_hash_table_iter_next(&iter, (gpointer *)&name, NULL))
		return diag_set(err, DIAG_INPUT,
			"%s: the cell \"%s\" of the run cannot be planned any more: bring back the "
			"toolchain, "
			"library or flags that it names, or run the matrix anew",
			plan->matrix->file, name);
	return true;
}

bool resume_narrow(
	struct plan *plan, struct store *store, const struct spool *spool, int64_t run, GError **err)
{
	g_autofree char *matrix = NULL, *began_with = NULL;
	g_autoptr(GHashTable) done = NULL;

	return take_in_what_is_over(store, spool, err) &&
	       store_run_texts(store, &matrix, &began_with, run, err) &&
	       store_run_done(store, &done, run, err) && narrow(plan, began_with, done, err);
}
