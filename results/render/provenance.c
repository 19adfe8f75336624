#include "provenance.h"

#include "store.h"
#include "values.h"

#include <string.h>

static char *date_text(int64_t ns)
{
	g_autoptr(GDateTime) time = g_date_time_new_from_unix_utc(ns / 1000000000);

	return time ? g_date_time_format(time, "%Y-%m-%d") : g_strdup("-");
}

/* "run 1a2b3c4d (nightly), 2b3c4d5e" */
static char *runs_text(const GPtrArray *results)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	g_autofree char *list = NULL;

	for (guint i = 0; i < results->len; i++) {
		const struct result *result = results->pdata[i];

		if (!result->run_uuid || !g_hash_table_add(seen, (char *)result->run_uuid))
			continue;
		g_ptr_array_add(names,
			g_strdup_printf("%.8s%s%s%s", result->run_uuid, result->run_label ? " (" : "",
				result->run_label ? result->run_label : "", result->run_label ? ")" : ""));
	}
	list = values_list(names);
	return g_strconcat(names->len == 1 ? "run " : "runs ", names->len > 0 ? list : "unknown", NULL);
}

static char *dates_text(const GPtrArray *results)
{
	int64_t first = G_MAXINT64, last = G_MININT64;
	g_autofree char *from = NULL, *to = NULL;

	for (guint i = 0; i < results->len; i++) {
		int64_t at = ((const struct result *)results->pdata[i])->started_at;

		first = MIN(first, at);
		last = MAX(last, at);
	}
	from = date_text(first);
	to = date_text(last);
	return strcmp(from, to) == 0 ? g_strconcat(from, " UTC", NULL)
				     : g_strconcat(from, " to ", to, " UTC", NULL);
}

/* A fact of all results, each value once; NULL where no result has it. */
static char *fact_text(const GPtrArray *results, const char *name, size_t offset)
{
	g_autoptr(GPtrArray) values = g_ptr_array_new();
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	g_autofree char *list = NULL;

	for (guint i = 0; i < results->len; i++) {
		const char *value = *(const char *const *)((const char *)results->pdata[i] + offset);

		if (value && g_hash_table_add(seen, (char *)value))
			g_ptr_array_add(values, (char *)value);
	}
	list = values_list(values);
	return values->len > 0 ? g_strconcat(name, " ", list, NULL) : NULL;
}

static char *origin_text(const GPtrArray *results)
{
	static const enum selector_key keys[] = {SELECT_SOURCE, SELECT_ENVIRONMENT, SELECT_KIND};
	GString *text = g_string_new(NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
		g_autoptr(GPtrArray) values = values_distinct(results, keys[i]);
		g_autofree char *list = values_list(values);

		g_string_append_printf(text, "%s%s", i > 0 ? ", " : "", list);
	}
	return g_string_free(text, FALSE);
}

/* "n 5 to 20", "n 5 to 20 (unknown of 3 figures)" */
static char *n_text(const GPtrArray *results)
{
	int64_t low = G_MAXINT64, high = 0;
	guint unknown = 0;

	for (guint i = 0; i < results->len; i++) {
		int64_t n = ((const struct result *)results->pdata[i])->figure.n;

		unknown += n <= 0;
		low = n > 0 ? MIN(low, n) : low;
		high = MAX(high, n);
	}
	if (high <= 0)
		return g_strdup("n unknown");
	g_autofree char *of =
		unknown > 0 ? g_strdup_printf(" (unknown of %u figure%s)", unknown, unknown == 1 ? "" : "s")
			    : g_strdup("");
	return low == high
		       ? g_strdup_printf("n %" G_GINT64_FORMAT "%s", low, of)
		       : g_strdup_printf("n %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT "%s", low, high, of);
}

char *provenance_text(const GPtrArray *results)
{
	g_autofree char *runs = runs_text(results), *dates = dates_text(results);
	g_autofree char *compiler = fact_text(results, "compiler", offsetof(struct result, compiler));
	g_autofree char *emulator = fact_text(results, "emulator", offsetof(struct result, emulator));
	g_autofree char *origin = origin_text(results), *n = n_text(results);

	return g_strdup_printf("%s, %s; %s%s%s; %s; %s", runs, dates,
		compiler ? compiler : "compiler unknown", emulator ? "; " : "", emulator ? emulator : "",
		origin, n);
}

static bool said_elsewhere(int label)
{
	return label == LABEL_BENCHMARK || label == LABEL_BLOCK || label == LABEL_METRIC;
}

char *provenance_labels(const struct labels *labels)
{
	GString *text = g_string_new(NULL);

	for (int l = 0; l < LABEL_COUNT; l++)
		if (labels->v[l] && !said_elsewhere(l))
			g_string_append_printf(
				text, "%s%s=%s", text->len > 0 ? " " : "", label_keys[l], labels->v[l]);
	return g_string_free(text, FALSE);
}

char *provenance_varying(const GPtrArray *results, const bool *chosen)
{
	GString *text = g_string_new(NULL);

	for (int l = 0; l < LABEL_COUNT; l++) {
		g_autoptr(GPtrArray) values = values_distinct(results, (enum selector_key)l);
		g_autofree char *list = values_list(values);

		if (chosen[l] && !said_elsewhere(l))
			g_string_append_printf(
				text, "%s%s=%s", text->len > 0 ? " " : "", label_keys[l], list);
	}
	return g_string_free(text, FALSE);
}
