#include "report_cells.h"
#include "report_headline.h"
#include "report_page.h"
#include "report_pages.h"

#include "figures.h"
#include "values.h"

#include <math.h>
#include <string.h>

static GPtrArray *libraries_of(const struct report_model *model, const char *toolchain)
{
	g_autoptr(GPtrArray) own = g_ptr_array_new();

	for (guint i = 0; i < model->builds->len; i++) {
		const struct report_build *build = model->builds->pdata[i];

		if (build->example->what.source == SOURCE_OWN &&
			build->example->what.labels.v[LABEL_LIBRARY] != NULL &&
			(toolchain == NULL ||
				g_strcmp0(build->example->what.labels.v[LABEL_TOOLCHAIN], toolchain) == 0))
			g_ptr_array_add(own, (gpointer)build->example);
	}
	return values_distinct(own, (enum selector_key)LABEL_LIBRARY);
}

bool report_has_libraries(const struct report_model *model)
{
	g_autoptr(GPtrArray) libraries = libraries_of(model, NULL);

	return libraries->len > 1;
}

/* Those of one library. */
static GPtrArray *only_of(const GPtrArray *results, const char *library)
{
	GPtrArray *some = g_ptr_array_new();

	for (guint i = 0; i < results->len; i++) {
		const struct result *result = results->pdata[i];

		if (g_strcmp0(result->what.labels.v[LABEL_LIBRARY], library) == 0)
			g_ptr_array_add(some, (gpointer)result);
	}
	return some;
}

static void put_benchmark(struct table *table, GPtrArray *links, const struct report_model *model,
	const GPtrArray *libraries, const struct headline *headline, const char *toolchain)
{
	g_autoptr(GPtrArray) results =
		headline_results(model, headline, toolchain, headline_metric(model, toolchain));
	const struct result *best = headline_best(results);
	struct table_cell *cells;
	guint known = 0;

	for (guint l = 0; l < libraries->len; l++) {
		g_autoptr(GPtrArray) some = only_of(results, libraries->pdata[l]);
		known += some->len > 0;
	}
	if (known < 2)
		return;
	g_autofree char *name = values_benchmark(best);
	cells = table_add_row(table);
	cell_put_text(&cells[0], name);
	for (guint l = 0; l < libraries->len; l++) {
		g_autoptr(GPtrArray) some = only_of(results, libraries->pdata[l]);
		const struct result *mine = headline_best(some);
		g_autofree char *build = mine ? report_build_name(model, &mine->what.labels) : NULL;
		guint c = 1 + 3 * l;

		cell_put_result(&cells[c], mine, mine ? figures_unit(results, mine, NULL) : NULL);
		cell_put_text(&cells[c + 1], build);
		cell_put_ratio(&cells[c + 2],
			mine ? figure_value(&best->figure) / figure_value(&mine->figure) : NAN, false);
		if (mine != NULL)
			page_links_put(links, table, c + 1, report_build_file(model, mine->build));
	}
}

static bool is_comparable(const struct result *result)
{
	return result->what.source == SOURCE_OWN && result->what.labels.v[LABEL_BENCHMARK] != NULL &&
	       g_strcmp0(result->what.labels.v[LABEL_INSTRUMENT], "build") != 0 &&
	       strcmp(result->what.labels.v[LABEL_BENCHMARK], "null operation") != 0;
}

static bool put_toolchain(struct page *page, const GPtrArray *libraries, const char *toolchain, GError **err)
{
	const struct report_model *model = page->model;
	g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_autoptr(GPtrArray) links = page_links_new();
	g_autofree char *title = g_strdup_printf("%s, by %s: the best build of each library", toolchain,
		metric_infos[headline_metric(model, toolchain)].name);
	struct table *table = table_new(title);

	table_add_column(table, "benchmark", "Benchmark", NULL, TABLE_LEFT);
	for (guint l = 0; l < libraries->len; l++) {
		const char *library = libraries->pdata[l];
		g_autofree char *build = g_strdup_printf("%s_build", library);
		g_autofree char *ratio = g_strdup_printf("%s_of_best", library);

		table_add_column(table, library, library, NULL, TABLE_RIGHT);
		table_add_column(table, build, "build", NULL, TABLE_LEFT);
		table_add_column(table, ratio, "of the best", "x", TABLE_RIGHT);
	}
	for (guint i = 0; i < model->results->len; i++) {
		const struct result *result = &g_array_index(model->results, struct result, i);
		const struct headline headline = {
			result->what.labels.v[LABEL_BENCHMARK], result->what.labels.v[LABEL_BLOCK]};

		if (!is_comparable(result) ||
			g_strcmp0(result->what.labels.v[LABEL_TOOLCHAIN], toolchain) != 0 ||
			!g_hash_table_add(seen, values_benchmark(result)))
			continue;
		put_benchmark(table, links, model, libraries, &headline, toolchain);
	}
	bool ok = true;
	if (table->rows->len == 0)
		page_paragraph(page, "No benchmark was measured of two libraries.");
	else
		ok = page_table(page, table, links, err);
	table_free(table);
	return ok;
}

bool report_libraries(const struct report_model *model, GError **err)
{
	struct page *page = page_begin(model, "libraries.html", "Library against library");
	g_autoptr(GPtrArray) toolchains = headline_toolchains(model);
	bool ok = true;

	page_paragraph(page, "For each benchmark that two libraries have: the best build of each on the same "
			     "toolchain, and how many times better it is than the other library's.");
	for (guint i = 0; ok && i < toolchains->len; i++) {
		g_autoptr(GPtrArray) libraries = libraries_of(model, toolchains->pdata[i]);
		g_autofree char *id = g_strdup_printf("toolchain-%u", i + 1);

		if (libraries->len < 2)
			continue;
		page_section(page, id, toolchains->pdata[i]);
		ok = put_toolchain(page, libraries, toolchains->pdata[i], err);
		page_section_end(page);
	}
	return page_end(page, ok ? err : NULL) && ok;
}
