#include "report_cells.h"
#include "report_page.h"
#include "report_pages.h"

#include "tables.h"

static bool put_change(struct page *page, const struct report_change *change, GError **err)
{
	const struct comparison_view view = {.arrangement = {.sort = ARRANGE_WORST, .changed = true}};
	struct table *table = NULL;

	if (!table_of_comparison_view(&table, change->comparison, &view, err))
		return false;
	page_section(page, metric_infos[change->metric].name, metric_infos[change->metric].name);
	page_element(page, "p", NULL, metric_infos[change->metric].summary);
	bool ok = page_table(page, table, NULL, err);
	page_section_end(page);
	table_free(table);
	return ok;
}

bool report_changes(const struct report_model *model, GError **err)
{
	struct page *page = page_begin(model, "changes.html", "Before and after");
	bool ok = true;

	if (model->previous == NULL) {
		page_paragraph(page, "There is no earlier run of the same matrix to hold the newest one "
				     "against.");
		return page_end(page, err);
	}
	page_paragraph(page, "Run %.8s against run %.8s of %s before it.", model->last->uuid,
		model->previous->uuid, model->last->matrix);
	page_section(page, "bars", "The largest changes");
	page_chart(page, "bars", "ratio of each changed benchmark, with its interval");
	page_section_end(page);
	for (guint i = 0; ok && i < model->changes->len; i++)
		ok = put_change(page, model->changes->pdata[i], err);
	return page_end(page, ok ? err : NULL) && ok;
}
