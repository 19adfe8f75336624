#include "plan.h"

#include "diag.h"
#include "flags.h"

#include <string.h>

/* One version on one toolchain. */
struct place {
	struct plan *plan;
	const struct version *version;
	const struct toolchain *toolchain;
};

static void exclude(struct plan *plan, char *what, char *reason)
{
	struct exclusion *exclusion = g_new(struct exclusion, 1);
	*exclusion = (struct exclusion){.what = what, .reason = reason};
	g_ptr_array_add(plan->exclusions, exclusion);
}

static void add_cells(struct plan *plan, const struct planned_build *build)
{
	const struct matrix *matrix = plan->matrix;
	for (guint i = 0; i < matrix->agents->len; i++) {
		const struct agent *agent = matrix->agents->pdata[i];
		g_autofree char *refusal = agent_refuses(agent, &build->toolchain->target);
		for (int mode = 0; !refusal && mode < AGENT_MODE_COUNT; mode++) {
			/* What a foreign program does between its lines cannot be counted. */
			if (!(agent->kind->modes & 1u << mode) || (build->tool && mode != AGENT_TIME))
				continue;
			struct planned_cell *cell = g_new0(struct planned_cell, 1);
			cell->name = g_strdup_printf(
				"%s on %s %s", build->name, agent->name, agent_mode_names[mode]);
			cell->build = build;
			cell->agent = agent;
			cell->mode = (enum agent_mode)mode;
			g_ptr_array_add(plan->cells, cell);
		}
	}
}

static void free_build(gpointer data)
{
	struct planned_build *build = data;
	g_free(build->name);
	g_free(build->config);
	g_ptr_array_unref(build->flags);
	g_free(build);
}

static void add_build(const struct place *place, const struct profile *profile, const char *optimisation,
	const char *const *names, const struct tool *tool)
{
	const struct matrix *matrix = place->plan->matrix;
	struct planned_build *build = g_new0(struct planned_build, 1);
	build->library = matrix->library;
	build->version = place->version;
	build->toolchain = place->toolchain;
	build->profile = profile;
	build->optimisation = optimisation;
	build->tool = tool;
	build->config = config_name(names);
	build->flags = g_ptr_array_new();
	for (; *names; names++)
		g_ptr_array_add(build->flags, (gpointer)library_flag(matrix->library, *names));
	build->name = g_strdup_printf("%s %s-%s %s %s %s%s%s", build->toolchain->name, build->library->name,
		build->version->name, build->config, profile->name, optimisation, tool ? " " : "",
		tool ? tool->instrument : "");
	/* Where every agent refuses the toolchain nothing is built: its exclusions say so. */
	guint before = place->plan->cells->len;
	add_cells(place->plan, build);
	if (place->plan->cells->len > before)
		g_ptr_array_add(place->plan->builds, build);
	else
		free_build(build);
}

/* Why the library's own benchmark cannot be had here, or NULL. */
static char *tool_refused(const struct place *place)
{
	const struct matrix *matrix = place->plan->matrix;
	if (place->version->origin.kind == ORIGIN_DEBIAN_BINARY)
		return g_strdup_printf(
			"version %s comes built: it has no sources of the library's own benchmark",
			place->version->name);
	g_auto(GStrv) arguments = tool_arguments(matrix, matrix->blocks[0], NULL);
	return arguments ? NULL
			 : g_strdup_printf("%s has none of the benchmarks that the matrix names",
				   matrix->library->tool->instrument);
}

static void add_builds(const struct place *place, const struct profile *profile, const char *optimisation,
	const char *const *names)
{
	const struct matrix *matrix = place->plan->matrix;
	g_autofree char *refusal = matrix->own ? tool_refused(place) : NULL;
	if (matrix->bench_core)
		add_build(place, profile, optimisation, names, NULL);
	if (matrix->own && !refusal)
		add_build(place, profile, optimisation, names, matrix->library->tool);
}

/* Why nothing of a version can be had on a toolchain, or NULL. */
static char *place_refused(const struct place *place)
{
	const struct library *library = place->plan->matrix->library;
	const struct toolchain *toolchain = place->toolchain;
	bool prebuilt = place->version->origin.kind == ORIGIN_DEBIAN_BINARY;
	if (prebuilt && !toolchain->debian_arch)
		return g_strdup_printf("version %s is built by Debian, and toolchain %s names none of its "
				       "architectures (debian_arch)",
			place->version->name, toolchain->name);
	if (toolchain->bare && !place->version->settings)
		return g_strdup_printf("toolchain %s has no operating system: for it only versions are built "
				       "that need no configure (\"settings\")",
			toolchain->name);
	if (!prebuilt && library->recipe_on->len && !library_recipe_on(library, toolchain->arch))
		return g_strdup_printf(
			"recipe %s: its \"on\" does not list %s", library->recipe, toolchain->arch);
	return NULL;
}

/* Why a version that comes built cannot have this configuration, or NULL. */
static char *prebuilt_refused(const struct place *place, const char *config, const char *optimisation)
{
	const char *version = place->version->name;
	if (place->version->origin.kind != ORIGIN_DEBIAN_BINARY)
		return NULL;
	if (strcmp(config, "default") != 0)
		return g_strdup_printf("version %s comes built: it has no flags", version);
	if (strcmp(optimisation, "library") != 0)
		return g_strdup_printf(
			"version %s comes built: its optimisation is \"library\" alone", version);
	return NULL;
}

/* Why a version that is built without configure cannot have a profile, or NULL. */
static char *profile_refused(const struct place *place, const struct profile *profile)
{
	if (!place->version->settings || profile->defines[0])
		return NULL;
	return g_strdup_printf("profile %s: version %s is built from defines, and it gives none",
		profile->name, place->version->name);
}

/* The same of a set of flags. */
static char *defines_refused(const struct place *place, const char *const *names)
{
	for (; place->version->settings && *names; names++) {
		const struct flag *flag = library_flag(place->plan->matrix->library, *names);
		if (flag->configure[0] && !flag->defines[0])
			return g_strdup_printf("flag %s: version %s is built from defines, and it gives none",
				flag->name, place->version->name);
	}
	return NULL;
}

/* Why a toolchain cannot have an optimisation, or NULL. */
static char *optimisation_refused(const struct place *place, const char *optimisation)
{
	if (!g_str_has_suffix(optimisation, " -flto") || place->toolchain->lto)
		return NULL;
	return g_strdup_printf("optimisation %s: toolchain %s does not say that it links such objects (lto)",
		optimisation, place->toolchain->name);
}

/* Takes the reason; nothing where there is none. */
static void exclude_at(const struct place *place, const char *what, char *reason)
{
	if (reason)
		exclude(place->plan,
			g_strdup_printf("%s %s-%s %s", place->toolchain->name,
				place->plan->matrix->library->name, place->version->name, what),
			reason);
}

/* What no set of flags can have here is said once. */
static void exclude_axes(const struct place *place)
{
	const struct matrix *matrix = place->plan->matrix;
	for (guint i = 0; i < matrix->profiles->len; i++) {
		const struct profile *profile = matrix->profiles->pdata[i];
		exclude_at(place, profile->name, profile_refused(place, profile));
	}
	for (char **optimisation = matrix->optimisations; *optimisation; optimisation++)
		exclude_at(place, *optimisation, optimisation_refused(place, *optimisation));
	if (matrix->own)
		exclude_at(place, matrix->library->tool->instrument, tool_refused(place));
}

static void plan_build(const struct place *place, const struct profile *profile, const char *optimisation,
	const char *const *names)
{
	g_autofree char *config = config_name(names);
	g_autofree char *said = optimisation_refused(place, optimisation);
	if (!said)
		said = profile_refused(place, profile);
	if (said)
		return;
	char *refusal = prebuilt_refused(place, config, optimisation);
	if (refusal)
		exclude(place->plan,
			g_strdup_printf("%s %s-%s {%s} %s", place->toolchain->name,
				place->plan->matrix->library->name, place->version->name, config,
				optimisation),
			refusal);
	else
		add_builds(place, profile, optimisation, names);
}

/* Plans a set at each profile and optimisation, or says why not. */
static void plan_set(const struct place *place, uint64_t set)
{
	const struct matrix *matrix = place->plan->matrix;
	g_autofree const char **names = flags_names(matrix->library, set);
	char *refusal = flags_set_refused(matrix->library, place->version->name, place->toolchain, set);
	if (!refusal)
		refusal = defines_refused(place, names);
	if (refusal) {
		g_autofree char *config = config_name(names);
		exclude(place->plan,
			g_strdup_printf("%s %s-%s {%s}", place->toolchain->name, matrix->library->name,
				place->version->name, config),
			refusal);
		return;
	}
	for (guint i = 0; i < matrix->profiles->len; i++) {
		for (char **optimisation = matrix->optimisations; *optimisation; optimisation++)
			plan_build(place, matrix->profiles->pdata[i], *optimisation, names);
	}
}

/* Every subset of some flags. One that implies further ones of them stays as it is, to be refused: its
 * closure comes by itself. One that implies only flags beyond them is closed. */
static GArray *all_sets(const struct matrix *matrix)
{
	GArray *sets = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	uint64_t among = flags_set(matrix->library, (const char *const *)matrix->flags_of);
	uint64_t subset = 0;
	do {
		uint64_t closed = flags_closed(matrix->library, subset);
		g_array_append_val(sets, *((closed & among) == subset ? &closed : &subset));
		subset = (subset - among) & among; /* the next subset, counting in the bits of `among` */
	} while (subset);
	return sets;
}

/* The sets that were asked for, closed, each once. */
static GArray *named_sets(const struct matrix *matrix)
{
	GArray *sets = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	for (guint i = 0; i < matrix->flag_sets->len; i++) {
		const struct flag_request *request = matrix->flag_sets->pdata[i];
		uint64_t set = flags_closed(
			matrix->library, flags_set(matrix->library, (const char *const *)request->names));
		bool again = false;
		for (guint j = 0; j < sets->len; j++)
			again |= g_array_index(sets, uint64_t, j) == set;
		if (!again)
			g_array_append_val(sets, set);
	}
	return sets;
}

static void plan_builds(struct plan *plan)
{
	const struct matrix *matrix = plan->matrix;
	g_autoptr(GArray) sets = matrix->all_flags ? all_sets(matrix) : named_sets(matrix);
	for (guint v = 0; v < matrix->versions->len; v++) {
		for (guint t = 0; t < matrix->toolchains->len; t++) {
			struct place place = {plan, matrix->versions->pdata[v], matrix->toolchains->pdata[t]};
			char *refusal = place_refused(&place);
			if (refusal)
				exclude(plan,
					g_strdup_printf("%s %s-%s", place.toolchain->name,
						matrix->library->name, place.version->name),
					refusal);
			else
				exclude_axes(&place);
			for (guint i = 0; i < sets->len && !refusal; i++)
				plan_set(&place, g_array_index(sets, uint64_t, i));
		}
	}
}

static void exclude_agents(struct plan *plan)
{
	const struct matrix *matrix = plan->matrix;
	for (guint t = 0; t < matrix->toolchains->len; t++) {
		const struct toolchain *toolchain = matrix->toolchains->pdata[t];
		for (guint i = 0; i < matrix->agents->len; i++) {
			const struct agent *agent = matrix->agents->pdata[i];
			g_autofree char *refusal = agent_refuses(agent, &toolchain->target);
			if (refusal)
				exclude(plan, g_strdup_printf("%s on %s", toolchain->name, agent->name),
					g_strdup_printf("%s: %s", agent->name, refusal));
		}
	}
}

static void free_exclusion(gpointer data)
{
	struct exclusion *exclusion = data;
	g_free(exclusion->what);
	g_free(exclusion->reason);
	g_free(exclusion);
}

static void free_cell(gpointer data)
{
	struct planned_cell *cell = data;
	g_free(cell->name);
	g_free(cell);
}

bool plan_make(struct plan **ret, const struct matrix *matrix, GError **err)
{
	struct plan *plan = g_new0(struct plan, 1);
	plan->matrix = matrix;
	plan->builds = g_ptr_array_new_with_free_func(free_build);
	plan->cells = g_ptr_array_new_with_free_func(free_cell);
	plan->exclusions = g_ptr_array_new_with_free_func(free_exclusion);
	plan_builds(plan);
	exclude_agents(plan);
	if (plan->cells->len > 0) {
		*ret = plan;
		return true;
	}
	const struct exclusion *first = plan->exclusions->pdata[0];
	diag_set(err, DIAG_INPUT, "%s: nothing is left of this matrix: all is excluded, first %s (%s)",
		matrix->file, first->what, first->reason);
	plan_free(plan);
	return false;
}

void plan_free(struct plan *plan)
{
	if (!plan)
		return;
	g_ptr_array_unref(plan->cells);
	g_ptr_array_unref(plan->builds);
	g_ptr_array_unref(plan->exclusions);
	g_free(plan);
}
