#include "store_private.h"

/* What a build is but for its configuration. */
#define PLACE                                                                                                \
	"w.toolchain || ' ' || w.library || '-' || w.version || ' ' || w.profile || ' ' || w.optimisation"
/* Fewest flags first: what another configuration adds to it has no effect. */
#define BY_FLAGS                                                                                             \
	"w.config <> 'default', length(w.config) - length(replace(w.config, '+', '')), w.config COLLATE "    \
	"NOCASE, w.config"

static void free_twin(gpointer data)
{
	struct twin_info *twin = data;

	g_free(twin->place);
	g_free(twin->config);
	g_free(twin->same_as);
	g_free(twin);
}

/* Rows come by place and code, those of one code in the order of their flags. */
static void add_twins(GPtrArray *twins, struct sql_query *query)
{
	g_autofree char *place = NULL, *code = NULL, *first = NULL;

	while (sql_next(query)) {
		const char *here = sql_text(query, 0), *config = sql_text(query, 1),
			   *hash = sql_text(query, 2);
		if (g_strcmp0(place, here) == 0 && g_strcmp0(code, hash) == 0) {
			struct twin_info *twin = g_new0(struct twin_info, 1);
			twin->place = g_strdup(here);
			twin->config = g_strdup(config);
			twin->same_as = g_strdup(first);
			g_ptr_array_add(twins, twin);
			continue;
		}
		g_free(place);
		g_free(code);
		g_free(first);
		place = g_strdup(here);
		code = g_strdup(hash);
		first = g_strdup(config);
	}
}

bool store_twins(struct store *store, GPtrArray **ret, int64_t run, GError **err)
{
	g_autoptr(GPtrArray) twins = g_ptr_array_new_with_free_func(free_twin);
	struct sql_query query;

	if (!sql_query(&query, store->sql,
		    "SELECT DISTINCT " PLACE " AS place, w.config, w.code_sha256 FROM build_wide AS w"
		    " WHERE w.build_id IN (SELECT build_id FROM cell WHERE run_id = :run)"
		    " AND w.code_sha256 IS NOT NULL ORDER BY place, w.code_sha256, " BY_FLAGS,
		    SQL_ARGS(SQL_INT(":run", run)), err))
		return false;
	add_twins(twins, &query);
	if (!sql_done(&query, err))
		return false;
	*ret = g_steal_pointer(&twins);
	return true;
}

bool store_build_twins(struct store *store, GPtrArray **ret, int64_t build, GError **err)
{
	g_autoptr(GPtrArray) configs = g_ptr_array_new_with_free_func(g_free);
	struct sql_query query;

	if (!sql_query(&query, store->sql,
		    "SELECT DISTINCT w.config FROM build_wide AS w JOIN build_wide AS b"
		    " ON b.code_sha256 = w.code_sha256 AND b.library = w.library AND b.version = w.version"
		    " AND b.profile = w.profile AND b.optimisation = w.optimisation AND b.toolchain = "
		    "w.toolchain"
		    " AND b.config <> w.config WHERE b.build_id = :build ORDER BY " BY_FLAGS,
		    SQL_ARGS(SQL_INT(":build", build)), err))
		return false;
	while (sql_next(&query))
		g_ptr_array_add(configs, g_strdup(sql_text(&query, 0)));
	if (!sql_done(&query, err))
		return false;
	*ret = g_steal_pointer(&configs);
	return true;
}

static void free_good(gpointer data)
{
	struct good_info *good = data;

	g_free(good->cell);
	g_free(good->benchmark);
	g_free(good);
}

bool store_good(struct store *store, GPtrArray **ret, int64_t run, GError **err)
{
	g_autoptr(GPtrArray) goods = g_ptr_array_new_with_free_func(free_good);
	struct sql_query query;

	if (!sql_query(&query, store->sql,
		    "SELECT s.name, o.benchmark || CASE o.block WHEN '' THEN '' ELSE ' ' || o.block END,"
		    " s.state = 'ok' FROM cell_state AS s JOIN outcome AS o ON o.attempt_id = s.attempt_id"
		    " WHERE s.run_id = :run AND o.state = 'ok' ORDER BY s.cell_id, o.benchmark, o.block",
		    SQL_ARGS(SQL_INT(":run", run)), err))
		return false;
	while (sql_next(&query)) {
		struct good_info *good = g_new0(struct good_info, 1);
		good->cell = g_strdup(sql_text(&query, 0));
		good->benchmark = g_strdup(sql_text(&query, 1));
		good->cell_ok = sql_int(&query, 2) != 0;
		g_ptr_array_add(goods, good);
	}
	if (!sql_done(&query, err))
		return false;
	*ret = g_steal_pointer(&goods);
	return true;
}
