#include "report_failed.h"

#include "report_cells.h"

#include <string.h>

/* Whose error output is shown. */
#define OUTPUTS_SHOWN 3

static bool put_cells(struct page *page, const struct report_failed *failed, GError **err)
{
	struct table *table = table_new("cells that failed");

	table_add_column(table, "cell", "Cell", NULL, TABLE_LEFT);
	table_add_column(table, "state", "State", NULL, TABLE_LEFT);
	table_add_column(table, "build_state", "Build", NULL, TABLE_LEFT);
	table_add_column(table, "attempt_state", "Attempt", NULL, TABLE_LEFT);
	table_add_column(table, "failed", "Benchmarks failed", NULL, TABLE_RIGHT);
	table_add_column(table, "reason", "Reason", NULL, TABLE_LEFT);
	for (guint i = 0; i < failed->cells->len; i++) {
		const struct cell_info *info = failed->cells->pdata[i];
		struct table_cell *cells = table_add_row(table);

		cell_put_text(&cells[0], info->name);
		cell_put_text(&cells[1], info->state);
		cell_put_text(&cells[2], info->build_state);
		cell_put_text(&cells[3], info->attempt_state);
		cell_put_count(&cells[4], (guint)info->outcomes_failed);
		cell_put_text(&cells[5], info->reason);
	}
	bool ok = page_table(page, table, NULL, err);
	table_free(table);
	return ok;
}

/* Of every failure of the cell, not of the first alone. */
static void put_cell_hints(
	struct page *page, GHashTable *told, const struct cell_info *cell, const char *library)
{
	const struct report_model *model = page->model;
	const struct report_spec *spec = model->spec;

	for (guint i = 0; i < model->failures->len; i++) {
		const struct failure_info *what = ((struct report_failure *)model->failures->pdata[i])->what;

		if (strcmp(what->cell, cell->name) != 0)
			continue;
		g_autofree char *hint = spec->hint(spec->hints, library, what->reason);
		if (hint == NULL || g_hash_table_contains(told, hint))
			continue;
		g_string_append(page->html, "<p class=\"hint\"><strong>Hint:</strong> ");
		page_text(page, hint);
		g_string_append(page->html, "</p>\n");
		g_hash_table_add(told, g_steal_pointer(&hint));
	}
}

static void put_hints(struct page *page, const struct report_failed *failed, const char *library)
{
	g_autoptr(GHashTable) told = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (guint i = 0; page->model->spec->hint != NULL && i < failed->cells->len; i++)
		put_cell_hints(page, told, failed->cells->pdata[i], library);
}

static bool put_outputs(struct page *page, const struct report_failed *failed, GError **err)
{
	guint shown = 0;

	for (guint i = 0; i < failed->cells->len && shown < OUTPUTS_SHOWN; i++) {
		const struct cell_info *cell = failed->cells->pdata[i];
		struct store_description *attempt;

		if (cell->attempt == 0)
			continue;
		if (!store_describe(page->model->spec->store, &attempt, STORE_ATTEMPT, cell->attempt, err))
			return false;
		if (attempt->errors != NULL && attempt->errors_length > 0) {
			g_autofree char *id = g_strdup_printf("output-%u", ++shown);
			g_autofree char *heading = g_strdup_printf("Error output of %s", cell->name);
			page_log(page, id, heading, attempt->errors, true);
		}
		store_description_free(attempt);
	}
	return true;
}

bool report_failed_put(struct page *page, int64_t build, const char *library, GError **err)
{
	const struct report_failed *failed = g_hash_table_lookup(page->model->failed_of, &build);

	if (failed == NULL)
		return true;
	page_section(page, "failed", "What failed in the newest run");
	put_hints(page, failed, library);
	bool ok = put_cells(page, failed, err);
	page_section_end(page);
	return ok && put_outputs(page, failed, err);
}
