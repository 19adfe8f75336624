#include "duel.h"

#include "compare.h"
#include "diag.h"
#include "duel_side.h"

#include <string.h>

#define DUEL_AGENT     "local"
#define VERSION_BEFORE "before"
#define VERSION_AFTER  "after"

/* --- what is asked for --- */

static bool check_agent(const struct agents *agents, const char *name, GError **err)
{
	const struct agent *agent = agents_find(agents, name);
	g_autoptr(GString) able = g_string_new(NULL);

	if (agent != NULL && agent->kind->modes & 1u << AGENT_TIME)
		return true;
	for (guint i = 0; i < agents->all->len; i++) {
		const struct agent *one = agents->all->pdata[i];
		if (one->kind->modes & 1u << AGENT_TIME)
			g_string_append_printf(able, "%s%s", able->len > 0 ? ", " : "", one->name);
	}
	if (agent == NULL)
		return diag_set(err, DIAG_USAGE, "--on %s: there is no such agent; programs are timed on %s",
			name, able->str);
	return diag_set(err, DIAG_USAGE,
		"--on %s: nothing is timed there, and counts are exact: `benchmatrix compare --metric "
		"instructions` "
		"tells them apart; programs are timed on %s",
		name, able->str);
}

static bool matches(char **globs, const char *name)
{
	for (; *globs != NULL; globs++)
		if (g_pattern_match_simple(*globs, name))
			return true;
	return false;
}

/* Whether the side has the benchmark as far as is known: where its matrix asked for it, it has a figure. */
static bool may_have(const struct duel_side *side, const char *name)
{
	return g_hash_table_contains(side->measured, name) || !matches(side->matrix->benchmarks, name);
}

/* Rows that are to be expected: each has its share of the error that a table may make. 0: no benchmark. */
static guint rows_of(const struct duel_side *before, const struct duel_side *after, char **globs)
{
	guint blocks = 0, rows = 0;

	while (before->matrix->blocks[blocks] != 0)
		blocks++;
	for (int i = 0; i < BENCHMARK_COUNT; i++) {
		const struct benchmark_info *info = &benchmark_infos[i];
		if (i != BENCHMARK_NULL_OPERATION && matches(globs, info->name) &&
			may_have(before, info->name) && may_have(after, info->name))
			rows += info->work == WORK_BULK ? blocks : 1;
	}
	return rows;
}

/* --- the matrix --- */

static void add_both(json_t *root, const char *key, json_t *before, json_t *after)
{
	bool equal = json_equal(before, after);
	json_t *list = json_array();

	json_array_append_new(list, before);
	if (equal)
		json_decref(after);
	else
		json_array_append_new(list, after);
	json_object_set_new(root, key, list);
}

static void add_label(json_t *root, const char *key, const struct duel *duel, enum label label)
{
	add_both(root, key, json_string(duel->before->labels.v[label]),
		json_string(duel->after->labels.v[label]));
}

static json_t *flags_of(const struct duel_side *side)
{
	const char *config = side->labels.v[LABEL_CONFIG];
	g_auto(GStrv) names = g_strsplit(config, "+", -1);
	json_t *list = json_array();

	for (char **name = names; strcmp(config, "default") != 0 && *name != NULL; name++)
		json_array_append_new(list, json_string(*name));
	return list;
}

/* Flags that the matrices add to those of the library. Those that differ under one name cannot stand side by
 * side. */
static bool add_extra_flags(json_t *root, const struct duel *duel, GError **err)
{
	json_t *before = json_object_get(duel->before->json, "extra_flags");
	json_t *after = json_object_get(duel->after->json, "extra_flags");

	if (before != NULL && after != NULL && !json_equal(before, after))
		return diag_set(err, DIAG_USAGE,
			"BEFORE and AFTER are of matrices whose extra_flags differ; one matrix has both, so "
			"give it "
			"both configurations and run it");
	if (before != NULL || after != NULL)
		json_object_set(root, "extra_flags", before != NULL ? before : after);
	return true;
}

static void add_measuring(json_t *root, const struct duel *duel, const char *agent, char **globs)
{
	const struct matrix *matrix = duel->before->matrix;
	json_t *deadlines = json_object_get(duel->before->json, "deadlines");
	json_t *benchmarks = json_array(), *blocks = json_array();

	for (char **glob = globs; *glob != NULL; glob++)
		json_array_append_new(benchmarks, json_string(*glob));
	for (const int *block = matrix->blocks; *block != 0; block++)
		json_array_append_new(blocks, json_integer(*block));
	json_object_set_new(root, "agents", json_pack("[s]", agent));
	json_object_set_new(root, "benchmarks", benchmarks);
	json_object_set_new(root, "blocks", blocks);
	json_object_set_new(root, "invocations", json_integer(duel->pairs));
	json_object_set_new(root, "budget_ms", json_integer(matrix->budget_ms));
	if (deadlines != NULL)
		json_object_set(root, "deadlines", deadlines);
}

static bool make_text(struct duel *duel, const char *agent, char **globs, GError **err)
{
	json_t *root = json_object();
	bool ok = add_extra_flags(root, duel, err);

	if (ok) {
		json_object_set_new(root, "library", json_string(duel->before->labels.v[LABEL_LIBRARY]));
		add_both(root, "versions", duel_side_version(duel->before), duel_side_version(duel->after));
		add_label(root, "toolchains", duel, LABEL_TOOLCHAIN);
		add_label(root, "profiles", duel, LABEL_PROFILE);
		add_label(root, "optimisations", duel, LABEL_OPTIMISATION);
		add_both(root, "flags", flags_of(duel->before), flags_of(duel->after));
		add_measuring(root, duel, agent, globs);
		char *text = json_dumps(root, JSON_INDENT(1));
		duel->text = g_strdup(text);
		free(text);
	}
	json_decref(root);
	return ok;
}

/* --- the sides --- */

static bool equal_labels(const struct duel *duel)
{
	for (const int *label = duel_side_labels; *label >= 0; label++)
		if (g_strcmp0(duel->before->labels.v[*label], duel->after->labels.v[*label]) != 0)
			return false;
	return true;
}

/* Two states of one version, or one build against itself, go by other names, as cells are told apart by them.
 */
static bool name_versions(struct duel *duel, GError **err)
{
	struct duel_side *before = duel->before, *after = duel->after;
	bool one_folder = before->version->origin.kind == ORIGIN_FOLDER &&
			  g_strcmp0(before->version->origin.folder, after->version->origin.folder) == 0;

	if (one_folder && g_strcmp0(before->revision, after->revision) != 0)
		return diag_set(err, DIAG_USAGE,
			"BEFORE and AFTER are states of the folder %s at different times, and only its "
			"present one can be "
			"built; `benchmatrix compare-trees` takes commits",
			before->version->origin.folder);
	if (strcmp(before->version_name, after->version_name) != 0 ||
		(!equal_labels(duel) && duel_side_same_source(before, after)))
		return true;
	g_free(before->version_name);
	g_free(after->version_name);
	before->version_name = g_strdup(VERSION_BEFORE);
	after->version_name = g_strdup(VERSION_AFTER);
	return true;
}

static bool check_library(const struct duel *duel, GError **err)
{
	const char *before = duel->before->labels.v[LABEL_LIBRARY],
		   *after = duel->after->labels.v[LABEL_LIBRARY];

	return strcmp(before, after) == 0 || diag_set(err, DIAG_USAGE,
						     "BEFORE is of library %s, AFTER of %s: a duel is of one "
						     "library; `benchmatrix compare` holds two "
						     "against each other",
						     before, after);
}

static bool prepare(
	struct duel *duel, const struct agents *agents, const struct duel_spec *spec, GError **err)
{
	const char *agent = spec->agent != NULL ? spec->agent : DUEL_AGENT;
	g_auto(GStrv) globs = spec->benchmarks != NULL ? g_strsplit(spec->benchmarks, ",", -1)
						       : g_strdupv(duel->before->matrix->benchmarks);

	if (!check_library(duel, err) || !check_agent(agents, agent, err) || !name_versions(duel, err))
		return false;
	duel->rows = rows_of(duel->before, duel->after, globs);
	if (duel->rows == 0)
		return diag_set(err, DIAG_USAGE,
			"no benchmark that both sides have is among %s (`benchmatrix list benchmarks` names "
			"them)",
			spec->benchmarks != NULL ? spec->benchmarks : "those of BEFORE's matrix");
	duel->pairs =
		spec->pairs > 0 ? spec->pairs : (int)statistics_enough_pairs(COMPARISON_ALPHA, duel->rows);
	return make_text(duel, agent, globs, err);
}

bool duel_prepare(struct duel **ret, struct store *store, const struct catalog *catalog,
	const struct duel_spec *spec, GError **err)
{
	struct duel *duel = g_new0(struct duel, 1);

	if (duel_side_find(&duel->before, store, catalog, "BEFORE", spec->before, spec->where, err) &&
		duel_side_find(&duel->after, store, catalog, "AFTER", spec->after, spec->where, err) &&
		prepare(duel, catalog->agents, spec, err)) {
		*ret = duel;
		return true;
	}
	duel_free(duel);
	return false;
}

void duel_free(struct duel *duel)
{
	if (duel == NULL)
		return;
	g_free(duel->text);
	duel_side_free(duel->before);
	duel_side_free(duel->after);
	g_free(duel);
}

/* --- the plan --- */

static bool is_of(const struct duel_side *side, const struct planned_build *build)
{
	return strcmp(build->version->name, side->version_name) == 0 &&
	       strcmp(build->config, side->labels.v[LABEL_CONFIG]) == 0 &&
	       strcmp(build->profile->name, side->labels.v[LABEL_PROFILE]) == 0 &&
	       strcmp(build->optimisation, side->labels.v[LABEL_OPTIMISATION]) == 0 &&
	       strcmp(build->toolchain->name, side->labels.v[LABEL_TOOLCHAIN]) == 0;
}

static void pin(const struct plan *plan, const struct duel_side *side)
{
	for (guint i = 0; i < plan->matrix->versions->len; i++) {
		struct version *version = plan->matrix->versions->pdata[i];
		if (version->origin.kind != ORIGIN_GIT || side->commit == NULL ||
			strcmp(version->name, side->version_name) != 0)
			continue;
		g_free(version->origin.commit);
		version->origin.commit = g_strdup(side->commit);
	}
}

static bool is_planned(const struct plan *plan, const struct duel_side *side, GError **err)
{
	for (guint i = 0; i < plan->builds->len; i++)
		if (is_of(side, plan->builds->pdata[i]))
			return true;
	const struct exclusion *first = plan->exclusions->len > 0 ? plan->exclusions->pdata[0] : NULL;
	return diag_set(err, DIAG_INPUT, "%s cannot be planned any more%s%s%s%s", side->name,
		first ? ": " : "", first ? first->what : "", first ? ": " : "", first ? first->reason : "");
}

bool duel_narrow(struct plan *plan, const void *user, GError **err)
{
	const struct duel *duel = user;

	if (!is_planned(plan, duel->before, err) || !is_planned(plan, duel->after, err))
		return false;
	for (guint i = plan->cells->len; i-- > 0;) {
		const struct planned_cell *cell = plan->cells->pdata[i];
		bool ours = is_of(duel->before, cell->build) || is_of(duel->after, cell->build);
		if (!ours || cell->mode != AGENT_TIME)
			g_ptr_array_remove_index(plan->cells, i);
	}
	for (guint i = plan->builds->len; i-- > 0;)
		if (!is_of(duel->before, plan->builds->pdata[i]) &&
			!is_of(duel->after, plan->builds->pdata[i]))
			g_ptr_array_remove_index(plan->builds, i);
	pin(plan, duel->before);
	pin(plan, duel->after);
	return true;
}

/* --- the selectors --- */

static void add_term(GString *selector, enum label label, const char *value)
{
	g_string_append_printf(selector, "%s%s=%s", selector->len > 0 ? "," : "", label_keys[label], value);
}

static void add_terms(GString *before, GString *after, enum label label, const char *first, const char *last)
{
	if (strcmp(first, last) == 0)
		return;
	add_term(before, label, first);
	add_term(after, label, last);
}

static char *config_of(const struct matrix *matrix, guint at)
{
	const struct flag_request *request = matrix->flag_sets->pdata[at];

	return config_name((const char *const *)request->names);
}

#define FIRST(list) ((list)->pdata[0])
#define LAST(list)  ((list)->pdata[(list)->len - 1])

void duel_selectors(char **ret_before, char **ret_after, const struct matrix *matrix)
{
	GString *before = g_string_new(NULL), *after = g_string_new(NULL);
	const struct version *const versions[] = {FIRST(matrix->versions), LAST(matrix->versions)};
	const struct toolchain *const toolchains[] = {FIRST(matrix->toolchains), LAST(matrix->toolchains)};
	const struct profile *const profiles[] = {FIRST(matrix->profiles), LAST(matrix->profiles)};
	char **optimisations = matrix->optimisations;
	g_autofree char *first = config_of(matrix, 0), *last = config_of(matrix, matrix->flag_sets->len - 1);

	add_terms(before, after, LABEL_VERSION, versions[0]->name, versions[1]->name);
	add_terms(before, after, LABEL_CONFIG, first, last);
	add_terms(before, after, LABEL_PROFILE, profiles[0]->name, profiles[1]->name);
	add_terms(before, after, LABEL_OPTIMISATION, optimisations[0],
		optimisations[g_strv_length(optimisations) - 1]);
	add_terms(before, after, LABEL_TOOLCHAIN, toolchains[0]->name, toolchains[1]->name);
	*ret_before = g_string_free(before, FALSE);
	*ret_after = g_string_free(after, FALSE);
}
