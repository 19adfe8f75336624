#include "store_private.h"

#include "diag.h"
#include "names.h"

#include <string.h>

static bool read_alias(struct store *store, char **ret, const char *importer, const char *name, GError **err)
{
	struct sql_query query;

	*ret = NULL;
	if (!sql_query(&query, store->sql,
		    "SELECT benchmark FROM alias WHERE importer = :importer AND name = :name",
		    SQL_ARGS(SQL_TEXT(":importer", importer), SQL_TEXT(":name", name)), err))
		return false;
	if (sql_next(&query))
		*ret = g_strdup(sql_text(&query, 0));
	return sql_done(&query, err);
}

/* *ret is the benchmark that the name had (new); NULL: none. Names that the program itself has come to know
 * since keep what they have. */
static bool drop_alias(struct store *store, char **ret, const char *importer, const char *name, GError **err)
{
	if (!read_alias(store, ret, importer, name, err))
		return false;
	if (!*ret)
		return true;
	if (!sql_run(store->sql, "DELETE FROM alias WHERE importer = :importer AND name = :name",
		    SQL_ARGS(SQL_TEXT(":importer", importer), SQL_TEXT(":name", name)), err))
		return false;
	if (name_benchmark(importer, name) >= 0)
		return true;
	struct alias_info alias = {(char *)importer, (char *)name, *ret};
	return store_unname_readings(store, &alias, err);
}

bool store_alias_run(struct store *store, int64_t run, const char *importer, GError **err)
{
	g_autoptr(GPtrArray) aliases_there = NULL;
	int64_t figures;

	if (!store_aliases(store, &aliases_there, err))
		return false;
	for (guint i = 0; i < aliases_there->len; i++) {
		const struct alias_info *alias = aliases_there->pdata[i];
		if (strcmp(alias->importer, importer) != 0)
			continue;
		if (!store_name_readings(store, &figures, alias, run, err))
			return false;
	}
	return true;
}

/* --- the user's aliases --- */

/* Other names of a benchmark take the places that one has left. */
static bool file_others(struct store *store, const char *importer, const char *benchmark, GError **err)
{
	g_autoptr(GPtrArray) aliases_there = NULL;
	int64_t figures;

	if (!store_aliases(store, &aliases_there, err))
		return false;
	for (guint i = 0; i < aliases_there->len; i++) {
		const struct alias_info *alias = aliases_there->pdata[i];
		if (strcmp(alias->importer, importer) != 0 || strcmp(alias->benchmark, benchmark) != 0)
			continue;
		if (!store_unname_readings(store, alias, err) ||
			!store_name_readings(store, &figures, alias, 0, err))
			return false;
	}
	return true;
}

static bool no_such_alias(const struct alias_info *alias, GError **err)
{
	g_autofree char *shown = diag_printable(alias->name, -1);

	return diag_set(err, DIAG_USAGE, "\"%s\" of %s has no alias; `benchmatrix list aliases` shows all",
		shown, alias->importer);
}

static bool add_alias(struct store *store, int64_t *ret_figures, const struct alias_info *alias, GError **err)
{
	if (!sql_run(store->sql,
		    "INSERT INTO alias (importer, name, benchmark) VALUES (:importer, :name, :benchmark)",
		    SQL_ARGS(SQL_TEXT(":importer", alias->importer), SQL_TEXT(":name", alias->name),
			    SQL_TEXT(":benchmark", alias->benchmark)),
		    err))
		return false;
	return store_name_readings(store, ret_figures, alias, 0, err);
}

static bool put_alias(struct store *store, int64_t *ret_figures, const struct alias_info *alias, GError **err)
{
	g_autofree char *before = NULL;

	*ret_figures = 0;
	if (!drop_alias(store, &before, alias->importer, alias->name, err))
		return false;
	if (!before && !alias->benchmark)
		return no_such_alias(alias, err);
	if (alias->benchmark && !add_alias(store, ret_figures, alias, err))
		return false;
	return !before || file_others(store, alias->importer, before, err);
}

static bool unknown_word(
	const char *what, const char *word, const char *const *known, const char *list, GError **err)
{
	const char *nearest = diag_nearest(word, known);
	g_autofree char *shown = diag_printable(word, -1);

	return diag_set(err, DIAG_USAGE, "there is no %s \"%s\"%s%s%s; `benchmatrix list %s` shows all", what,
		shown, nearest ? ", did you mean \"" : "", nearest ? nearest : "", nearest ? "\"" : "", list);
}

static bool check_importer(const char *name, GError **err)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	if (importer_find(name))
		return true;
	for (const struct importer *const *importer = importers; *importer; importer++)
		g_ptr_array_add(names, (gpointer)(*importer)->name);
	g_ptr_array_add(names, NULL);
	return unknown_word("importer", name, (const char *const *)names->pdata, "importers", err);
}

static bool check_benchmark(const char *name, GError **err)
{
	const char *names[BENCHMARK_COUNT + 1] = {NULL};

	if (!name || benchmark_find(name) >= 0)
		return true;
	for (int i = 0; i < BENCHMARK_COUNT; i++)
		names[i] = benchmark_infos[i].name;
	return unknown_word("benchmark", name, names, "benchmarks", err);
}

static bool check_free(const struct alias_info *alias, GError **err)
{
	int known = name_benchmark(alias->importer, alias->name);

	if (alias->name[0] == '\0')
		return diag_set(err, DIAG_USAGE, "an alias needs a name, as the tool prints it");
	if (known < 0 || !alias->benchmark)
		return true;
	return diag_set(err, DIAG_USAGE, "\"%s\" of %s is known: it is the benchmark \"%s\"", alias->name,
		alias->importer, benchmark_infos[known].name);
}

bool store_alias_put(struct store *store, int64_t *ret_figures, const char *importer, const char *name,
	const char *benchmark, GError **err)
{
	g_autofree char *tidy = name_tidy(name);
	struct alias_info alias = {(char *)importer, tidy, (char *)benchmark};

	return check_importer(importer, err) && check_benchmark(benchmark, err) && check_free(&alias, err) &&
	       store_begin(store, err) && store_end(store, put_alias(store, ret_figures, &alias, err), err);
}

static void free_alias(gpointer data)
{
	struct alias_info *alias = data;

	g_free(alias->importer);
	g_free(alias->name);
	g_free(alias->benchmark);
	g_free(alias);
}

bool store_aliases(struct store *store, GPtrArray **ret, GError **err)
{
	g_autoptr(GPtrArray) list = g_ptr_array_new_with_free_func(free_alias);
	struct sql_query query;

	if (!sql_query(&query, store->sql,
		    "SELECT importer, name, benchmark FROM alias ORDER BY importer, name", NULL, err))
		return false;
	while (sql_next(&query)) {
		struct alias_info *alias = g_new0(struct alias_info, 1);
		alias->importer = g_strdup(sql_text(&query, 0));
		alias->name = g_strdup(sql_text(&query, 1));
		alias->benchmark = g_strdup(sql_text(&query, 2));
		g_ptr_array_add(list, alias);
	}
	if (!sql_done(&query, err))
		return false;
	*ret = g_steal_pointer(&list);
	return true;
}

/* --- names that no benchmark has --- */

static void free_unknown(gpointer data)
{
	struct unknown_info *unknown = data;

	g_free(unknown->importer);
	g_free(unknown->name);
	g_free(unknown);
}

/* Spellings of one name are one. */
static void add_unknown(GPtrArray *list, GHashTable *index, struct sql_query *query)
{
	g_autofree char *tidy = name_tidy(sql_text(query, 1));
	g_autofree char *key = g_strdup_printf("%s\n%s", sql_text(query, 0), tidy);
	struct unknown_info *unknown = g_hash_table_lookup(index, key);

	if (!unknown) {
		unknown = g_new0(struct unknown_info, 1);
		unknown->importer = g_strdup(sql_text(query, 0));
		unknown->name = g_strdup(sql_text(query, 1));
		g_ptr_array_add(list, unknown);
		g_hash_table_insert(index, g_steal_pointer(&key), unknown);
	}
	unknown->times += sql_int(query, 2);
}

static gint compare_unknown(gconstpointer a, gconstpointer b)
{
	const struct unknown_info *x = *(const struct unknown_info *const *)a;
	const struct unknown_info *y = *(const struct unknown_info *const *)b;
	int order = strcmp(x->importer, y->importer);

	if (order == 0 && x->times != y->times)
		order = x->times > y->times ? -1 : 1;
	return order ? order : strcmp(x->name, y->name);
}

bool store_unknown_names(struct store *store, GPtrArray **ret, GError **err)
{
	g_autoptr(GPtrArray) list = g_ptr_array_new_with_free_func(free_unknown);
	g_autoptr(GHashTable) index = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	struct sql_query query;

	if (!sql_query(&query, store->sql,
		    "SELECT d.importer, x.name, count(*) FROM reading AS x JOIN attempt AS a"
		    " ON a.id = x.attempt_id JOIN cell AS c ON c.id = a.cell_id JOIN document AS d"
		    " ON d.run_id = c.run_id WHERE x.benchmark IS NULL"
		    " GROUP BY d.importer, x.name ORDER BY count(*) DESC, x.name",
		    NULL, err))
		return false;
	while (sql_next(&query))
		add_unknown(list, index, &query);
	if (!sql_done(&query, err))
		return false;
	g_ptr_array_sort(list, compare_unknown);
	*ret = g_steal_pointer(&list);
	return true;
}
