#include "plan.h"

#include <jansson.h>

static json_t *build_json(const struct planned_build *build)
{
	json_t *flags = json_array();
	for (guint i = 0; i < build->flags->len; i++) {
		const struct flag *flag = build->flags->pdata[i];
		json_array_append_new(flags, json_string(flag->name));
	}
	return json_pack("{s:s, s:s, s:s, s:s*, s:s, s:s, s:s, s:s, s:s*, s:o}", "name", build->name,
		"library", build->library->name, "version", build->version->name, "commit",
		build->version->origin.commit, "toolchain", build->toolchain->name, "profile",
		build->profile->name, "optimisation", build->optimisation, "config", build->config,
		"instrument", build->tool ? build->tool->instrument : NULL, "flags", flags);
}

static json_t *cell_json(const struct planned_cell *cell)
{
	return json_pack("{s:s, s:s, s:s, s:s}", "name", cell->name, "build", cell->build->name, "agent",
		cell->agent->name, "mode", agent_mode_names[cell->mode]);
}

char *plan_text(const struct plan *plan)
{
	json_t *builds = json_array(), *cells = json_array(), *exclusions = json_array();
	for (guint i = 0; i < plan->builds->len; i++)
		json_array_append_new(builds, build_json(plan->builds->pdata[i]));
	for (guint i = 0; i < plan->cells->len; i++)
		json_array_append_new(cells, cell_json(plan->cells->pdata[i]));
	for (guint i = 0; i < plan->exclusions->len; i++) {
		const struct exclusion *exclusion = plan->exclusions->pdata[i];
		json_array_append_new(exclusions,
			json_pack("{s:s, s:s}", "what", exclusion->what, "reason", exclusion->reason));
	}
	json_t *root = json_pack("{s:s, s:o, s:o, s:o}", "matrix", plan->matrix->name, "builds", builds,
		"cells", cells, "exclusions", exclusions);
	char *text = json_dumps(root, JSON_INDENT(1));
	char *copy = g_strdup(text);
	free(text);
	json_decref(root);
	return copy;
}
