#include "dispatch.h"

#include "dispatch_private.h"
#include "resume.h"
#include "signals.h"

#include <math.h>

/* How often a lock that another run holds is tried again. */
#define LOCK_PERIOD_S 1

void dispatch_tell(struct dispatch *d, struct dispatch_event event)
{
	event.done = d->done;
	event.total = d->total;
	if (d->spec->on_event != NULL)
		d->spec->on_event(&event, d->spec->user);
}

/* Stops everything: what is under way ends, what waits is not started. */
static void stop(struct dispatch *d)
{
	d->cancelled = true;
	builder_cancel(d->spec->builder);
	for (guint i = 0; i < d->active->len; i++)
		attempt_cancel(d->active->pdata[i]);
	for (guint i = 0; i < d->lanes->len; i++)
		absent_cancel(d->lanes->pdata[i]);
}

/* The store or the spool has failed: nothing more can be kept, so nothing more is done. */
static void give_up(struct dispatch *d)
{
	stop(d);
	dispatch_schedule(d);
}

void dispatch_go_on(struct dispatch *d, bool ok)
{
	if (ok)
		dispatch_schedule(d);
	else
		give_up(d);
}

static void attempt_gone(struct dispatch *d, struct attempt *attempt)
{
	g_ptr_array_remove(d->active, attempt);
	attempt_free(attempt);
}

static bool spool_holds(struct dispatch *d, const struct attempt *attempt)
{
	if (attempt_error(attempt) != NULL && d->error == NULL)
		d->error = g_error_copy(attempt_error(attempt));
	return d->error == NULL;
}

/* The attempt is over: its results go into the store. */
static bool attempt_over(struct dispatch *d, struct attempt *attempt)
{
	bool ok;

	if (attempt_cell(attempt)->mode == AGENT_TIME)
		pairs_note_end(&lane_of(d, attempt_cell(attempt)->agent)->pairs, attempt);
	ok = dispatch_keep(d, attempt);
	attempt_gone(d, attempt);
	return ok;
}

void dispatch_on_attempt_ended(struct attempt *attempt, void *user)
{
	struct dispatch *d = user;
	bool counts = attempt_cell(attempt)->mode == AGENT_COUNT;
	bool ok = spool_holds(d, attempt), goes_on = ok && !d->cancelled && !attempt_done(attempt);

	if (counts)
		d->counting--;
	else
		lane_ended(lane_of(d, attempt_cell(attempt)->agent), attempt, goes_on);
	if (goes_on && counts)
		g_queue_push_tail(&d->counts, attempt);
	else if (ok && attempt_done(attempt))
		ok = attempt_over(d, attempt);
	else if (!goes_on)
		attempt_gone(d, attempt);
	dispatch_go_on(d, ok);
}

void dispatch_build_ended(struct dispatch *d, struct build_result *result)
{
	struct store *store = d->spec->store;
	bool ok = d->error == NULL && store_group_begin(store, &d->error) &&
		  store_group_end(store, dispatch_after_build(d, result), &d->error);

	d->building--;
	build_result_free(result);
	dispatch_go_on(d, ok);
}

/* --- the machine's lock --- */

static gboolean try_again(gpointer user)
{
	struct dispatch *d = user;

	d->lock_timer = 0;
	dispatch_schedule(d);
	return G_SOURCE_REMOVE;
}

static void tell_wait(struct dispatch *d, bool timing)
{
	if (!d->told_wait[timing])
		dispatch_tell(
			d, (struct dispatch_event){.what = DISPATCH_STEP,
				   .name = timing ? "timing" : "builds",
				   .state = timing ? "waiting until no other run builds, counts or times"
						   : "waiting for another run's timing to end",
				   .seconds = NAN});
	d->told_wait[timing] = true;
}

/* Timing is alone on its machine: nothing of another run is built, counted or timed meanwhile. False also
 * where the lock has failed. */
static bool have_lock(struct dispatch *d, enum machine_lock_mode mode)
{
	bool held = false;

	if (d->lock_timer != 0 || !machine_lock_try(&held, &d->lock, mode, &d->error) || held)
		return held;
	tell_wait(d, mode == MACHINE_ALONE);
	d->lock_timer = g_timeout_add_seconds(LOCK_PERIOD_S, try_again, d);
	return false;
}

/* --- the order of things --- */

static void drop_waiting(struct dispatch *d, GQueue *queue)
{
	struct attempt *attempt;

	while ((attempt = g_queue_pop_head(queue)) != NULL)
		attempt_gone(d, attempt);
}

static void lane_drop(struct dispatch *d, struct lane *lane)
{
	drop_waiting(d, &lane->times);
	g_ptr_array_set_size(lane->absent, 0);
}

/* What has begun stays in the spool, for the run that goes on. */
static void drop_all(struct dispatch *d)
{
	drop_waiting(d, &d->counts);
	for (guint i = 0; i < d->lanes->len; i++)
		lane_drop(d, d->lanes->pdata[i]);
	if (d->error == NULL)
		dispatch_drop_builds(d);
}

static bool starts_something(struct dispatch *d)
{
	return !g_queue_is_empty(&d->counts) || d->next_build < d->spec->plan->builds->len;
}

static void start_builds_and_counts(struct dispatch *d)
{
	while (d->building + d->counting < d->spec->jobs && starts_something(d) &&
		have_lock(d, MACHINE_SHARED)) {
		struct attempt *attempt = g_queue_pop_head(&d->counts);
		if (attempt != NULL) {
			d->counting++;
			attempt_start(attempt);
		} else if (!dispatch_start_build(d)) {
			break;
		}
	}
}

/* Once, when timing begins. What the platform says of itself from then on belongs to its figures. */
static bool change_host(struct dispatch *d)
{
	if (d->host != NULL || d->spec->host == NULL)
		return true;
	return host_settings_apply(&d->host, d->spec->host, &d->error) &&
	       (d->host == NULL || places_describe_again(d->places, &d->error));
}

static struct lane *own_lane(const struct dispatch *d)
{
	return d->lanes->pdata[0];
}

static void time_here(struct dispatch *d)
{
	if (have_lock(d, MACHINE_ALONE) && change_host(d))
		lane_start(own_lane(d));
}

/* What waits without a partner, or behind the end of its time. */
static void keep_ended_pairs(struct dispatch *d, struct lane *lane)
{
	struct attempt *attempt;

	while (d->spec->pairs && d->error == NULL && (attempt = lane_take_over(lane)) != NULL) {
		attempt_finish(attempt);
		dispatch_keep(d, attempt);
		attempt_gone(d, attempt);
	}
}

/* Other machines are timed while this one builds. Of a pair, both must be there. */
static void time_elsewhere(struct dispatch *d)
{
	bool built = d->building == 0 && d->next_build >= d->spec->plan->builds->len;

	for (guint i = 1; i < d->lanes->len && d->error == NULL; i++) {
		struct lane *lane = d->lanes->pdata[i];
		if (d->spec->pairs && !built)
			continue;
		if (!lane->timing)
			keep_ended_pairs(d, lane);
		lane_start(lane);
	}
}

/* Nothing is left to build or to count: this machine is timed alone. */
static void schedule_timing(struct dispatch *d)
{
	if (own_lane(d)->timing || d->building + d->counting > 0 || starts_something(d))
		return;
	keep_ended_pairs(d, own_lane(d));
	if (!g_queue_is_empty(&own_lane(d)->times))
		time_here(d);
	else
		d->finished = d->error == NULL && !lanes_timing(d) && !lanes_waiting(d);
}

/* Builds and counts side by side, then native timing alone on its machine. Called whenever something has
 * ended. */
void dispatch_schedule(struct dispatch *d)
{
	if (d->cancelled)
		drop_all(d);
	else if (!own_lane(d)->timing)
		start_builds_and_counts(d);
	if (d->error == NULL && !d->cancelled)
		time_elsewhere(d);
	if (d->error == NULL && !d->cancelled)
		schedule_timing(d);
	if (d->error != NULL && !d->cancelled)
		give_up(d);
	else if (d->cancelled && d->building + d->counting == 0 && !lanes_timing(d))
		d->finished = true;
}

static gboolean on_signal(gpointer user)
{
	struct dispatch *d = user;

	signals_end_us(host_settings_put_back_at_once);
	stop(d);
	dispatch_schedule(d);
	return G_SOURCE_CONTINUE;
}

static void work(struct dispatch *d)
{
	guint signals[SIGNALS_MAX];

	signals_watch(signals, on_signal, d);
	dispatch_schedule(d);
	while (!d->finished)
		g_main_context_iteration(NULL, TRUE);
	signals_ignore(signals);
	if (d->lock_timer != 0)
		g_source_remove(d->lock_timer);
	host_settings_restore(d->host, d->error != NULL ? NULL : &d->error);
	machine_lock_release(&d->lock);
}

bool dispatch_run(struct dispatch_result *ret, const struct dispatch_spec *spec, GError **err)
{
	struct dispatch d = {
		.spec = spec,
		.lock = {.files = spec->locks, .fd = -1},
		.counts = G_QUEUE_INIT,
		.total = (int)(spec->plan->builds->len + spec->plan->cells->len),
	};

	if (!resume_left_over(&d.left_over, spec->spool, err))
		return false;
	d.places = places_new(spec->store);
	d.active = g_ptr_array_new();
	d.lanes = lanes_new(&d);
	work(&d);
	g_ptr_array_unref(d.active);
	g_ptr_array_unref(d.lanes);
	g_hash_table_unref(d.left_over);
	places_free(d.places);
	if (d.error != NULL) {
		g_propagate_error(err, d.error);
		return false;
	}
	d.result.cancelled = d.cancelled;
	d.result.nothing_could_run = d.total > 0 && d.unsupported == (int)spec->plan->cells->len;
	*ret = d.result;
	return true;
}
