#include "night_suspects.h"

#include "night_thresholds.h"
#include "night_weigh.h"

#include <math.h>

/* Where each of the pairs has its level. */
static void collect(GArray *pairs, GPtrArray *levels_of, struct night_suspects *ret, const GArray *tonight,
	const struct night_levels *levels, const struct night_thresholds *thresholds)
{
	for (guint i = 0; i < tonight->len; i++) {
		const struct result *result = &g_array_index(tonight, struct result, i);
		const struct night_level *level = night_levels_find(levels, result->series);
		if (!night_weighs(result))
			continue;
		if (level == NULL) {
			ret->fresh++;
			continue;
		}
		const struct night_pair pair = {.before = level->reference,
			.after = result,
			.threshold = night_threshold(thresholds, result)};
		g_array_append_val(pairs, pair);
		g_ptr_array_add(levels_of, (gpointer)level);
	}
}

static bool is_suspect(const struct night_pair *pair)
{
	return pair->verdict == VERDICT_BETTER || pair->verdict == VERDICT_WORSE;
}

/* A pinned figure may be old: the change came after the last night that was still like it. */
static const struct result *last_like(const struct night_level *level, double threshold)
{
	double reference = figure_value(&level->reference->figure);

	if (level->last != NULL &&
		fabs(figure_value(&level->last->figure) - reference) < threshold * fabs(reference))
		return level->last;
	return level->reference;
}

bool night_suspects_find(struct night_suspects *ret, struct store *store, const GArray *tonight,
	const struct night_levels *levels, const struct night_thresholds *thresholds, GError **err)
{
	g_autoptr(GArray) pairs = g_array_new(FALSE, FALSE, sizeof(struct night_pair));
	g_autoptr(GPtrArray) levels_of = g_ptr_array_new();

	*ret = (struct night_suspects){.of = g_array_new(FALSE, FALSE, sizeof(struct night_suspect))};
	collect(pairs, levels_of, ret, tonight, levels, thresholds);
	ret->compared = pairs->len;
	if (!night_weigh(pairs, store, CORRECTION_NONE, err))
		return false;
	for (guint i = 0; i < pairs->len; i++) {
		const struct night_pair *pair = &g_array_index(pairs, struct night_pair, i);
		const struct night_suspect suspect = {.before = pair->before,
			.after = pair->after,
			.last = last_like(levels_of->pdata[i], pair->threshold),
			.threshold = pair->threshold,
			.ratio = pair->ratio};
		if (is_suspect(pair))
			g_array_append_val(ret->of, suspect);
	}
	return true;
}

void night_suspects_clear(struct night_suspects *suspects)
{
	g_clear_pointer(&suspects->of, g_array_unref);
}
