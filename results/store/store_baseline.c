#include "store_private.h"

#include "diag.h"

#include <inttypes.h>

bool store_baseline_put(struct store *store, const char *name, int64_t run, GError **err)
{
	int64_t there;

	if (!sql_number(store->sql, &there, "SELECT id FROM run WHERE id = :run",
		    SQL_ARGS(SQL_INT(":run", run)), err))
		return false;
	if (name[0] == '\0')
		return diag_set(err, DIAG_USAGE, "a baseline needs a name");
	if (store_is_latest(name))
		return diag_set(err, DIAG_USAGE,
			"\"%s\" always means the newest run or one counted from it; give the baseline "
			"another "
			"name",
			name);
	if (there == 0)
		return diag_set(err, DIAG_USAGE,
			"%s: there is no run %" PRId64 "; `benchmatrix list runs` shows all", store->file,
			run);
	return sql_run(store->sql,
		"INSERT OR REPLACE INTO baseline (name, run_id, pinned_at) VALUES (:name, :run, :now)",
		SQL_ARGS(SQL_TEXT(":name", name), SQL_INT(":run", run), SQL_INT(":now", store_now())), err);
}

/* "; did you mean \"x\"?", or nothing. New. */
static char *hint_of(struct store *store, const char *name)
{
	g_autoptr(GPtrArray) baselines = NULL;
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	if (!store_baselines(store, &baselines, NULL))
		return g_strdup("");
	for (guint i = 0; i < baselines->len; i++)
		g_ptr_array_add(names, ((struct baseline_info *)baselines->pdata[i])->name);
	g_ptr_array_add(names, NULL);
	const char *nearest = diag_nearest(name, (const char *const *)names->pdata);
	return nearest ? g_strdup_printf("; did you mean \"%s\"?", nearest) : g_strdup("");
}

bool store_baseline_drop(struct store *store, const char *name, GError **err)
{
	if (!sql_run(store->sql, "DELETE FROM baseline WHERE name = :name", SQL_ARGS(SQL_TEXT(":name", name)),
		    err))
		return false;
	if (sqlite3_changes(sql_handle(store->sql)) > 0)
		return true;
	g_autofree char *hint = hint_of(store, name), *shown = diag_printable(name, -1);
	return diag_set(err, DIAG_USAGE, "%s: there is no baseline \"%s\"%s", store->file, shown, hint);
}

static void free_baseline(gpointer data)
{
	struct baseline_info *baseline = data;

	g_free(baseline->name);
	g_free(baseline->uuid);
	g_free(baseline->label);
	g_free(baseline->matrix);
	g_free(baseline);
}

bool store_baselines(struct store *store, GPtrArray **ret, GError **err)
{
	g_autoptr(GPtrArray) baselines = g_ptr_array_new_with_free_func(free_baseline);
	struct sql_query query;

	if (!sql_query(&query, store->sql,
		    "SELECT b.name, r.uuid, r.label, r.matrix, r.id, b.pinned_at FROM baseline AS b"
		    " JOIN run AS r ON r.id = b.run_id ORDER BY b.name",
		    NULL, err))
		return false;
	while (sql_next(&query)) {
		struct baseline_info *baseline = g_new0(struct baseline_info, 1);
		baseline->name = g_strdup(sql_text(&query, 0));
		baseline->uuid = g_strdup(sql_text(&query, 1));
		baseline->label = g_strdup(sql_text(&query, 2));
		baseline->matrix = g_strdup(sql_text(&query, 3));
		baseline->run = sql_int(&query, 4);
		baseline->pinned_at = sql_int(&query, 5);
		g_ptr_array_add(baselines, baseline);
	}
	if (!sql_done(&query, err))
		return false;
	*ret = g_steal_pointer(&baselines);
	return true;
}
