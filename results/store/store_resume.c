#include "store_private.h"

#include "diag.h"

#include <inttypes.h>

/* --- by exact name --- */

bool store_run_by_uuid(struct store *store, int64_t *ret, const char *uuid, GError **err)
{
	return sql_number(store->sql, ret, "SELECT id FROM run WHERE uuid = :uuid",
		SQL_ARGS(SQL_TEXT(":uuid", uuid)), err);
}

bool store_run_uuid(struct store *store, char **ret, int64_t run, GError **err)
{
	g_autofree char *uuid = NULL;
	struct sql_query query;

	if (!sql_query(&query, store->sql, "SELECT uuid FROM run WHERE id = :run",
		    SQL_ARGS(SQL_INT(":run", run)), err))
		return false;
	if (sql_next(&query))
		uuid = g_strdup(sql_text(&query, 0));
	if (!sql_done(&query, err))
		return false;
	*ret = g_steal_pointer(&uuid);
	return true;
}

bool store_cell_by_name(struct store *store, int64_t *ret, int64_t run, const char *name, GError **err)
{
	return sql_number(store->sql, ret, "SELECT id FROM cell WHERE run_id = :run AND name = :name",
		SQL_ARGS(SQL_INT(":run", run), SQL_TEXT(":name", name)), err);
}

/* --- the texts --- */

static bool raw_of_run(struct store *store, char **ret, const char *column, int64_t run, GError **err)
{
	int64_t raw;
	size_t length;

	return sql_number(store->sql, &raw, column, SQL_ARGS(SQL_INT(":run", run)), err) &&
	       store_raw_get(store, ret, &length, raw, err);
}

bool store_run_texts(
	struct store *store, char **ret_matrix_text, char **ret_plan_text, int64_t run, GError **err)
{
	g_autofree char *matrix = NULL;

	if (!raw_of_run(store, &matrix, "SELECT matrix_raw_id FROM run WHERE id = :run", run, err) ||
		!raw_of_run(store, ret_plan_text, "SELECT plan_raw_id FROM run WHERE id = :run", run, err))
		return false;
	*ret_matrix_text = g_steal_pointer(&matrix);
	return true;
}

/* --- what is done --- */

/* Of the view cell_state: nothing more is to be done there. A machine that failed may be whole again. */
#define IS_DONE                                                                                              \
	" CASE WHEN s.build_state = 'ok' THEN s.attempt_state IS NOT NULL AND s.attempt_state NOT "          \
	"IN ('cancelled', 'infrastructure') ELSE s.build_state <> 'cancelled' END"

bool store_run_done(struct store *store, GHashTable **ret, int64_t run, GError **err)
{
	g_autoptr(GHashTable) done = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	struct sql_query query;

	if (!sql_query(&query, store->sql,
		    "SELECT s.name FROM cell_state AS s WHERE s.run_id = :run AND" IS_DONE,
		    SQL_ARGS(SQL_INT(":run", run)), err))
		return false;
	while (sql_next(&query))
		g_hash_table_add(done, g_strdup(sql_text(&query, 0)));
	if (!sql_done(&query, err))
		return false;
	*ret = g_steal_pointer(&done);
	return true;
}

/* The cells of its plan and the done ones; a run without a plan has none. */
static bool count_left(struct store *store, int64_t *ret, int64_t run, GError **err)
{
	g_autofree char *plan = NULL;
	int64_t planned, done;

	if (!raw_of_run(store, &plan, "SELECT plan_raw_id FROM run WHERE id = :run", run, err) ||
		!sql_number(store->sql, &planned,
			"SELECT CASE WHEN json_valid(:plan) THEN json_array_length(:plan, '$.cells') END",
			SQL_ARGS(SQL_TEXT(":plan", plan)), err) ||
		!sql_number(store->sql, &done,
			"SELECT count(*) FROM cell_state AS s WHERE s.run_id = :run AND" IS_DONE,
			SQL_ARGS(SQL_INT(":run", run)), err))
		return false;
	*ret = planned - done;
	return true;
}

struct latest {
	int64_t id;
	char *uuid;
	bool ended;
};

static bool find_latest(struct store *store, struct latest *ret, const char *matrix, GError **err)
{
	struct sql_query query;

	*ret = (struct latest){0};
	if (!sql_query(&query, store->sql,
		    "SELECT id, uuid, ended_at IS NOT NULL FROM run WHERE matrix = :matrix"
		    " ORDER BY started_at DESC, id DESC LIMIT 1",
		    SQL_ARGS(SQL_TEXT(":matrix", matrix)), err))
		return false;
	if (sql_next(&query)) {
		ret->id = sql_int(&query, 0);
		ret->uuid = g_strdup(sql_text(&query, 1));
		ret->ended = sql_int(&query, 2) != 0;
	}
	return sql_done(&query, err);
}

bool store_run_unfinished(
	struct store *store, int64_t *ret_id, char **ret_uuid, const char *matrix, GError **err)
{
	struct latest latest;
	int64_t left = 0;

	if (!find_latest(store, &latest, matrix, err) ||
		(latest.id != 0 && latest.ended && !count_left(store, &left, latest.id, err))) {
		g_free(latest.uuid);
		return false;
	}
	*ret_id = latest.ended && left <= 0 ? 0 : latest.id;
	*ret_uuid = latest.uuid;
	return true;
}
