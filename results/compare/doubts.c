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

/* A difference that all rows have is said once, of the whole. */
static void note_fact(struct comparison *comparison, const struct fact *fact)
{
	g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
	bool same = true;

	for (guint i = 0; i < comparison->rows->len; i++) {
		g_ptr_array_add(texts, difference(comparison->rows->pdata[i], fact));
		same &= g_strcmp0(texts->pdata[i], texts->pdata[0]) == 0;
	}
	if (same && texts->len > 0 && texts->pdata[0])
		g_ptr_array_add(comparison->notes, g_strdup(texts->pdata[0]));
	for (guint i = 0; !same && i < texts->len; i++) {
		const struct comparison_row *row = comparison->rows->pdata[i];

		if (texts->pdata[i])
			g_ptr_array_add(row->notes, g_strdup(texts->pdata[i]));
	}
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

/* What the attempts and their surroundings say of themselves, each text once. */
static GPtrArray *remarks(const GPtrArray *results)
{
	GPtrArray *texts = g_ptr_array_new();
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < results->len; i++) {
		const struct result *result = results->pdata[i];

		if (result->environment_note && g_hash_table_add(seen, (char *)result->environment_note))
			g_ptr_array_add(texts, (char *)result->environment_note);
		for (const char *const *note = result->notes; *note; note++)
			if (g_hash_table_add(seen, (char *)*note))
				g_ptr_array_add(texts, (char *)*note);
	}
	return texts;
}

static bool has(const GPtrArray *texts, const char *text)
{
	return g_ptr_array_find_with_equal_func((GPtrArray *)texts, text, g_str_equal, NULL);
}

/* Remarks of one side; those of both sides are said once, with the first. */
static void note_remarks(
	GPtrArray *notes, const char *side, const GPtrArray *texts, const GPtrArray *others, bool first)
{
	for (guint i = 0; i < texts->len; i++) {
		bool shared = has(others, texts->pdata[i]);

		if (!shared)
			g_ptr_array_add(
				notes, g_strdup_printf("%s (%s)", (const char *)texts->pdata[i], side));
		else if (first)
			g_ptr_array_add(notes, g_strdup(texts->pdata[i]));
	}
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
	g_autoptr(GPtrArray) before_remarks = remarks(before), after_remarks = remarks(after);
	g_autoptr(GPtrArray) all = g_ptr_array_copy(before, NULL, NULL);

	g_ptr_array_extend(all, after, NULL, NULL);
	note_environment(comparison->notes, all, comparison->metric);
	for (size_t i = 0; i < G_N_ELEMENTS(facts); i++)
		note_fact(comparison, &facts[i]);
	for (guint i = 0; i < comparison->rows->len; i++)
		note_row(comparison->rows->pdata[i]);
	note_carried(comparison->notes, all);
	note_remarks(comparison->notes, "before", before_remarks, after_remarks, true);
	note_remarks(comparison->notes, "after", after_remarks, before_remarks, false);
}

void doubts_results(const GPtrArray *results, enum metric metric, GPtrArray *notes)
{
	g_autoptr(GPtrArray) texts = remarks(results);

	note_environment(notes, results, metric);
	note_carried(notes, results);
	for (guint i = 0; i < texts->len; i++)
		g_ptr_array_add(notes, g_strdup(texts->pdata[i]));
}
