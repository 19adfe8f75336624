#include "diag.h"
#include "listing.h"
#include "store_alarms.h"

#include <jansson.h>
#include <math.h>

static const char *word(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

/* "+3.9 %"; NULL: unknown. New. */
static char *percent_text(const json_t *series)
{
	const json_t *percent = json_object_get(series, "percent");

	return json_is_number(percent) ? g_strdup_printf("%+.2g %%", json_number_value(percent)) : NULL;
}

/* "0123456789ab..ba9876543210", or one where they are the same. New. */
static char *revisions(const json_t *change)
{
	const char *from = word(change, "from"), *to = word(change, "to");

	if (g_strcmp0(from, to) == 0)
		return g_strdup(to);
	return g_strdup_printf("%.12s..%.12s", from ? from : "unknown", to ? to : "unknown");
}

static void add_series(
	struct table *table, const struct night_info *night, const json_t *change, const json_t *series)
{
	g_autofree char *uuid = g_strndup(night->uuid, 8), *started = listing_utc(night->started_at);
	g_autofree char *between = revisions(change), *percent = percent_text(series);

	ROW(table, uuid, started, word(change, "kind"), word(change, "library"), word(change, "version"),
		between, word(series, "benchmark"), word(series, "block"), word(series, "metric"), percent,
		word(series, "toolchain"), word(series, "config"), word(series, "platform"),
		word(change, "instrument"));
}

static bool add_night(struct table *table, const struct night_info *night, GError **err)
{
	json_t *report = json_loads(night->report, 0, NULL), *change, *series;
	size_t i, j;

	if (report == NULL)
		return diag_set(err, DIAG_FAILED, "the report of night %.8s is no JSON", night->uuid);
	json_array_foreach(json_object_get(report, "changes"), i, change) json_array_foreach(
		json_object_get(change, "series"), j, series) add_series(table, night, change, series);
	json_decref(report);
	return true;
}

bool list_alarms(struct table **ret, struct store *store, GError **err)
{
	g_autoptr(GPtrArray) nights = NULL;

	if (!store_nights(store, &nights, NULL, err))
		return false;
	*ret = TABLE("what the nights found", "night", "started (UTC)", "finding", "library", "version",
		"revisions", "benchmark", "block", "metric", "change", "toolchain", "config", "platform",
		"instrument");
	for (guint i = 0; i < nights->len; i++) {
		const struct night_info *night = nights->pdata[i];
		if (night->report != NULL && !add_night(*ret, night, err)) {
			g_clear_pointer(ret, table_free);
			return false;
		}
	}
	return true;
}
