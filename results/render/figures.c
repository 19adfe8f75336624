#include "figures.h"

#include "tables.h"
#include "values.h"

#include <math.h>

const char figures_range_note[] =
	"\302\261 is half the distance between the quartiles of the samples, in percent of the median";

bool figures_check_unit(enum metric metric, const char *unit, GError **err)
{
	g_autofree char *bulk = NULL, *operation = NULL;

	return scale_text(&bulk, 1, metric, WORK_BULK, unit, NULL) ||
	       scale_text(&operation, 1, metric, WORK_OPERATION, unit, err);
}

bool figures_has_range(const struct result *result)
{
	const struct figure *figure = &result->figure;

	return figure->n > 1 && isfinite(figure->q1) && isfinite(figure->q3) && figure->median > 0 &&
	       isfinite(figure->median) && result->what.kind != KIND_EXACT;
}

static bool fits(const struct result *result, enum work work, const char *unit)
{
	return !unit || scale_fits(result->metric, work, unit);
}

/* What one unit of the figure's work is: of bulk work 1 byte, or where the unit is of operations alone the
 * whole block that a call works on. 0 where the unit does not fit. */
static double share_for(enum work *ret_work, const struct result *result, const char *unit)
{
	const char *block = result->what.labels.v[LABEL_BLOCK];
	guint64 bytes;

	*ret_work = values_work(result);
	if (fits(result, *ret_work, unit))
		return 1;
	if (*ret_work != WORK_BULK || !fits(result, WORK_OPERATION, unit) || !block ||
		!g_ascii_string_to_unsigned(block, 10, 1, G_MAXUINT32, &bytes, NULL))
		return 0;
	*ret_work = WORK_OPERATION;
	return (double)bytes;
}

const char *figures_unit(const GPtrArray *results, const struct result *result, const char *unit)
{
	enum work work = values_work(result);
	g_autoptr(GArray) values = g_array_new(FALSE, FALSE, sizeof(double));
	enum work shown;

	if (unit && share_for(&shown, result, unit) > 0)
		return unit;
	for (guint i = 0; i < results->len; i++) {
		const struct result *other = results->pdata[i];
		double value = other ? figure_value(&other->figure) : NAN;

		if (other && values_work(other) == work)
			g_array_append_val(values, value);
	}
	return scale_unit((const double *)(void *)values->data, values->len, result->metric, work);
}

void figures_put(struct table_cell *cell, const struct result *result, const char *unit)
{
	const struct figure *figure = &result->figure;
	double value = figure_value(figure);
	enum work work;
	double share = share_for(&work, result, unit);
	g_autofree char *text = NULL;
	char percent[G_ASCII_DTOSTR_BUF_SIZE];

	cell->number = isfinite(value) ? value : NAN;
	scale_text(&text, share > 0 ? value * share : value, result->metric, work, share > 0 ? unit : NULL,
		NULL);
	if (!text || !figures_has_range(result)) {
		cell->text = g_steal_pointer(&text);
		return;
	}
	g_ascii_formatd(
		percent, sizeof(percent), "%.1f", (figure->q3 - figure->q1) / 2 / figure->median * 100);
	cell->text = g_strconcat(text, " \302\261", percent, "%", NULL);
}

char *figures_base_unit(const struct result *result)
{
	return g_strconcat(
		metric_infos[result->metric].unit, scale_per(result->metric, values_work(result)), NULL);
}

char *figures_common_unit(const GPtrArray *results)
{
	g_autofree char *unit = NULL;

	for (guint i = 0; i < results->len; i++) {
		g_autofree char *other = results->pdata[i] ? figures_base_unit(results->pdata[i]) : NULL;

		if (other && unit && g_strcmp0(unit, other) != 0)
			return NULL;
		if (!unit)
			unit = g_steal_pointer(&other);
	}
	return g_steal_pointer(&unit);
}

void figures_add_label_column(struct table *table, enum label label)
{
	bool block = label == LABEL_BLOCK;

	table_add_column(table, label_keys[label], label_keys[label], block ? "B" : NULL,
		block ? TABLE_RIGHT : TABLE_LEFT);
}

void figures_put_label(struct table_cell *cell, enum label label, const char *value)
{
	guint64 bytes;

	if (label == LABEL_BLOCK && value &&
		g_ascii_string_to_unsigned(value, 10, 0, G_MAXUINT32, &bytes, NULL)) {
		cell->number = (double)bytes;
		cell->text = g_strconcat(value, " B", NULL);
		return;
	}
	cell->text = g_strdup(value);
}
