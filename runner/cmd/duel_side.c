#include "duel_side.h"

#include "diag.h"
#include "request.h"
#include "selector.h"
#include "values.h"

#include <string.h>

const int duel_side_labels[] = {
	LABEL_LIBRARY, LABEL_VERSION, LABEL_CONFIG, LABEL_PROFILE, LABEL_OPTIMISATION, LABEL_TOOLCHAIN, -1};

void duel_side_free(struct duel_side *side)
{
	if (side == NULL)
		return;
	g_free(side->revision);
	matrix_free(side->matrix);
	json_decref(side->json);
	g_free(side->commit);
	g_free(side->version_name);
	g_clear_pointer(&side->measured, g_hash_table_unref);
	g_free(side);
}

/* --- which build --- */

/* What we measured ourselves with a program: figures of others, and sizes, tell of no program that can be
 * run. */
static GPtrArray *measured_by_us(const GArray *results)
{
	GPtrArray *own = g_ptr_array_new();

	for (guint i = 0; i < results->len; i++) {
		const struct result *result = &g_array_index(results, struct result, i);
		const char *instrument = result->what.labels.v[LABEL_INSTRUMENT];
		if (result->what.source == SOURCE_OWN && g_strcmp0(instrument, "bench-core") == 0)
			g_ptr_array_add(own, (gpointer)result);
	}
	return own;
}

static bool explain_none(const char *name, struct store *store, const struct selector *terms, GError **err)
{
	const struct selector_term *run = selector_term(terms, SELECT_RUN);
	g_autoptr(GArray) only_run = g_array_new(FALSE, FALSE, sizeof(*run));
	const struct selector of_run = {.terms = only_run};
	g_autoptr(GArray) results = NULL;

	if (run != NULL)
		g_array_append_vals(only_run, run, 1);
	if (!store_results(store, &results, &of_run, err))
		return false;
	g_autoptr(GPtrArray) own = measured_by_us(results);
	return request_explain_empty(name, terms, own, err);
}

/* "config (default, sp), toolchain (...)"; NULL where they are of one build. *ret_example: "config=default".
 */
static char *differing_builds(const GPtrArray *results, char **ret_example)
{
	g_autoptr(GString) text = g_string_new(NULL);

	*ret_example = NULL;
	for (const int *label = duel_side_labels; *label >= 0; label++) {
		g_autoptr(GPtrArray) values = values_distinct(results, (enum selector_key) * label);
		g_autofree char *list = values_list(values);
		if (values->len < 2)
			continue;
		g_string_append_printf(
			text, "%s%s (%s)", text->len > 0 ? ", " : "", label_keys[*label], list);
		if (*ret_example == NULL)
			*ret_example =
				g_strdup_printf("%s=%s", label_keys[*label], (const char *)values->pdata[0]);
	}
	return text->len > 0 ? g_strdup(text->str) : NULL;
}

static bool check_one_build(const char *name, const GPtrArray *results, GError **err)
{
	g_autofree char *example = NULL, *differing = differing_builds(results, &example);

	return differing == NULL ||
	       diag_set(err, DIAG_USAGE,
		       "%s takes several builds; they differ in %s; add a term that picks "
		       "one, such as %s",
		       name, differing, example);
}

static const struct result *latest_of(const GPtrArray *results)
{
	const struct result *latest = results->pdata[0];

	for (guint i = 1; i < results->len; i++) {
		const struct result *result = results->pdata[i];
		if (result->started_at > latest->started_at)
			latest = result;
	}
	return latest;
}

static GHashTable *benchmarks_of(const GPtrArray *results)
{
	GHashTable *names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (guint i = 0; i < results->len; i++)
		g_hash_table_add(names,
			g_strdup(((const struct result *)results->pdata[i])->what.labels.v[LABEL_BENCHMARK]));
	return names;
}

/* --- how it was planned --- */

/* Where a matrix of this name is, else where one would be. */
static char *file_of(const struct catalog *catalog, const char *name)
{
	char *file = catalog_matrix_file(catalog, name, NULL);

	return file != NULL ? file : g_strdup_printf("%s.json", name);
}

static bool find_run(
	const struct run_info **ret, GPtrArray **ret_runs, struct store *store, int64_t run, GError **err)
{
	if (!store_runs(store, ret_runs, err))
		return false;
	for (guint i = 0; i < (*ret_runs)->len; i++)
		if (((const struct run_info *)(*ret_runs)->pdata[i])->id == run)
			*ret = (*ret_runs)->pdata[i];
	g_assert(*ret != NULL);
	return true;
}

static char *commit_in_plan(const char *plan, const char *version)
{
	json_t *root = plan != NULL ? json_loads(plan, 0, NULL) : NULL, *build;
	char *commit = NULL;
	size_t i;

	json_array_foreach(json_object_get(root, "builds"), i, build)
	{
		const char *name = json_string_value(json_object_get(build, "version"));
		if (commit == NULL && g_strcmp0(name, version) == 0)
			commit = g_strdup(json_string_value(json_object_get(build, "commit")));
	}
	json_decref(root);
	return commit;
}

static bool load(struct duel_side *side, const struct catalog *catalog, const struct run_info *run,
	const char *text, GError **err)
{
	g_autofree char *file = file_of(catalog, run->matrix);

	side->json = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	if (matrix_load_text(&side->matrix, file, text, catalog, err))
		return true;
	g_prefix_error(err, "%s, of run %.8s: ", side->name, run->uuid);
	return false;
}

static bool read_run(
	struct duel_side *side, struct store *store, const struct catalog *catalog, int64_t id, GError **err)
{
	const char *version = side->labels.v[LABEL_VERSION];
	g_autofree char *text = NULL, *plan = NULL;
	g_autoptr(GPtrArray) runs = NULL;
	const struct run_info *run = NULL;

	if (!find_run(&run, &runs, store, id, err) || !store_run_texts(store, &text, &plan, id, err))
		return false;
	if (run->matrix == NULL || text == NULL)
		return diag_set(err, DIAG_USAGE,
			"%s: run %.8s was stored without its matrix, so its build cannot be planned again",
			side->name, run->uuid);
	if (!load(side, catalog, run, text, err))
		return false;
	for (guint i = 0; i < side->matrix->versions->len; i++) {
		const struct version *one = side->matrix->versions->pdata[i];
		if (g_strcmp0(one->name, version) == 0)
			side->version = one;
	}
	if (side->version == NULL)
		return diag_set(err, DIAG_INPUT, "%s: the matrix of run %.8s has no version \"%s\" any more",
			side->name, run->uuid, version);
	side->version_name = g_strdup(version);
	side->commit = commit_in_plan(plan, version);
	return true;
}

static bool settle(struct duel_side *side, struct store *store, const struct catalog *catalog,
	const struct selector *terms, GError **err)
{
	g_autoptr(GArray) results = NULL;

	if (!store_results(store, &results, terms, err))
		return false;
	g_autoptr(GPtrArray) own = measured_by_us(results);
	if (own->len == 0)
		return explain_none(side->name, store, terms, err);
	if (!check_one_build(side->name, own, err))
		return false;
	const struct result *latest = latest_of(own);
	for (const int *label = duel_side_labels; *label >= 0; label++)
		side->labels.v[*label] = g_intern_string(latest->what.labels.v[*label]);
	side->revision = g_strdup(latest->what.revision);
	side->measured = benchmarks_of(own);
	return read_run(side, store, catalog, latest->run, err);
}

static bool parse_both(struct selector **ret_side, struct selector **ret_where, const struct duel_side *side,
	const char *selector, const char *where, GError **err)
{
	if (!selector_parse(ret_side, selector, err)) {
		g_prefix_error(err, "%s: ", side->name);
		return false;
	}
	if (!selector_parse(ret_where, where, err)) {
		g_prefix_error(err, "--where: ");
		return false;
	}
	return !(selector_term(*ret_side, SELECT_RUN) && selector_term(*ret_where, SELECT_RUN)) ||
	       diag_set(err, DIAG_USAGE, "run stands both in %s and in --where; give it once", side->name);
}

bool duel_side_find(struct duel_side **ret, struct store *store, const struct catalog *catalog,
	const char *name, const char *selector, const char *where, GError **err)
{
	struct duel_side *side = g_new0(struct duel_side, 1);
	struct selector *own = NULL, *both = NULL;

	side->name = name;
	bool ok = parse_both(&own, &both, side, selector, where, err);
	if (ok) {
		g_autoptr(GArray) terms = g_array_copy(both->terms);
		g_array_append_vals(terms, own->terms->data, own->terms->len);
		ok = settle(side, store, catalog, &(struct selector){.terms = terms}, err);
	}
	g_clear_pointer(&own, selector_free);
	g_clear_pointer(&both, selector_free);
	if (ok)
		*ret = side;
	else
		duel_side_free(side);
	return ok;
}

/* --- its version --- */

static json_t *debian_json(const struct version *version)
{
	const struct origin *origin = &version->origin;

	return json_pack("{s:s, s:s, s:s, s:o*}", "package", origin->package, "suite", origin->suite,
		"upstream", origin->upstream != NULL ? origin->upstream : version->name, "patches",
		origin->unpatched ? json_false() : NULL);
}

static void set_origin(json_t *object, const struct version *version)
{
	const struct origin *origin = &version->origin;

	switch (origin->kind) {
	case ORIGIN_DEBIAN:
		json_object_set_new(object, "debian", debian_json(version));
		return;
	case ORIGIN_DEBIAN_BINARY:
		json_object_set_new(object, "debian_binary", debian_json(version));
		return;
	case ORIGIN_FOLDER:
		json_object_set_new(object, "folder", json_string(origin->folder));
		return;
	case ORIGIN_TARBALL:
		json_object_set_new(object, "tarball",
			json_pack("{s:s, s:s}", "url", origin->url, "sha256", origin->sha256));
		return;
	case ORIGIN_GIT:
		json_object_set_new(object, "git",
			json_pack("{s:s, s:s}", "repository", origin->repository, "ref", origin->ref));
		return;
	}
	g_assert_not_reached();
}

json_t *duel_side_version(const struct duel_side *side)
{
	json_t *object;

	if (library_version(side->matrix->library, side->version_name) != NULL)
		return json_string(side->version_name);
	object = json_pack("{s:s}", "name", side->version_name);
	set_origin(object, side->version);
	if (side->version->settings)
		json_object_set_new(object, "settings", json_true());
	return object;
}

bool duel_side_same_source(const struct duel_side *a, const struct duel_side *b)
{
	json_t *one = duel_side_version(a), *other = duel_side_version(b);
	bool same = json_equal(one, other) && g_strcmp0(a->commit, b->commit) == 0 &&
		    g_strcmp0(a->revision, b->revision) == 0;

	json_decref(one);
	json_decref(other);
	return same;
}
