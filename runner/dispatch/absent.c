#include "cell_row.h"
#include "dispatch_private.h"

#include <math.h>

struct absent_cell {
	const struct planned_cell *cell;
	const struct place *place;
	int64_t row;
	char *program, *key_program;
};

static void absent_free(gpointer data)
{
	struct absent_cell *absent = data;

	g_free(absent->program);
	g_free(absent->key_program);
	g_free(absent);
}

GPtrArray *absent_new(void)
{
	return g_ptr_array_new_with_free_func(absent_free);
}

bool absent_add(struct dispatch *d, const struct planned_cell *cell, const struct build_result *result,
	const struct place *place)
{
	int64_t row;

	if (!cell_row_put(d->spec->store, &row, d->spec->run, cell, result, 0, &d->error))
		return false;

	struct absent_cell *absent = g_new0(struct absent_cell, 1);
	*absent = (struct absent_cell){.cell = cell,
		.place = place,
		.row = row,
		.program = g_strdup(result->program),
		.key_program = g_strdup(result->key_program)};
	g_ptr_array_add(lane_of(d, cell->agent)->absent, absent);
	return true;
}

/* --- it is there --- */

static bool begin_cell(struct dispatch *d, const struct absent_cell *absent)
{
	const struct place *place = absent->place;

	if (!places_returned(d->places, place, &d->error))
		return false;
	if (place->what == NULL)
		return dispatch_cell_without_place(d, absent->cell, place->lacks);
	return store_cell_reached(d->spec->store, absent->row, place->platform, &d->error) &&
	       dispatch_begin_cell(d, absent->cell, absent->row, absent->program, absent->key_program, place);
}

/* --- it is given up --- */

static bool give_up_cell(struct dispatch *d, const struct absent_cell *absent, const char *why)
{
	g_autofree char *uuid = g_uuid_string_random();
	const struct attempt_row attempt = {.uuid = uuid,
		.cell = absent->row,
		.state = ATTEMPT_INFRASTRUCTURE,
		.reason = why,
		.argv = "[]",
		.started_at = g_get_real_time() * 1000};
	g_autoptr(GPtrArray) none = g_ptr_array_new();
	const struct intake intake = {.outcomes = none, .measurements = none};
	int64_t id;

	return store_attempt_take_in(d->spec->store, &id, &attempt, &intake, &d->error) &&
	       dispatch_cell_over(d, absent->cell, absent->row, false, NAN);
}

/* --- looking for it --- */

/* `why` NULL: it is there. */
static bool end_all(struct lane *lane, const char *why)
{
	struct dispatch *d = lane->dispatch;
	g_autoptr(GPtrArray) cells = g_steal_pointer(&lane->absent);
	bool ok = true;

	lane->absent = absent_new();
	lane->lost = why != NULL;
	lane->patience = (struct patience){0};
	for (guint i = 0; ok && i < cells->len; i++)
		ok = why == NULL ? begin_cell(d, cells->pdata[i]) : give_up_cell(d, cells->pdata[i], why);
	return ok;
}

static void tell_once(const struct lane *lane, const char *why)
{
	g_autofree char *text = g_strdup_printf("%s; it is looked for again while the others go on", why);

	if (lane->patience.waited_s == lane->patience.pause_s)
		dispatch_tell(lane->dispatch,
			(struct dispatch_event){
				.what = DISPATCH_STEP, .name = "timing", .state = text, .seconds = NAN});
}

static void on_looked(const char *why, void *user)
{
	struct lane *lane = user;
	struct dispatch *d = lane->dispatch;
	bool ok = true;

	lane->look = NULL;
	lane->timing = false;
	if (d->cancelled) {
		dispatch_schedule(d);
		return;
	}
	if (why == NULL || patience_ends(&lane->patience, lane->agent, lane->lost)) {
		ok = end_all(lane, why);
	} else {
		tell_once(lane, why);
		lane_rest(lane, lane->patience.pause_s);
	}
	dispatch_go_on(d, ok);
}

bool absent_look(struct lane *lane)
{
	struct dispatch *d = lane->dispatch;

	if (lane->absent->len == 0)
		return false;
	lane->look = lane->agent->kind->look(lane->agent, on_looked, lane, &d->error);
	lane->timing = lane->look != NULL;
	return true;
}

void absent_cancel(struct lane *lane)
{
	if (lane->look != NULL)
		agent_cancel(lane->look);
}
