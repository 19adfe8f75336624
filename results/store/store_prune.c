#include "store_private.h"

/* --- pruning --- */

#define ATTEMPT_TEXTS(where)                                                                                 \
	" UNION ALL SELECT a.out_raw_id FROM attempt AS a JOIN cell AS c ON c.id = a.cell_id WHERE " where   \
	" UNION ALL SELECT a.errors_raw_id FROM attempt AS a JOIN cell AS c ON c.id = a.cell_id "            \
	"WHERE " where

#define PINNED "c.run_id IN (SELECT run_id FROM baseline)"

/* A build is as young as the youngest cell that it served. */
#define YOUNG_LOGS                                                                                           \
	" UNION ALL SELECT b.log_raw_id FROM build AS b WHERE b.created_at >= :before OR EXISTS"             \
	" (SELECT 1 FROM cell AS c WHERE c.build_id = b.id AND (c.created_at >= :before OR " PINNED "))"

/* No figure tells them: what was started does, the counter was given the program's functions. */
#define FUNCTIONS                                                                                            \
	" UNION ALL SELECT out_raw_id FROM attempt WHERE NOT :functions AND argv LIKE '%,functions=%'"

/* What a run or an import is begun again from stays; so does what anything young or pinned rests on. */
#define KEPT                                                                                                 \
	"SELECT matrix_raw_id AS id FROM run UNION ALL SELECT plan_raw_id FROM run"                          \
	" UNION ALL SELECT raw_id FROM document" ATTEMPT_TEXTS("a.started_at >= :before OR " PINNED)         \
		YOUNG_LOGS FUNCTIONS

#define DOOMED                                                                                               \
	"SELECT id FROM raw WHERE id IN (SELECT out_raw_id FROM attempt UNION ALL SELECT errors_raw_id FROM" \
	"  attempt UNION ALL SELECT log_raw_id FROM build)"                                                  \
	" AND id NOT IN (SELECT k.id FROM (" KEPT ") AS k WHERE k.id IS NOT NULL)"                           \
	" AND length(bytes) > 0"

#define DOOMED_ARGS(spec) SQL_INT(":before", (spec)->before), SQL_INT(":functions", (spec)->functions)

static bool count_doomed(
	struct store *store, struct prune_result *ret, const struct prune_spec *spec, GError **err)
{
	struct sql_query query;

	if (!sql_query(&query, store->sql,
		    "SELECT count(*), coalesce(sum(length(bytes)), 0) FROM raw WHERE id IN (" DOOMED ")",
		    SQL_ARGS(DOOMED_ARGS(spec)), err))
		return false;
	if (sql_next(&query))
		*ret = (struct prune_result){sql_int(&query, 0), sql_int(&query, 1)};
	return sql_done(&query, err);
}

static bool prune(struct store *store, struct prune_result *ret, const struct prune_spec *spec, GError **err)
{
	return count_doomed(store, ret, spec, err) &&
	       sql_run(store->sql, "INSERT INTO pruned (raw_id, pruned_at) SELECT id, :now FROM (" DOOMED ")",
		       SQL_ARGS(DOOMED_ARGS(spec), SQL_INT(":now", store_now())), err) &&
	       sql_run(store->sql,
		       "UPDATE raw SET bytes = x'', codec = 'none' WHERE length(bytes) > 0"
		       " AND id IN (SELECT raw_id FROM pruned)",
		       NULL, err);
}

bool store_prune(struct store *store, struct prune_result *ret, const struct prune_spec *spec, GError **err)
{
	if (spec->dry)
		return count_doomed(store, ret, spec, err);
	return store_begin(store, err) && store_end(store, prune(store, ret, spec, err), err);
}

bool store_shrink(struct store *store, GError **err)
{
	return sql_script(store->sql, "VACUUM; PRAGMA wal_checkpoint(TRUNCATE)", err);
}

/* --- sizes --- */

static void free_size(gpointer data)
{
	struct table_size *size = data;

	g_free(size->name);
	g_free(size);
}

static bool count_rows(struct store *store, struct table_size *size, GError **err)
{
	g_autofree char *text = NULL;
	struct sql_query query;

	if (!sql_query(&query, store->sql, "SELECT format('SELECT count(*) FROM main.\"%w\"', :name)",
		    SQL_ARGS(SQL_TEXT(":name", size->name)), err))
		return false;
	if (sql_next(&query))
		text = g_strdup(sql_text(&query, 0));
	return sql_done(&query, err) && sql_number(store->sql, &size->rows, text, NULL, err);
}

static bool read_sizes(struct store *store, GPtrArray *sizes, GError **err)
{
	struct sql_query query;

	if (!sql_query(&query, store->sql,
		    "SELECT d.name, d.pgsize, coalesce(s.type, 'table') = 'table' FROM dbstat AS d"
		    " LEFT JOIN main.sqlite_schema AS s ON s.name = d.name WHERE d.aggregate = TRUE"
		    " ORDER BY d.pgsize DESC, d.name",
		    NULL, err))
		return false;
	while (sql_next(&query)) {
		struct table_size *size = g_new0(struct table_size, 1);

		size->name = g_strdup(sql_text(&query, 0));
		size->bytes = sql_int(&query, 1);
		size->rows = sql_int(&query, 2) ? 0 : -1;
		g_ptr_array_add(sizes, size);
	}
	return sql_done(&query, err);
}

bool store_sizes(struct store *store, GPtrArray **ret, GError **err)
{
	g_autoptr(GPtrArray) sizes = g_ptr_array_new_with_free_func(free_size);

	if (!store_begin_reading(store, err))
		return false;
	bool ok = read_sizes(store, sizes, err);
	for (guint i = 0; ok && i < sizes->len; i++) {
		struct table_size *size = sizes->pdata[i];

		ok = size->rows < 0 || count_rows(store, size, err);
	}
	store_end_reading(store);
	if (ok)
		*ret = g_steal_pointer(&sizes);
	return ok;
}
