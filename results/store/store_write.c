#include "store_private.h"

#include <inttypes.h>
#include <string.h>

/* --- runs --- */

static bool insert_run(
	struct store *store, int64_t *ret_id, const char *uuid, const struct run_row *run, GError **err)
{
	int64_t matrix, plan;

	if (!store_raw_put(
		    store, &matrix, run->matrix_text, run->matrix_text ? strlen(run->matrix_text) : 0, err) ||
		!store_raw_put(
			store, &plan, run->plan_text, run->plan_text ? strlen(run->plan_text) : 0, err))
		return false;
	if (!sql_run(store->sql,
		    "INSERT INTO run (uuid, matrix, label, matrix_raw_id, plan_raw_id, program, started_at)"
		    " VALUES (:uuid, :matrix, :label, :matrix_raw, :plan_raw, :program, :started_at)",
		    SQL_ARGS(SQL_TEXT(":uuid", uuid), SQL_TEXT(":matrix", run->matrix),
			    SQL_TEXT(":label", run->label), SQL_ID(":matrix_raw", matrix),
			    SQL_ID(":plan_raw", plan), SQL_TEXT(":program", run->program),
			    SQL_INT(":started_at", store_now())),
		    err))
		return false;
	*ret_id = sql_last_id(store->sql);
	return true;
}

bool store_run_begin(
	struct store *store, int64_t *ret_id, char **ret_uuid, const struct run_row *run, GError **err)
{
	g_autofree char *uuid = g_uuid_string_random();

	if (!store_begin(store, err) || !store_end(store, insert_run(store, ret_id, uuid, run, err), err))
		return false;
	if (ret_uuid)
		*ret_uuid = g_steal_pointer(&uuid);
	return true;
}

bool store_run_end(struct store *store, int64_t id, int status, GError **err)
{
	return sql_run(store->sql, "UPDATE run SET ended_at = :now, status = :status WHERE id = :id",
		SQL_ARGS(SQL_INT(":now", store_now()), SQL_INT(":status", status), SQL_INT(":id", id)), err);
}

bool store_run_end_killed(struct store *store, int64_t id, GError **err)
{
	return sql_run(store->sql,
		"UPDATE run SET ended_at = :now, status = 1 WHERE id = :id AND ended_at IS NULL",
		SQL_ARGS(SQL_INT(":now", store_now()), SQL_INT(":id", id)), err);
}

/* --- builds --- */

static gint compare_ids(gconstpointer a, gconstpointer b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* The ids of the labels, sorted. */
static GArray *label_ids(struct store *store, const struct labels *labels, GError **err)
{
	g_autoptr(GArray) ids = g_array_new(FALSE, FALSE, sizeof(int64_t));

	for (int i = 0; i < LABEL_COUNT; i++) {
		int64_t id;
		if (!labels->v[i])
			continue;
		if (!store_label_id(store, &id, (enum label)i, labels->v[i], err))
			return NULL;
		g_array_append_val(ids, id);
	}
	g_array_sort(ids, compare_ids);
	return g_steal_pointer(&ids);
}

static char *joined(const GArray *ids)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < ids->len; i++)
		g_string_append_printf(text, "%s%" PRId64, i ? "," : "", g_array_index(ids, int64_t, i));
	return g_string_free(text, FALSE);
}

#define BUILD_ARGS(build, ...)                                                                               \
	SQL_ARGS(SQL_TEXT(":key_library", build->key_library), SQL_TEXT(":key_program", build->key_program), \
		SQL_TEXT(":state", build_states[build->state].name), SQL_TEXT(":reason", build->reason),     \
		SQL_TEXT(":arch", build->arch), SQL_TEXT(":revision", build->revision),                      \
		SQL_TEXT(":parent", build->parent), SQL_TEXT(":compiler", build->compiler),                  \
		SQL_TEXT(":configure_line", build->configure_line),                                          \
		SQL_TEXT(":optimisation", build->optimisation_effective), SQL_TEXT(":math", build->math),    \
		SQL_TEXT(":machine", build->machine), SQL_TEXT(":code", build->code_sha256), __VA_ARGS__)

static bool find_build(
	struct store *store, int64_t *ret_id, const struct build_row *build, const GArray *ids, GError **err)
{
	g_autofree char *labels = joined(ids);

	return sql_number(store->sql, ret_id,
		"SELECT b.id FROM build AS b"
		" WHERE b.key_program IS :key_program AND b.key_library IS :key_library AND b.state = :state"
		" AND b.reason IS :reason AND b.arch = :arch AND b.revision IS :revision AND b.parent IS "
		":parent"
		" AND b.compiler IS :compiler"
		" AND b.configure_line IS :configure_line AND b.optimisation_effective IS :optimisation"
		" AND b.math IS :math AND b.machine IS :machine AND b.code_sha256 IS :code"
		" AND (SELECT coalesce(group_concat(label_id, ','), '') FROM"
		"      (SELECT label_id FROM build_label WHERE build_id = b.id ORDER BY label_id)) = :labels"
		" ORDER BY b.id LIMIT 1",
		BUILD_ARGS(build, SQL_TEXT(":labels", labels)), err);
}

static bool insert_build(
	struct store *store, int64_t *ret_id, const struct build_row *build, const GArray *ids, GError **err)
{
	g_autofree char *uuid = g_uuid_string_random();
	int64_t log;

	if (!store_raw_put(store, &log, build->log, build->log ? strlen(build->log) : 0, err) ||
		!sql_run(store->sql,
			"INSERT INTO build (uuid, key_library, key_program, state, reason, arch, revision, "
			"parent, compiler,"
			" configure_line, optimisation_effective, math, machine, code_sha256, log_raw_id, "
			"created_at, seconds)"
			" VALUES (:uuid, :key_library, :key_program, :state, :reason, :arch, :revision, "
			":parent, :compiler,"
			" :configure_line, :optimisation, :math, :machine, :code, :log, :now, :seconds)",
			BUILD_ARGS(build, SQL_TEXT(":uuid", uuid), SQL_ID(":log", log),
				SQL_INT(":now", store_now()), SQL_REAL(":seconds", build->seconds)),
			err))
		return false;
	*ret_id = sql_last_id(store->sql);
	for (guint i = 0; i < ids->len; i++)
		if (!sql_run(store->sql,
			    "INSERT INTO build_label (build_id, label_id) VALUES (:build, :label)",
			    SQL_ARGS(SQL_INT(":build", *ret_id),
				    SQL_INT(":label", g_array_index(ids, int64_t, i))),
			    err))
			return false;
	return true;
}

static bool put_build(struct store *store, int64_t *ret_id, const struct build_row *build, GError **err)
{
	g_autoptr(GArray) ids = label_ids(store, &build->labels, err);

	if (!ids || !find_build(store, ret_id, build, ids, err))
		return false;
	return *ret_id != 0 || insert_build(store, ret_id, build, ids, err);
}

bool store_build_put(struct store *store, int64_t *ret_id, const struct build_row *build, GError **err)
{
	return store_begin(store, err) && store_end(store, put_build(store, ret_id, build, err), err);
}

/* --- cells --- */

static bool put_cell(struct store *store, int64_t *ret_id, const struct cell_row *cell, GError **err)
{
	return sql_run(store->sql,
		       "INSERT INTO cell (run_id, name, build_id, build_cached, agent, platform_id, "
		       "instrument, mode,"
		       " created_at) VALUES (:run, :name, :build, :cached, :agent, :platform, :instrument, "
		       ":mode, :now)"
		       " ON CONFLICT (run_id, name) DO UPDATE SET build_id = excluded.build_id,"
		       " build_cached = excluded.build_cached, platform_id = excluded.platform_id"
		       " WHERE NOT EXISTS (SELECT 1 FROM attempt AS a WHERE a.cell_id = cell.id"
		       " AND (cell.platform_id IS NOT NULL OR a.state <> 'infrastructure'))",
		       SQL_ARGS(SQL_INT(":run", cell->run), SQL_TEXT(":name", cell->name),
			       SQL_INT(":build", cell->build), SQL_INT(":cached", cell->build_cached),
			       SQL_TEXT(":agent", cell->agent), SQL_ID(":platform", cell->platform),
			       SQL_TEXT(":instrument", cell->instrument), SQL_TEXT(":mode", cell->mode),
			       SQL_INT(":now", store_now())),
		       err) &&
	       sql_number(store->sql, ret_id, "SELECT id FROM cell WHERE run_id = :run AND name = :name",
		       SQL_ARGS(SQL_INT(":run", cell->run), SQL_TEXT(":name", cell->name)), err);
}

bool store_cell_reached(struct store *store, int64_t cell, int64_t platform, GError **err)
{
	return sql_run(store->sql,
		"UPDATE cell SET platform_id = :platform WHERE id = :cell AND platform_id IS NULL",
		SQL_ARGS(SQL_INT(":cell", cell), SQL_INT(":platform", platform)), err);
}

bool store_cell_put(struct store *store, int64_t *ret_id, const struct cell_row *cell, GError **err)
{
	return store_begin(store, err) && store_end(store, put_cell(store, ret_id, cell, err), err);
}
