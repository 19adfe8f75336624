#include "report_cells.h"

#include "figures.h"
#include "tables.h"

#include <math.h>

void cell_put_text(struct table_cell *cell, const char *text)
{
	cell->text = g_strdup(text);
	cell->number = NAN;
}

void cell_put_count(struct table_cell *cell, guint n)
{
	cell->text = g_strdup_printf("%u", n);
	cell->number = n;
}

void cell_put_ratio(struct table_cell *cell, double ratio, bool exact)
{
	cell->text = isnan(ratio) ? NULL : ratio_text(ratio, exact);
	cell->number = ratio;
}

void cell_put_size(struct table_cell *cell, double bytes)
{
	cell->text = isnan(bytes) ? NULL : g_strdup_printf("%.1f KiB", bytes / 1024);
	cell->number = bytes;
}

void cell_put_result(struct table_cell *cell, const struct result *result, const char *unit)
{
	if (result == NULL)
		cell_put_text(cell, NULL);
	else
		figures_put(cell, result, unit);
}

char *cell_history_link(const struct report_model *model, const struct result *result)
{
	int at = report_index(model, result);

	return at >= 0 ? g_strdup_printf("history.html#series=%d", at) : NULL;
}
