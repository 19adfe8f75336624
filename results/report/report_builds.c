#include "report_cells.h"
#include "report_failed.h"
#include "report_page.h"
#include "report_pages.h"

#include "figures.h"
#include "values.h"

#include <string.h>

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

/* What a build of a library is called, as its description says it. */
static const char *const title_keys[] = {
	"toolchain", "library", "version", "config", "profile", "optimisation"};

static const char *const titles[] = {"Toolchain", "Library", "Version", "Flags", "Profile", "Optimisation"};

static const char *fact_of(const struct store_description *facts, const char *key)
{
	guint at;

	return g_ptr_array_find_with_equal_func(facts->keys, key, g_str_equal, &at) ? facts->values->pdata[at]
										    : NULL;
}

static char *title_of(const struct store_description *facts)
{
	g_autoptr(GString) title = g_string_new(NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(title_keys); i++) {
		const char *value = fact_of(facts, title_keys[i]);

		if (value != NULL)
			g_string_append_printf(title, "%s%s", title->len ? " " : "", value);
	}
	return title->len ? g_string_free(g_steal_pointer(&title), FALSE) : g_strdup("an unnamed build");
}

/* `build` is NULL where no figure rests on it. What went wrong stands first. */
static bool put_page(const struct report_model *model, int64_t id, const struct report_build *build,
	const struct store_description *facts, GError **err)
{
	g_autofree char *file = report_build_file(model, id), *title = title_of(facts);
	struct page *page = page_begin(model, file, title);
	bool broken = build == NULL;
	bool ok = report_failed_put(page, id, fact_of(facts, "library"), err);

	if (broken)
		page_log(page, "log", "Log of the build", facts->text, true);
	page_section(page, "facts", "What it is");
	page_facts(page, facts);
	page_section_end(page);
	ok = ok && put_twins(page, id, err) && (broken || put_figures(page, build, err));
	if (!broken)
		page_log(page, "log", "Log of the build", facts->text, false);
	return page_end(page, ok ? err : NULL) && ok;
}

static bool put_build(const struct report_model *model, const struct report_build *build, GError **err)
{
	struct store_description *facts;

	if (!store_describe(model->spec->store, &facts, STORE_BUILD, build->id, err))
		return false;
	bool ok = put_page(model, build->id, build, facts, err);
	store_description_free(facts);
	return ok;
}

/* --- those without a figure --- */

static void put_failed_row(struct table *table, GPtrArray *links, const struct report_model *model,
	const struct report_failed *failed, const struct store_description *facts)
{
	struct table_cell *cells = table_add_row(table);
	const struct cell_info *cell = failed->cells->pdata[0];
	const char *reason = fact_of(facts, "reason");

	for (size_t i = 0; i < G_N_ELEMENTS(title_keys); i++)
		cell_put_text(&cells[i], fact_of(facts, title_keys[i]));
	cell_put_text(&cells[6], cell->attempt_state ? cell->attempt_state : cell->build_state);
	cell_put_text(&cells[7], reason ? reason : cell->reason);
	page_links_put(links, table, 3, report_build_file(model, failed->id));
}

static bool put_failed(const struct report_model *model, struct table *table, GPtrArray *links, GError **err)
{
	for (guint i = 0; i < model->failed->len; i++) {
		const struct report_failed *failed = model->failed->pdata[i];
		struct store_description *facts;

		if (g_hash_table_contains(model->build_of, &failed->id))
			continue;
		if (!store_describe(model->spec->store, &facts, STORE_BUILD, failed->id, err))
			return false;
		put_failed_row(table, links, model, failed, facts);
		bool ok = put_page(model, failed->id, NULL, facts, err);
		store_description_free(facts);
		if (!ok)
			return false;
	}
	return true;
}

static bool put_failed_section(struct page *page, GError **err)
{
	g_autoptr(GPtrArray) links = page_links_new();
	struct table *table = table_new("builds of the newest run that gave no figure");

	for (size_t i = 0; i < G_N_ELEMENTS(title_keys); i++)
		table_add_column(table, title_keys[i], titles[i], NULL, TABLE_LEFT);
	table_add_column(table, "state", "State", NULL, TABLE_LEFT);
	table_add_column(table, "reason", "Reason", NULL, TABLE_LEFT);
	bool ok = put_failed(page->model, table, links, err);
	if (ok && table->rows->len > 0) {
		page_section(page, "failed", "Failed in the newest run");
		ok = page_table(page, table, links, err);
		page_section_end(page);
	}
	table_free(table);
	return ok;
}

/* --- all --- */

static void put_row(struct table *table, GPtrArray *links, const struct report_model *model,
	const struct report_build *build)
{
	static const enum label shown[] = {LABEL_TOOLCHAIN, LABEL_LIBRARY, LABEL_VERSION, LABEL_CONFIG,
		LABEL_PROFILE, LABEL_OPTIMISATION};
	struct table_cell *cells = table_add_row(table);

	for (size_t l = 0; l < G_N_ELEMENTS(shown); l++)
		cell_put_text(&cells[l], build->example->what.labels.v[shown[l]]);
	if (cells[3].text == NULL)
		cell_put_text(&cells[3], "unknown");
	cell_put_size(&cells[6], build->size);
	cell_put_text(&cells[7], build->example->optimisation_effective);
	cell_put_text(&cells[8], build->example->math);
	cell_put_text(&cells[9], build->example->compiler);
	cell_put_count(&cells[10], build->figures);
	page_links_put(links, table, 3, report_build_file(model, build->id));
}

static struct table *builds_table(void)
{
	struct table *table = table_new("builds");

	for (size_t i = 0; i < G_N_ELEMENTS(title_keys); i++)
		table_add_column(table, title_keys[i], titles[i], NULL, TABLE_LEFT);
	table_add_column(table, "library_size", "Size", "B", TABLE_RIGHT);
	table_add_column(table, "effective", "-O in force", NULL, TABLE_LEFT);
	table_add_column(table, "math", "Math", NULL, TABLE_LEFT);
	table_add_column(table, "compiler", "Compiler", NULL, TABLE_LEFT);
	table_add_column(table, "figures", "Figures", NULL, TABLE_RIGHT);
	return table;
}

/* Our own first: of others' little is known. */
bool report_builds(const struct report_model *model, GError **err)
{
	struct page *page = page_begin(model, "builds.html", "Builds");
	g_autoptr(GPtrArray) links = page_links_new();
	struct table *table = builds_table();
	bool ok = put_failed_section(page, err);

	for (int own = 1; own >= 0; own--)
		for (guint i = 0; ok && i < model->builds->len; i++) {
			const struct report_build *build = model->builds->pdata[i];

			if ((build->example->what.source == SOURCE_OWN) != own)
				continue;
			put_row(table, links, model, build);
			ok = put_build(model, build, err);
		}
	page_section(page, "all", "With figures");
	ok = ok && page_table(page, table, links, err);
	page_section_end(page);
	table_free(table);
	return page_end(page, ok ? err : NULL) && ok;
}
