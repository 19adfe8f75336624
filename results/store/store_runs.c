#include "store_private.h"

#include "diag.h"

#include <inttypes.h>
#include <string.h>

static void free_run(gpointer data)
{
	struct run_info *run = data;

	g_free(run->uuid);
	g_free(run->label);
	g_free(run->matrix);
	g_free(run->program);
	g_free(run);
}

static struct run_info *run_of(struct sql_query *query)
{
	struct run_info *run = g_new0(struct run_info, 1);

	run->id = sql_int(query, 0);
	run->uuid = g_strdup(sql_text(query, 1));
	run->label = g_strdup(sql_text(query, 2));
	run->matrix = g_strdup(sql_text(query, 3));
	run->program = g_strdup(sql_text(query, 4));
	run->started_at = sql_int(query, 5);
	run->ended_at = sql_int(query, 6);
	run->status = (int)sql_int(query, 7);
	run->cells = (int)sql_int(query, 8);
	run->failed = (int)sql_int(query, 9);
	run->partial = (int)sql_int(query, 10);
	run->ok = (int)sql_int(query, 11);
	return run;
}

bool store_runs(struct store *store, GPtrArray **ret, GError **err)
{
	g_autoptr(GPtrArray) runs = g_ptr_array_new_with_free_func(free_run);
	struct sql_query query;

	if (!sql_query(&query, store->sql,
		    "SELECT r.id, r.uuid, r.label, r.matrix, r.program, r.started_at, r.ended_at, "
		    "coalesce(r.status, -1),"
		    " count(s.cell_id), coalesce(sum(s.state = 'failed'), 0), coalesce(sum(s.state = "
		    "'partial'), 0), coalesce(sum(s.state = 'ok'), 0)"
		    " FROM run AS r LEFT JOIN cell_state AS s ON s.run_id = r.id"
		    " GROUP BY r.id ORDER BY r.started_at DESC, r.id DESC",
		    NULL, err))
		return false;
	while (sql_next(&query))
		g_ptr_array_add(runs, run_of(&query));
	if (!sql_done(&query, err))
		return false;
	*ret = g_steal_pointer(&runs);
	return true;
}

/* --- by name --- */

/* "latest" or "latest~N": how many runs back; -1 for any other name. */
static int64_t steps_back(const char *name)
{
	guint64 steps;

	if (strcmp(name, "latest") == 0)
		return 0;
	if (!g_str_has_prefix(name, "latest~") ||
		!g_ascii_string_to_unsigned(name + strlen("latest~"), 10, 0, INT32_MAX, &steps, NULL))
		return -1;
	return (int64_t)steps;
}

bool store_is_latest(const char *name)
{
	return steps_back(name) >= 0;
}

static bool find_back(struct store *store, int64_t *ret, const char *name, int64_t steps, GError **err)
{
	int64_t id, runs;

	if (!sql_number(store->sql, &id,
		    "SELECT id FROM run WHERE matrix IS NOT NULL ORDER BY started_at DESC, id DESC LIMIT 1"
		    " OFFSET :steps",
		    SQL_ARGS(SQL_INT(":steps", steps)), err) ||
		!sql_number(
			store->sql, &runs, "SELECT count(*) FROM run WHERE matrix IS NOT NULL", NULL, err))
		return false;
	if (!id)
		return diag_set(err, DIAG_USAGE,
			"run=%s: the database has %" PRId64
			" run%s (imports are not counted; `benchmatrix list imports` shows their names)",
			name, runs, runs == 1 ? "" : "s");
	*ret = id;
	return true;
}

struct candidates {
	GArray *ids;   /* int64_t, newest first */
	GString *list; /* for a message: the first few */
};

static bool is_beginning(const char *uuid, const char *name)
{
	return g_ascii_strncasecmp(uuid, name, strlen(name)) == 0;
}

static void add_candidate(struct candidates *found, struct sql_query *query)
{
	int64_t id = sql_int(query, 0);

	if (found->ids->len < 4)
		g_string_append_printf(found->list, "%s%s of %s", found->ids->len ? ", " : "",
			sql_text(query, 1), sql_text(query, 3));
	else if (found->ids->len == 4)
		g_string_append(found->list, ", ...");
	g_array_append_val(found->ids, id);
}

static bool find_candidates(struct store *store, struct candidates *found, const char *name, GError **err)
{
	struct sql_query query;

	if (!sql_query(&query, store->sql,
		    "SELECT id, uuid, label, datetime(started_at / 1000000000, 'unixepoch') FROM run"
		    " ORDER BY started_at DESC, id DESC",
		    NULL, err))
		return false;
	while (sql_next(&query)) {
		const char *label = sql_text(&query, 2);
		if ((label && selector_glob(name, label)) || is_beginning(sql_text(&query, 1), name))
			add_candidate(found, &query);
	}
	return sql_done(&query, err);
}

static bool judge_candidates(int64_t *ret, const struct candidates *found, const char *name, GError **err)
{
	g_autofree char *shown = diag_printable(name, -1);

	if (found->ids->len == 0)
		return diag_set(err, DIAG_USAGE,
			"run=%s: no run has this label or a UUID that begins so, and no import this name; "
			"`benchmatrix list runs` and `benchmatrix list imports` show all",
			shown);
	if (found->ids->len > 1)
		return diag_set(err, DIAG_USAGE, "run=%s: %u runs are meant; name one by its UUID: %s", shown,
			found->ids->len, found->list->str);
	*ret = g_array_index(found->ids, int64_t, 0);
	return true;
}

bool store_run_find(struct store *store, int64_t *ret, const char *name, GError **err)
{
	int64_t steps = steps_back(name);

	if (steps >= 0)
		return find_back(store, ret, name, steps, err);
	if (!sql_number(store->sql, ret, "SELECT run_id FROM baseline WHERE name = :name",
		    SQL_ARGS(SQL_TEXT(":name", name)), err))
		return false;
	if (*ret != 0)
		return true;
	if (name[0] == '\0')
		return diag_set(err, DIAG_USAGE,
			"a run without a name; say `latest`, a label or the beginning of a UUID");

	struct candidates found = {g_array_new(FALSE, FALSE, sizeof(int64_t)), g_string_new(NULL)};
	bool ok = find_candidates(store, &found, name, err) && judge_candidates(ret, &found, name, err);
	g_array_unref(found.ids);
	g_string_free(found.list, TRUE);
	return ok;
}
