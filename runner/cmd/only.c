#include "only.h"

#include "diag.h"
#include "selector.h"

/* Keys are labels first, then enum selector_key. */
static bool known_before_running(int key)
{
	switch (key) {
	case LABEL_LIBRARY:
	case LABEL_VERSION:
	case LABEL_CONFIG:
	case LABEL_PROFILE:
	case LABEL_OPTIMISATION:
	case LABEL_TOOLCHAIN:
	case LABEL_INSTRUMENT:
	case SELECT_ARCH:
	case SELECT_FLAG:
		return true;
	default:
		return false;
	}
}

static bool build_taken(const struct selector *selector, const struct planned_build *build)
{
	struct selectable what = {
		.arch = build->toolchain->arch, .source = -1, .environment = -1, .kind = -1};

	what.labels.v[LABEL_LIBRARY] = build->library->name;
	what.labels.v[LABEL_VERSION] = build->version->name;
	what.labels.v[LABEL_CONFIG] = build->config;
	what.labels.v[LABEL_PROFILE] = build->profile->name;
	what.labels.v[LABEL_OPTIMISATION] = build->optimisation;
	what.labels.v[LABEL_TOOLCHAIN] = build->toolchain->name;
	what.labels.v[LABEL_INSTRUMENT] = planned_instrument(build);
	return selector_matches(selector, &what);
}

/* Cells first: they point at the builds. */
static void drop(struct plan *plan, const struct selector *selector)
{
	for (guint i = plan->cells->len; i-- > 0;) {
		const struct planned_cell *cell = plan->cells->pdata[i];
		if (!build_taken(selector, cell->build))
			g_ptr_array_remove_index(plan->cells, i);
	}
	for (guint i = plan->builds->len; i-- > 0;) {
		if (!build_taken(selector, plan->builds->pdata[i]))
			g_ptr_array_remove_index(plan->builds, i);
	}
}

bool only_apply(struct plan *plan, const char *text, GError **err)
{
	struct selector *selector;
	bool ok = true;

	if (text == NULL)
		return true;
	if (!selector_parse(&selector, text, err))
		return false;
	for (guint i = 0; ok && i < selector->terms->len; i++) {
		const struct selector_term *term = &g_array_index(selector->terms, struct selector_term, i);
		if (!known_before_running(term->key))
			ok = diag_set(err, DIAG_USAGE,
				"--only %s: a plan can be narrowed by library, version, config, profile, "
				"optimisation, toolchain, "
				"instrument, arch and flag:NAME only",
				text);
	}
	if (ok)
		drop(plan, selector);
	if (ok && plan->cells->len == 0)
		ok = diag_set(err, DIAG_USAGE,
			"--only %s takes no cell of the matrix %s; `benchmatrix plan` lists them", text,
			plan->matrix->name);
	selector_free(selector);
	return ok;
}

static bool has_cell(const struct plan *plan, const struct planned_build *build)
{
	for (guint i = 0; i < plan->cells->len; i++)
		if (((const struct planned_cell *)plan->cells->pdata[i])->build == build)
			return true;
	return false;
}

bool only_keep(struct plan *plan, bool (*takes)(const struct planned_cell *cell, const void *user),
	const void *user, GError **err)
{
	for (guint i = plan->cells->len; i-- > 0;)
		if (!takes(plan->cells->pdata[i], user))
			g_ptr_array_remove_index(plan->cells, i);
	for (guint i = plan->builds->len; i-- > 0;)
		if (!has_cell(plan, plan->builds->pdata[i]))
			g_ptr_array_remove_index(plan->builds, i);
	return plan->cells->len > 0 ||
	       diag_set(err, DIAG_USAGE, "nothing is left of the matrix %s", plan->matrix->name);
}
