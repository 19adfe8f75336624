#include "night_changes.h"

#include <string.h>

static void free_change(gpointer data)
{
	struct night_change *change = data;

	g_ptr_array_unref(change->suspects);
	g_hash_table_unref(change->cells);
	g_clear_pointer(&change->again, g_array_unref);
	g_free(change->label);
	g_free(change->run_uuid);
	g_free(change->problem);
	g_free(change);
}

static const struct version *version_named(const struct matrix *matrix, const char *name)
{
	for (guint i = 0; i < matrix->versions->len; i++) {
		const struct version *version = matrix->versions->pdata[i];
		if (g_strcmp0(version->name, name) == 0)
			return version;
	}
	return NULL;
}

static struct night_change *change_new(
	const struct night_suspect *suspect, const struct matrix *matrix, const char *night_uuid)
{
	struct night_change *change = g_new0(struct night_change, 1);
	const char *name = suspect->after->what.labels.v[LABEL_VERSION];

	change->matrix = matrix;
	change->version = version_named(matrix, name);
	change->from = suspect->last->what.revision;
	change->to = suspect->after->what.revision;
	change->two = change->version != NULL && change->version->origin.kind == ORIGIN_GIT && change->from &&
		      change->to && strcmp(change->from, change->to) != 0;
	change->suspects = g_ptr_array_new();
	change->cells = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	change->label = g_strdup_printf("night %.8s: %s %s..%s", night_uuid, name ? name : "-",
		change->from ? change->from : "-", change->to ? change->to : "-");
	return change;
}

static bool is_of(const struct night_change *change, const struct night_suspect *suspect)
{
	return change->version != NULL &&
	       g_strcmp0(change->version->name, suspect->after->what.labels.v[LABEL_VERSION]) == 0 &&
	       g_strcmp0(change->from, suspect->last->what.revision) == 0 &&
	       g_strcmp0(change->to, suspect->after->what.revision) == 0;
}

static struct night_change *change_of(GPtrArray *changes, const struct night_suspect *suspect)
{
	for (guint i = 0; i < changes->len; i++)
		if (is_of(changes->pdata[i], suspect))
			return changes->pdata[i];
	return NULL;
}

/* --- cells --- */

static char *cell_key(const char *toolchain, const char *config, const char *profile,
	const char *optimisation, const char *agent, const char *mode)
{
	return g_strjoin("\x1f", toolchain, config, profile, optimisation, agent, mode, NULL);
}

static const struct cell_info *cell_of(const GPtrArray *cells, int64_t id)
{
	for (guint i = 0; i < cells->len; i++)
		if (((const struct cell_info *)cells->pdata[i])->id == id)
			return cells->pdata[i];
	return NULL;
}

/* A build's sizes are measured with any of its cells: their agent is "*". */
static char *key_of(const struct result *result, const GPtrArray *cells)
{
	const char *const *v = result->what.labels.v;
	const struct cell_info *cell = cell_of(cells, result->cell);
	bool place = cell != NULL && strcmp(cell->agent, "build") != 0;

	return cell_key(v[LABEL_TOOLCHAIN], v[LABEL_CONFIG], v[LABEL_PROFILE], v[LABEL_OPTIMISATION],
		place ? cell->agent : "*", place ? cell->mode : "*");
}

bool night_change_takes(const struct planned_cell *cell, const void *user)
{
	const struct night_change *change = user;
	const struct planned_build *build = cell->build;
	g_autofree char *key = cell_key(build->toolchain->name, build->config, build->profile->name,
		build->optimisation, cell->agent->name, agent_mode_names[cell->mode]);
	g_autofree char *any = cell_key(
		build->toolchain->name, build->config, build->profile->name, build->optimisation, "*", "*");

	return g_hash_table_contains(change->cells, key) || g_hash_table_contains(change->cells, any);
}

GPtrArray *night_changes(const struct night_suspects *suspects, const struct matrix *matrix,
	const GPtrArray *cells, const char *night_uuid)
{
	GPtrArray *changes = g_ptr_array_new_with_free_func(free_change);

	for (guint i = 0; i < suspects->of->len; i++) {
		const struct night_suspect *suspect = &g_array_index(suspects->of, struct night_suspect, i);
		struct night_change *change = change_of(changes, suspect);
		if (change == NULL) {
			change = change_new(suspect, matrix, night_uuid);
			g_ptr_array_add(changes, change);
		}
		g_ptr_array_add(change->suspects, (gpointer)suspect);
		g_hash_table_add(change->cells, key_of(suspect->after, cells));
	}
	return changes;
}
