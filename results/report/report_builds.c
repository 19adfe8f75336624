#include "report_cells.h"
#include "report_page.h"
#include "report_pages.h"

#include "figures.h"
#include "values.h"

#include <string.h>

/* Of a log; the whole stands in the database. */
#define LOG_BYTES (64 * 1024)

/* Its end, which says what went wrong. */
static void put_log(struct page *page, const char *text)
{
	size_t length = text ? strlen(text) : 0;

	if (length == 0)
		return;
	page_section(page, "log", "Log");
	g_string_append(page->html, "<details><summary>");
	page_text(
		page, length > LOG_BYTES ? "the last 64 KiB; `benchmatrix show` has the whole" : "the whole");
	g_string_append(page->html, "</summary>\n");
	page_preformatted(page, length > LOG_BYTES ? text + length - LOG_BYTES : text);
	g_string_append(page->html, "</details>\n");
	page_section_end(page);
}

static bool put_twins(struct page *page, int64_t build, GError **err)
{
	g_autoptr(GPtrArray) twins = NULL;

	if (!store_build_twins(page->model->spec->store, &twins, build, err))
		return false;
	if (twins->len == 0)
		return true;
	g_autofree char *list = values_list(twins);
	page_section(page, "twins", "No effect");
	page_paragraph(page, "The library's code is the same, byte by byte, as with: %s.", list);
	page_section_end(page);
	return true;
}

static bool put_figures(struct page *page, const struct report_build *build, GError **err)
{
	const struct report_model *model = page->model;
	g_autoptr(GPtrArray) links = page_links_new();
	struct table *table = table_new("figures");

	table_add_column(table, "benchmark", "Benchmark", NULL, TABLE_LEFT);
	table_add_column(table, "block", "Block", "B", TABLE_RIGHT);
	table_add_column(table, "metric", "Metric", NULL, TABLE_LEFT);
	table_add_column(table, "value", "Value", NULL, TABLE_RIGHT);
	table_add_column(table, "platform", "Platform", NULL, TABLE_LEFT);
	table_add_column(table, "origin", "Origin", NULL, TABLE_LEFT);
	for (guint i = 0; i < model->results->len; i++) {
		const struct result *result = &g_array_index(model->results, struct result, i);

		if (result->build != build->id)
			continue;
		g_autofree char *origin = page_origin(result);
		struct table_cell *cells = table_add_row(table);
		cell_put_text(&cells[0], result->what.labels.v[LABEL_BENCHMARK]);
		figures_put_label(&cells[1], LABEL_BLOCK, result->what.labels.v[LABEL_BLOCK]);
		cell_put_text(&cells[2], metric_infos[result->metric].name);
		cell_put_result(&cells[3], result, NULL);
		cell_put_text(&cells[4], result->what.labels.v[LABEL_PLATFORM]);
		cell_put_text(&cells[5], origin);
		page_links_put(links, table, 0, cell_history_link(model, result));
		page_links_put(
			links, table, 4, report_platform_file(model, result->what.labels.v[LABEL_PLATFORM]));
	}
	page_section(page, "figures", "Figures");
	bool ok = page_table(page, table, links, err);
	page_section_end(page);
	table_free(table);
	return ok;
}

static char *title_of(const struct report_build *build)
{
	g_autoptr(GString) title = g_string_new(NULL);
	static const enum label parts[] = {LABEL_TOOLCHAIN, LABEL_LIBRARY, LABEL_VERSION, LABEL_CONFIG,
		LABEL_PROFILE, LABEL_OPTIMISATION};

	for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
		const char *value = build->example->what.labels.v[parts[i]];

		if (value != NULL)
			g_string_append_printf(title, "%s%s", title->len ? " " : "", value);
	}
	return title->len ? g_string_free(g_steal_pointer(&title), FALSE) : g_strdup("an unnamed build");
}

static bool put_build(const struct report_model *model, const struct report_build *build, GError **err)
{
	g_autofree char *file = report_build_file(model, build->id), *title = title_of(build);
	struct page *page = page_begin(model, file, title);
	struct store_description *facts;

	if (!store_describe(model->spec->store, &facts, STORE_BUILD, build->id, err)) {
		page_end(page, NULL);
		return false;
	}
	page_section(page, "facts", "What it is");
	page_facts(page, facts);
	page_section_end(page);
	bool ok = put_twins(page, build->id, err) && put_figures(page, build, err);
	put_log(page, facts->text);
	store_description_free(facts);
	return page_end(page, ok ? err : NULL) && ok;
}

bool report_builds(const struct report_model *model, GError **err)
{
	struct page *page = page_begin(model, "builds.html", "Builds");
	g_autoptr(GPtrArray) links = page_links_new();
	struct table *table = table_new("builds");
	static const enum label shown[] = {LABEL_TOOLCHAIN, LABEL_LIBRARY, LABEL_VERSION, LABEL_CONFIG,
		LABEL_PROFILE, LABEL_OPTIMISATION};
	bool ok = true;

	for (size_t l = 0; l < G_N_ELEMENTS(shown); l++)
		table_add_column(table, label_keys[shown[l]], label_keys[shown[l]], NULL, TABLE_LEFT);
	table_add_column(table, "library_size", "Library", "B", TABLE_RIGHT);
	table_add_column(table, "effective", "-O in force", NULL, TABLE_LEFT);
	table_add_column(table, "math", "Math", NULL, TABLE_LEFT);
	table_add_column(table, "compiler", "Compiler", NULL, TABLE_LEFT);
	table_add_column(table, "figures", "Figures", NULL, TABLE_RIGHT);
	for (guint i = 0; ok && i < model->builds->len; i++) {
		const struct report_build *build = model->builds->pdata[i];
		struct table_cell *cells = table_add_row(table);

		for (size_t l = 0; l < G_N_ELEMENTS(shown); l++)
			cell_put_text(&cells[l], build->example->what.labels.v[shown[l]]);
		cell_put_size(&cells[6], build->size);
		cell_put_text(&cells[7], build->example->optimisation_effective);
		cell_put_text(&cells[8], build->example->math);
		cell_put_text(&cells[9], build->example->compiler);
		cell_put_count(&cells[10], build->figures);
		page_links_put(links, table, 3, report_build_file(model, build->id));
		ok = put_build(model, build, err);
	}
	ok = ok && page_table(page, table, links, err);
	table_free(table);
	return page_end(page, ok ? err : NULL) && ok;
}
