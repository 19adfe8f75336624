#include "report_cells.h"
#include "report_page.h"
#include "report_pages.h"

#include "figures.h"
#include "tables.h"
#include "values.h"

#include <string.h>

static bool is_tls(const struct result *result)
{
	const char *algorithm = values_of(result, SELECT_ALGORITHM);

	return algorithm != NULL && g_str_has_prefix(algorithm, "tls") &&
	       !(values_time_like(result->metric) && result->what.environment == ENVIRONMENT_EMULATOR);
}

bool report_has_tls(const struct report_model *model)
{
	for (guint i = 0; i < model->results->len; i++)
		if (is_tls(&g_array_index(model->results, struct result, i)))
			return true;
	return false;
}

static void put_result(
	struct table *table, GPtrArray *links, const struct report_model *model, const struct result *result)
{
	struct table_cell *cells = table_add_row(table);
	g_autofree char *build = report_build_name(model, &result->what.labels);
	g_autofree char *origin = page_origin(result);

	cell_put_text(&cells[0], values_of(result, SELECT_ALGORITHM));
	cell_put_text(&cells[1], values_of(result, SELECT_OPERATION));
	figures_put_label(&cells[2], LABEL_BLOCK, result->what.labels.v[LABEL_BLOCK]);
	cell_put_text(&cells[3], metric_infos[result->metric].name);
	cell_put_result(&cells[4], result, NULL);
	cell_put_text(&cells[5], result->what.labels.v[LABEL_LIBRARY]);
	cell_put_text(&cells[6], build);
	cell_put_text(&cells[7], result->what.labels.v[LABEL_PLATFORM]);
	cell_put_text(&cells[8], origin);
	page_links_put(links, table, 4, cell_history_link(model, result));
	page_links_put(links, table, 6, report_build_file(model, result->build));
	page_links_put(links, table, 7, report_platform_file(model, result->what.labels.v[LABEL_PLATFORM]));
}

bool report_tls(const struct report_model *model, GError **err)
{
	struct page *page = page_begin(model, "tls.html", "TLS suites");
	g_autoptr(GPtrArray) links = page_links_new();
	struct table *table = table_new("TLS suites");

	table_add_column(table, "suite", "Suite", NULL, TABLE_LEFT);
	table_add_column(table, "operation", "Operation", NULL, TABLE_LEFT);
	table_add_column(table, "record", "Record", "B", TABLE_RIGHT);
	table_add_column(table, "metric", "Metric", NULL, TABLE_LEFT);
	table_add_column(table, "value", "Value", NULL, TABLE_RIGHT);
	table_add_column(table, "library", "Library", NULL, TABLE_LEFT);
	table_add_column(table, "build", "Build", NULL, TABLE_LEFT);
	table_add_column(table, "platform", "Platform", NULL, TABLE_LEFT);
	table_add_column(table, "origin", "Origin", NULL, TABLE_LEFT);
	for (guint i = 0; i < model->results->len; i++) {
		const struct result *result = &g_array_index(model->results, struct result, i);

		if (is_tls(result))
			put_result(table, links, model, result);
	}
	page_paragraph(page, "Our own are of both sides in one process over memory, and no connections per "
			     "second over a network; published ones are as their makers measured them.");
	page_section(page, "suites", "Suites");
	page_chart(page, "tls", "handshakes of each suite");
	bool ok = page_table(page, table, links, err);
	page_section_end(page);
	table_free(table);
	return page_end(page, ok ? err : NULL) && ok;
}
