#include "duels.h"
#include "evidence.h"

#include <math.h>

/* What one invocation says. */
struct said {
	uint32_t invocation;
	double median;
};

/* The median of each invocation, in their order; sets of one invocation (it was several processes) are one.
 * Empty where there are no samples. */
static GArray *invocation_medians(const struct sample_list *list)
{
	GArray *medians = g_array_new(FALSE, FALSE, sizeof(struct said));
	g_autoptr(GArray) pooled = g_array_new(FALSE, FALSE, sizeof(double));

	for (guint i = 0; i < list->sets->len; i++) {
		const struct sample_set *set = &g_array_index(list->sets, struct sample_set, i);
		bool last = i + 1 == list->sets->len || set[1].invocation != set->invocation;

		if (set->n > 0)
			g_array_append_vals(pooled, set->values, (guint)set->n);
		if (!last || pooled->len == 0)
			continue;
		struct said said = {set->invocation, statistics_median((double *)pooled->data, pooled->len)};
		g_array_append_val(medians, said);
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

static double *values_of(const GArray *medians)
{
	double *values = g_new(double, medians->len);

	for (guint i = 0; i < medians->len; i++)
		values[i] = g_array_index(medians, struct said, i).median;
	return values;
}

/* Leaves the invocations that the other side has too. */
static void keep_common(GArray *medians, const GArray *others)
{
	for (guint i = medians->len; i-- > 0;) {
		bool common = false;

		for (guint k = 0; k < others->len; k++)
			common |= g_array_index(others, struct said, k).invocation ==
				  g_array_index(medians, struct said, i).invocation;
		if (!common)
			g_array_remove_index(medians, i);
	}
}

static gint by_invocation(gconstpointer a, gconstpointer b)
{
	const struct said *x = a, *y = b;

	return (x->invocation > y->invocation) - (x->invocation < y->invocation);
}

static void pair_up(GArray *before, GArray *after)
{
	keep_common(before, after);
	keep_common(after, before);
	g_array_sort(before, by_invocation);
	g_array_sort(after, by_invocation);
}

/* The ratio is of the medians of all samples, the interval of those of the invocations. */
static void note_ratio_outside(struct comparison_row *row)
{
	const struct interval *interval = &row->evidence.ratio.interval;

	if (row->ratio < interval->low || row->ratio > interval->high)
		g_ptr_array_add(row->notes,
			g_strdup("the ratio lies outside its interval: invocations differ among themselves"));
}

/* Where both sides are from one duel, by pairs. */
static bool weigh(struct comparison_row *row, struct duels *duels, struct store *store, GError **err)
{
	enum better better = metric_infos[row->before->metric].better;
	g_autoptr(GArray) before = NULL, after = NULL;
	bool paired;

	if (!medians_of(&before, store, row->before, err) || !medians_of(&after, store, row->after, err) ||
		!duels_pair(duels, &paired, row->before, row->after, err))
		return false;
	if (paired)
		pair_up(before, after);
	g_autofree double *from = values_of(before), *to = values_of(after);
	row->evidence = paired ? evidence_weigh_pairs(from, to, before->len, better)
			       : evidence_weigh(from, before->len, to, after->len, better);
	note_ratio_outside(row);
	return true;
}

bool evidence_gather(struct comparison *comparison, struct store *store, GError **err)
{
	struct duels *duels = duels_new(store);
	bool ok = true;

	for (guint i = 0; ok && i < comparison->rows->len; i++) {
		struct comparison_row *row = comparison->rows->pdata[i];

		ok = !evidence_applies(row) || weigh(row, duels, store, err);
	}
	duels_free(duels);
	if (ok)
		comparison_correct(comparison, CORRECTION_HOLM);
	return ok;
}
