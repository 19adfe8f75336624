#include "report_cells.h"
#include "report_headline.h"
#include "report_page.h"
#include "report_pages.h"

#include "arrange.h"
#include "tables.h"
#include "values.h"

#include <math.h>
#include <string.h>

#define CHANGES_SHOWN 20

/* --- tiles --- */

static void put_tile(struct page *page, guint n, const char *word, const char *class, const char *href)
{
	g_string_append_printf(page->html, "<li class=\"tile %s\">", class);
	if (href != NULL)
		g_string_append_printf(page->html, "<a href=\"%s\">", href);
	g_string_append_printf(page->html, "<strong>%u</strong> %s", n, word);
	g_string_append(page->html, href != NULL ? "</a></li>\n" : "</li>\n");
}

static guint cells_in(const struct report_model *model, const char *state)
{
	guint n = 0;

	for (guint i = 0; model->cells != NULL && i < model->cells->len; i++)
		n += strcmp(((const struct cell_info *)model->cells->pdata[i])->state, state) == 0;
	return n;
}

static guint fresh_failures(const struct report_model *model)
{
	guint n = 0;

	for (guint i = 0; i < model->failures->len; i++)
		n += ((const struct report_failure *)model->failures->pdata[i])->fresh;
	return n;
}

static void put_tiles(struct page *page)
{
	const struct report_model *model = page->model;
	guint failed = cells_in(model, "failed"), partial = cells_in(model, "partial");

	g_string_append(page->html, "<ul class=\"tiles\">\n");
	if (model->last != NULL) {
		put_tile(page, failed, "cells failed", failed > 0 ? "bad" : "good", "#failures");
		put_tile(page, partial, "cells in part", partial > 0 ? "warn" : "good", "#failures");
		put_tile(page, cells_in(model, "ok"), "cells ok", "good", "matrix.html");
		put_tile(page, fresh_failures(model), "new failures",
			fresh_failures(model) > 0 ? "bad" : "good", "#failures");
	}
	put_tile(page, model->builds->len, "builds", "plain", "builds.html");
	put_tile(page, model->platforms->len, "platforms", "plain", "platforms.html");
	put_tile(page, model->results->len, "series", "plain", "history.html");
	g_string_append(page->html, "</ul>\n");
}

/* --- failures --- */

static int64_t build_of_cell(const struct report_model *model, const char *cell)
{
	for (guint i = 0; i < model->cells->len; i++) {
		const struct cell_info *info = model->cells->pdata[i];

		if (strcmp(info->name, cell) == 0)
			return info->build;
	}
	return 0;
}

/* What failed in one way in one cell is one row, with the benchmarks that did. */
static bool is_same(const struct report_failure *a, const struct report_failure *b)
{
	return a->fresh == b->fresh && strcmp(a->what->cell, b->what->cell) == 0 &&
	       strcmp(a->what->what, b->what->what) == 0 && g_strcmp0(a->what->reason, b->what->reason) == 0;
}

/* Of the failures from `first` on; *ret_next is the first of another row. */
static char *benchmarks_of(guint *ret_next, const GPtrArray *failures, guint first)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	for (*ret_next = first;
		*ret_next < failures->len && is_same(failures->pdata[first], failures->pdata[*ret_next]);
		++*ret_next) {
		const struct report_failure *failure = failures->pdata[*ret_next];

		if (failure->what->benchmark != NULL && *failure->what->benchmark != '\0')
			g_ptr_array_add(names, failure->what->benchmark);
	}
	return names->len > 0 ? values_list(names) : NULL;
}

static void put_failure(struct table *table, GPtrArray *links, const struct report_model *model,
	const struct report_failure *failure, const char *benchmarks)
{
	struct table_cell *cells = table_add_row(table);

	cell_put_text(&cells[0], failure->fresh ? "new" : "");
	cell_put_text(&cells[1], failure->what->cell);
	cell_put_text(&cells[2], failure->what->what);
	cell_put_text(&cells[3], failure->what->reason);
	cell_put_text(&cells[4], benchmarks);
	page_links_put(links, table, 1, report_build_file(model, build_of_cell(model, failure->what->cell)));
}

static bool put_failures(struct page *page, GError **err)
{
	const struct report_model *model = page->model;
	g_autoptr(GPtrArray) links = page_links_new();

	page_section(page, "failures", "What failed");
	if (model->failures->len == 0) {
		page_paragraph(page, model->last ? "Nothing." : "No run of a matrix is here.");
		page_section_end(page);
		return true;
	}
	struct table *table = table_new("failures of the newest run");
	table_add_column(table, "new", "New", NULL, TABLE_LEFT);
	table_add_column(table, "cell", "Cell", NULL, TABLE_LEFT);
	table_add_column(table, "state", "State", NULL, TABLE_LEFT);
	table_add_column(table, "reason", "Reason", NULL, TABLE_LEFT);
	table_add_column(table, "benchmarks", "Benchmarks", NULL, TABLE_LEFT);
	for (guint i = 0, next; i < model->failures->len; i = next) {
		g_autofree char *benchmarks = benchmarks_of(&next, model->failures, i);

		put_failure(table, links, model, model->failures->pdata[i], benchmarks);
	}
	bool ok = page_table(page, table, links, err);
	table_free(table);
	page_section_end(page);
	return ok;
}

/* --- changes --- */

struct alarm {
	const struct comparison_row *row;
	enum metric metric;
};

/* Of bench-core and the library together: of less weight than what the library alone did. */
static bool is_of_program(const struct alarm *alarm)
{
	return g_strcmp0(alarm->row->after->what.labels.v[LABEL_BENCHMARK], "program size") == 0;
}

static gint worst_first(gconstpointer a, gconstpointer b)
{
	double x = ((const struct alarm *)a)->row->ratio, y = ((const struct alarm *)b)->row->ratio;
	int order = (int)is_of_program(a) - (int)is_of_program(b);

	return order != 0 ? order : x < y ? -1 : x > y;
}

static GArray *find_alarms(const struct report_model *model)
{
	GArray *alarms = g_array_new(FALSE, FALSE, sizeof(struct alarm));

	for (guint i = 0; i < model->changes->len; i++) {
		const struct report_change *change = model->changes->pdata[i];

		for (guint r = 0; r < change->comparison->rows->len; r++) {
			const struct alarm alarm = {change->comparison->rows->pdata[r], change->metric};

			if (arrange_alarms(alarm.row))
				g_array_append_val(alarms, alarm);
		}
	}
	g_array_sort(alarms, worst_first);
	return alarms;
}

static void put_alarm(
	struct table *table, GPtrArray *links, const struct report_model *model, const struct alarm *alarm)
{
	const struct comparison_row *row = alarm->row;
	struct table_cell *cells = table_add_row(table);
	g_autofree char *benchmark = values_benchmark(row->after);
	g_autofree char *build = report_build_name(model, &row->after->what.labels);
	bool exact = metric_infos[alarm->metric].assume == ASSUME_EXACT;

	cell_put_text(&cells[0], comparison_word(row));
	cell_put_ratio(&cells[1], row->ratio, exact);
	cell_put_text(&cells[2], benchmark);
	cell_put_text(&cells[3], metric_infos[alarm->metric].name);
	cell_put_text(&cells[4], row->after->what.labels.v[LABEL_TOOLCHAIN]);
	cell_put_text(&cells[5], build);
	cell_put_result(&cells[6], row->before, NULL);
	cell_put_result(&cells[7], row->after, NULL);
	page_links_put(links, table, 2, cell_history_link(model, row->after));
	page_links_put(links, table, 5, report_build_file(model, row->after->build));
}

static bool put_change_table(struct page *page, const GArray *alarms, GError **err)
{
	g_autoptr(GPtrArray) links = page_links_new();
	struct table *table = table_new("changes since the run before, worst first, whole programs last");

	table_add_column(table, "verdict", "Verdict", NULL, TABLE_LEFT);
	table_add_column(table, "ratio", "Ratio", NULL, TABLE_RIGHT);
	table_add_column(table, "benchmark", "Benchmark", NULL, TABLE_LEFT);
	table_add_column(table, "metric", "Metric", NULL, TABLE_LEFT);
	table_add_column(table, "toolchain", "Toolchain", NULL, TABLE_LEFT);
	table_add_column(table, "build", "Build", NULL, TABLE_LEFT);
	table_add_column(table, "before", "Before", NULL, TABLE_RIGHT);
	table_add_column(table, "after", "After", NULL, TABLE_RIGHT);
	for (guint i = 0; i < alarms->len && i < CHANGES_SHOWN; i++)
		put_alarm(table, links, page->model, &g_array_index(alarms, struct alarm, i));
	if (alarms->len > CHANGES_SHOWN)
		table_add_footer(table, "and %u more on the page of changes", alarms->len - CHANGES_SHOWN);
	bool ok = page_table(page, table, links, err);
	table_free(table);
	return ok;
}

static bool put_changes(struct page *page, GError **err)
{
	const struct report_model *model = page->model;
	g_autoptr(GArray) alarms = find_alarms(model);
	bool ok = true;

	page_section(page, "changes", "What changed since the run before");
	if (model->previous == NULL)
		page_paragraph(page, "There is no earlier run of the same matrix.");
	else if (alarms->len == 0)
		page_paragraph(page, "Nothing that is proved: counts within 0.1 %%, times within what chance "
				     "explains.");
	else
		ok = put_change_table(page, alarms, err);
	page_section_end(page);
	return ok;
}

/* --- the fastest --- */

static void put_fastest(struct table *table, GPtrArray *links, const struct report_model *model,
	const struct headline *headlines, size_t n, const char *toolchain)
{
	enum metric metric = headline_metric(model, toolchain);
	struct table_cell *cells = table_add_row(table);

	cell_put_text(&cells[0], toolchain);
	cell_put_text(&cells[1], metric == METRIC_TIME ? "time" : metric_infos[metric].name);
	for (size_t h = 0; h < n; h++) {
		g_autoptr(GPtrArray) results = headline_results(model, &headlines[h], toolchain, metric);
		const struct result *best = headline_best(results);

		if (best == NULL)
			continue;
		const struct result *plain = headline_default(results, best);
		g_autofree char *name = report_build_name(model, &best->what.labels);
		g_autofree char *ratio =
			plain != NULL && plain != best
				? ratio_text(figure_value(&plain->figure) / figure_value(&best->figure),
					  metric_infos[metric].assume == ASSUME_EXACT)
				: NULL;
		cells[2 + h].text = ratio ? g_strdup_printf("%s (%s)", name, ratio) : g_strdup(name);
		page_links_put(links, table, 2 + (guint)h,
			headline_link("flags.html", &headlines[h], toolchain, metric));
	}
}

static bool put_fastest_section(struct page *page, GError **err)
{
	const struct report_model *model = page->model;
	g_autoptr(GPtrArray) toolchains = headline_toolchains(model), links = page_links_new();
	struct headline headlines[HEADLINES];
	size_t n = headlines_find(headlines, model);

	if (toolchains->len == 0 || n == 0)
		return true;
	page_section(page, "fastest", "Which flags are fastest");
	page_paragraph(page, "The best build of each toolchain, and how many times better it is than the "
			     "build without flags; each leads to what it costs in size.");
	struct table *table = table_new("fastest flags by toolchain");
	table_add_column(table, "toolchain", "Toolchain", NULL, TABLE_LEFT);
	table_add_column(table, "by", "By", NULL, TABLE_LEFT);
	for (size_t h = 0; h < n; h++)
		table_add_column(table, headlines[h].benchmark, headlines[h].benchmark, NULL, TABLE_LEFT);
	for (guint i = 0; i < toolchains->len; i++)
		put_fastest(table, links, model, headlines, n, toolchains->pdata[i]);
	bool ok = page_table(page, table, links, err);
	table_free(table);
	page_section_end(page);
	return ok;
}

bool report_overview(const struct report_model *model, GError **err)
{
	struct page *page = page_begin(model, "index.html", "Overview");

	put_tiles(page);
	bool ok = put_failures(page, err) && put_changes(page, err) && put_fastest_section(page, err);
	return page_end(page, ok ? err : NULL) && ok;
}
