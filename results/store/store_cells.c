#include "store_private.h"

#include "diag.h"

#include <inttypes.h>

static void free_cell(gpointer data)
{
	struct cell_info *cell = data;

	g_free(cell->name);
	g_free(cell->state);
	g_free(cell->reason);
	g_free(cell->mode);
	g_free(cell->agent);
	g_free(cell->build_state);
	g_free(cell->attempt_state);
	g_free(cell);
}

static struct cell_info *cell_of(struct sql_query *query)
{
	struct cell_info *cell = g_new0(struct cell_info, 1);

	cell->id = sql_int(query, 0);
	cell->build = sql_int(query, 1);
	cell->platform = sql_int(query, 2);
	cell->attempt = sql_int(query, 3);
	cell->name = g_strdup(sql_text(query, 4));
	cell->state = g_strdup(sql_text(query, 5));
	cell->reason = g_strdup(sql_text(query, 6));
	cell->mode = g_strdup(sql_text(query, 7));
	cell->agent = g_strdup(sql_text(query, 8));
	cell->build_state = g_strdup(sql_text(query, 9));
	cell->attempt_state = g_strdup(sql_text(query, 10));
	cell->build_cached = sql_int(query, 11) != 0;
	cell->carried = sql_int(query, 12) != 0;
	cell->outcomes_ok = (int)sql_int(query, 13);
	cell->outcomes_failed = (int)sql_int(query, 14);
	return cell;
}

bool store_cells(struct store *store, GPtrArray **ret, int64_t run, GError **err)
{
	g_autoptr(GPtrArray) cells = g_ptr_array_new_with_free_func(free_cell);
	struct sql_query query;

	if (!sql_query(&query, store->sql,
		    "SELECT c.id, c.build_id, c.platform_id, s.attempt_id, c.name, s.state, s.reason, "
		    "c.mode, c.agent,"
		    " s.build_state, s.attempt_state, c.build_cached, a.carried_from IS NOT NULL, "
		    "s.outcomes_ok,"
		    " s.outcomes_failed"
		    " FROM cell AS c JOIN cell_state AS s ON s.cell_id = c.id LEFT JOIN attempt AS a ON a.id "
		    "= s.attempt_id"
		    " WHERE c.run_id = :run ORDER BY c.id",
		    SQL_ARGS(SQL_INT(":run", run)), err))
		return false;
	while (sql_next(&query))
		g_ptr_array_add(cells, cell_of(&query));
	if (!sql_done(&query, err))
		return false;
	*ret = g_steal_pointer(&cells);
	return true;
}

bool store_cell_state(struct store *store, char **ret_state, char **ret_reason, int64_t cell, GError **err)
{
	g_autofree char *state = NULL, *reason = NULL;
	struct sql_query query;

	if (!sql_query(&query, store->sql,
		    "SELECT state, coalesce(reason, (SELECT o.benchmark || CASE o.block WHEN '' THEN '' ELSE "
		    "' ' "
		    "|| o.block END || ': ' || o.state || coalesce(': ' || o.reason, '')"
		    " FROM outcome AS o WHERE o.attempt_id = s.attempt_id"
		    " AND o.state NOT IN ('ok', 'unavailable', 'skipped') ORDER BY o.benchmark, o.block "
		    "LIMIT 1))"
		    " FROM cell_state AS s WHERE cell_id = :cell",
		    SQL_ARGS(SQL_INT(":cell", cell)), err))
		return false;
	if (sql_next(&query)) {
		state = g_strdup(sql_text(&query, 0));
		reason = g_strdup(sql_text(&query, 1));
	}
	if (!sql_done(&query, err))
		return false;
	if (!state)
		return diag_set(err, DIAG_FAILED, "%s: cell %" PRId64 " is not there", store->file, cell);
	*ret_state = g_steal_pointer(&state);
	*ret_reason = g_steal_pointer(&reason);
	return true;
}

static void free_failure(gpointer data)
{
	struct failure_info *failure = data;

	g_free(failure->cell);
	g_free(failure->benchmark);
	g_free(failure->what);
	g_free(failure->reason);
	g_free(failure);
}

bool store_failures(struct store *store, GPtrArray **ret, int64_t run, GError **err)
{
	g_autoptr(GPtrArray) failures = g_ptr_array_new_with_free_func(free_failure);
	struct sql_query query;

	if (!sql_query(&query, store->sql,
		    "SELECT f.cell, f.benchmark, f.what, f.reason FROM run AS r JOIN failure AS f ON f.run = "
		    "r.uuid"
		    " JOIN cell AS c ON c.run_id = r.id AND c.name = f.cell"
		    " WHERE r.id = :run ORDER BY c.id, f.benchmark",
		    SQL_ARGS(SQL_INT(":run", run)), err))
		return false;
	while (sql_next(&query)) {
		struct failure_info *failure = g_new0(struct failure_info, 1);
		failure->cell = g_strdup(sql_text(&query, 0));
		failure->benchmark = g_strdup(sql_text(&query, 1));
		failure->what = g_strdup(sql_text(&query, 2));
		failure->reason = g_strdup(sql_text(&query, 3));
		g_ptr_array_add(failures, failure);
	}
	if (!sql_done(&query, err))
		return false;
	*ret = g_steal_pointer(&failures);
	return true;
}
