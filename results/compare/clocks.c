#include "doubts.h"

#include "store_context.h"

#include <jansson.h>

/* What the program said of its clock, or of the counter that it took cycles from; NULL where it said nothing.
 * An importer keeps a frequency under the same name. */
static char *clock_in(const char *facts, enum metric metric)
{
	json_t *json = facts ? json_loads(facts, 0, NULL) : NULL;
	json_t *clock = json_object_get(json, metric == METRIC_TIME ? "clock" : "counter");
	char *text = g_strdup(json_string_value(clock));

	json_decref(json);
	return text;
}

static bool clock_of(
	const char **ret, GHashTable *known, struct store *store, const struct result *result, GError **err)
{
	struct attempt_context *context = NULL;
	gpointer clock;

	*ret = NULL;
	if (result->what.source != SOURCE_OWN)
		return true;
	if (!g_hash_table_lookup_extended(known, &result->attempt, NULL, &clock)) {
		if (!store_attempt_context(store, &context, result->attempt, result->cell, err))
			return false;
		clock = clock_in(context->facts, result->metric);
		g_hash_table_insert(known, g_memdup2(&result->attempt, sizeof result->attempt), clock);
		attempt_context_free(context);
	}
	*ret = clock;
	return true;
}

static bool add_text(GPtrArray *texts, GHashTable *known, struct store *store,
	const struct comparison_row *row, GError **err)
{
	const char *before, *after;

	if (!clock_of(&before, known, store, row->before, err) ||
		!clock_of(&after, known, store, row->after, err))
		return false;
	g_ptr_array_add(texts, before && after && g_strcmp0(before, after) != 0
				       ? g_strdup_printf("clock differs: %s against %s", before, after)
				       : NULL);
	return true;
}

bool doubts_clocks(struct comparison *comparison, struct store *store, GError **err)
{
	g_autoptr(GHashTable) known = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
	g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
	bool ok = true;

	if (metric_infos[comparison->metric].assume != ASSUME_SAMPLED)
		return true;
	for (guint i = 0; ok && i < comparison->rows->len; i++)
		ok = add_text(texts, known, store, comparison->rows->pdata[i], err);
	if (ok)
		doubts_note_rows(comparison, texts);
	return ok;
}
