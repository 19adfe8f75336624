#include "report_cells.h"
#include "report_headline.h"
#include "report_page.h"
#include "report_pages.h"

#include "figures.h"
#include "values.h"

#include <string.h>

static bool describe(struct page *page, const struct report_platform *platform, GError **err)
{
	struct store_description *facts;

	page_section(page, "facts", "What it is");
	if (platform->id == 0) {
		page_paragraph(page, "Nothing is known of it but its name.");
	} else {
		if (!store_describe(page->model->spec->store, &facts, STORE_PLATFORM, platform->id, err))
			return false;
		page_facts(page, facts);
		store_description_free(facts);
	}
	if (platform->example->reference != NULL)
		page_paragraph(page, "Source: %s", platform->example->reference);
	page_section_end(page);
	return true;
}

static bool is_shown(const struct result *result, const struct report_platform *platform)
{
	return g_strcmp0(result->what.labels.v[LABEL_PLATFORM], platform->name) == 0 &&
	       !(values_time_like(result->metric) && result->what.environment == ENVIRONMENT_EMULATOR);
}

static void put_result(
	struct table *table, GPtrArray *links, const struct report_model *model, const struct result *result)
{
	struct table_cell *cells = table_add_row(table);
	g_autofree char *build = report_build_name(model, &result->what.labels);
	g_autofree char *origin = page_origin(result);

	cell_put_text(&cells[0], result->what.labels.v[LABEL_BENCHMARK]);
	figures_put_label(&cells[1], LABEL_BLOCK, result->what.labels.v[LABEL_BLOCK]);
	cell_put_text(&cells[2], metric_infos[result->metric].name);
	cell_put_result(&cells[3], result, NULL);
	cell_put_text(&cells[4], build);
	cell_put_text(&cells[5], result->what.labels.v[LABEL_ENGINE]);
	cell_put_text(&cells[6], result->what.labels.v[LABEL_ASYNC]);
	cell_put_text(&cells[7], origin);
	page_links_put(links, table, 0, cell_history_link(model, result));
	page_links_put(links, table, 4, report_build_file(model, result->build));
}

/* A benchmark and metric, each build's best of which is one row at most. */
static char *row_key(const struct result *result)
{
	const char *const *labels = result->what.labels.v;

	return g_strdup_printf("%s|%s|%s|%s|%d", labels[LABEL_BENCHMARK] ? labels[LABEL_BENCHMARK] : "",
		labels[LABEL_BLOCK] ? labels[LABEL_BLOCK] : "",
		labels[LABEL_ENGINE] ? labels[LABEL_ENGINE] : "",
		labels[LABEL_ASYNC] ? labels[LABEL_ASYNC] : "", (int)result->metric);
}

static bool replaces(const struct result *result, const struct result *other)
{
	bool higher = metric_infos[result->metric].better == BETTER_HIGHER;
	double a = figure_value(&result->figure), b = other ? figure_value(&other->figure) : 0;

	return other == NULL || (higher ? a > b : a < b);
}

/* All figures where builds are few, else the best build of each benchmark. */
static bool put_figures(struct page *page, const struct report_platform *platform, GError **err)
{
	const struct report_model *model = page->model;
	g_autoptr(GHashTable) best = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_autoptr(GPtrArray) links = page_links_new();
	bool all = platform->figures <= 200;
	struct table *table = table_new(all ? "figures" : "the best build of each benchmark");

	table_add_column(table, "benchmark", "Benchmark", NULL, TABLE_LEFT);
	table_add_column(table, "block", "Block", "B", TABLE_RIGHT);
	table_add_column(table, "metric", "Metric", NULL, TABLE_LEFT);
	table_add_column(table, "value", "Value", NULL, TABLE_RIGHT);
	table_add_column(table, "build", "Build", NULL, TABLE_LEFT);
	table_add_column(table, "engine", "Engine", NULL, TABLE_LEFT);
	table_add_column(table, "async", "Async", NULL, TABLE_RIGHT);
	table_add_column(table, "origin", "Origin", NULL, TABLE_LEFT);
	for (guint i = 0; i < model->results->len; i++) {
		struct result *result = &g_array_index(model->results, struct result, i);
		g_autofree char *key = row_key(result);

		if (is_shown(result, platform) && replaces(result, g_hash_table_lookup(best, key)))
			g_hash_table_insert(best, g_steal_pointer(&key), result);
	}
	for (guint i = 0; i < model->results->len; i++) {
		struct result *result = &g_array_index(model->results, struct result, i);
		g_autofree char *key = row_key(result);

		if (is_shown(result, platform) && (all || g_hash_table_lookup(best, key) == result))
			put_result(table, links, model, result);
	}
	page_section(page, "figures", "Figures");
	bool ok = page_table(page, table, links, err);
	page_section_end(page);
	table_free(table);
	return ok;
}

static bool put_platform(const struct report_model *model, const struct report_platform *platform,
	const char *file, GError **err)
{
	struct page *page = page_begin(model, file, platform->name);
	bool ok = describe(page, platform, err) && put_figures(page, platform, err);

	return page_end(page, ok ? err : NULL) && ok;
}

bool report_platforms(const struct report_model *model, GError **err)
{
	struct page *page = page_begin(model, "platforms.html", "Platforms");
	g_autoptr(GPtrArray) links = page_links_new();
	struct table *table = table_new("platforms");
	bool ok = true;

	table_add_column(table, "platform", "Platform", NULL, TABLE_LEFT);
	table_add_column(table, "origin", "Origin", NULL, TABLE_LEFT);
	table_add_column(table, "figures", "Figures", NULL, TABLE_RIGHT);
	table_add_column(table, "source", "Source", NULL, TABLE_LEFT);
	for (guint i = 0; ok && i < model->platforms->len; i++) {
		const struct report_platform *platform = model->platforms->pdata[i];
		struct table_cell *cells = table_add_row(table);
		g_autofree char *file = report_platform_file(model, platform->name);
		g_autofree char *origin = page_origin(platform->example);

		cell_put_text(&cells[0], platform->name);
		cell_put_text(&cells[1], origin);
		cell_put_count(&cells[2], platform->figures);
		cell_put_text(&cells[3], platform->example->reference);
		page_links_put(links, table, 0, g_strdup(file));
		ok = put_platform(model, platform, file, err);
	}
	ok = ok && page_table(page, table, links, err);
	table_free(table);
	return page_end(page, ok ? err : NULL) && ok;
}
