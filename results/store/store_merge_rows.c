/* Rows of the other database get new ids here. A table merge_THING holds for each of its rows (theirs) the id
 * here (ours), and whether the row is new (fresh). */
#include "store_merge.h"

#include "diag.h"
#include "store_private.h"

#include <string.h>

#define MAP(thing)                                                                                           \
	"CREATE TEMP TABLE merge_" thing                                                                     \
	" (theirs INTEGER PRIMARY KEY, ours INTEGER NOT NULL, fresh INTEGER NOT NULL) STRICT;"
/* What both have, then what only the other has; `known` joins the other's row t with ours o. */
#define MAP_ROWS(thing, known, wanted)                                                                       \
	MAP(thing)                                                                                           \
	"INSERT INTO merge_" thing " SELECT t.id, o.id, 0 FROM other." thing " AS t " known ";"              \
	"INSERT INTO merge_" thing " SELECT t.id, (SELECT coalesce(max(id), 0) FROM main." thing ")"         \
	" + row_number() OVER (ORDER BY t.id), 1 FROM other." thing " AS t"                                  \
	" WHERE t.id NOT IN (SELECT theirs FROM merge_" thing ") AND " wanted ";"
#define BY_UUID(thing) "JOIN main." thing " AS o ON o.uuid = t.uuid"

/* An import that is here under another UUID is left out with all that belongs to it: merge_twin. */
static const char map_runs[] =
	"CREATE TEMP TABLE merge_twin (theirs INTEGER PRIMARY KEY, ours INTEGER NOT NULL) STRICT;"
	"INSERT INTO merge_twin SELECT t.run_id, o.run_id FROM other.document AS t"
	" JOIN main.document AS o ON o.sha256 = t.sha256 JOIN other.run AS x ON x.id = t.run_id"
	" JOIN main.run AS y ON y.id = o.run_id WHERE x.uuid <> y.uuid;" MAP_ROWS(
		"run", BY_UUID("run"), "t.id NOT IN (SELECT theirs FROM merge_twin)");

static const char map_things[] =
	"CREATE TEMP TABLE merge_wanted AS SELECT id, run_id, build_id, platform_id FROM other.cell"
	" WHERE run_id IN (SELECT theirs FROM merge_run);" MAP_ROWS("platform", BY_UUID("platform"),
		"t.id IN (SELECT platform_id FROM merge_wanted)") MAP_ROWS("build", BY_UUID("build"),
		"t.id IN (SELECT build_id FROM merge_wanted)") MAP_ROWS("cell",
		"JOIN merge_run AS r ON r.theirs = t.run_id JOIN main.cell AS o ON o.run_id = r.ours"
		" AND o.name = t.name",
		"t.id IN (SELECT id FROM merge_wanted)")
		MAP_ROWS("attempt", BY_UUID("attempt"), "t.cell_id IN (SELECT theirs FROM merge_cell)");

/* Texts that something new rests on. */
static const char map_texts[] =
	"CREATE TEMP TABLE merge_text AS"
	" SELECT t.matrix_raw_id AS id FROM merge_run AS m JOIN other.run AS t ON t.id = m.theirs WHERE "
	"m.fresh"
	" UNION SELECT t.plan_raw_id FROM merge_run AS m JOIN other.run AS t ON t.id = m.theirs WHERE m.fresh"
	" UNION SELECT t.raw_id FROM merge_run AS m JOIN other.document AS t ON t.run_id = m.theirs"
	"  WHERE m.fresh"
	" UNION SELECT t.log_raw_id FROM merge_build AS m JOIN other.build AS t ON t.id = m.theirs"
	"  WHERE m.fresh"
	" UNION SELECT t.out_raw_id FROM merge_attempt AS m JOIN other.attempt AS t ON t.id = m.theirs"
	"  WHERE m.fresh"
	" UNION SELECT t.errors_raw_id FROM merge_attempt AS m JOIN other.attempt AS t ON t.id = m.theirs"
	"  WHERE m.fresh;" MAP_ROWS("raw",
		"JOIN main.raw AS o ON o.sha256 = t.sha256 WHERE t.id IN (SELECT id FROM merge_text)",
		"t.id IN (SELECT id FROM merge_text)");

/* A text whose bytes were given up here has them back where the other has them. */
static const char copy_texts[] =
	"INSERT INTO main.raw (id, sha256, size, codec, bytes)"
	" SELECT m.ours, t.sha256, t.size, t.codec, t.bytes FROM merge_raw AS m"
	" JOIN other.raw AS t ON t.id = m.theirs WHERE m.fresh ORDER BY m.ours;"
	"CREATE TEMP TABLE merge_back AS SELECT m.theirs, m.ours FROM merge_raw AS m"
	" JOIN main.pruned AS p ON p.raw_id = m.ours"
	" WHERE NOT m.fresh AND m.theirs NOT IN (SELECT raw_id FROM other.pruned);"
	"UPDATE main.raw SET codec = t.codec, bytes = t.bytes FROM merge_back AS m"
	" JOIN other.raw AS t ON t.id = m.theirs WHERE raw.id = m.ours;"
	"DELETE FROM main.pruned WHERE raw_id IN (SELECT ours FROM merge_back);"
	"INSERT INTO main.pruned (raw_id, pruned_at) SELECT m.ours, t.pruned_at FROM merge_raw AS m"
	" JOIN other.pruned AS t ON t.raw_id = m.theirs WHERE m.fresh;";

/* The id here of a row that may be none. */
#define OURS(thing, id) "(SELECT x.ours FROM merge_" thing " AS x WHERE x.theirs = " id ")"

/* A run that was taken in before its end may have ended since. */
static const char copy_runs[] =
	"INSERT INTO main.run (id, uuid, matrix, label, matrix_raw_id, plan_raw_id, program, started_at,"
	"  ended_at, status)"
	" SELECT m.ours, t.uuid, t.matrix, t.label, " OURS("raw", "t.matrix_raw_id") ", " OURS("raw",
		"t.plan_raw_id") ", t.program, t.started_at, t.ended_at, t.status FROM merge_run AS m"
				 " JOIN other.run AS t ON t.id = m.theirs WHERE m.fresh ORDER BY m.ours;"
				 "UPDATE main.run SET ended_at = t.ended_at, status = t.status FROM "
				 "merge_run AS m"
				 " JOIN other.run AS t ON t.id = m.theirs WHERE run.id = m.ours AND NOT "
				 "m.fresh"
				 " AND t.ended_at > coalesce(run.ended_at, 0);"
				 "INSERT INTO main.document (run_id, sha256, name, importer, raw_id, "
				 "reference, lines, other)"
				 " SELECT m.ours, t.sha256, t.name, t.importer, " OURS("raw",
					 "t.raw_id") ", t.reference, t.lines, t.other FROM merge_run AS m"
						     " JOIN other.document AS t ON t.run_id = m.theirs WHERE "
						     "m.fresh;"
						     "INSERT INTO main.remark (run_id, line, text, problem) "
						     "SELECT m.ours, t.line, t.text, t.problem"
						     " FROM merge_run AS m JOIN other.remark AS t ON "
						     "t.run_id = m.theirs WHERE m.fresh;";

static const char copy_builds[] =
	"INSERT INTO main.label (key, value) SELECT DISTINCT l.key, l.value FROM merge_build AS m"
	" JOIN other.build_label AS t ON t.build_id = m.theirs JOIN other.label AS l ON l.id = t.label_id"
	" WHERE m.fresh ON CONFLICT DO NOTHING;"
	"INSERT INTO main.build (id, uuid, key_library, key_program, state, reason, arch, revision, parent,"
	"  compiler, configure_line, optimisation_effective, math, machine, code_sha256, log_raw_id,"
	"  created_at, seconds)"
	" SELECT m.ours, t.uuid, t.key_library, t.key_program, t.state, t.reason, t.arch, t.revision, "
	"t.parent,"
	"  t.compiler, t.configure_line, t.optimisation_effective, t.math, t.machine, t.code_sha256, " OURS(
		"raw",
		"t.log_raw_id") ", t.created_at, t.seconds FROM merge_build AS m"
				" JOIN other.build AS t ON t.id = m.theirs WHERE m.fresh ORDER BY m.ours;"
				"INSERT INTO main.build_label (build_id, label_id) SELECT m.ours, o.id FROM "
				"merge_build AS m"
				" JOIN other.build_label AS t ON t.build_id = m.theirs JOIN other.label AS l "
				"ON l.id = t.label_id"
				" JOIN main.label AS o ON o.key = l.key AND o.value = l.value WHERE m.fresh;";

/* A cell that was taken in before its first attempt may have another build since. */
static const char copy_cells[] =
	"INSERT INTO main.cell (id, run_id, name, build_id, build_cached, agent, platform_id, instrument, "
	"mode,"
	"  created_at)"
	" SELECT m.ours, " OURS("run", "t.run_id") ", t.name, " OURS(
		"build", "t.build_id") ", t.build_cached, t.agent, " OURS("platform",
		"t.platform_id") ", t.instrument, t.mode, t.created_at"
				 " FROM merge_cell AS m JOIN other.cell AS t ON t.id = m.theirs WHERE "
				 "m.fresh ORDER BY m.ours;"
				 "UPDATE main.cell SET build_id = " OURS("build",
					 "t.build_id") ", build_cached = t.build_cached,"
						       "  platform_id = " OURS("platform",
							       "t.platform_id") " FROM merge_cell AS m JOIN "
										"other.cell AS t ON t.id = "
										"m.theirs WHERE cell.id = "
										"m.ours AND NOT m.fresh"
										" AND NOT EXISTS (SELECT 1 "
										"FROM main.attempt AS a "
										"WHERE a.cell_id = cell.id)"
										" AND EXISTS (SELECT 1 FROM "
										"other.attempt AS a WHERE "
										"a.cell_id = t.id);";

/* Where a run went on in two places, their tries at a cell come behind ours. */
static const char copy_attempts[] =
	"CREATE TEMP TABLE merge_list AS SELECT DISTINCT l.id, l.sha256 FROM merge_attempt AS m"
	" JOIN other.attempt AS t ON t.id = m.theirs JOIN other.outcome_list AS l ON l.id = t.outcome_list_id"
	" WHERE m.fresh;"
	"INSERT INTO main.outcome_list (sha256) SELECT sha256 FROM merge_list WHERE true ON CONFLICT DO "
	"NOTHING;"
	"INSERT INTO main.outcome_line (list_id, benchmark, block, state, reason, digest, proof)"
	" SELECT o.id, t.benchmark, t.block, t.state, t.reason, t.digest, t.proof FROM merge_list AS l"
	" JOIN main.outcome_list AS o ON o.sha256 = l.sha256 JOIN other.outcome_line AS t ON t.list_id = l.id"
	" WHERE true ON CONFLICT DO NOTHING;"
	"INSERT INTO main.attempt (id, uuid, cell_id, number, state, reason, exact_key, carried_from, argv,"
	"  library_version, facts, out_raw_id, errors_raw_id, problems, started_at, seconds, outcome_list_id)"
	" SELECT m.ours, t.uuid, c.ours, t.number + CASE WHEN EXISTS (SELECT 1 FROM main.attempt AS a"
	"   JOIN other.attempt AS b ON b.number = a.number JOIN merge_attempt AS n ON n.theirs = b.id"
	"   WHERE a.cell_id = c.ours AND b.cell_id = c.theirs AND n.fresh)"
	"  THEN (SELECT max(a.number) FROM main.attempt AS a WHERE a.cell_id = c.ours) ELSE 0 END,"
	"  t.state, t.reason, t.exact_key, " OURS("attempt",
		"t.carried_from") ", t.argv, t.library_version,"
				  "  t.facts, " OURS("raw", "t.out_raw_id") ", " OURS("raw",
					  "t.errors_raw_id") ", t.problems,"
							     "  t.started_at, t.seconds, (SELECT o.id FROM "
							     "merge_list AS l JOIN main.outcome_list AS o"
							     "   ON o.sha256 = l.sha256 WHERE l.id = "
							     "t.outcome_list_id) FROM merge_attempt AS m"
							     " JOIN other.attempt AS t ON t.id = m.theirs "
							     "JOIN merge_cell AS c ON c.theirs = t.cell_id"
							     " WHERE m.fresh ORDER BY m.ours;"
							     "INSERT INTO main.attempt_note (attempt_id, "
							     "note) SELECT m.ours, t.note FROM merge_attempt "
							     "AS m"
							     " JOIN other.attempt_note AS t ON t.attempt_id "
							     "= m.theirs WHERE m.fresh;"
							     "INSERT INTO main.process (attempt_id, number, "
							     "invocation, argv, ended, started_at, seconds,"
							     "  cpu_seconds, max_rss_bytes, load_before, "
							     "load_after, frequency_before, frequency_after, "
							     "others, load_meanwhile, clock_highest, "
							     "clock_lowest, temperature_before, "
							     "temperature_meanwhile, temperature_after, "
							     "throttled)"
							     " SELECT m.ours, t.number, t.invocation, "
							     "t.argv, t.ended, t.started_at, t.seconds, "
							     "t.cpu_seconds,"
							     "  t.max_rss_bytes, t.load_before, "
							     "t.load_after, t.frequency_before, "
							     "t.frequency_after, t.others, "
							     "t.load_meanwhile, t.clock_highest, "
							     "t.clock_lowest, t.temperature_before, "
							     "t.temperature_meanwhile, "
							     "t.temperature_after, t.throttled"
							     " FROM merge_attempt AS m JOIN other.process AS "
							     "t ON t.attempt_id = m.theirs WHERE m.fresh;";

#define THEIR_MEASUREMENTS                                                                                   \
	" merge_attempt AS m CROSS JOIN other.measurement AS t ON" STORE_OF_ATTEMPT(                         \
		"t", "m.theirs") "AND m.fresh "
#define OUR_MEASUREMENT(id) "(m.ours << 20) + (" id " & 1048575)"

static const char copy_figures[] =
	"INSERT INTO main.measurement (id, series_id, attempt_id, source, environment, kind, n, minimum,"
	"  quartile_1, median, quartile_3, maximum, mean, sd)"
	" SELECT " OUR_MEASUREMENT(
		"t.id") ", s.ours, m.ours, t.source, t.environment, t.kind, t.n, t.minimum,"
			"  t.quartile_1, t.median, t.quartile_3, t.maximum, t.mean, t.sd "
			"FROM" THEIR_MEASUREMENTS
			"CROSS JOIN merge_series AS s ON s.theirs = t.series_id ORDER BY 1;";

/* As store_note_latest(). */
static const char note_latest[] =
	"INSERT INTO main.latest (series_id, source, environment, kind, started_at, measurement_id)"
	" SELECT o.series_id, o.source, o.environment, o.kind, a.started_at, o.id FROM merge_attempt AS m"
	" CROSS JOIN main.attempt AS a ON a.id = m.ours AND m.fresh CROSS JOIN main.measurement AS o"
	" ON" STORE_OF_ATTEMPT("o", "a.id") " WHERE true ON CONFLICT (series_id, source, environment, kind)"
					    " DO UPDATE SET started_at = excluded.started_at, measurement_id "
					    "= excluded.measurement_id"
					    " WHERE (excluded.started_at, excluded.measurement_id) > "
					    "(latest.started_at, latest.measurement_id);";

static const char copy_readings[] =
	"INSERT INTO main.sample (measurement_id, packed) SELECT " OUR_MEASUREMENT(
		"t.id") ", p.packed FROM" THEIR_MEASUREMENTS
			"CROSS JOIN other.sample AS p ON p.measurement_id = t.id ORDER BY 1;"
			"INSERT INTO main.reading (attempt_id, line, name, benchmark, block, threads, "
			"engine, async, metric,"
			"  work, environment, kind, statistic, value, error, printed, unit, problem, "
			"measurement_id)"
			" SELECT m.ours, t.line, t.name, t.benchmark, t.block, t.threads, t.engine, t.async, "
			"t.metric,"
			"  t.work, t.environment, t.kind, t.statistic, t.value, t.error, t.printed, t.unit, "
			"t.problem,"
			"  " OUR_MEASUREMENT(
				"t.measurement_id") " FROM merge_attempt AS m"
						    " JOIN other.reading AS t ON t.attempt_id = m.theirs "
						    "WHERE m.fresh ORDER BY t.id;"
						    "INSERT INTO main.alias (importer, name, benchmark) "
						    "SELECT importer, name, benchmark FROM other.alias"
						    " WHERE true ON CONFLICT DO NOTHING;"
						    "INSERT INTO main.baseline (name, run_id, pinned_at) "
						    "SELECT b.name, coalesce(m.ours, w.ours),"
						    "  b.pinned_at FROM other.baseline AS b LEFT JOIN "
						    "merge_run AS m ON m.theirs = b.run_id"
						    "  LEFT JOIN merge_twin AS w ON w.theirs = b.run_id "
						    "WHERE true ON CONFLICT DO NOTHING;";

static const char forget[] =
	"DROP TABLE merge_twin; DROP TABLE merge_run; DROP TABLE merge_wanted; DROP TABLE merge_platform;"
	"DROP TABLE merge_build; DROP TABLE merge_cell; DROP TABLE merge_attempt; DROP TABLE merge_text;"
	"DROP TABLE merge_raw; DROP TABLE merge_back; DROP TABLE merge_list; DROP TABLE merge_series;";

/* --- platforms --- */

/* The second and third are for another machine of that name. */
static const char copy_platforms[] =
	"INSERT INTO main.platform (id, uuid, name, environment, created_at)"
	" SELECT m.ours, t.uuid, CASE WHEN NOT EXISTS (SELECT 1 FROM main.platform WHERE name = t.name)"
	"  THEN t.name WHEN NOT EXISTS (SELECT 1 FROM main.platform WHERE name = t.name || ' (' ||"
	"   substr(t.uuid, 1, 8) || ')') THEN t.name || ' (' || substr(t.uuid, 1, 8) || ')'"
	"  ELSE t.name || ' (' || t.uuid || ')' END, t.environment, t.created_at FROM merge_platform AS m"
	" JOIN other.platform AS t ON t.id = m.theirs WHERE m.fresh;"
	"INSERT INTO main.platform_fact (platform_id, key, seen_at, value)"
	" SELECT m.ours, t.key, t.seen_at, t.value FROM merge_platform AS m"
	" JOIN other.platform_fact AS t ON t.platform_id = m.theirs WHERE true ON CONFLICT DO NOTHING;";

/* Their names of platforms -> ours, where they differ. */
static GHashTable *renamed_platforms(struct store *store, GError **err)
{
	g_autoptr(GHashTable) names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	struct sql_query query;

	if (!sql_query(&query, store->sql,
		    "SELECT t.name, o.name FROM merge_platform AS m JOIN other.platform AS t ON t.id = "
		    "m.theirs"
		    " JOIN main.platform AS o ON o.id = m.ours WHERE t.name <> o.name",
		    NULL, err))
		return NULL;
	while (sql_next(&query))
		g_hash_table_insert(names, g_strdup(sql_text(&query, 0)), g_strdup(sql_text(&query, 1)));
	return sql_done(&query, err) ? g_steal_pointer(&names) : NULL;
}

/* --- series --- */

struct their_series {
	int64_t id;
	struct labels labels; /* interned */
};

/* Those of the figures that come new. */
static GArray *their_series(struct store *store, GError **err)
{
	g_autoptr(GArray) list = g_array_new(FALSE, TRUE, sizeof(struct their_series));
	struct sql_query query;

	if (!sql_query(&query, store->sql,
		    "SELECT s.series_id, l.key, l.value FROM other.series_label AS s"
		    " JOIN other.label AS l ON l.id = s.label_id WHERE s.series_id IN (SELECT t.series_id"
		    " FROM" THEIR_MEASUREMENTS ") ORDER BY s.series_id",
		    NULL, err))
		return NULL;
	while (sql_next(&query)) {
		struct their_series next = {.id = sql_int(&query, 0)};

		if (list->len == 0 || g_array_index(list, struct their_series, list->len - 1).id != next.id)
			g_array_append_val(list, next);
		g_array_index(list, struct their_series, list->len - 1)
			.labels.v[label_find(sql_text(&query, 1))] = store_intern(store, sql_text(&query, 2));
	}
	return sql_done(&query, err) ? g_steal_pointer(&list) : NULL;
}

static bool map_series(struct store *store, GError **err)
{
	g_autoptr(GHashTable) names = renamed_platforms(store, err);
	g_autoptr(GArray) list = names ? their_series(store, err) : NULL;
	bool ok = list && sql_script(store->sql, MAP("series"), err);

	for (guint i = 0; ok && i < list->len; i++) {
		struct their_series *series = &g_array_index(list, struct their_series, i);
		const char *platform = series->labels.v[LABEL_PLATFORM];
		const char *name = platform ? g_hash_table_lookup(names, platform) : NULL;
		int64_t ours;

		if (name)
			series->labels.v[LABEL_PLATFORM] = name;
		ok = store_series_id(store, &ours, &series->labels, err) &&
		     sql_run(store->sql,
			     "INSERT INTO merge_series (theirs, ours, fresh) VALUES (:theirs, :ours, 0)",
			     SQL_ARGS(SQL_INT(":theirs", series->id), SQL_INT(":ours", ours)), err);
	}
	return ok;
}

/* --- all --- */

static bool run_scripts(struct store *store, const char *const *scripts, GError **err)
{
	for (; *scripts; scripts++)
		if (!sql_script(store->sql, *scripts, err))
			return false;
	return true;
}

#define SCRIPTS(...) ((const char *const[]){__VA_ARGS__, NULL})

static bool count(struct store *store, struct merge_result *ret, GError **err)
{
	return sql_number(store->sql, &ret->runs, "SELECT count(*) FROM merge_run WHERE fresh", NULL, err) &&
	       sql_number(store->sql, &ret->attempts, "SELECT count(*) FROM merge_attempt WHERE fresh", NULL,
		       err) &&
	       sql_number(store->sql, &ret->platforms, "SELECT count(*) FROM merge_platform WHERE fresh",
		       NULL, err);
}

bool store_merge_rows(struct store *store, struct merge_result *ret, GError **err)
{
	/* In the order of references, so that each is whole when it is made. */
	return run_scripts(store,
		       SCRIPTS(map_runs, map_things, map_texts, copy_texts, copy_runs, copy_platforms,
			       copy_builds, copy_cells, copy_attempts),
		       err) &&
	       map_series(store, err) && sql_script(store->sql, copy_figures, err) &&
	       sql_number(store->sql, &ret->measurements, "SELECT changes()", NULL, err) &&
	       sql_script(store->sql, note_latest, err) && sql_script(store->sql, copy_readings, err) &&
	       count(store, ret, err) && sql_script(store->sql, forget, err);
}
