#include "tables_footer.h"

#include "figures.h"
#include "provenance.h"
#include "tables.h"
#include "values.h"

#include <math.h>
#include <string.h>

GPtrArray *comparison_side(const struct comparison *comparison, bool before)
{
	GPtrArray *results = g_ptr_array_new();

	for (guint i = 0; i < comparison->rows->len; i++) {
		const struct comparison_row *row = comparison->rows->pdata[i];

		g_ptr_array_add(results, (struct result *)(before ? row->before : row->after));
	}
	return results;
}

bool comparison_has_range(const struct comparison *comparison)
{
	for (guint i = 0; i < comparison->rows->len; i++) {
		const struct comparison_row *row = comparison->rows->pdata[i];

		if (figures_has_range(row->before) || figures_has_range(row->after))
			return true;
	}
	return false;
}

char *comparison_ratio_title(const struct comparison *comparison)
{
	const struct metric_info *info = &metric_infos[comparison->metric];
	bool elapsed = comparison->metric == METRIC_TIME;

	if (!values_time_like(comparison->metric) || comparison->environment == ENVIRONMENT_HARDWARE)
		return g_strdup(info->ratio_word);
	return g_strconcat(comparison->environment == ENVIRONMENT_EMULATOR ? "emulated " : "",
		elapsed ? "time ratio" : info->ratio_word, NULL);
}

char *comparison_all_too_few(const struct comparison *comparison)
{
	g_autofree char *first = NULL;

	for (guint i = 0; i < comparison->rows->len; i++) {
		const struct comparison_row *row = comparison->rows->pdata[i];
		g_autofree char *text = comparison_too_few(row);

		if (row->evidence.n_before == 0)
			continue;
		if (!text || (first && strcmp(text, first) != 0))
			return NULL;
		if (!first)
			first = g_steal_pointer(&text);
	}
	return g_steal_pointer(&first);
}

/* --- lines --- */

/* Of the groups, where there are several; of families only where they are fewer than the rows. */
static void add_group_means(struct table *table, const struct comparison *comparison, const char *asked)
{
	const char *key = asked ? asked : "family";
	g_autoptr(GPtrArray) groups = arrange_groups(comparison, key);
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < groups->len; i++) {
		const struct arrange_group *group = groups->pdata[i];
		g_autofree char *ratio = ratio_text(group->geomean, false);

		g_string_append_printf(text, "%s%s %s (%u)", i > 0 ? ", " : "", group->name, ratio, group->n);
	}
	if (groups->len > 1 && (asked || groups->len < comparison->rows->len))
		table_add_footer(table, "geometric mean by %s: %s", key, text->str);
}

static void add_geomean(struct table *table, const struct comparison *comparison)
{
	g_autofree char *text = ratio_text(comparison->geomean, false);
	guint n = 0;

	for (guint i = 0; i < comparison->rows->len; i++)
		n += !isnan(((const struct comparison_row *)comparison->rows->pdata[i])->ratio);
	if (n > 0)
		table_add_footer(table, "geometric mean of %u: %s", n, text);
	if (n < comparison->rows->len)
		table_add_footer(table, "without a ratio: %u of %u rows", comparison->rows->len - n,
			comparison->rows->len);
}

static void add_partnerless(struct table *table, const char *side, const GPtrArray *results)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *list = NULL;

	for (guint i = 0; i < results->len; i++) {
		char *name = values_benchmark(results->pdata[i]);

		if (g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL))
			g_free(name);
		else
			g_ptr_array_add(names, name);
	}
	list = values_list(names);
	if (results->len > 0)
		table_add_footer(table, "%s alone: %u without a partner (%s)", side, results->len, list);
}

/* One side: what was asked, what it came to, and where it comes from. */
static void add_side(struct table *table, const struct comparison *comparison, bool before)
{
	const char *asked = before ? comparison->before_text : comparison->after_text;
	g_autoptr(GPtrArray) results = comparison_side(comparison, before);
	bool chosen[LABEL_COUNT];
	g_autofree char *labels = NULL, *provenance = NULL;

	if (results->len == 0)
		return;
	for (int l = 0; l < LABEL_COUNT; l++) {
		const struct result *first = results->pdata[0];

		chosen[l] = !comparison->shown[l] && !comparison->common.v[l] && first->what.labels.v[l];
	}
	labels = provenance_varying(results, chosen);
	provenance = provenance_text(results);
	table_add_footer(table, "%s: %s%s%s; %s", before ? "before" : "after", *asked ? asked : "everything",
		*labels && strcmp(labels, asked) != 0 ? ": " : "", strcmp(labels, asked) != 0 ? labels : "",
		provenance);
}

/* What a ratio above 1 means, and how verdicts come about. */
static void add_method(struct table *table, const struct comparison *comparison)
{
	static const char *const corrections[CORRECTION_COUNT] = {
		[CORRECTION_HOLM] = "corrected for them by Holm",
		[CORRECTION_BH] = "corrected for them by Benjamini and Hochberg",
		[CORRECTION_NONE] = "not corrected for there being several"};
	g_autofree char *title = comparison_ratio_title(comparison);

	if (comparison->rows->len > 0)
		table_add_footer(table, "%s above 1: %s", title,
			comparison->metric == METRIC_TIME
				? "after takes less time, so that its throughput is higher"
			: metric_infos[comparison->metric].better == BETTER_LOWER ? "after needs less"
										  : "after has more");
	if (comparison->tested > 0)
		table_add_footer(table,
			"verdict: medians of invocations differ by %s at 1 %% over %u row%s "
			"(%s) and by 1 %% or more; interval: Hodges-Lehmann, 95 %% of each row by itself",
			comparison->paired == 0 ? "a Mann-Whitney test" : "Wilcoxon's signed rank test",
			comparison->tested, comparison->tested == 1 ? "" : "s",
			corrections[comparison->correction]);
	if (comparison->paired > 0)
		table_add_footer(table,
			"paired: %u of %u row%s by the differences of invocations that stood next to each "
			"other in "
			"a duel%s",
			comparison->paired, comparison->tested, comparison->tested == 1 ? "" : "s",
			comparison->paired < comparison->tested ? "; the others by a Mann-Whitney test" : "");
}

static void add_verdicts(struct table *table, const struct comparison *comparison, const char *too_few)
{
	g_autofree char *tally = arrange_tally(comparison->rows);
	guint differing = 0, small = 0;

	for (guint i = 0; i < comparison->rows->len; i++) {
		const struct comparison_row *row = comparison->rows->pdata[i];
		bool differs = row->verdict == VERDICT_BETTER || row->verdict == VERDICT_WORSE;

		differing += differs;
		small += differs && !arrange_alarms(row);
	}
	if (too_few)
		table_add_footer(table, "%s", too_few);
	else if (*tally && small > 0)
		table_add_footer(table, "verdicts: %s; %u of the %u that differ do so by less than 0.1 %%",
			tally, small, differing);
	else if (*tally)
		table_add_footer(table, "verdicts: %s", tally);
}

void tables_add_footer(
	struct table *table, const struct comparison *comparison, const char *group, const char *too_few)
{
	g_autofree char *common = provenance_labels(&comparison->common);

	add_verdicts(table, comparison, too_few);
	add_geomean(table, comparison);
	add_group_means(table, comparison, group);
	add_partnerless(table, "before", comparison->only_before);
	add_partnerless(table, "after", comparison->only_after);
	if (*common)
		table_add_footer(table, "common: %s", common);
	add_side(table, comparison, true);
	add_side(table, comparison, false);
	add_method(table, comparison);
	if (comparison_has_range(comparison))
		table_add_footer(table, "%s", figures_range_note);
	for (guint i = 0; i < comparison->notes->len; i++)
		table_add_footer(table, "note: %s", (const char *)comparison->notes->pdata[i]);
}

void tables_add_pivot_footer(
	struct table *table, const struct pivot *pivot, const GPtrArray *results, const char *reading)
{
	g_autofree char *common = provenance_labels(&pivot->common);
	g_autofree char *provenance = results->len > 0 ? provenance_text(results) : NULL;

	if (*common)
		table_add_footer(table, "common: %s", common);
	if (provenance)
		table_add_footer(table, "%s", provenance);
	table_add_footer(table, "%s", reading);
	for (guint i = 0; i < pivot->notes->len; i++)
		table_add_footer(table, "note: %s", (const char *)pivot->notes->pdata[i]);
}
