#include "listing.h"

#include "diag.h"

#include <inttypes.h>
#include <math.h>

void listing_add(struct table *table, const char *const *texts)
{
	struct table_cell *cells = table_add_row(table);

	for (guint i = 0; i < table->columns->len; i++) {
		cells[i].text = g_strdup(texts[i]);
		cells[i].number = (double)NAN;
	}
}

struct table *listing_new(const char *const *words)
{
	struct table *table = table_new(words[0]);

	for (size_t i = 1; words[i] != NULL; i++)
		table_add_column(table, words[i], words[i], NULL, TABLE_LEFT);
	return table;
}

char *listing_utc(int64_t ns)
{
	if (ns == 0)
		return NULL;
	g_autoptr(GDateTime) time = g_date_time_new_from_unix_utc(ns / 1000000000);
	return g_date_time_format(time, "%Y-%m-%d %H:%M:%S");
}

static char *number_text(int64_t number)
{
	return g_strdup_printf("%" PRId64, number);
}

bool list_imports(struct table **ret, struct store *store, GError **err)
{
	g_autoptr(GPtrArray) list = NULL;

	if (!store_imports(store, &list, err))
		return false;
	*ret = TABLE("imports", "run", "document", "importer", "platform", "imported (UTC)", "lines",
		"figures", "quarantined", "unknown", "not understood", "reference");
	for (guint i = 0; i < list->len; i++) {
		const struct import_info *import = list->pdata[i];
		g_autofree char *uuid = g_strndup(import->uuid, 8), *time = listing_utc(import->imported_at);
		g_autofree char *lines = number_text(import->lines), *figures = number_text(import->figures);
		g_autofree char *quarantined = number_text(import->quarantined);
		g_autofree char *unknown = number_text(import->unknown);
		g_autofree char *dark = number_text(import->not_understood);
		ROW(*ret, uuid, import->name, import->importer, import->platform, time, lines, figures,
			quarantined, unknown, dark, import->reference);
	}
	return true;
}

bool list_unknown_names(struct table **ret, struct store *store, GError **err)
{
	g_autoptr(GPtrArray) list = NULL;

	if (!store_unknown_names(store, &list, err))
		return false;
	*ret = TABLE("names that no benchmark has", "importer", "name", "times");
	for (guint i = 0; i < list->len; i++) {
		const struct unknown_info *name = list->pdata[i];
		g_autofree char *times = number_text(name->times);
		ROW(*ret, name->importer, name->name, times);
	}
	return true;
}

bool list_aliases(struct table **ret, struct store *store, GError **err)
{
	g_autoptr(GPtrArray) list = NULL;

	if (!store_aliases(store, &list, err))
		return false;
	*ret = TABLE("aliases", "importer", "name", "benchmark");
	for (guint i = 0; i < list->len; i++) {
		const struct alias_info *alias = list->pdata[i];
		ROW(*ret, alias->importer, alias->name, alias->benchmark);
	}
	return true;
}

static bool find_import(int64_t *ret, struct store *store, const char *run, GError **err)
{
	g_autoptr(GPtrArray) list = NULL;

	if (run)
		return store_run_find(store, ret, run, err);
	if (!store_imports(store, &list, err))
		return false;
	if (list->len == 0)
		return diag_set(err, DIAG_USAGE, "nothing was imported yet");
	*ret = ((const struct import_info *)list->pdata[0])->run;
	return true;
}

bool list_readings(struct table **ret, struct store *store, const char *run, GError **err)
{
	g_autoptr(GPtrArray) list = NULL;
	int64_t id;

	if (!find_import(&id, store, run, err) || !store_readings(store, &list, id, err))
		return false;
	*ret = TABLE("what was printed", "line", "name", "benchmark", "block", "metric", "printed", "unit",
		"why it does not count");
	for (guint i = 0; i < list->len; i++) {
		const struct reading_info *reading = list->pdata[i];
		g_autofree char *line = number_text(reading->line);
		ROW(*ret, line, reading->name ? reading->name : reading->text, reading->benchmark,
			reading->block, reading->metric, reading->printed, reading->unit, reading->problem);
	}
	return true;
}
