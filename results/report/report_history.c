#include "report_cells.h"
#include "report_page.h"
#include "report_pages.h"

#include "values.h"

#include <string.h>

#define SHOWN 500

/* The last change of each series, the newest first. */
struct last_change {
	const struct history_series *series;
	const struct history_change *change;
	const struct result *result;
};

static int64_t time_of(const struct last_change *last)
{
	return g_array_index(last->series->points, struct history_point, last->change->after).started_at;
}

static gint newest_first(gconstpointer a, gconstpointer b)
{
	int64_t x = time_of(a), y = time_of(b);

	return x > y ? -1 : x < y;
}

static GArray *find_changes(const struct report_model *model)
{
	GArray *all = g_array_new(FALSE, FALSE, sizeof(struct last_change));

	for (guint i = 0; i < model->results->len; i++) {
		const struct result *result = &g_array_index(model->results, struct result, i);
		const struct history_series *series = history_find(model->history, result);

		for (guint c = 0; series != NULL && c < series->changes->len; c++) {
			const struct last_change last = {
				series, &g_array_index(series->changes, struct history_change, c), result};

			if (last.change->alarms)
				g_array_append_val(all, last);
		}
	}
	g_array_sort(all, newest_first);
	return all;
}

static void put_change(struct table *table, GPtrArray *links, const struct report_model *model,
	const struct last_change *last)
{
	const struct history_point *after =
		&g_array_index(last->series->points, struct history_point, last->change->after);
	g_autoptr(GDateTime) at =
		g_date_time_new_from_unix_utc(after->started_at / G_GINT64_CONSTANT(1000000000));
	g_autofree char *day = g_date_time_format(at, "%Y-%m-%d");
	g_autofree char *benchmark = values_benchmark(last->result);
	g_autofree char *build = report_build_name(model, &last->result->what.labels);
	g_autofree char *revisions = history_revisions(last->series, last->change);
	g_autofree char *moved = history_moved_text(last->series, last->change);
	struct table_cell *cells = table_add_row(table);

	cell_put_text(&cells[0], day);
	cell_put_ratio(&cells[1], last->change->ratio, last->series->exact);
	cell_put_text(&cells[2], benchmark);
	cell_put_text(&cells[3], metric_infos[last->series->metric].name);
	cell_put_text(&cells[4], last->result->what.labels.v[LABEL_TOOLCHAIN]);
	cell_put_text(&cells[5], build);
	cell_put_text(&cells[6], revisions);
	cell_put_text(&cells[7], moved);
	page_links_put(links, table, 2, cell_history_link(model, last->result));
	page_links_put(links, table, 5, report_build_file(model, last->result->build));
}

static bool put_changes(struct page *page, GError **err)
{
	g_autoptr(GArray) all = find_changes(page->model);
	g_autoptr(GPtrArray) links = page_links_new();

	if (all->len == 0) {
		page_paragraph(page, "No series has changed its level.");
		return true;
	}
	struct table *table = table_new("change points, the newest first");
	table_add_column(table, "seen", "Seen", NULL, TABLE_LEFT);
	table_add_column(table, "ratio", "Ratio", NULL, TABLE_RIGHT);
	table_add_column(table, "benchmark", "Benchmark", NULL, TABLE_LEFT);
	table_add_column(table, "metric", "Metric", NULL, TABLE_LEFT);
	table_add_column(table, "toolchain", "Toolchain", NULL, TABLE_LEFT);
	table_add_column(table, "build", "Build", NULL, TABLE_LEFT);
	table_add_column(table, "revisions", "Revisions", NULL, TABLE_LEFT);
	table_add_column(table, "moved", "What else moved", NULL, TABLE_LEFT);
	for (guint i = 0; i < all->len && i < SHOWN; i++)
		put_change(table, links, page->model, &g_array_index(all, struct last_change, i));
	if (all->len > SHOWN)
		table_add_footer(
			table, "and %u more; `benchmatrix history --changes` has all", all->len - SHOWN);
	bool ok = page_table(page, table, links, err);
	table_free(table);
	return ok;
}

bool report_history(const struct report_model *model, GError **err)
{
	struct page *page = page_begin(model, "history.html", "History");

	page_section(page, "series", "One series over runs");
	page_chart(page, "history", "one series over runs, with the points where its level changed");
	page_section_end(page);
	page_section(page, "points", "Where levels changed");
	bool ok = put_changes(page, err);
	page_section_end(page);
	return page_end(page, ok ? err : NULL) && ok;
}
