#include "report_headline.h"

#include "cells.h"
#include "tables.h"
#include "values.h"

#include <math.h>
#include <string.h>

static const char *const wanted[] = {"aes-128-gcm encrypt", "chacha20-poly1305 encrypt", "sha-256 hash",
	"rsa-2048 private", "ecdsa-p256 sign", "ecdh-p256 agree", "aes-128-cbc encrypt", "sha-512 hash",
	"x25519 agree", "rsa-2048 public", "rsa-2048 sign", "aes-256-gcm encrypt"};

static bool is_own(const struct result *result)
{
	return result->what.source == SOURCE_OWN && result->what.labels.v[LABEL_TOOLCHAIN] != NULL;
}

/* The largest block of a benchmark among own results; false where there are none of it. */
static bool largest(struct headline *ret, const struct report_model *model, const char *benchmark)
{
	bool found = false;

	for (guint i = 0; i < model->results->len; i++) {
		const struct result *result = &g_array_index(model->results, struct result, i);
		const char *block = result->what.labels.v[LABEL_BLOCK];

		if (!is_own(result) || g_strcmp0(result->what.labels.v[LABEL_BENCHMARK], benchmark) != 0)
			continue;
		if (!found || values_order((enum selector_key)LABEL_BLOCK, ret->block, block) < 0)
			*ret = (struct headline){benchmark, block};
		found = true;
	}
	return found;
}

static bool is_whole(const struct result *result)
{
	return strcmp(scale_per(result->metric, values_work(result)), "") == 0;
}

size_t headlines_find(struct headline ret[HEADLINES], const struct report_model *model)
{
	size_t n = 0;

	for (size_t w = 0; w < G_N_ELEMENTS(wanted) && n < HEADLINES; w++)
		n += largest(&ret[n], model, wanted[w]);
	for (guint i = 0; n == 0 && i < model->results->len; i++) {
		const struct result *result = &g_array_index(model->results, struct result, i);
		const char *benchmark = result->what.labels.v[LABEL_BENCHMARK];

		if (is_own(result) && benchmark != NULL && !is_whole(result) &&
			strcmp(benchmark, "null operation") != 0)
			n += largest(&ret[n], model, benchmark);
	}
	return n;
}

enum metric headline_metric(const struct report_model *model, const char *toolchain)
{
	for (guint i = 0; i < model->results->len; i++) {
		const struct result *result = &g_array_index(model->results, struct result, i);

		if (is_own(result) && result->metric == METRIC_TIME &&
			result->what.environment == ENVIRONMENT_HARDWARE &&
			strcmp(result->what.labels.v[LABEL_TOOLCHAIN], toolchain) == 0)
			return METRIC_TIME;
	}
	return METRIC_INSTRUCTIONS;
}

static bool is_better(const struct result *a, const struct result *b)
{
	return figure_value(&a->figure) < figure_value(&b->figure);
}

static bool is_candidate(const struct result *result, const struct headline *headline, const char *toolchain,
	enum metric metric)
{
	const char *const *labels = result->what.labels.v;

	return is_own(result) && result->metric == metric &&
	       strcmp(labels[LABEL_TOOLCHAIN], toolchain) == 0 &&
	       g_strcmp0(labels[LABEL_BENCHMARK], headline->benchmark) == 0 &&
	       g_strcmp0(labels[LABEL_BLOCK], headline->block) == 0 &&
	       !(values_time_like(metric) && result->what.environment == ENVIRONMENT_EMULATOR) &&
	       figure_value(&result->figure) > 0;
}

static const char *place_of(const struct result *result)
{
	const char *platform = result->what.labels.v[LABEL_PLATFORM];

	return platform ? platform : "";
}

/* The platform that most of them are of, the first of several. */
static const char *busiest(const GPtrArray *results)
{
	g_autoptr(GHashTable) counts = g_hash_table_new(g_str_hash, g_str_equal);
	const char *best = NULL;
	guint most = 0;

	for (guint i = 0; i < results->len; i++) {
		const char *place = place_of(results->pdata[i]);
		guint n = GPOINTER_TO_UINT(g_hash_table_lookup(counts, place)) + 1;
		g_hash_table_insert(counts, (gpointer)place, GUINT_TO_POINTER(n));
	}
	for (guint i = 0; i < results->len; i++) {
		const char *place = place_of(results->pdata[i]);
		guint n = GPOINTER_TO_UINT(g_hash_table_lookup(counts, place));

		if (n > most) {
			most = n;
			best = place;
		}
	}
	return best;
}

/* In the place of one of the same build that is there and slower; at the end where there is none. */
static void put_best(GPtrArray *results, struct result *result)
{
	for (guint i = 0; i < results->len; i++) {
		const struct result *other = results->pdata[i];

		if (!report_same_build(&other->what.labels, &result->what.labels))
			continue;
		if (is_better(result, other))
			results->pdata[i] = result;
		return;
	}
	g_ptr_array_add(results, result);
}

GPtrArray *headline_results(const struct report_model *model, const struct headline *headline,
	const char *toolchain, enum metric metric)
{
	g_autoptr(GPtrArray) candidates = g_ptr_array_new();
	GPtrArray *results = g_ptr_array_new();

	for (guint i = 0; i < model->results->len; i++) {
		struct result *result = &g_array_index(model->results, struct result, i);

		if (is_candidate(result, headline, toolchain, metric))
			g_ptr_array_add(candidates, result);
	}
	/* A count is the same on whatever machine the emulator runs. */
	const char *place = metric_infos[metric].assume == ASSUME_EXACT ? NULL : busiest(candidates);
	for (guint i = 0; i < candidates->len; i++)
		if (place == NULL || strcmp(place_of(candidates->pdata[i]), place) == 0)
			put_best(results, candidates->pdata[i]);
	return results;
}

const struct result *headline_best(const GPtrArray *results)
{
	const struct result *best = NULL;

	for (guint i = 0; i < results->len; i++)
		if (best == NULL || is_better(results->pdata[i], best))
			best = results->pdata[i];
	return best;
}

static bool is_plain_of(const struct result *result, const struct result *of)
{
	static const enum label same[] = {LABEL_LIBRARY, LABEL_VERSION, LABEL_PROFILE, LABEL_OPTIMISATION,
		LABEL_PLATFORM, LABEL_INSTRUMENT};

	if (g_strcmp0(result->what.labels.v[LABEL_CONFIG], "default") != 0)
		return false;
	for (size_t i = 0; of != NULL && i < G_N_ELEMENTS(same); i++)
		if (g_strcmp0(result->what.labels.v[same[i]], of->what.labels.v[same[i]]) != 0)
			return false;
	return true;
}

const struct result *headline_default(const GPtrArray *results, const struct result *of)
{
	for (guint i = 0; i < results->len; i++)
		if (is_plain_of(results->pdata[i], of))
			return results->pdata[i];
	return NULL;
}

GPtrArray *headline_toolchains(const struct report_model *model)
{
	g_autoptr(GPtrArray) own = g_ptr_array_new();

	for (guint i = 0; i < model->results->len; i++) {
		struct result *result = &g_array_index(model->results, struct result, i);

		if (is_own(result))
			g_ptr_array_add(own, result);
	}
	return values_distinct(own, (enum selector_key)LABEL_TOOLCHAIN);
}

static void put_part(GString *link, const char *key, const char *value)
{
	if (value == NULL)
		return;
	g_string_append_printf(link, "%c%s=", strchr(link->str, '#') ? '&' : '#', key);
	g_autofree char *line = cell_line(value); /* as the script knows it */
	g_string_append_uri_escaped(link, line, NULL, FALSE);
}

char *headline_link(
	const char *page, const struct headline *headline, const char *toolchain, enum metric metric)
{
	GString *link = g_string_new(page);

	put_part(link, "toolchain", toolchain);
	put_part(link, "benchmark", headline->benchmark);
	put_part(link, "block", headline->block);
	put_part(link, "metric", metric_infos[metric].name);
	return g_string_free(link, FALSE);
}
