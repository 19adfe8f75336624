#include "export.h"

#include "diag.h"
#include "export_out.h"
#include "request.h"
#include "selector.h"
#include "values.h"

/* Says what there is instead, in the same runs. Returns false. */
static bool explain(struct store *store, const struct selector *selector, GError **err)
{
	const struct selector_term *run = selector_term(selector, SELECT_RUN);
	g_autoptr(GArray) only_run = g_array_new(FALSE, FALSE, sizeof(*run));
	struct selector of_run = {.terms = only_run};
	g_autoptr(GArray) all = NULL;

	if (run)
		g_array_append_vals(only_run, run, 1);
	if (!store_results(store, &all, &of_run, err))
		return false;
	g_autoptr(GPtrArray) universe = g_ptr_array_new();
	for (guint i = 0; i < all->len; i++)
		g_ptr_array_add(universe, &g_array_index(all, struct result, i));
	return request_explain_empty("the selector", selector, universe, err);
}

static bool is_emulated_time(const struct result *result)
{
	return values_time_like(result->metric) && result->what.environment == ENVIRONMENT_EMULATOR;
}

static bool choose(struct export_set *set, const struct selector *selector, GError **err)
{
	bool emulated_too = selector_term(selector, SELECT_ENVIRONMENT) != NULL;

	if (!store_results(set->store, &set->all, selector, err))
		return false;
	for (guint i = 0; i < set->all->len; i++) {
		struct result *result = &g_array_index(set->all, struct result, i);
		if (is_emulated_time(result) && !emulated_too)
			set->emulated++;
		else
			g_ptr_array_add(set->results, result);
	}
	if (set->results->len > 0)
		return true;
	if (set->emulated == 0)
		return explain(set->store, selector, err);
	return diag_set(err, DIAG_USAGE,
		"the selector takes emulated time only, which says nothing about speed; add "
		"metric=instructions, "
		"or environment=emulator to have it all the same");
}

bool export_set_make(struct export_set **ret, struct store *store, const char *selector, GError **err)
{
	struct selector *parsed = NULL;

	if (!selector_parse(&parsed, selector, err))
		return false;
	struct export_set *set = g_new0(struct export_set, 1);
	set->store = store;
	set->results = g_ptr_array_new();
	set->selector = parsed->terms->len > 0 ? selector_text(parsed) : NULL;
	bool ok = choose(set, parsed, err);
	selector_free(parsed);
	if (!ok) {
		export_set_free(set);
		return false;
	}
	*ret = set;
	return true;
}

void export_set_free(struct export_set *set)
{
	if (!set)
		return;
	if (set->all)
		g_array_unref(set->all);
	g_ptr_array_unref(set->results);
	g_free(set->selector);
	g_free(set);
}

bool export_write(struct export_count *ret, const struct exporter *exporter, const struct export_set *set,
	const struct export_options *options, const struct export_target *target, GError **err)
{
	struct export_out out = {.store = set->store, .options = options, .target = target};

	if (options->samples && !exporter->samples)
		return diag_set(err, DIAG_USAGE,
			"the format %s has no room for samples; leave --samples out, or use jsonl or go",
			exporter->name);
	out.text = g_string_new(NULL);
	exporter->write(&out, set);
	if (!out.error && out.text->len > 0)
		target->take(target->user, out.text->str, out.text->len, &out.error);
	g_string_free(out.text, TRUE);
	attempt_context_free(out.context);
	*ret = out.count;
	if (!out.error)
		return true;
	g_propagate_error(err, out.error);
	return false;
}
