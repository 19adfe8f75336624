#include "doubts.h"

#include "diag.h"
#include "values.h"

#include <string.h>

/* Facts of which a difference between the sides is a doubt. */
static const struct fact {
	const char *name;
	size_t offset;
} facts[] = {
	{"compiler", offsetof(struct result, compiler)},
	{"emulator", offsetof(struct result, emulator)},
	{"optimisation in force", offsetof(struct result, optimisation_effective)},
	{"math back end", offsetof(struct result, math)},
};

static const char *fact_of(const struct result *result, const struct fact *fact)
{
	return *(const char *const *)((const char *)result + fact->offset);
}

static bool asked(const struct selector *const *selectors, enum selector_key key)
{
	for (; *selectors; selectors++)
		if (selector_term(*selectors, key))
			return true;
	return false;
}

bool doubts_origins(const GPtrArray *results, const struct selector *const *selectors, bool environment,
	GPtrArray *notes, GError **err)
{
	static const enum selector_key keys[] = {SELECT_SOURCE, SELECT_ENVIRONMENT, SELECT_KIND};
	static const char *const names[] = {"source", "environment", "kind"};

	for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
		g_autoptr(GPtrArray) values = values_distinct(results, keys[i]);
		g_autofree char *list = values_list(values);

		if (values->len < 2 || (keys[i] == SELECT_ENVIRONMENT && !environment))
			continue;
		if (!asked(selectors, keys[i]))
			return diag_set(err, DIAG_USAGE,
				"the results are of more than one %s: %s; add a term such as %s=%s, or %s=* "
				"to see them together",
				names[i], list, names[i], (const char *)values->pdata[0], names[i]);
		g_ptr_array_add(notes, g_strdup_printf("figures of more than one %s: %s", names[i], list));
	}
	return true;
}

static bool is_own(const struct result *result)
{
	return result->what.source == SOURCE_OWN;
}

void doubts_prefer_own(GPtrArray *results, const struct selector *const *selectors, GPtrArray *notes)
{
	guint before = results->len, own = 0, kept = 0;

	for (guint i = 0; i < before; i++)
		own += is_own(results->pdata[i]);
	if (own == 0 || own == before || asked(selectors, SELECT_SOURCE))
		return;
	for (guint i = 0; i < before; i++)
		if (is_own(results->pdata[i]))
			results->pdata[kept++] = results->pdata[i];
	g_ptr_array_set_size(results, (gint)own);
	g_ptr_array_add(
		notes, g_strdup_printf("%u imported or published result%s left out; source=* takes them in",
			       before - own, before - own == 1 ? " is" : "s are"));
}

void doubts_left_out(GPtrArray *notes, guint n)
{
	if (n > 0)
		g_ptr_array_add(
			notes, g_strdup_printf("%u emulated result%s left out", n, n == 1 ? " is" : "s are"));
}

static char *difference(const struct comparison_row *row, const struct fact *fact)
{
	const char *before = fact_of(row->before, fact), *after = fact_of(row->after, fact);

	if (g_strcmp0(before, after) == 0)
		return NULL;
	return g_strdup_printf("%s differs: %s against %s", fact->name, before ? before : "unknown",
		after ? after : "unknown");
}

void doubts_note_rows(struct comparison *comparison, const GPtrArray *texts)
{
	bool same = true;

	for (guint i = 1; i < texts->len; i++)
		same &= g_strcmp0(texts->pdata[i], texts->pdata[0]) == 0;
	if (same && texts->len > 0 && texts->pdata[0])
		g_ptr_array_add(comparison->notes, g_strdup(texts->pdata[0]));
	for (guint i = 0; !same && i < texts->len; i++) {
		const struct comparison_row *row = comparison->rows->pdata[i];

		if (texts->pdata[i])
			g_ptr_array_add(row->notes, g_strdup(texts->pdata[i]));
	}
}

static void note_fact(struct comparison *comparison, const struct fact *fact)
{
	g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < comparison->rows->len; i++)
		g_ptr_array_add(texts, difference(comparison->rows->pdata[i], fact));
	doubts_note_rows(comparison, texts);
}

/* Labels of which a difference beside the one that was asked about is a doubt. */
static const enum label doubtful[] = {LABEL_PLATFORM, LABEL_INSTRUMENT, LABEL_PROFILE, LABEL_OPTIMISATION};

static char *label_difference(const struct comparison_row *row, enum label label)
{
	const char *before = row->before->what.labels.v[label], *after = row->after->what.labels.v[label];
	bool alone = true;

	if (g_strcmp0(before, after) == 0)
		return NULL;
	for (int l = 0; l < LABEL_COUNT; l++)
		alone &= l == (int)label ||
			 g_strcmp0(row->before->what.labels.v[l], row->after->what.labels.v[l]) == 0;
	if (alone)
		return NULL;
	return g_strdup_printf(
		"%s differs: %s against %s", label_keys[label], before ? before : "-", after ? after : "-");
}

static void note_label(struct comparison *comparison, enum label label)
{
	g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < comparison->rows->len; i++)
		g_ptr_array_add(texts, label_difference(comparison->rows->pdata[i], label));
	doubts_note_rows(comparison, texts);
}

/* A mean over machines is of none of them. */
static void note_mixed_platforms(struct comparison *comparison, const GPtrArray *results)
{
	g_autoptr(GPtrArray) platforms = values_distinct(results, (enum selector_key)LABEL_PLATFORM);
	g_autofree char *list = values_list(platforms);

	if (comparison->shown[LABEL_PLATFORM])
		g_ptr_array_add(comparison->notes,
			g_strdup_printf("the mean mixes platforms: %s; narrow by platform=", list));
}

static void note_lists(struct comparison *comparison)
{
	guint before = comparison->only_before->len, after = comparison->only_after->len;

	if (before + after > 0 && comparison->rows->len > 0)
		g_ptr_array_add(comparison->notes,
			g_strdup_printf(
				"the lists differ: %u only before, %u only after; means are of the %u "
				"that both have",
				before, after, comparison->rows->len));
}

static void note_row(const struct comparison_row *row)
{
	bool emulated = row->before->what.environment == ENVIRONMENT_EMULATOR ||
			row->after->what.environment == ENVIRONMENT_EMULATOR;

	if (values_time_like(row->before->metric) && emulated)
		g_ptr_array_add(
			row->notes, g_strdup_printf("emulated %s", metric_infos[row->before->metric].name));
	if (row->before->carried && row->after->carried)
		g_ptr_array_add(row->notes, g_strdup("both carried forward"));
	else if (row->before->carried || row->after->carried)
		g_ptr_array_add(row->notes,
			g_strdup_printf("%s carried forward", row->before->carried ? "before" : "after"));
}

/* What the attempt and its surroundings say of themselves; lent. */
static GPtrArray *remarks_of(const struct result *result)
{
	GPtrArray *texts = g_ptr_array_new();

	if (result->environment_note)
		g_ptr_array_add(texts, (char *)result->environment_note);
	for (const char *const *note = result->notes; *note; note++)
		g_ptr_array_add(texts, (char *)*note);
	return texts;
}

static bool has(const GPtrArray *texts, const char *text)
{
	return g_ptr_array_find_with_equal_func((GPtrArray *)texts, text, g_str_equal, NULL);
}

/* The same of many, each text once. */
static GPtrArray *remarks(const GPtrArray *results)
{
	GPtrArray *texts = g_ptr_array_new();

	for (guint i = 0; i < results->len; i++) {
		g_autoptr(GPtrArray) own = remarks_of(results->pdata[i]);

		for (guint k = 0; k < own->len; k++)
			if (!has(texts, own->pdata[k]))
				g_ptr_array_add(texts, own->pdata[k]);
	}
	return texts;
}

/* A remark beside the figures that it is about. */
static void note_remark(struct comparison *comparison, const char *text)
{
	g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < comparison->rows->len; i++) {
		const struct comparison_row *row = comparison->rows->pdata[i];
		g_autoptr(GPtrArray) before = remarks_of(row->before), after = remarks_of(row->after);
		bool at_before = has(before, text), at_after = has(after, text);
		const char *side = at_before && at_after ? "" : at_before ? " (before)" : " (after)";

		g_ptr_array_add(texts, at_before || at_after ? g_strconcat(text, side, NULL) : NULL);
	}
	doubts_note_rows(comparison, texts);
}

static GPtrArray *side_of_rows(const struct comparison *comparison, bool before)
{
	GPtrArray *results = g_ptr_array_new();

	for (guint i = 0; i < comparison->rows->len; i++) {
		const struct comparison_row *row = comparison->rows->pdata[i];

		g_ptr_array_add(results, (struct result *)(before ? row->before : row->after));
	}
	return results;
}

static guint count_carried(const GPtrArray *results)
{
	guint n = 0;

	for (guint i = 0; i < results->len; i++)
		n += ((const struct result *)results->pdata[i])->carried;
	return n;
}

static void note_carried(GPtrArray *notes, const GPtrArray *results)
{
	guint n = count_carried(results);

	if (n > 0)
		g_ptr_array_add(notes, g_strdup_printf("%u of %u results %s carried forward from an equal "
						       "program under an equal emulator",
					       n, results->len, n == 1 ? "is" : "are"));
}

static void note_environment(GPtrArray *notes, const GPtrArray *results, enum metric metric)
{
	bool emulated = false, unknown = false;

	for (guint i = 0; i < results->len; i++) {
		int environment = ((const struct result *)results->pdata[i])->what.environment;

		emulated |= environment == ENVIRONMENT_EMULATOR;
		unknown |= environment == ENVIRONMENT_UNKNOWN || environment < 0;
	}
	if (!values_time_like(metric))
		return;
	if (emulated)
		g_ptr_array_add(notes, g_strdup_printf("emulated %s says nothing about speed on hardware",
					       metric_infos[metric].name));
	if (unknown)
		g_ptr_array_add(notes,
			g_strdup("it is not known whether these figures are of hardware or of an emulator"));
}

void doubts_comparison(struct comparison *comparison)
{
	g_autoptr(GPtrArray) before = side_of_rows(comparison, true), after = side_of_rows(comparison, false);
	g_autoptr(GPtrArray) all = g_ptr_array_copy(before, NULL, NULL), texts = NULL;

	g_ptr_array_extend(all, after, NULL, NULL);
	texts = remarks(all);
	note_environment(comparison->notes, all, comparison->metric);
	for (size_t i = 0; i < G_N_ELEMENTS(facts); i++)
		note_fact(comparison, &facts[i]);
	for (size_t i = 0; i < G_N_ELEMENTS(doubtful); i++)
		note_label(comparison, doubtful[i]);
	for (guint i = 0; i < comparison->rows->len; i++)
		note_row(comparison->rows->pdata[i]);
	note_carried(comparison->notes, all);
	note_lists(comparison);
	note_mixed_platforms(comparison, all);
	for (guint i = 0; i < texts->len; i++)
		note_remark(comparison, texts->pdata[i]);
}

void doubts_results(const GPtrArray *results, enum metric metric, GPtrArray *notes)
{
	g_autoptr(GPtrArray) texts = remarks(results);

	note_environment(notes, results, metric);
	note_carried(notes, results);
	for (guint i = 0; i < texts->len; i++)
		g_ptr_array_add(notes, g_strdup(texts->pdata[i]));
}
