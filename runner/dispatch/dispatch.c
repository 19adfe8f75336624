#include "dispatch.h"

#include "attempt.h"
#include "diag.h"
#include "fsx.h"
#include "places.h"

#include <glib-unix.h>
#include <math.h>
#include <signal.h>
#include <string.h>

/* How often a timing lock that another run holds is tried again. */
#define LOCK_PERIOD_S 1

struct dispatch {
	const struct dispatch_spec *spec;
	struct dispatch_result result;
	struct places *places;
	GMainLoop *loop;
	guint next_build; /* of the plan: to start */
	int building, counting;
	bool timing;	  /* an invocation is under way */
	int lock;	  /* the timing lock; -1: not held */
	guint lock_timer; /* 0: not waiting */
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

static bool put_build(struct dispatch *d, int64_t *ret, const struct build_result *result)
{
	const struct planned_build *build = result->build;
	struct build_row row = {
		.state = result->state,
		.key_library = result->key_library,
		.key_program = result->key_program,
		.reason = result->reason,
		.arch = build->toolchain->arch,
		.revision = result->revision,
		.compiler = result->compiler,
		.configure_line = result->configure_line,
		.optimisation_effective = result->optimisation_effective,
		.math = result->math,
		.machine = result->machine,
		.code_sha256 = result->code_sha256,
		.log = result->log,
		.seconds = result->seconds,
	};

	row.labels.v[LABEL_LIBRARY] = build->library->name;
	row.labels.v[LABEL_VERSION] = build->version->name;
	row.labels.v[LABEL_CONFIG] = build->config;
	row.labels.v[LABEL_PROFILE] = build->profile->name;
	row.labels.v[LABEL_OPTIMISATION] = build->optimisation;
	row.labels.v[LABEL_TOOLCHAIN] = build->toolchain->name;
	return store_build_put(d->spec->store, ret, &row, &d->error);
}

static bool put_cell(struct dispatch *d, int64_t *ret, const struct planned_cell *cell, int64_t build,
	bool cached, int64_t platform)
{
	const struct cell_row row = {
		.run = d->spec->run,
		.build = build,
		.platform = platform,
		.build_cached = cached,
		.name = cell->name,
		.agent = cell->agent->name,
		.instrument = "bench-core",
		.mode = agent_mode_names[cell->mode],
	};

	return store_cell_put(d->spec->store, ret, &row, &d->error);
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
	int64_t build, row;

	if (!put_build(d, &build, result) ||
		!put_cell(d, &row, cell, build, result->program_cached, platform))
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

static bool keep(struct dispatch *d, struct attempt *attempt)
{
	const char *state;
	g_autofree char *reason = NULL;

	if (!attempt_store(attempt, d->spec->store, &state, &reason, &d->error))
		return false;
	d->result.measured++;
	cell_ended(d, attempt_cell(attempt)->name, state, reason, false, attempt_seconds(attempt));
	return true;
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
	cell_ended(d, attempt_cell(attempt)->name, "ok", NULL, true, NAN);
	return true;
}

static bool cell_with_program(struct dispatch *d, const struct planned_cell *cell,
	const struct build_result *result, const struct place *place)
{
	int64_t build, row;
	bool carried;

	if (!put_build(d, &build, result) ||
		!put_cell(d, &row, cell, build, result->program_cached, place->platform))
		return false;

	const struct attempt_spec spec = {
		.matrix = d->spec->plan->matrix,
		.cell = cell,
		.place = place,
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

static bool after_build(struct dispatch *d, const struct build_result *result)
{
	const struct plan *plan = d->spec->plan;

	for (guint i = 0; i < plan->cells->len; i++) {
		const struct planned_cell *cell = plan->cells->pdata[i];
		const struct place *place;

		if (cell->build != result->build)
			continue;
		if (!places_find(d->places, &place, cell->agent, &cell->build->toolchain->target, &d->error))
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

/* Starts the next build that some usable place waits for. False where the plan has none left, or the store
 * has failed. */
static bool start_build(struct dispatch *d)
{
	const struct plan *plan = d->spec->plan;

	while (d->next_build < plan->builds->len) {
		const struct planned_build *build = plan->builds->pdata[d->next_build++];
		bool wanted = false;

		for (guint i = 0; i < plan->cells->len; i++) {
			const struct planned_cell *cell = plan->cells->pdata[i];
			const struct place *place;

			if (cell->build != build)
				continue;
			if (!places_find(
				    d->places, &place, cell->agent, &build->toolchain->target, &d->error))
				return false;
			if (place->what != NULL)
				wanted = true;
			else if (!cell_without_place(d, cell, place->lacks))
				return false;
		}
		if (wanted) {
			d->building++;
			builder_start(d->spec->builder, build, on_built, d);
			return true;
		}
		d->done++;
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

/* Timing is alone on its machine, other runs of ours included. */
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
	tell(d, (struct dispatch_event){.what = DISPATCH_STEP,
			.name = "timing",
			.state = "waiting for another run's timing to end",
			.seconds = NAN});
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

/* Builds and counts side by side, then native timing alone. Called whenever something has ended. */
static void schedule(struct dispatch *d)
{
	struct attempt *attempt;

	if (d->cancelled) {
		drop_waiting(d, &d->counts);
		drop_waiting(d, &d->times);
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
	g_main_loop_quit(d->loop);
}

static gboolean on_signal(gpointer user)
{
	struct dispatch *d = user;

	stop(d);
	schedule(d);
	return G_SOURCE_CONTINUE;
}

static gboolean begin(gpointer user)
{
	schedule(user);
	return G_SOURCE_REMOVE;
}

bool dispatch_run(struct dispatch_result *ret, const struct dispatch_spec *spec, GError **err)
{
	struct dispatch d = {
		.spec = spec,
		.places = places_new(spec->store),
		.loop = g_main_loop_new(NULL, FALSE),
		.lock = -1,
		.counts = G_QUEUE_INIT,
		.times = G_QUEUE_INIT,
		.active = g_ptr_array_new(),
		.total = (int)(spec->plan->builds->len + spec->plan->cells->len),
	};
	guint interrupt = g_unix_signal_add(SIGINT, on_signal, &d);
	guint terminate = g_unix_signal_add(SIGTERM, on_signal, &d);

	g_idle_add(begin, &d);
	g_main_loop_run(d.loop);

	g_source_remove(interrupt);
	g_source_remove(terminate);
	if (d.lock_timer != 0)
		g_source_remove(d.lock_timer);
	if (d.lock >= 0)
		fsx_unlock(d.lock);
	g_main_loop_unref(d.loop);
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
