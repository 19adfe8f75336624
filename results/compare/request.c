#include "request.h"

#include "diag.h"
#include "values.h"

#include <string.h>

static bool metric_named(enum metric *ret, const char *name, GError **err)
{
	const char *names[METRIC_COUNT + 1] = {NULL};
	g_autofree char *list = NULL;
	const char *nearest;
	int found = metric_find(name);

	for (int i = 0; i < METRIC_COUNT; i++)
		names[i] = metric_infos[i].name;
	if (found < 0) {
		nearest = diag_nearest(name, names);
		list = g_strjoinv(", ", (char **)names);
		return diag_set(err, DIAG_USAGE, "unknown metric \"%s\"%s%s%s; the metrics are %s", name,
			nearest ? "; did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "",
			list);
	}
	*ret = found;
	return true;
}

bool request_metric(enum metric *ret, const char *name, const struct selector *const *selectors, GError **err)
{
	for (; *selectors; selectors++) {
		const struct selector_term *term = selector_term(*selectors, (enum selector_key)LABEL_METRIC);

		if (term && name && strcmp(term->pattern, name) != 0)
			return diag_set(err, DIAG_USAGE,
				"two metrics are asked for, %s and %s; one table shows one metric", name,
				term->pattern);
		if (term)
			name = term->pattern;
	}
	return metric_named(ret, name ? name : metric_infos[METRIC_TIME].name, err);
}

static void add_terms(GArray *terms, const struct selector *selector)
{
	if (selector && selector->terms->len > 0)
		g_array_append_vals(terms, selector->terms->data, selector->terms->len);
}

bool request_explain_empty(
	const char *name, const struct selector *terms, const GPtrArray *universe, GError **err)
{
	g_autoptr(GPtrArray) left = g_ptr_array_copy((GPtrArray *)universe, NULL, NULL);
	g_autoptr(GString) so_far = g_string_new(NULL);

	if (universe->len == 0)
		return diag_set(err, DIAG_USAGE,
			"%s takes no result: there are none to choose from; run a matrix first, or import "
			"figures that count (`benchmatrix list readings` tells why one does not)",
			name);
	for (guint i = 0; i < terms->terms->len; i++) {
		struct selector_term *term = &g_array_index(terms->terms, struct selector_term, i);
		g_autoptr(GArray) one = g_array_new(FALSE, FALSE, sizeof(*term));
		struct selector alone = {.terms = one};
		g_autoptr(GPtrArray) taken = g_ptr_array_new();
		g_autofree char *text = values_term_text(term), *key = values_key_text(term);

		g_array_append_vals(one, term, 1);
		for (guint k = 0; k < left->len; k++)
			if (selector_matches(&alone, &((const struct result *)left->pdata[k])->what))
				g_ptr_array_add(taken, left->pdata[k]);
		if (taken->len == 0) {
			g_autoptr(GPtrArray) values = values_distinct(left, term->key);
			g_autofree char *list = values_list(values);

			return diag_set(err, DIAG_USAGE,
				"%s takes no result: %s holds for none%s%s; there is %s: %s", name, text,
				so_far->len > 0 ? " of those with " : "", so_far->str,
				term->key == SELECT_FLAG ? "config" : key, list);
		}
		g_string_append_printf(so_far, "%s%s", so_far->len > 0 ? "," : "", text);
		g_ptr_array_unref(g_steal_pointer(&left));
		left = g_steal_pointer(&taken);
	}
	return diag_set(err, DIAG_USAGE, "%s takes no result", name);
}

/* All there is in the same runs. */
static bool explain(struct store *store, const char *name, const struct selector *terms, GError **err)
{
	const struct selector_term *run = selector_term(terms, SELECT_RUN);
	g_autoptr(GArray) only_run = g_array_new(FALSE, FALSE, sizeof(*run));
	struct selector of_run = {.terms = only_run};
	g_autoptr(GArray) results = NULL;
	g_autoptr(GPtrArray) universe = NULL;

	if (run)
		g_array_append_vals(only_run, run, 1);
	if (!store_results(store, &results, &of_run, err))
		return false;
	universe = values_pointers(results);
	return request_explain_empty(name, terms, universe, err);
}

bool request_results(GArray **ret, struct store *store, const char *name, const struct selector *side,
	const struct selector *where, enum metric metric, GError **err)
{
	struct selector_term of_metric = {
		.key = (enum selector_key)LABEL_METRIC, .pattern = (char *)metric_infos[metric].name};
	g_autoptr(GArray) terms = g_array_new(FALSE, FALSE, sizeof(of_metric));
	struct selector all = {.terms = terms};
	g_autoptr(GArray) results = NULL;

	if (where && selector_term(where, SELECT_RUN) && selector_term(side, SELECT_RUN))
		return diag_set(err, DIAG_USAGE, "run stands both in %s and in --where; give it once", name);
	g_array_append_val(terms, of_metric);
	add_terms(terms, where);
	add_terms(terms, side);
	if (!store_results(store, &results, &all, err))
		return false;
	if (results->len == 0)
		return explain(store, name, &all, err);
	*ret = g_steal_pointer(&results);
	return true;
}
