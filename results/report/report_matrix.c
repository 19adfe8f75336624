#include "report_cells.h"
#include "report_headline.h"
#include "report_page.h"
#include "report_pages.h"

#include "figures.h"

#include <math.h>
#include <string.h>

/* What tells builds of a toolchain apart, as columns: in the order of builds. */
static GPtrArray *column_names(const struct report_model *model)
{
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < model->builds->len; i++) {
		const struct report_build *build = model->builds->pdata[i];
		g_autofree char *name = report_build_name(model, &build->example->what.labels);

		if (build->example->what.source == SOURCE_OWN &&
			!g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL))
			g_ptr_array_add(names, g_steal_pointer(&name));
	}
	return names;
}

static void put_toolchain(struct table *table, GPtrArray *links, const struct report_model *model,
	GPtrArray *names, const struct headline *headline, const char *toolchain)
{
	enum metric metric = headline_metric(model, toolchain);
	g_autoptr(GPtrArray) results = headline_results(model, headline, toolchain, metric);
	struct table_cell *cells = table_add_row(table);

	cell_put_text(&cells[0], toolchain);
	for (guint i = 0; i < results->len; i++) {
		const struct result *result = results->pdata[i];
		g_autofree char *name = report_build_name(model, &result->what.labels);
		guint at;

		if (!g_ptr_array_find_with_equal_func(names, name, g_str_equal, &at))
			continue;
		cell_put_result(&cells[1 + at], result, figures_unit(results, result, NULL));
		page_links_put(links, table, 1 + at, report_build_file(model, result->build));
	}
}

static bool put_heat(struct page *page, const struct headline *headline, GError **err)
{
	const struct report_model *model = page->model;
	g_autoptr(GPtrArray) names = column_names(model), toolchains = headline_toolchains(model);
	g_autoptr(GPtrArray) links = page_links_new();
	g_autofree char *title = g_strdup_printf(
		"%s %s: toolchains by builds", headline->benchmark, headline->block ? headline->block : "");
	struct table *table = table_new(title);

	table_add_column(table, "toolchain", "Toolchain", NULL, TABLE_LEFT);
	for (guint i = 0; i < names->len; i++)
		table_add_column(table, names->pdata[i], names->pdata[i], NULL, TABLE_RIGHT);
	for (guint i = 0; i < toolchains->len; i++)
		put_toolchain(table, links, model, names, headline, toolchains->pdata[i]);
	bool ok = page_table(page, table, links, err);
	table_free(table);
	return ok;
}

static bool put_cells(struct page *page, GError **err)
{
	const struct report_model *model = page->model;
	g_autoptr(GPtrArray) links = page_links_new();
	struct table *table;

	if (model->cells == NULL)
		return true;
	table = table_new("cells of the newest run");
	table_add_column(table, "cell", "Cell", NULL, TABLE_LEFT);
	table_add_column(table, "state", "State", NULL, TABLE_LEFT);
	table_add_column(table, "ok", "Benchmarks ok", NULL, TABLE_RIGHT);
	table_add_column(table, "failed", "Benchmarks failed", NULL, TABLE_RIGHT);
	table_add_column(table, "reason", "Reason", NULL, TABLE_LEFT);
	for (guint i = 0; i < model->cells->len; i++) {
		const struct cell_info *info = model->cells->pdata[i];
		struct table_cell *cells = table_add_row(table);

		cell_put_text(&cells[0], info->name);
		cell_put_text(&cells[1], info->state);
		cell_put_count(&cells[2], (guint)info->outcomes_ok);
		cell_put_count(&cells[3], (guint)info->outcomes_failed);
		cell_put_text(&cells[4], info->reason);
		page_links_put(links, table, 0, report_build_file(model, info->build));
	}
	page_section(page, "cells", "Cells of the newest run");
	bool ok = page_table(page, table, links, err);
	page_section_end(page);
	table_free(table);
	return ok;
}

bool report_matrix(const struct report_model *model, GError **err)
{
	struct page *page = page_begin(model, "matrix.html", "Matrix");
	struct headline headlines[HEADLINES];
	bool ok = true;

	if (headlines_find(headlines, model) > 0) {
		page_section(page, "heat", "Toolchain by configuration");
		page_paragraph(page, "Each row is coloured from its worst to its best: figures of different "
				     "toolchains are not held against each other.");
		page_chart(page, "heat", "heat map of toolchains and configurations");
		g_string_append(page->html, "<div class=\"static\">\n");
		ok = put_heat(page, &headlines[0], err);
		g_string_append(page->html, "</div>\n");
		page_section_end(page);
	}
	ok = ok && put_cells(page, err);
	return page_end(page, ok ? err : NULL) && ok;
}
