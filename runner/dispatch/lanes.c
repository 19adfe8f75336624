#include "dispatch_private.h"

static void lane_free(gpointer data)
{
	struct lane *lane = data;

	if (lane->rest != 0)
		g_source_remove(lane->rest);
	g_queue_clear(&lane->times);
	g_ptr_array_unref(lane->absent);
	g_free(lane);
}

static struct lane *lane_new(struct dispatch *d, const struct agent *agent)
{
	struct lane *lane = g_new0(struct lane, 1);

	lane->dispatch = d;
	lane->agent = agent;
	lane->pairs = (struct pairs){
		.seed = spool_run(d->spec->spool), .time_s = d->spec->pairs_s, .most = PAIRS_ALL};
	g_queue_init(&lane->times);
	lane->absent = absent_new();
	return lane;
}

GPtrArray *lanes_new(struct dispatch *d)
{
	GPtrArray *lanes = g_ptr_array_new_with_free_func(lane_free);

	g_ptr_array_add(lanes, lane_new(d, NULL));
	return lanes;
}

struct lane *lane_of(struct dispatch *d, const struct agent *agent)
{
	struct lane *lane;

	if (!agent->kind->elsewhere)
		return d->lanes->pdata[0];
	for (guint i = 1; i < d->lanes->len; i++) {
		lane = d->lanes->pdata[i];
		if (lane->agent == agent)
			return lane;
	}
	lane = lane_new(d, agent);
	g_ptr_array_add(d->lanes, lane);
	return lane;
}

void lane_add(struct lane *lane, struct attempt *attempt)
{
	g_queue_push_tail(&lane->times, attempt);
}

static gboolean rested(gpointer user)
{
	struct lane *lane = user;

	lane->rest = 0;
	dispatch_schedule(lane->dispatch);
	return G_SOURCE_REMOVE;
}

void lane_rest(struct lane *lane, double seconds)
{
	lane->rest = g_timeout_add((guint)(seconds * 1000), rested, lane);
}

void lane_ended(struct lane *lane, struct attempt *attempt, bool goes_on)
{
	lane->timing = false;
	if (!attempt_lost(attempt))
		lane->lost = false;
	else if (!goes_on)
		lane->lost = true;
	if (!goes_on)
		return;
	if (!attempt_lost(attempt)) {
		g_queue_push_tail(&lane->times, attempt);
		return;
	}
	g_queue_push_head(&lane->times, attempt);
	lane_rest(lane, attempt_pause_s(attempt));
}

void lane_start(struct lane *lane)
{
	struct attempt *attempt;

	if (lane->timing || lane->rest != 0 || absent_look(lane) || g_queue_is_empty(&lane->times))
		return;
	attempt = lane->dispatch->spec->pairs ? pairs_take(&lane->pairs, &lane->times)
					      : g_queue_pop_head(&lane->times);
	if (attempt == NULL)
		return;
	lane->timing = true;
	attempt_hurry(attempt, lane->lost);
	attempt_start(attempt);
}

struct attempt *lane_take_over(struct lane *lane)
{
	return pairs_take_ended(&lane->pairs, &lane->times);
}

bool lanes_timing(const struct dispatch *d)
{
	for (guint i = 0; i < d->lanes->len; i++)
		if (((const struct lane *)d->lanes->pdata[i])->timing)
			return true;
	return false;
}

bool lanes_waiting(const struct dispatch *d)
{
	for (guint i = 1; i < d->lanes->len; i++) {
		struct lane *lane = d->lanes->pdata[i];
		if (!g_queue_is_empty(&lane->times) || lane->absent->len > 0)
			return true;
	}
	return false;
}
