#include "store_private.h"

#include <inttypes.h>
#include <string.h>

/* --- imports --- */

static void free_import(gpointer data)
{
	struct import_info *import = data;

	g_free(import->uuid);
	g_free(import->name);
	g_free(import->importer);
	g_free(import->reference);
	g_free(import->platform);
	g_free(import);
}

static struct import_info *import_of(struct sql_query *query)
{
	struct import_info *import = g_new0(struct import_info, 1);

	import->run = sql_int(query, 0);
	import->uuid = g_strdup(sql_text(query, 1));
	import->name = g_strdup(sql_text(query, 2));
	import->importer = g_strdup(sql_text(query, 3));
	import->reference = g_strdup(sql_text(query, 4));
	import->platform = g_strdup(sql_text(query, 5));
	import->imported_at = sql_int(query, 6);
	import->lines = sql_int(query, 7);
	import->other = sql_int(query, 8);
	import->figures = sql_int(query, 9);
	import->quarantined = sql_int(query, 10);
	import->unknown = sql_int(query, 11);
	import->not_understood = sql_int(query, 12);
	return import;
}

#define READINGS_OF(run)                                                                                     \
	" FROM cell AS c CROSS JOIN attempt AS a ON a.cell_id = c.id CROSS JOIN reading AS x"                \
	" ON x.attempt_id = a.id WHERE c.run_id = " run " "

bool store_imports(struct store *store, GPtrArray **ret, GError **err)
{
	g_autoptr(GPtrArray) imports = g_ptr_array_new_with_free_func(free_import);
	struct sql_query query;

	if (!sql_query(&query, store->sql,
		    "SELECT r.id, r.uuid, d.name, d.importer, d.reference,"
		    " (SELECT group_concat(name, ', ') FROM (SELECT DISTINCT p.name AS name FROM cell AS c"
		    "  JOIN platform AS p ON p.id = c.platform_id WHERE c.run_id = r.id ORDER BY c.id)),"
		    " r.started_at, d.lines, d.other,"
		    " (SELECT count(*) FROM cell AS c CROSS JOIN attempt AS a ON a.cell_id = c.id"
		    "  CROSS JOIN measurement AS m ON" STORE_OF_ATTEMPT("m",
			    "a.id") "WHERE c.run_id = r.id),"
				    " (SELECT count(*)" READINGS_OF(
					    "r.id") "AND x.problem IS NOT NULL),"
						    " (SELECT count(*)" READINGS_OF(
							    "r.id") "AND x.benchmark IS NULL),"
								    " (SELECT count(*) FROM remark AS k "
								    "WHERE k.run_id = r.id)"
								    " FROM document AS d JOIN run AS r ON "
								    "r.id = d.run_id"
								    " ORDER BY r.started_at DESC, r.id DESC",
		    NULL, err))
		return false;
	while (sql_next(&query))
		g_ptr_array_add(imports, import_of(&query));
	if (!sql_done(&query, err))
		return false;
	*ret = g_steal_pointer(&imports);
	return true;
}

/* --- what was printed --- */

static void free_reading(gpointer data)
{
	struct reading_info *reading = data;

	g_free(reading->name);
	g_free(reading->benchmark);
	g_free(reading->block);
	g_free(reading->metric);
	g_free(reading->printed);
	g_free(reading->unit);
	g_free(reading->problem);
	g_free(reading->text);
	g_free(reading);
}

static struct reading_info *reading_of(struct sql_query *query)
{
	struct reading_info *reading = g_new0(struct reading_info, 1);

	reading->line = sql_int(query, 0);
	reading->measurement = sql_int(query, 1);
	reading->name = g_strdup(sql_text(query, 2));
	reading->benchmark = g_strdup(sql_text(query, 3));
	reading->block = g_strdup(sql_text(query, 4));
	reading->metric = g_strdup(sql_text(query, 5));
	reading->printed = g_strdup(sql_text(query, 6));
	reading->unit = g_strdup(sql_text(query, 7));
	reading->problem = g_strdup(sql_text(query, 8));
	reading->text = g_strdup(sql_text(query, 9));
	reading->value = sql_real(query, 10);
	return reading;
}

bool store_readings(struct store *store, GPtrArray **ret, int64_t run, GError **err)
{
	g_autoptr(GPtrArray) readings = g_ptr_array_new_with_free_func(free_reading);
	struct sql_query query;

	if (!sql_query(&query, store->sql,
		    "SELECT line, measurement, name, benchmark, block, metric, printed, unit, problem, text, "
		    "value FROM ("
		    "SELECT x.line AS line, x.measurement_id AS measurement, x.name AS name, x.benchmark AS "
		    "benchmark, x.block AS block, x.metric AS metric, x.printed AS printed, x.unit AS unit, "
		    "x.problem AS problem, NULL AS text, x.value AS value, x.id AS id" READINGS_OF(
			    ":run") "UNION ALL SELECT line, NULL, NULL, NULL, NULL, NULL, NULL, NULL, "
				    "problem, text, NULL, 0"
				    " FROM remark WHERE run_id = :run) ORDER BY line, id, problem",
		    SQL_ARGS(SQL_INT(":run", run)), err))
		return false;
	while (sql_next(&query))
		g_ptr_array_add(readings, reading_of(&query));
	if (!sql_done(&query, err))
		return false;
	*ret = g_steal_pointer(&readings);
	return true;
}

bool store_printed(struct store *store, char **ret_text, char **ret_unit, int64_t measurement,
	const char *statistic, GError **err)
{
	g_autofree char *text = NULL, *unit = NULL;
	struct sql_query query;

	/* What follows from other numbers was not printed. */
	if (!sql_query(&query, store->sql,
		    "SELECT printed, unit FROM reading WHERE measurement_id = :id AND statistic = :statistic"
		    " AND line > 0 ORDER BY id LIMIT 1",
		    SQL_ARGS(SQL_INT(":id", measurement), SQL_TEXT(":statistic", statistic)), err))
		return false;
	if (sql_next(&query)) {
		text = g_strdup(sql_text(&query, 0));
		unit = g_strdup(sql_text(&query, 1));
	}
	if (!sql_done(&query, err))
		return false;
	*ret_text = g_steal_pointer(&text);
	*ret_unit = g_steal_pointer(&unit);
	return true;
}
