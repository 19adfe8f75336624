#include "pairs.h"

#include <string.h>

bool pairs_turned(const char *seed, int pair)
{
	guint32 seeds[] = {g_str_hash(seed), (guint32)pair / 2};
	GRand *coin = g_rand_new_with_seed_array(seeds, G_N_ELEMENTS(seeds));
	bool turned = g_rand_boolean(coin) != (pair % 2 == 1);

	g_rand_free(coin);
	return turned;
}

static bool goes_before(const struct pairs *pairs, const struct attempt *a, const struct attempt *b)
{
	int pair = attempt_invocation(a);

	if (pair != attempt_invocation(b))
		return pair < attempt_invocation(b);
	return (strcmp(attempt_cell(a)->name, attempt_cell(b)->name) < 0) != pairs_turned(pairs->seed, pair);
}

/* How many pairs are done; *ret_whole: and no pair is half done. */
static int pairs_done(const GQueue *waiting, bool *ret_whole)
{
	int least = PAIRS_ALL, most = 0;

	for (GList *link = waiting->head; link != NULL; link = link->next) {
		least = MIN(least, attempt_invocation(link->data));
		most = MAX(most, attempt_invocation(link->data));
	}
	*ret_whole = least == most;
	return least;
}

struct attempt *pairs_take(struct pairs *pairs, GQueue *waiting)
{
	struct attempt *next = NULL;
	bool whole;

	if (pairs->began_at == 0) {
		pairs->began_at = g_get_monotonic_time();
		pairs->first = pairs_done(waiting, &whole);
	}
	for (GList *link = waiting->head; link != NULL; link = link->next)
		if (next == NULL || goes_before(pairs, link->data, next))
			next = link->data;
	g_queue_remove(waiting, next);
	return next;
}

static void look_at_clock(struct pairs *pairs, const GQueue *waiting)
{
	bool whole;
	int done = pairs_done(waiting, &whole);

	if (pairs->time_s <= 0 || pairs->began_at == 0 || !whole)
		return;
	double elapsed = (double)(g_get_monotonic_time() - pairs->began_at) / G_USEC_PER_SEC;
	int timed = done - pairs->first;
	if (timed > 0 && elapsed * (timed + 1) / timed > pairs->time_s)
		pairs->most = MIN(pairs->most, done);
}

void pairs_note_end(struct pairs *pairs, const struct attempt *attempt)
{
	pairs->most = MIN(pairs->most, MAX(attempt_invocation(attempt), 1));
}

struct attempt *pairs_take_ended(struct pairs *pairs, GQueue *waiting)
{
	look_at_clock(pairs, waiting);
	if (pairs->began_at == 0 && g_queue_get_length(waiting) == 1)
		pairs_note_end(pairs, waiting->head->data);
	for (GList *link = waiting->head; link != NULL; link = link->next) {
		struct attempt *attempt = link->data;
		if (attempt_invocation(attempt) < pairs->most)
			continue;
		g_queue_delete_link(waiting, link);
		return attempt;
	}
	return NULL;
}
