#include "dispatch.h"

#include "attempt.h"
#include "cell_row.h"
#include "diag.h"
#include "fsx.h"
#include "places.h"

#include <glib-unix.h>
#include <math.h>
#include <signal.h>

/* How often a timing lock that another run holds is tried again. */
#define LOCK_PERIOD_S 1

struct dispatch {
	const struct dispatch_spec *spec;
	struct dispatch_result result;
	struct places *places;
	bool finished;
	guint next_build; /* of the plan: to start */
	int building, counting;
	bool timing;	  /* an invocation is under way */
	int lock;	  /* the timing lock; -1: not held */
	guint lock_timer; /* 0: not waiting */
	bool lock_told;	  /* that we wait for it */
	GQueue counts;	  /* struct attempt *: ready to start */
	GQueue times; /* struct attempt *: each gets one invocation in turn, so that slow drift spreads over
			 all cells */
	GPtrArray *active; /* struct attempt *: under way; cancelled on a signal */
	int done, total;
	int unsupported; /* cells */
	bool cancelled;
	GError *error; /* of the store: ends the run */
};

static void schedule(struct dispatch *d);

static void tell(struct dispatch *d, struct dispatch_event event)
{
	event.done = d->done;
	event.total = d->total;
	if (d->spec->on_event != NULL)
		d->spec->on_event(&event, d->spec->user);
}

/* Stops everything: what is under way ends as cancelled, what waits is not started. */
static void stop(struct dispatch *d)
{
	d->cancelled = true;
	builder_cancel(d->spec->builder);
	for (guint i = 0; i < d->active->len; i++)
		attempt_cancel(d->active->pdata[i]);
}

/* The store has failed: nothing more can be kept, so nothing more is done. */
static void give_up(struct dispatch *d)
{
	stop(d);
	schedule(d);
}

static void cell_ended(struct dispatch *d, const char *name, const char *state, const char *reason,
	bool cached, double seconds)
{
	d->done++;
	tell(d, (struct dispatch_event){.what = DISPATCH_RAN,
			.name = name,
			.state = state,
			.reason = reason,
			.cached = cached,
			.seconds = seconds});
}

/* A cell that no program will run for: its build is what says why. */
static bool cell_without_program(struct dispatch *d, const struct planned_cell *cell,
	const struct build_result *result, int64_t platform)
{
	int64_t row;

	if (!cell_row_put(d->spec->store, &row, d->spec->run, cell, result, platform, &d->error))
		return false;
	if (result->state == BUILD_UNSUPPORTED)
		d->unsupported++;
	cell_ended(d, cell->name, build_states[result->state].name, result->reason, false, NAN);
	return true;
}

/* The place of a cell cannot be used here, so nothing is built for it. */
static bool cell_without_place(struct dispatch *d, const struct planned_cell *cell, const char *lacks)
{
	const struct build_result unsupported = {
		.build = cell->build, .state = BUILD_UNSUPPORTED, .reason = (char *)lacks, .seconds = NAN};

	return cell_without_program(d, cell, &unsupported, 0);
}

static void attempt_gone(struct dispatch *d, struct attempt *attempt)
{
	g_ptr_array_remove(d->active, attempt);
	attempt_free(attempt);
}

/* An attempt that the store has is over; its cell's state is what the store makes of it. */
static bool attempt_told(struct dispatch *d, const struct attempt *attempt, bool carried)
{
	g_autofree char *state = NULL, *reason = NULL;

	if (!store_cell_state(d->spec->store, &state, &reason, attempt_cell_row(attempt), &d->error))
		return false;
	cell_ended(d, attempt_cell(attempt)->name, state, reason, carried,
		carried ? NAN : attempt_seconds(attempt));
	return true;
}

static bool keep(struct dispatch *d, struct attempt *attempt)
{
	if (!attempt_store(attempt, d->spec->store, &d->error))
		return false;
	d->result.measured += attempt_ran(attempt);
	return attempt_told(d, attempt, false);
}

static void on_attempt_ended(struct attempt *attempt, void *user)
{
	struct dispatch *d = user;
	bool ok = true;

	if (attempt_cell(attempt)->mode == AGENT_COUNT)
		d->counting--;
	else
		d->timing = false;

	if (d->cancelled)
		attempt_cancel(attempt);
	if (!attempt_done(attempt)) {
		g_queue_push_tail(&d->times, attempt);
	} else {
		ok = d->error == NULL && keep(d, attempt);
		attempt_gone(d, attempt);
	}
	if (ok)
		schedule(d);
	else
		give_up(d);
}

/* Takes an earlier attempt's exact results where there are some. */
static bool carry(struct dispatch *d, struct attempt *attempt, bool *ret_carried)
{
	int64_t from = 0;

	*ret_carried = false;
	if (d->spec->fresh || attempt_exact_key(attempt) == NULL)
		return true;
	if (!store_exact_find(d->spec->store, &from, attempt_exact_key(attempt), &d->error))
		return false;
	if (from == 0)
		return true;
	if (!attempt_carry(attempt, d->spec->store, from, &d->error))
		return false;
	*ret_carried = true;
	d->result.carried++;
	return attempt_told(d, attempt, true);
}

static bool cell_with_program(struct dispatch *d, const struct planned_cell *cell,
	const struct build_result *result, const struct place *place)
{
	int64_t row;
	bool carried;

	if (!cell_row_put(d->spec->store, &row, d->spec->run, cell, result, place->platform, &d->error))
		return false;

	const struct attempt_spec spec = {
		.matrix = d->spec->plan->matrix,
		.cell = cell,
		.place = place,
		.limits = d->spec->limits ? d->spec->limits : &attempt_limits_default,
		.program = result->program,
		.key_program = result->key_program,
		.cell_row = row,
		.on_ended = on_attempt_ended,
		.user = d,
	};
	struct attempt *attempt = attempt_new(&spec);

	if (!carry(d, attempt, &carried)) {
		attempt_free(attempt);
		return false;
	}
	if (carried) {
		attempt_free(attempt);
		return true;
	}
	g_ptr_array_add(d->active, attempt);
	g_queue_push_tail(cell->mode == AGENT_COUNT ? &d->counts : &d->times, attempt);
	return true;
}

/* The next cell of a build from *at on, which then stands behind it; NULL where there is none. */
static const struct planned_cell *next_cell(
	const struct dispatch *d, guint *at, const struct planned_build *build)
{
	const GPtrArray *cells = d->spec->plan->cells;

	while (*at < cells->len) {
		const struct planned_cell *cell = cells->pdata[(*at)++];
		if (cell->build == build)
			return cell;
	}
	return NULL;
}

static bool find_place(struct dispatch *d, const struct place **ret, const struct planned_cell *cell)
{
	return places_find(d->places, ret, cell->agent, &cell->build->toolchain->target, &d->error);
}

static bool after_build(struct dispatch *d, const struct build_result *result)
{
	const struct planned_cell *cell;
	const struct place *place;

	for (guint i = 0; (cell = next_cell(d, &i, result->build)) != NULL;) {
		if (!find_place(d, &place, cell))
			return false;
		if (place->what == NULL)
			continue; /* told before the build began */
		if (!(result->state == BUILD_OK ? cell_with_program(d, cell, result, place)
						: cell_without_program(d, cell, result, place->platform)))
			return false;
	}
	return true;
}

static void on_built(struct build_result *result, void *user)
{
	struct dispatch *d = user;

	d->building--;
	d->done++;
	if (result->state == BUILD_OK) {
		d->result.programs_cached += result->program_cached;
		d->result.programs_built += !result->program_cached;
		d->result.libraries_compiled += !result->library_cached && !result->program_cached;
	}
	tell(d, (struct dispatch_event){.what = DISPATCH_BUILT,
			.name = result->build->name,
			.state = build_states[result->state].name,
			.reason = result->reason,
			.cached = result->program_cached,
			.seconds = result->seconds});

	bool ok = d->error == NULL && after_build(d, result);
	build_result_free(result);
	if (ok)
		schedule(d);
	else
		give_up(d);
}

/* Whether some place that can be used waits for the build. */
static bool is_wanted(struct dispatch *d, bool *ret, const struct planned_build *build)
{
	const struct planned_cell *cell;
	const struct place *place;

	*ret = false;
	for (guint i = 0; !*ret && (cell = next_cell(d, &i, build)) != NULL;) {
		if (!find_place(d, &place, cell))
			return false;
		*ret = place->what != NULL;
	}
	return true;
}

static bool tell_cells_without_place(struct dispatch *d, const struct planned_build *build)
{
	const struct planned_cell *cell;
	const struct place *place;

	for (guint i = 0; (cell = next_cell(d, &i, build)) != NULL;)
		if (!find_place(d, &place, cell) ||
			(place->what == NULL && !cell_without_place(d, cell, place->lacks)))
			return false;
	return true;
}

/* Starts the next build that some usable place waits for. False where the plan has none left, or the store
 * has failed. */
static bool start_build(struct dispatch *d)
{
	const struct plan *plan = d->spec->plan;

	while (d->next_build < plan->builds->len) {
		const struct planned_build *build = plan->builds->pdata[d->next_build++];
		bool wanted;

		if (!is_wanted(d, &wanted, build))
			return false;
		d->done += !wanted;
		if (!tell_cells_without_place(d, build))
			return false;
		if (wanted) {
			d->building++;
			builder_start(d->spec->builder, build, on_built, d);
			return true;
		}
	}
	return false;
}

static gboolean try_lock(gpointer user)
{
	struct dispatch *d = user;

	d->lock_timer = 0;
	schedule(d);
	return G_SOURCE_REMOVE;
}

/* Timing is alone on its machine: two runs never time at once. */
static bool have_timing_lock(struct dispatch *d)
{
	g_autofree char *file = g_build_filename(d->spec->locks, "timing.lock", NULL);

	if (d->lock >= 0)
		return true;
	if (d->lock_timer != 0)
		return false;
	if (!fsx_lock(&d->lock, file, false, &d->error))
		return false;
	if (d->lock >= 0)
		return true;
	if (!d->lock_told)
		tell(d, (struct dispatch_event){.what = DISPATCH_STEP,
				.name = "timing",
				.state = "waiting for another run's timing to end",
				.seconds = NAN});
	d->lock_told = true;
	d->lock_timer = g_timeout_add_seconds(LOCK_PERIOD_S, try_lock, d);
	return false;
}

static void drop_waiting(struct dispatch *d, GQueue *queue)
{
	struct attempt *attempt;

	while ((attempt = g_queue_pop_head(queue)) != NULL) {
		attempt_cancel(attempt);
		if (d->error == NULL)
			keep(d, attempt);
		attempt_gone(d, attempt);
	}
}

/* The cells of builds that were not begun: nothing of a plan goes missing without a word. */
static void drop_builds(struct dispatch *d)
{
	const struct plan *plan = d->spec->plan;

	while (d->next_build < plan->builds->len) {
		const struct build_result cancelled = {.build = plan->builds->pdata[d->next_build++],
			.state = BUILD_CANCELLED,
			.reason = (char *)"cancelled before it began",
			.seconds = NAN};

		const struct planned_cell *cell;

		d->done++;
		for (guint i = 0; (cell = next_cell(d, &i, cancelled.build)) != NULL;)
			if (!cell_without_program(d, cell, &cancelled, 0))
				return;
	}
}

/* Builds and counts side by side, then native timing alone. Called whenever something has ended. */
static void schedule(struct dispatch *d)
{
	struct attempt *attempt;

	if (d->cancelled) {
		drop_waiting(d, &d->counts);
		drop_waiting(d, &d->times);
		if (d->error == NULL)
			drop_builds(d);
	}
	while (!d->cancelled && d->building + d->counting < d->spec->jobs && !d->timing) {
		if ((attempt = g_queue_pop_head(&d->counts)) != NULL) {
			d->counting++;
			attempt_start(attempt);
		} else if (!start_build(d)) {
			break;
		}
	}
	if (d->error != NULL && !d->cancelled) {
		give_up(d);
		return;
	}
	if (d->building + d->counting > 0 || d->timing)
		return;
	if (!d->cancelled && !g_queue_is_empty(&d->times)) {
		if (have_timing_lock(d)) {
			d->timing = true;
			attempt_start(g_queue_pop_head(&d->times));
		} else if (d->error != NULL) {
			give_up(d);
		}
		return;
	}
	d->finished = true;
}

static gboolean on_signal(gpointer user)
{
	struct dispatch *d = user;

	stop(d);
	schedule(d);
	return G_SOURCE_CONTINUE;
}

bool dispatch_run(struct dispatch_result *ret, const struct dispatch_spec *spec, GError **err)
{
	struct dispatch d = {
		.spec = spec,
		.places = places_new(spec->store),
		.lock = -1,
		.counts = G_QUEUE_INIT,
		.times = G_QUEUE_INIT,
		.active = g_ptr_array_new(),
		.total = (int)(spec->plan->builds->len + spec->plan->cells->len),
	};
	guint interrupt = g_unix_signal_add(SIGINT, on_signal, &d);
	guint terminate = g_unix_signal_add(SIGTERM, on_signal, &d);

	schedule(&d);
	while (!d.finished)
		g_main_context_iteration(NULL, TRUE);

	g_source_remove(interrupt);
	g_source_remove(terminate);
	if (d.lock_timer != 0)
		g_source_remove(d.lock_timer);
	if (d.lock >= 0)
		fsx_unlock(d.lock);
	g_ptr_array_unref(d.active);
	places_free(d.places);
	if (d.error != NULL) {
		g_propagate_error(err, d.error);
		return false;
	}
	d.result.cancelled = d.cancelled;
	d.result.nothing_could_run = d.unsupported == (int)spec->plan->cells->len;
	*ret = d.result;
	return true;
}
