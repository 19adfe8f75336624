#include "report_cells.h"
#include "report_headline.h"
#include "report_page.h"
#include "report_pages.h"

#include "figures.h"
#include "tables.h"

#include <math.h>
#include <string.h>

/* All builds of a toolchain: size beside the headlines. */
struct sheet {
	const struct report_model *model;
	const char *toolchain;
	enum metric metric;
	struct headline headlines[HEADLINES];
	GPtrArray *results[HEADLINES];
	size_t n;
};

static const struct result *of_build(const GPtrArray *results, const struct report_build *build)
{
	for (guint i = 0; i < results->len; i++) {
		const struct result *result = results->pdata[i];

		if (report_same_build(&result->what.labels, &build->example->what.labels))
			return result;
	}
	return NULL;
}

/* The size of the build without flags that is otherwise the same. */
static double plain_size(const struct sheet *sheet, const struct report_build *build)
{
	static const enum label same[] = {
		LABEL_LIBRARY, LABEL_VERSION, LABEL_PROFILE, LABEL_OPTIMISATION, LABEL_TOOLCHAIN};
	const char *const *mine = build->example->what.labels.v;

	for (guint i = 0; i < sheet->model->builds->len; i++) {
		const struct report_build *other = sheet->model->builds->pdata[i];
		const char *const *theirs = other->example->what.labels.v;
		bool is_same = g_strcmp0(theirs[LABEL_CONFIG], "default") == 0 &&
			       other->example->what.source == SOURCE_OWN;

		for (size_t l = 0; l < G_N_ELEMENTS(same); l++)
			is_same = is_same && g_strcmp0(mine[same[l]], theirs[same[l]]) == 0;
		if (is_same)
			return other->latest_size;
	}
	return NAN;
}

static void put_build(
	struct table *table, GPtrArray *links, const struct sheet *sheet, const struct report_build *build)
{
	struct table_cell *cells = table_add_row(table);
	g_autofree char *name = report_build_name(sheet->model, &build->example->what.labels);

	cell_put_text(&cells[0], name);
	page_links_put(links, table, 0, report_build_file(sheet->model, build->id));
	cell_put_size(&cells[1], build->latest_size);
	cell_put_ratio(&cells[2], build->latest_size / plain_size(sheet, build), true);
	for (size_t h = 0; h < sheet->n; h++) {
		const struct result *result = of_build(sheet->results[h], build);
		const char *unit = result ? figures_unit(sheet->results[h], result, NULL) : NULL;

		cell_put_result(&cells[3 + h], result, unit);
		if (result != NULL)
			page_links_put(links, table, 3 + (guint)h, cell_history_link(sheet->model, result));
	}
}

static bool is_of(const struct report_build *build, const char *toolchain)
{
	return build->example->what.source == SOURCE_OWN &&
	       g_strcmp0(build->example->what.labels.v[LABEL_TOOLCHAIN], toolchain) == 0;
}

/* The newest of its kind: a kind of build is one row. */
static bool is_newest(const struct report_model *model, const struct report_build *build)
{
	for (guint i = 0; i < model->builds->len; i++) {
		const struct report_build *other = model->builds->pdata[i];

		if (other->id > build->id &&
			report_same_build(&other->example->what.labels, &build->example->what.labels))
			return false;
	}
	return true;
}

static bool put_sheet(struct page *page, struct sheet *sheet, GError **err)
{
	g_autofree char *title = g_strdup_printf("%s: library size and %s", sheet->toolchain,
		sheet->metric == METRIC_TIME ? "speed" : metric_infos[sheet->metric].name);
	g_autoptr(GPtrArray) links = page_links_new();
	struct table *table = table_new(title);

	table_add_column(table, "build", "Flags", NULL, TABLE_LEFT);
	table_add_column(table, "library_size", "Library", "B", TABLE_RIGHT);
	table_add_column(table, "size_ratio", "of default", "x", TABLE_RIGHT);
	for (size_t h = 0; h < sheet->n; h++) {
		sheet->results[h] =
			headline_results(sheet->model, &sheet->headlines[h], sheet->toolchain, sheet->metric);
		table_add_column(table, sheet->headlines[h].benchmark, sheet->headlines[h].benchmark, NULL,
			TABLE_RIGHT);
	}
	for (guint i = 0; i < sheet->model->builds->len; i++)
		if (is_of(sheet->model->builds->pdata[i], sheet->toolchain) &&
			is_newest(sheet->model, sheet->model->builds->pdata[i]))
			put_build(table, links, sheet, sheet->model->builds->pdata[i]);
	table_add_footer(table,
		"Library: text, rodata and data of all its objects; a program links the part that it calls.");
	bool ok = page_table(page, table, links, err);
	for (size_t h = 0; h < sheet->n; h++)
		g_ptr_array_unref(sheet->results[h]);
	table_free(table);
	return ok;
}

bool report_flags(const struct report_model *model, GError **err)
{
	struct page *page = page_begin(model, "flags.html", "Flags: footprint against speed");
	g_autoptr(GPtrArray) toolchains = headline_toolchains(model);
	struct sheet sheet = {.model = model};
	bool ok = true;

	sheet.n = headlines_find(sheet.headlines, model);
	page_section(page, "pareto", "Which flags on this chip?");
	page_paragraph(page, "Each point is a build. On the line are those that no other build beats in both "
			     "size and speed; a point leads to its configure line.");
	page_chart(page, "pareto", "library size against speed of each build");
	page_section_end(page);
	for (guint i = 0; ok && i < toolchains->len; i++) {
		g_autofree char *id = g_strdup_printf("toolchain-%u", i + 1);

		sheet.toolchain = toolchains->pdata[i];
		sheet.metric = headline_metric(model, sheet.toolchain);
		page_section(page, id, sheet.toolchain);
		ok = put_sheet(page, &sheet, err);
		page_section_end(page);
	}
	return page_end(page, ok ? err : NULL) && ok;
}
