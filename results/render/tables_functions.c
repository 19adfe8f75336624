#include "tables.h"
#include "tables_footer.h"

#include "by_function.h"
#include "figures.h"

#include <math.h>
#include <string.h>

/* Functions of a benchmark that are shown unless all are. */
#define TOP 8

struct layout {
	bool labels[LABEL_COUNT];
	guint top;
};

static struct layout layout_of(const struct comparison *comparison, const GPtrArray *rows, bool all)
{
	struct layout layout = {.top = all ? G_MAXUINT : TOP};

	memcpy(layout.labels, comparison->shown, sizeof(layout.labels));
	layout.labels[LABEL_BENCHMARK] = true;
	layout.labels[LABEL_METRIC] = false;
	for (guint i = 0; i < rows->len; i++) {
		const struct function_row *row = rows->pdata[i];
		layout.labels[LABEL_BLOCK] |= row->row->labels.v[LABEL_BLOCK] != NULL;
	}
	return layout;
}

static void add_columns(struct table *table, const struct layout *layout)
{
	for (int l = 0; l < LABEL_COUNT; l++)
		if (layout->labels[l])
			figures_add_label_column(table, l);
	table_add_column(table, "function", "function", NULL, TABLE_LEFT);
	table->stub = table->columns->len;
	table_add_column(table, "before", "before", "instructions/op", TABLE_RIGHT);
	table_add_column(table, "after", "after", "instructions/op", TABLE_RIGHT);
	table_add_column(table, "change", "change", "instructions/op", TABLE_RIGHT);
	table_add_column(table, "share", "of all before", "%", TABLE_RIGHT);
}

/* "29,556,537": the unit stands in the footer. */
static char *count_text(double count)
{
	g_autofree char *text = NULL;

	if (!scale_text(&text, count, METRIC_INSTRUCTIONS, WORK_OPERATION, NULL, NULL) || !text)
		return NULL;
	return g_strndup(text, strcspn(text, " "));
}

static char *change_text(double change)
{
	g_autofree char *size = count_text(fabs(change));

	return g_strconcat(change > 0 ? "+" : change < 0 ? "-" : "", size, NULL);
}

static void put_count(struct table_cell *cell, double count)
{
	cell->number = count;
	cell->text = count_text(count);
}

static void add_line(struct table *table, const struct layout *layout, const struct function_row *row,
	const char *function, double before, double after)
{
	struct table_cell *cell = table_add_row(table);
	double change = after - before, share = row->before > 0 ? 100 * change / row->before : NAN;

	for (int l = 0; l < LABEL_COUNT; l++)
		if (layout->labels[l])
			figures_put_label(cell++, l, row->row->labels.v[l]);
	cell++->text = g_strdup(function);
	put_count(cell++, before);
	put_count(cell++, after);
	cell->number = change;
	cell++->text = change_text(change);
	cell->number = share;
	cell->text = isnan(share) ? NULL : g_strdup_printf("%+.2f %%", share);
}

/* All together, then those that changed most, then what is left of the change. */
static void add_rows(struct table *table, const struct layout *layout, const struct function_row *row)
{
	double before = 0, after = 0;

	add_line(table, layout, row, "(all)", row->before, row->after);
	for (guint i = 0; i < row->changes->len; i++) {
		const struct function_change *change =
			&g_array_index(row->changes, struct function_change, i);
		if (i < layout->top) {
			add_line(table, layout, row, change->name, change->before, change->after);
			continue;
		}
		before += change->before;
		after += change->after;
	}
	if (row->changes->len > layout->top) {
		g_autofree char *others = g_strdup_printf("(%u others)", row->changes->len - layout->top);
		add_line(table, layout, row, others, before, after);
	}
}

void table_of_functions(struct table **ret, const struct comparison *comparison, const GPtrArray *rows,
	guint without, bool all)
{
	struct layout layout = layout_of(comparison, rows, all);
	guint equal = 0;
	g_autofree char *title = g_strdup_printf("instructions by function: %s against %s",
		*comparison->before_text ? comparison->before_text : "everything",
		*comparison->after_text ? comparison->after_text : "everything");

	*ret = table_new(title);
	add_columns(*ret, &layout);
	for (guint i = 0; i < rows->len; i++) {
		const struct function_row *row = rows->pdata[i];
		if (row->changes->len > 0 || all)
			add_rows(*ret, &layout, row);
		else
			equal++;
	}
	table_add_footer(*ret,
		"instructions of one operation, of a bulk benchmark of one call at its block, that "
		"each function executed itself, without those that it called; functions of one name "
		"together, \"?\" is what lies in none");
	if (equal > 0)
		table_add_footer(*ret, "left out: %u of %u benchmarks, in which no function differs", equal,
			rows->len);
	if (without > 0)
		table_add_footer(
			*ret, "note: %u benchmarks were not counted by function on both sides", without);
	tables_add_footer(*ret, comparison, NULL, NULL);
}
