#include "store_private.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* The statistic of measurement m that reading x is; the one value of a figure that has no other. */
#define STATISTIC                                                                                            \
	"CASE WHEN m.n = 1 THEN m.median WHEN x.statistic = 'mean' THEN m.mean WHEN x.statistic = 'best'"    \
	" THEN m.minimum WHEN x.statistic = 'median' THEN m.median ELSE m.maximum END"

/* Each query yields one line of text per problem. */
static const char *const line_queries[] = {
	"SELECT 'file: ' || replace(integrity_check, char(10), ' ') FROM pragma_integrity_check WHERE "
	"integrity_check <> 'ok'",
	"SELECT 'table ' || \"table\" || ', row ' || coalesce(rowid, '?') || ': refers to nothing in ' || "
	"parent"
	" FROM pragma_foreign_key_check",
	"SELECT 'measurement ' || m.id || ': its benchmark has no good outcome in attempt ' || m.attempt_id"
	" FROM measurement AS m JOIN series_wide AS w ON w.series_id = m.series_id"
	" WHERE m.source = 0 AND NOT EXISTS (SELECT 1 FROM outcome AS o WHERE o.attempt_id = m.attempt_id"
	"  AND o.benchmark = w.benchmark AND o.block = coalesce(w.block, '') AND o.state = 'ok')",
	"SELECT 'measurement ' || m.id || ': a sampled figure of ours without its samples' FROM measurement "
	"AS m"
	" WHERE m.source = 0 AND m.kind = 0 AND NOT EXISTS (SELECT 1 FROM sample AS s WHERE s.measurement_id "
	"= m.id)",
	"SELECT 'exact key ' || a.exact_key || ': ' || w.benchmark || coalesce(' ' || w.block, '') || ' ' || "
	"w.metric ||"
	" ' is ' || min(m.median) || ' in one attempt and ' || max(m.median) || ' in another'"
	" FROM attempt AS a CROSS JOIN measurement AS m ON" STORE_OF_ATTEMPT("m",
		"a.id") "AND m.kind = 1"
			" JOIN series_wide AS w ON w.series_id = m.series_id WHERE a.exact_key IS NOT NULL"
			" GROUP BY a.exact_key, w.benchmark, w.block, w.metric HAVING min(m.median) <> "
			"max(m.median)",
	"SELECT 'attempt ' || (m.id >> 20) || ': two figures of series ' || m.series_id FROM measurement AS m"
	" GROUP BY m.series_id, m.source, m.environment, m.kind, m.id >> 20 HAVING count(*) > 1",
	"SELECT 'series ' || m.series_id || ': its latest figure is not known as such' FROM measurement AS m"
	" JOIN attempt AS a ON a.id = m.id >> 20 LEFT JOIN latest AS l ON l.series_id = m.series_id"
	" AND l.source = m.source AND l.environment = m.environment AND l.kind = m.kind"
	" WHERE l.measurement_id IS NULL OR (a.started_at, m.id) > (l.started_at, l.measurement_id)"
	" GROUP BY m.series_id",
	"SELECT 'series ' || l.series_id || ': what is kept as its latest figure is not' FROM latest AS l"
	" LEFT JOIN measurement AS m ON m.id = l.measurement_id AND m.series_id = l.series_id"
	" AND m.source = l.source AND m.environment = l.environment AND m.kind = l.kind"
	" LEFT JOIN attempt AS a ON a.id = m.id >> 20 WHERE a.started_at IS NOT l.started_at",
	"SELECT 'outcome list ' || l.id || ': its outcomes are not what its hash says' FROM outcome_list AS l"
	" WHERE l.sha256 IS NOT (SELECT sha256(group_concat(line, '')) FROM (SELECT quote(benchmark) ||"
	"  quote(block) || quote(state) || quote(reason) || quote(digest) || quote(proof) AS line"
	"  FROM outcome_line WHERE list_id = l.id ORDER BY benchmark, block))",
	"SELECT 'raw text ' || r.id || ': is marked as pruned and has its bytes' FROM raw AS r"
	" JOIN pruned AS p ON p.raw_id = r.id WHERE length(r.bytes) > 0",
	"SELECT 'build ' || b.id || ': is ok and has no program' FROM build AS b JOIN cell AS c ON "
	"c.build_id = b.id"
	" JOIN run AS r ON r.id = c.run_id WHERE b.state = 'ok' AND b.key_program IS NULL AND r.matrix IS "
	"NOT NULL",
	"SELECT 'run ' || r.uuid || ': has neither a matrix nor a document' FROM run AS r"
	" LEFT JOIN document AS d ON d.run_id = r.id WHERE r.matrix IS NULL AND d.run_id IS NULL",
	"SELECT 'run ' || r.uuid || ': has a matrix and a document' FROM run AS r"
	" JOIN document AS d ON d.run_id = r.id WHERE r.matrix IS NOT NULL",
	"SELECT 'reading ' || x.id || ' (line ' || x.line || '): its figure is of attempt ' ||"
	" (x.measurement_id >> 20) || ', it is of attempt ' || x.attempt_id FROM reading AS x"
	" WHERE x.measurement_id >> 20 <> x.attempt_id",
	"SELECT 'reading ' || x.id || ' (line ' || x.line || '): counts and is quarantined' FROM reading AS "
	"x WHERE x.measurement_id IS NOT NULL AND x.problem IS NOT NULL",
	"SELECT 'reading ' || x.id || ' (line ' || x.line || '): its labels are not those of its figure'"
	" FROM reading AS x JOIN measurement AS m ON m.id = x.measurement_id"
	" JOIN series_wide AS w ON w.series_id = m.series_id WHERE x.benchmark IS NOT w.benchmark"
	" OR x.block IS NOT w.block OR x.threads IS NOT w.threads OR x.engine IS NOT w.engine"
	" OR x.async IS NOT w.async OR x.metric IS NOT w.metric OR x.environment <> m.environment"
	" OR x.kind <> m.kind",
	"SELECT 'reading ' || x.id || ' (line ' || x.line || '): ' || x.printed || ' ' || x.unit ||"
	" ' is not its figure''s ' || x.statistic FROM reading AS x"
	" JOIN measurement AS m ON m.id = x.measurement_id WHERE x.value IS NULL OR " STATISTIC " IS NULL"
	" OR abs(" STATISTIC " - x.value) > coalesce(x.error, 0) + 1e-9 * abs(x.value)",
	/* What is derived follows from figures that were read; those of one attempt stand together. */
	"SELECT 'measurement ' || m.id || ': no document printed it' FROM measurement AS m"
	" WHERE m.source <> 0 AND NOT EXISTS (SELECT 1 FROM reading AS x WHERE x.measurement_id = m.id)"
	" AND NOT EXISTS (SELECT 1 FROM sample AS s WHERE s.measurement_id = m.id)"
	" AND (m.kind <> 2 OR NOT EXISTS (SELECT 1 FROM reading AS x WHERE x.attempt_id = m.id >> 20"
	"  AND x.measurement_id IS NOT NULL))",
	"SELECT 'attempt ' || a.id || ': carried from attempt ' || f.id || ', whose exact key is another'"
	" FROM attempt AS a JOIN attempt AS f ON f.id = a.carried_from WHERE a.exact_key IS NOT f.exact_key",
};

static bool add_lines(struct store *store, GPtrArray *problems, const char *text, GError **err)
{
	struct sql_query query;

	if (!sql_query(&query, store->sql, text, NULL, err))
		return false;
	while (sql_next(&query))
		g_ptr_array_add(problems, g_strdup(sql_text(&query, 0)));
	return sql_done(&query, err);
}

/* --- raw texts --- */

static bool check_raw(struct store *store, GPtrArray *problems, GError **err)
{
	struct sql_query query;

	if (!sql_query(&query, store->sql, "SELECT id FROM raw WHERE id NOT IN (SELECT raw_id FROM pruned)",
		    NULL, err))
		return false;
	while (sql_next(&query)) {
		g_autofree char *text = NULL;
		size_t length;
		int64_t id = sql_int(&query, 0);
		if (!store_raw_get(store, &text, &length, id, NULL))
			g_ptr_array_add(problems,
				g_strdup_printf("raw text %" PRId64 ": is not what its hash says", id));
	}
	return sql_done(&query, err);
}

/* --- series --- */

static bool check_series(struct store *store, GPtrArray *problems, GError **err)
{
	struct sql_query query;

	/* What is in the file counts, not what was read from it before. */
	g_array_set_size(store->series, 0);
	if (!store_load_series(store, err) ||
		!sql_query(&query, store->sql, "SELECT id, lower(hex(sha256)) FROM series", NULL, err))
		return false;
	while (sql_next(&query)) {
		const struct series_row *row = store_series_row(store, sql_int(&query, 0));
		g_autofree char *hash = store_labels_hash(row ? &row->labels : &(struct labels){0});
		if (strcmp(hash, sql_text(&query, 1)) != 0)
			g_ptr_array_add(problems,
				g_strdup_printf("series %" PRId64 ": its labels are not what its hash says",
					sql_int(&query, 0)));
	}
	return sql_done(&query, err);
}

/* --- samples --- */

static const char *samples_problem(struct sql_query *row)
{
	size_t length;
	const void *packed = sql_blob(row, 9, &length);
	g_autoptr(GArray) values = store_unpack_samples(packed, length);
	struct figure stored = store_read_figure(row, 1);

	if (!values || values->len == 0)
		return "its samples are not whole";
	struct figure computed = figure_of((const double *)(void *)values->data, values->len);
	return figure_follows(&stored, &computed) ? NULL : "its figures do not follow from its samples";
}

static bool check_samples(struct store *store, GPtrArray *problems, GError **err)
{
	struct sql_query query;

	if (!sql_query(&query, store->sql,
		    "SELECT m.id, m.n, m.minimum, m.quartile_1, m.median, m.quartile_3, m.maximum, m.mean, "
		    "m.sd, s.packed"
		    " FROM sample AS s JOIN measurement AS m ON m.id = s.measurement_id",
		    NULL, err))
		return false;
	while (sql_next(&query)) {
		const char *problem = samples_problem(&query);
		if (problem)
			g_ptr_array_add(problems,
				g_strdup_printf("measurement %" PRId64 ": %s", sql_int(&query, 0), problem));
	}
	return sql_done(&query, err);
}

static bool check(struct store *store, GPtrArray *problems, GError **err)
{
	for (size_t i = 0; i < G_N_ELEMENTS(line_queries); i++)
		if (!add_lines(store, problems, line_queries[i], err))
			return false;
	return check_raw(store, problems, err) && check_series(store, problems, err) &&
	       check_samples(store, problems, err);
}

bool store_check(struct store *store, GPtrArray **ret_problems, GError **err)
{
	g_autoptr(GPtrArray) problems = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GError) failed = NULL;

	if (!store_begin_reading(store, err))
		return false;
	bool ok = check(store, problems, &failed);
	store_end_reading(store);
	/* In a damaged file the later questions may have no answer; the earlier ones say why. */
	if (!ok && problems->len > 0) {
		g_ptr_array_add(
			problems, g_strdup_printf("the rest could not be checked: %s", failed->message));
	} else if (!ok) {
		g_propagate_error(err, g_steal_pointer(&failed));
		return false;
	}
	*ret_problems = g_steal_pointer(&problems);
	return true;
}
