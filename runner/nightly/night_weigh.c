#include "night_weigh.h"

#include "evidence.h"
#include "join.h"
#include "values.h"

#include <math.h>

bool night_weighs(const struct result *result)
{
	if (result->what.source != SOURCE_OWN)
		return false;
	if (metric_infos[result->metric].assume == ASSUME_EXACT)
		return result->what.kind == KIND_EXACT;
	return result->what.kind == KIND_SAMPLED && result->what.environment == ENVIRONMENT_HARDWARE;
}

static bool is_exact(const struct night_pair *pair)
{
	return metric_infos[pair->before->metric].assume == ASSUME_EXACT;
}

static double ratio_of(const struct night_pair *pair)
{
	return comparison_ratio(figure_value(&pair->before->figure), figure_value(&pair->after->figure),
		metric_infos[pair->before->metric].better, NULL);
}

/* By which share of the value before the value has moved. */
static double share_of(double ratio, enum metric metric)
{
	return fabs((metric_infos[metric].better == BETTER_LOWER ? 1 / ratio : ratio) - 1);
}

static enum verdict verdict_of(const struct night_pair *pair)
{
	if (isnan(pair->ratio))
		return VERDICT_NONE;
	if (share_of(pair->ratio, pair->before->metric) < pair->threshold)
		return VERDICT_SAME;
	return pair->ratio > 1 ? VERDICT_BETTER : VERDICT_WORSE;
}

static void weigh_exact(struct night_pair *pair)
{
	pair->ratio = ratio_of(pair);
	pair->verdict = verdict_of(pair);
}

/* What differs by less than the threshold is the same to a night, proved or not. */
static void take_verdict(struct night_pair *pair, const struct comparison_row *row)
{
	pair->ratio = row->ratio;
	pair->verdict = row->verdict;
	if ((row->verdict == VERDICT_BETTER || row->verdict == VERDICT_WORSE) &&
		share_of(row->evidence.ratio.value, pair->before->metric) < pair->threshold)
		pair->verdict = VERDICT_SAME;
}

static void free_row(gpointer data)
{
	struct comparison_row *row = data;

	g_ptr_array_unref(row->notes);
	g_free(row);
}

static struct comparison_row *row_of(const struct night_pair *pair)
{
	struct comparison_row *row = g_new0(struct comparison_row, 1);

	row->labels = pair->after->what.labels;
	row->before = pair->before;
	row->after = pair->after;
	row->ratio = ratio_of(pair);
	row->verdict = VERDICT_NONE;
	row->evidence = evidence_none;
	row->notes = g_ptr_array_new_with_free_func(g_free);
	return row;
}

bool night_weigh(GArray *pairs, struct store *store, enum correction correction, GError **err)
{
	struct comparison sampled = {.rows = g_ptr_array_new_with_free_func(free_row)};
	g_autoptr(GPtrArray) theirs = g_ptr_array_new();

	for (guint i = 0; i < pairs->len; i++) {
		struct night_pair *pair = &g_array_index(pairs, struct night_pair, i);
		if (is_exact(pair)) {
			weigh_exact(pair);
			continue;
		}
		g_ptr_array_add(sampled.rows, row_of(pair));
		g_ptr_array_add(theirs, pair);
	}
	bool ok = evidence_gather(&sampled, store, err);
	if (ok)
		comparison_correct(&sampled, correction);
	for (guint i = 0; ok && i < theirs->len; i++)
		take_verdict(theirs->pdata[i], sampled.rows->pdata[i]);
	g_ptr_array_unref(sampled.rows);
	return ok;
}
