#include "evidence.h"

#include <math.h>

/* The median of each invocation, in their order; sets of one invocation (it was several processes) are one.
 * Empty where there are no samples. */
static GArray *invocation_medians(const struct sample_list *list)
{
	GArray *medians = g_array_new(FALSE, FALSE, sizeof(double));
	g_autoptr(GArray) pooled = g_array_new(FALSE, FALSE, sizeof(double));

	for (guint i = 0; i < list->sets->len; i++) {
		const struct sample_set *set = &g_array_index(list->sets, struct sample_set, i);
		bool last = i + 1 == list->sets->len || set[1].invocation != set->invocation;

		if (set->n > 0)
			g_array_append_vals(pooled, set->values, (guint)set->n);
		if (!last || pooled->len == 0)
			continue;
		double median = statistics_median((double *)pooled->data, pooled->len);
		g_array_append_val(medians, median);
		g_array_set_size(pooled, 0);
	}
	return medians;
}

static bool medians_of(GArray **ret, struct store *store, const struct result *result, GError **err)
{
	struct sample_list *list;

	if (!store_sample_sets(store, &list, result->measurement, err))
		return false;
	*ret = invocation_medians(list);
	sample_list_free(list);
	return true;
}

/* The ratio is of the medians of all samples, the interval of those of the invocations. */
static void note_ratio_outside(struct comparison_row *row)
{
	const struct interval *interval = &row->evidence.ratio.interval;

	if (row->ratio < interval->low || row->ratio > interval->high)
		g_ptr_array_add(row->notes,
			g_strdup("the ratio lies outside its interval: invocations differ among themselves"));
}

static bool weigh(struct comparison_row *row, struct store *store, GError **err)
{
	g_autoptr(GArray) before = NULL, after = NULL;

	if (!medians_of(&before, store, row->before, err) || !medians_of(&after, store, row->after, err))
		return false;
	row->evidence = evidence_weigh((double *)before->data, before->len, (double *)after->data, after->len,
		metric_infos[row->before->metric].better);
	note_ratio_outside(row);
	return true;
}

bool evidence_gather(struct comparison *comparison, struct store *store, GError **err)
{
	for (guint i = 0; i < comparison->rows->len; i++) {
		struct comparison_row *row = comparison->rows->pdata[i];

		if (evidence_applies(row) && !weigh(row, store, err))
			return false;
	}
	comparison_correct(comparison, CORRECTION_HOLM);
	return true;
}
