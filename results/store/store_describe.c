#include "store_private.h"

#include "diag.h"

#include <inttypes.h>
#include <string.h>

/* A process in one line: "invocation 0: signal 7 (SIGBUS), 1.3 s, load 0.42 to 0.50, at most 0.61
 * meanwhile, 3.20 GHz, clock from 3.20 GHz down to 1.20 GHz, 47 C to 71 C, at most 83 C meanwhile, throttled,
 * others kept 0.1 processors busy". What is unknown is left out. */
#define PROCESS_LINE                                                                                         \
	"'invocation ' || p.invocation || ': ' || p.ended || CASE WHEN p.seconds IS NULL THEN '' ELSE "      \
	"format(', %.1f s', p.seconds) END"                                                                  \
	" || CASE WHEN p.load_before IS NULL THEN '' ELSE format(', load %.2f', p.load_before) END"          \
	" || CASE WHEN p.load_after IS NULL THEN '' ELSE format(' to %.2f', p.load_after) END"               \
	" || CASE WHEN p.load_meanwhile IS NULL THEN '' ELSE format(', at most %.2f meanwhile', "            \
	"p.load_meanwhile) END"                                                                              \
	" || CASE WHEN p.frequency_after IS NULL THEN '' ELSE format(', %.2f GHz', p.frequency_after / "     \
	"1e9) END"                                                                                           \
	" || CASE WHEN p.clock_lowest < p.clock_highest THEN format(', clock from %.2f GHz down to %.2f "    \
	"GHz', p.clock_highest / 1e9, p.clock_lowest / 1e9) ELSE '' END"                                     \
	" || CASE WHEN p.temperature_before IS NULL THEN '' ELSE format(', %.0f C', p.temperature_before) "  \
	"END"                                                                                                \
	" || CASE WHEN p.temperature_after IS NULL THEN '' ELSE format(' to %.0f C', p.temperature_after) "  \
	"END"                                                                                                \
	" || CASE WHEN p.temperature_meanwhile IS NULL THEN '' ELSE format(', at most %.0f C meanwhile', "   \
	"p.temperature_meanwhile) END"                                                                       \
	" || CASE p.throttled WHEN 1 THEN ', throttled' ELSE '' END"                                         \
	" || CASE WHEN p.others IS NULL THEN '' ELSE format(', others kept %.1f processors busy', "          \
	"p.others) END"

/* Where a part of a document stands: `d` and `a`. */
#define DOCUMENT                                                                                             \
	"d.name AS document, d.reference AS reference, CASE WHEN d.run_id IS NOT NULL THEN"                  \
	" (SELECT CAST(min(x.line) AS TEXT) FROM reading AS x WHERE x.attempt_id = a.id AND x.line > 0)"     \
	" END AS \"from line\""
/* The header record is one of ours. */
#define FACTS                                                                                                \
	"CASE WHEN d.run_id IS NULL THEN a.facts END AS header, CASE WHEN d.run_id IS NOT NULL THEN a.facts" \
	" END AS \"it says\""

/* How a thing is described: a statement whose columns, named as they are shown, are texts; NULL ones are left
 * out. The last two columns are the ids of its text and of its standard error. */
static const struct {
	const char *word, *text;
	const char *more; /* further rows of (key, value); NULL */
} things[] = {
	[STORE_RUN] = {"run",
		"SELECT r.uuid AS run, CASE WHEN r.matrix IS NOT NULL THEN r.label END AS label,"
		" r.matrix AS matrix, d.name AS document, d.importer AS format, d.reference AS reference,"
		" 'benchmatrix ' || r.program AS program,"
		" CASE WHEN r.matrix IS NULL THEN datetime(r.started_at / 1000000000, 'unixepoch') || ' UTC'"
		" END AS imported,"
		" CASE WHEN r.matrix IS NOT NULL THEN datetime(r.started_at / 1000000000, 'unixepoch') ||"
		" ' UTC' END AS started,"
		" CASE WHEN r.matrix IS NOT NULL THEN coalesce(datetime(r.ended_at / 1000000000, 'unixepoch')"
		" || ' UTC', 'no: it runs or was killed') END AS ended,"
		" CASE WHEN r.matrix IS NOT NULL THEN CAST(r.status AS TEXT) END AS \"exit status\","
		" d.lines || ' (' || d.other || ' of them not the tool''s)' AS lines,"
		" coalesce(r.plan_raw_id, d.raw_id), NULL"
		" FROM run AS r LEFT JOIN document AS d ON d.run_id = r.id WHERE r.id = :id",
		"SELECT key, value FROM (SELECT 0 AS part, 'cells ' || s.state AS key, CAST(count(*) AS TEXT)"
		" AS value FROM cell_state AS s JOIN run AS r ON r.id = s.run_id WHERE s.run_id = :id"
		" AND r.matrix IS NOT NULL GROUP BY s.state"
		" UNION ALL SELECT 1, 'executions of the tool', CAST(count(*) AS TEXT) FROM cell AS c"
		" JOIN document AS d ON d.run_id = c.run_id WHERE c.run_id = :id GROUP BY c.run_id"
		" UNION ALL SELECT 2, CASE WHEN x.benchmark IS NULL THEN 'numbers with an unknown name'"
		" WHEN x.problem IS NOT NULL THEN 'numbers in quarantine' ELSE 'numbers' END,"
		" CAST(count(*) AS TEXT) FROM cell AS c JOIN attempt AS a ON a.cell_id = c.id"
		" JOIN reading AS x ON x.attempt_id = a.id WHERE c.run_id = :id GROUP BY 2"
		" UNION ALL SELECT 3, 'lines not understood', CAST(count(*) AS TEXT) FROM remark"
		" WHERE run_id = :id HAVING count(*) > 0) ORDER BY part, key"},
	[STORE_BUILD] = {"build",
		"SELECT w.library AS library, w.version AS version, w.config AS config, w.profile AS profile,"
		" w.optimisation AS optimisation, w.toolchain AS toolchain, w.state AS state, w.reason AS "
		"reason,"
		" w.revision AS revision, w.parent AS parent, w.compiler AS compiler, w.configure_line AS "
		"configure,"
		" w.optimisation_effective AS \"optimisation in force\", w.math AS math, w.arch AS arch,"
		" w.machine AS machine, w.code_sha256 AS \"code hash\", w.key_library AS \"library key\","
		" w.key_program AS \"program key\", round(w.seconds, 1) || ' s' AS \"time to build\","
		" CASE WHEN b.state <> 'ok' OR b.key_program IS NOT NULL THEN"
		" datetime(b.created_at / 1000000000, 'unixepoch') || ' UTC' END AS built,"
		" (SELECT group_concat(name, ', ') FROM (SELECT DISTINCT d.name AS name FROM cell AS c"
		"  JOIN document AS d ON d.run_id = c.run_id WHERE c.build_id = b.id ORDER BY d.name))"
		" AS \"known from\", b.log_raw_id, NULL"
		" FROM build AS b JOIN build_wide AS w ON w.build_id = b.id WHERE b.id = :id",
		NULL},
	[STORE_ATTEMPT] = {"attempt",
		"SELECT a.uuid AS attempt, c.name AS cell, CAST(a.number AS TEXT) AS number, a.state AS "
		"state,"
		" a.reason AS reason, f.uuid AS \"carried from\", a.library_version AS \"library says\","
		" CAST(nullif(a.problems, 0) AS TEXT) AS \"unreadable lines\", nullif(a.argv, '[]') AS argv,"
		" a.exact_key AS \"exact key\", " DOCUMENT ", " FACTS ", "
		" datetime(a.started_at / 1000000000, 'unixepoch') || ' UTC' AS started,"
		" CASE WHEN a.carried_from IS NULL THEN round(a.seconds, 1) || ' s' END AS took, "
		"a.out_raw_id, a.errors_raw_id"
		" FROM attempt AS a JOIN cell AS c ON c.id = a.cell_id LEFT JOIN attempt AS f ON f.id = "
		"a.carried_from LEFT JOIN document AS d ON d.run_id = c.run_id"
		" WHERE a.id = :id",
		"SELECT key, value FROM ("
		" SELECT 0 AS part, 0 AS number, 'note' AS key, note AS value FROM attempt_note WHERE "
		"attempt_id = :id"
		" UNION ALL SELECT 1, p.number, 'process', " PROCESS_LINE
		"  FROM process AS p WHERE p.attempt_id = :id"
		" UNION ALL SELECT 2, 0, benchmark || CASE block WHEN '' THEN '' ELSE ' ' || block END,"
		"  state || coalesce(': ' || reason, '') FROM outcome WHERE attempt_id = :id) ORDER BY part, "
		"number, key"},
	[STORE_PLATFORM] = {"platform",
		"SELECT name AS platform, uuid AS uuid, environment AS environment,"
		" datetime(created_at / 1000000000, 'unixepoch') || ' UTC' AS \"first seen\", NULL, NULL"
		" FROM platform WHERE id = :id",
		"SELECT key, value FROM (SELECT key, value, max(seen_at) FROM platform_fact"
		" WHERE platform_id = :id GROUP BY key) WHERE value IS NOT NULL ORDER BY key"},
	[STORE_CELL] = {"cell",
		"SELECT c.name AS cell, s.state AS state, s.reason AS reason, r.uuid AS run, c.agent AS "
		"agent,"
		" p.name AS platform, c.instrument AS instrument, c.mode AS mode, s.build_state AS \"build "
		"state\","
		" CASE c.build_cached WHEN 1 THEN 'from the cache' END AS build, s.attempt_state AS "
		"\"attempt state\","
		" a.uuid AS attempt, CAST(a.number AS TEXT) AS number, f.uuid AS \"carried from\","
		" nullif(a.argv, '[]') AS argv, " DOCUMENT ", CASE WHEN d.run_id IS NOT NULL THEN a.facts END"
		" AS \"it says\","
		" CASE WHEN a.carried_from IS NULL THEN round(a.seconds, 1) || ' s' END AS took, "
		"coalesce(a.out_raw_id, b.log_raw_id), a.errors_raw_id"
		" FROM cell AS c JOIN cell_state AS s ON s.cell_id = c.id JOIN run AS r ON r.id = c.run_id"
		" JOIN build AS b ON b.id = c.build_id LEFT JOIN platform AS p ON p.id = c.platform_id"
		" LEFT JOIN attempt AS a ON a.id = s.attempt_id LEFT JOIN attempt AS f ON f.id = "
		"a.carried_from LEFT JOIN document AS d ON d.run_id = c.run_id"
		" WHERE c.id = :id",
		"SELECT key, value FROM ("
		" SELECT 0 AS part, 0 AS number, 'note' AS key, n.note AS value FROM cell_state AS s"
		"  JOIN attempt_note AS n ON n.attempt_id = s.attempt_id WHERE s.cell_id = :id"
		" UNION ALL SELECT 1, p.number, 'process', " PROCESS_LINE " FROM cell_state AS s"
		"  JOIN process AS p ON p.attempt_id = s.attempt_id WHERE s.cell_id = :id"
		" UNION ALL SELECT 2, 0, o.benchmark || CASE o.block WHEN '' THEN '' ELSE ' ' || o.block END,"
		"  o.state || coalesce(': ' || o.reason, '') FROM cell_state AS s"
		"  JOIN outcome AS o ON o.attempt_id = s.attempt_id WHERE s.cell_id = :id)"
		" ORDER BY part, number, key"},
};

void store_description_free(struct store_description *description)
{
	if (!description)
		return;
	g_ptr_array_unref(description->keys);
	g_ptr_array_unref(description->values);
	g_free(description->text);
	g_free(description->errors);
	g_free(description);
}

static void add_pair(struct store_description *description, const char *key, const char *value)
{
	if (!value)
		return;
	g_ptr_array_add(description->keys, g_strdup(key));
	g_ptr_array_add(description->values, g_strdup(value));
}

/* The columns of the first row; *ret_texts are the two ids at its end. */
static bool read_columns(struct store *store, struct store_description *description, int64_t ret_texts[2],
	enum store_thing thing, int64_t id, GError **err)
{
	struct sql_query query;

	if (!sql_query(&query, store->sql, things[thing].text, SQL_ARGS(SQL_INT(":id", id)), err))
		return false;
	int texts = sql_columns(&query) - 2;
	bool found = sql_next(&query);
	for (int i = 0; found && i < texts; i++)
		add_pair(description, sql_column_name(&query, i), sql_text(&query, i));
	ret_texts[0] = found ? sql_int(&query, texts) : 0;
	ret_texts[1] = found ? sql_int(&query, texts + 1) : 0;
	if (!sql_done(&query, err))
		return false;
	return found ||
	       diag_set(err, DIAG_USAGE, "%s: there is no %s %" PRId64, store->file, things[thing].word, id);
}

static bool read_more(struct store *store, struct store_description *description, enum store_thing thing,
	int64_t id, GError **err)
{
	struct sql_query query;

	if (!things[thing].more)
		return true;
	if (!sql_query(&query, store->sql, things[thing].more, SQL_ARGS(SQL_INT(":id", id)), err))
		return false;
	while (sql_next(&query))
		add_pair(description, sql_text(&query, 0), sql_text(&query, 1));
	return sql_done(&query, err);
}

/* The text, and in its place a row that says when it was given up. */
static bool read_text(struct store *store, struct store_description *description, char **ret,
	size_t *ret_length, const char *word, int64_t id, GError **err)
{
	struct sql_query query;

	if (!store_raw_get(store, ret, ret_length, id, err) ||
		!sql_query(&query, store->sql,
			"SELECT format('pruned on %s UTC (%,d bytes)', datetime(p.pruned_at / 1000000000, "
			"'unixepoch'), r.size) FROM pruned AS p JOIN raw AS r ON r.id = p.raw_id"
			" WHERE p.raw_id = :id",
			SQL_ARGS(SQL_ID(":id", id)), err))
		return false;
	while (sql_next(&query))
		add_pair(description, word, sql_text(&query, 0));
	return sql_done(&query, err);
}

bool store_describe(
	struct store *store, struct store_description **ret, enum store_thing thing, int64_t id, GError **err)
{
	struct store_description *description = g_new0(struct store_description, 1);
	int64_t texts[2];

	description->keys = g_ptr_array_new_with_free_func(g_free);
	description->values = g_ptr_array_new_with_free_func(g_free);
	if (!read_columns(store, description, texts, thing, id, err) ||
		!read_more(store, description, thing, id, err) ||
		!read_text(store, description, &description->text, &description->text_length,
			thing == STORE_BUILD ? "log" : "output", texts[0], err) ||
		!read_text(store, description, &description->errors, &description->errors_length,
			"standard error", texts[1], err)) {
		store_description_free(description);
		return false;
	}
	*ret = description;
	return true;
}
