#include "join.h"

#include "diag.h"
#include "doubts.h"
#include "evidence.h"
#include "values.h"

#include <math.h>
#include <string.h>

/* One side on its way into the join. */
struct side {
	const char *name; /* "BEFORE" */
	const struct selector *selector, *other;
	GPtrArray *results; /* const struct result * */
	GPtrArray *keys;    /* char *: join key of each result */
	GHashTable *by_key; /* join key -> const struct result * */
	guint emulated_left_out;
};

static void side_clear(struct side *side)
{
	g_clear_pointer(&side->by_key, g_hash_table_unref);
	g_clear_pointer(&side->keys, g_ptr_array_unref);
	g_clear_pointer(&side->results, g_ptr_array_unref);
}

static char *side_text(const struct side *side)
{
	g_autofree char *text = selector_text(side->selector);

	return g_strdup_printf("%s (%s)", side->name, *text ? text : "everything");
}

static const char *unusable(double value)
{
	if (isnan(value))
		return "unknown";
	if (isinf(value))
		return "not finite";
	if (value < 0)
		return "negative";
	return value > 0 ? NULL : "zero";
}

double comparison_ratio(double before, double after, enum better better, char **ret_why)
{
	const char *wrong_before = unusable(before), *wrong_after = unusable(after);
	double ratio = better == BETTER_LOWER ? before / after : after / before;
	char *why = NULL;

	if (wrong_before && wrong_after)
		why = g_strdup_printf("no ratio: before is %s, after is %s", wrong_before, wrong_after);
	else if (wrong_before || wrong_after)
		why = g_strdup_printf("no ratio: %s is %s", wrong_before ? "before" : "after",
			wrong_before ? wrong_before : wrong_after);
	else if (!isfinite(ratio) || ratio <= 0)
		why = g_strdup("no ratio: it is out of range");
	if (ret_why)
		*ret_why = g_strdup(why);
	ratio = why ? NAN : ratio;
	g_free(why);
	return ratio;
}

enum verdict comparison_verdict(double before, double after, enum better better)
{
	if (isnan(before) || isnan(after))
		return VERDICT_NONE;
	if (before == after)
		return VERDICT_EQUAL;
	return (after < before) == (better == BETTER_LOWER) ? VERDICT_BETTER : VERDICT_WORSE;
}

static bool asks(const struct comparison_request *request, enum selector_key key)
{
	return selector_term(request->before, key) || selector_term(request->after, key) ||
	       selector_term(request->where, key);
}

/* Keeps what may be compared: all, but for emulated time that nobody asked for. */
static bool pick(
	struct side *side, const GArray *results, const struct comparison_request *request, GError **err)
{
	bool leave_out = values_time_like(request->metric) && !asks(request, SELECT_ENVIRONMENT);
	g_autofree char *text = side_text(side);

	side->results = g_ptr_array_new();
	for (guint i = 0; i < results->len; i++) {
		struct result *result = &g_array_index(results, struct result, i);

		if (leave_out && result->what.environment == ENVIRONMENT_EMULATOR)
			side->emulated_left_out++;
		else
			g_ptr_array_add(side->results, result);
	}
	if (side->results->len > 0)
		return true;
	if (side->emulated_left_out > 0)
		return diag_set(err, DIAG_USAGE,
			"%s has emulated %s only, which says nothing about speed; compare with --metric "
			"instructions, or add "
			"environment=emulator to see it all the same",
			text, metric_infos[request->metric].name);
	return diag_set(err, DIAG_USAGE, "%s takes no result of the metric %s", text,
		metric_infos[request->metric].name);
}

static char *join_key(const struct result *result, const bool *joined)
{
	GString *key = g_string_sized_new(256);

	for (int i = 0; i < LABEL_COUNT; i++) {
		const char *value = result->what.labels.v[i];

		if (!joined[i])
			continue;
		/* A value begins with "+", so that an absent label is none of them. */
		g_string_append_c(key, value ? '+' : '-');
		g_string_append(key, value ? value : "");
		g_string_append_c(key, '\x1f');
	}
	return g_string_free(key, FALSE);
}

/* The terms that stand on both sides alike: the user most likely meant to narrow both. */
static char *equal_terms(const struct side *side)
{
	GString *list = g_string_new(NULL);

	for (guint i = 0; i < side->selector->terms->len; i++) {
		g_autofree char *mine =
			values_term_text(&g_array_index(side->selector->terms, struct selector_term, i));

		for (guint k = 0; k < side->other->terms->len; k++) {
			g_autofree char *theirs =
				values_term_text(&g_array_index(side->other->terms, struct selector_term, k));

			if (strcmp(mine, theirs) == 0)
				g_string_append_printf(list, "%s%s", list->len > 0 ? "," : "", mine);
		}
	}
	return g_string_free(list, FALSE);
}

static bool ambiguous(const struct side *side, GPtrArray *same, GError **err)
{
	g_autofree char *example = NULL, *equal = equal_terms(side), *text = side_text(side);
	g_autofree char *differing = values_differing(same, &example);
	g_autofree char *benchmark = values_benchmark(same->pdata[0]);
	g_autofree char *hint = NULL;

	if (*equal)
		hint = g_strdup_printf("; %s stands on both sides: give it by --where to narrow both and "
				       "keep its rows apart",
			equal);
	return diag_set(err, DIAG_USAGE,
		"%s takes %u results for one row (%s); they differ in %s; add a term that picks one, such as "
		"%s%s",
		text, same->len, benchmark, differing, example, hint ? hint : "");
}

/* The results of a side that share a join key. */
static GPtrArray *sharing(const struct side *side, const char *key)
{
	GPtrArray *same = g_ptr_array_new();

	for (guint i = 0; i < side->results->len; i++)
		if (strcmp(side->keys->pdata[i], key) == 0)
			g_ptr_array_add(same, side->results->pdata[i]);
	return same;
}

static bool index_side(struct side *side, const bool *joined, GError **err)
{
	side->keys = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; i < side->results->len; i++)
		g_ptr_array_add(side->keys, join_key(side->results->pdata[i], joined));
	side->by_key = g_hash_table_new(g_str_hash, g_str_equal);
	for (guint i = 0; i < side->results->len; i++) {
		const struct result *result = side->results->pdata[i];
		const struct result *older = g_hash_table_lookup(side->by_key, side->keys->pdata[i]);
		g_autoptr(GPtrArray) same = NULL;
		g_autofree char *example = NULL, *differing = NULL;

		if (older) {
			same = sharing(side, side->keys->pdata[i]);
			differing = values_differing(same, &example);
		}
		if (differing)
			return ambiguous(side, same, err);
		/* Several attempts at the same thing: the latest counts. */
		if (!older || older->started_at < result->started_at)
			g_hash_table_insert(side->by_key, side->keys->pdata[i], (struct result *)result);
	}
	return true;
}

static void row_free(gpointer data)
{
	struct comparison_row *row = data;

	g_ptr_array_unref(row->notes);
	g_free(row);
}

static bool both_exact(const struct result *before, const struct result *after)
{
	return metric_infos[before->metric].assume == ASSUME_EXACT && before->what.kind == KIND_EXACT &&
	       after->what.kind == KIND_EXACT;
}

static struct comparison_row *row_new(const struct result *before, const struct result *after)
{
	struct comparison_row *row = g_new0(struct comparison_row, 1);
	enum better better = metric_infos[before->metric].better;
	double from = figure_value(&before->figure), to = figure_value(&after->figure);
	char *why = NULL;

	row->before = before;
	row->after = after;
	row->notes = g_ptr_array_new_with_free_func(g_free);
	row->verdict = VERDICT_NONE;
	row->evidence = evidence_none;
	for (int i = 0; i < LABEL_COUNT; i++)
		if (g_strcmp0(before->what.labels.v[i], after->what.labels.v[i]) == 0)
			row->labels.v[i] = before->what.labels.v[i];
	if (g_strcmp0(row->labels.v[LABEL_BENCHMARK], benchmark_infos[BENCHMARK_NULL_OPERATION].name) == 0) {
		row->ratio = NAN;
		why = g_strdup("no ratio: no library in it");
	} else if (values_work(before) != values_work(after)) {
		row->ratio = NAN;
		why = g_strdup("no ratio: one is per byte, the other per operation");
	} else {
		row->ratio = comparison_ratio(from, to, better, &why);
		if (both_exact(before, after))
			row->verdict = comparison_verdict(from, to, better);
	}
	if (why)
		g_ptr_array_add(row->notes, why);
	return row;
}

static void join_rows(struct comparison *comparison, const struct side *before, const struct side *after)
{
	for (guint i = 0; i < before->results->len; i++) {
		const struct result *result = before->results->pdata[i];
		const struct result *partner = g_hash_table_lookup(after->by_key, before->keys->pdata[i]);

		if (g_hash_table_lookup(before->by_key, before->keys->pdata[i]) != result)
			continue;
		if (partner)
			g_ptr_array_add(comparison->rows, row_new(result, partner));
		else
			g_ptr_array_add(comparison->only_before, (struct result *)result);
	}
	for (guint i = 0; i < after->results->len; i++) {
		const struct result *result = after->results->pdata[i];

		if (g_hash_table_lookup(after->by_key, after->keys->pdata[i]) == result &&
			!g_hash_table_contains(before->by_key, after->keys->pdata[i]))
			g_ptr_array_add(comparison->only_after, (struct result *)result);
	}
}

/* Which labels tell the rows apart, and which all share. */
static void sort_labels(struct comparison *comparison)
{
	const struct comparison_row *first = comparison->rows->len > 0 ? comparison->rows->pdata[0] : NULL;

	for (int l = 0; first && l < LABEL_COUNT; l++) {
		const char *before = first->before->what.labels.v[l], *after = first->after->what.labels.v[l];

		for (guint i = 1; i < comparison->rows->len; i++) {
			const struct comparison_row *row = comparison->rows->pdata[i];

			if (g_strcmp0(before, row->before->what.labels.v[l]) != 0 ||
				g_strcmp0(after, row->after->what.labels.v[l]) != 0)
				comparison->shown[l] = true;
		}
		if (!comparison->shown[l] && g_strcmp0(before, after) == 0)
			comparison->common.v[l] = before;
	}
}

/* Why no result has a partner: the joined labels of which the sides have no value in common. */
static void say_why_empty(struct comparison *comparison, const struct side *before, const struct side *after,
	const bool *joined)
{
	g_autoptr(GString) apart = g_string_new(NULL);

	for (int l = 0; l < LABEL_COUNT; l++) {
		g_autoptr(GPtrArray) ours = values_distinct(before->results, l);
		g_autoptr(GPtrArray) theirs = values_distinct(after->results, l);
		g_autofree char *our_list = values_list(ours), *their_list = values_list(theirs);
		bool meet = !joined[l];

		for (guint i = 0; i < ours->len; i++)
			meet |= g_ptr_array_find_with_equal_func(theirs, ours->pdata[i], g_str_equal, NULL);
		if (!meet)
			g_string_append_printf(apart, "%s%s (%s against %s)", apart->len > 0 ? ", " : "",
				label_keys[l], our_list, their_list);
	}
	char *why = apart->len > 0
			    ? g_strdup_printf("no result has a partner: the sides differ in %s; name that "
					      "label on both sides",
				      apart->str)
			    : g_strdup("no result has a partner");
	g_ptr_array_add(comparison->notes, why);
	comparison->unmet = why;
}

static struct comparison *comparison_new(
	GArray *before, GArray *after, const struct comparison_request *request)
{
	struct comparison *comparison = g_new0(struct comparison, 1);

	comparison->metric = request->metric;
	comparison->rows = g_ptr_array_new_with_free_func(row_free);
	comparison->only_before = g_ptr_array_new();
	comparison->only_after = g_ptr_array_new();
	comparison->notes = g_ptr_array_new_with_free_func(g_free);
	comparison->before_text = selector_text(request->before);
	comparison->after_text = selector_text(request->after);
	comparison->before = g_array_ref(before);
	comparison->after = g_array_ref(after);
	comparison->geomean = NAN;
	return comparison;
}

void comparison_free(struct comparison *comparison)
{
	if (!comparison)
		return;
	g_ptr_array_unref(comparison->rows);
	g_ptr_array_unref(comparison->only_before);
	g_ptr_array_unref(comparison->only_after);
	g_ptr_array_unref(comparison->notes);
	g_free(comparison->before_text);
	g_free(comparison->after_text);
	g_array_unref(comparison->before);
	g_array_unref(comparison->after);
	g_free(comparison);
}

/* Emulated as soon as one result is. */
static enum environment environment_of(const GPtrArray *results)
{
	bool seen[ENVIRONMENT_COUNT + 1] = {false};

	for (guint i = 0; i < results->len; i++) {
		int environment = ((const struct result *)results->pdata[i])->what.environment;

		seen[environment < 0 ? ENVIRONMENT_UNKNOWN : environment] = true;
	}
	if (seen[ENVIRONMENT_EMULATOR])
		return ENVIRONMENT_EMULATOR;
	return seen[ENVIRONMENT_UNKNOWN] ? ENVIRONMENT_UNKNOWN : ENVIRONMENT_HARDWARE;
}

/* Whether each side is of libraries that the other side has none of, and was asked for as such. */
static bool libraries_differ(
	const struct side *before, const struct side *after, const struct comparison_request *request)
{
	g_autoptr(GPtrArray) ours = values_distinct(before->results, (enum selector_key)LABEL_LIBRARY);
	g_autoptr(GPtrArray) theirs = values_distinct(after->results, (enum selector_key)LABEL_LIBRARY);

	if (!selector_names(request->before, LABEL_LIBRARY) || !selector_names(request->after, LABEL_LIBRARY))
		return false;
	for (guint i = 0; i < ours->len; i++)
		if (g_ptr_array_find_with_equal_func(theirs, ours->pdata[i], g_str_equal, NULL))
			return false;
	return true;
}

/* On which labels the sides are joined: those that no side names. What a version, a configuration or a
 * profile is, and what -O level a library is built with, is each library's own: of two libraries they are not
 * held against each other, and a side with several of them for one row is ambiguous. */
static void choose_joined(bool *ret, struct comparison *comparison, const struct side *before,
	const struct side *after, const struct comparison_request *request)
{
	static const enum label own[] = {LABEL_VERSION, LABEL_CONFIG, LABEL_PROFILE, LABEL_OPTIMISATION};

	for (int l = 0; l < LABEL_COUNT; l++)
		ret[l] = !selector_names(request->before, l) && !selector_names(request->after, l);
	if (!libraries_differ(before, after, request))
		return;
	for (size_t i = 0; i < G_N_ELEMENTS(own); i++)
		ret[own[i]] = false;
	g_ptr_array_add(comparison->notes,
		g_strdup("the libraries differ: version, config, profile and optimisation of one are not "
			 "held against those of the other"));
}

static bool join_sides(struct comparison *comparison, struct side *before, struct side *after,
	const struct comparison_request *request, GError **err)
{
	const struct selector *const selectors[] = {request->before, request->after, request->where, NULL};
	g_autoptr(GPtrArray) all = NULL;
	guint left_out = before->emulated_left_out + after->emulated_left_out;
	bool joined[LABEL_COUNT];

	doubts_prefer_own(before->results, selectors, comparison->notes);
	doubts_prefer_own(after->results, selectors, comparison->notes);
	all = g_ptr_array_copy(before->results, NULL, NULL);
	g_ptr_array_extend(all, after->results, NULL, NULL);
	choose_joined(joined, comparison, before, after, request);
	if (!doubts_origins(all, selectors, true, comparison->notes, err) ||
		!index_side(before, joined, err) || !index_side(after, joined, err))
		return false;
	comparison->environment = environment_of(all);
	join_rows(comparison, before, after);
	sort_labels(comparison);
	comparison->geomean = comparison_geomean(comparison->rows);
	if (comparison->rows->len == 0)
		say_why_empty(comparison, before, after, joined);
	doubts_left_out(comparison->notes, left_out);
	doubts_comparison(comparison);
	return true;
}

bool comparison_join(struct comparison **ret, GArray *before, GArray *after,
	const struct comparison_request *request, GError **err)
{
	struct side from = {.name = "BEFORE", .selector = request->before, .other = request->after};
	struct side to = {.name = "AFTER", .selector = request->after, .other = request->before};
	struct comparison *comparison = comparison_new(before, after, request);
	bool done = pick(&from, before, request, err) && pick(&to, after, request, err) &&
		    join_sides(comparison, &from, &to, request, err);

	side_clear(&from);
	side_clear(&to);
	if (done)
		*ret = comparison;
	else
		comparison_free(comparison);
	return done;
}
