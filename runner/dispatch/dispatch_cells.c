#include "dispatch_private.h"

#include "cell_row.h"

#include <math.h>

static void cell_ended(struct dispatch *d, const char *name, const char *state, const char *reason,
	bool cached, double seconds)
{
	d->done++;
	dispatch_tell(d, (struct dispatch_event){.what = DISPATCH_RAN,
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
bool dispatch_cell_without_place(struct dispatch *d, const struct planned_cell *cell, const char *lacks)
{
	const struct build_result unsupported = {
		.build = cell->build, .state = BUILD_UNSUPPORTED, .reason = (char *)lacks, .seconds = NAN};

	return cell_without_program(d, cell, &unsupported, 0);
}

/* Its state is what the store makes of it. */
bool dispatch_cell_over(
	struct dispatch *d, const struct planned_cell *cell, int64_t row, bool carried, double seconds)
{
	g_autofree char *state = NULL, *reason = NULL;

	if (!store_cell_state(d->spec->store, &state, &reason, row, &d->error))
		return false;
	cell_ended(d, cell->name, state, reason, carried, seconds);
	return true;
}

static bool attempt_told(struct dispatch *d, const struct attempt *attempt, bool carried)
{
	return dispatch_cell_over(d, attempt_cell(attempt), attempt_cell_row(attempt), carried,
		carried ? NAN : attempt_seconds(attempt));
}

bool dispatch_keep(struct dispatch *d, struct attempt *attempt)
{
	if (!attempt_store(attempt, d->spec->store, &d->error))
		return false;
	d->result.measured++;
	return attempt_told(d, attempt, false);
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

/* *ret NULL: its results were carried forward. */
static bool make_attempt(struct dispatch *d, struct attempt **ret, const struct attempt_spec *spec)
{
	const char *left_over = g_hash_table_lookup(d->left_over, spec->cell->name);
	bool carried = false;

	if (left_over != NULL)
		return attempt_resume(ret, spec, left_over, &d->error);
	*ret = attempt_new(spec);
	if (carry(d, *ret, &carried) && !carried)
		return true;
	attempt_free(*ret);
	*ret = NULL;
	return carried;
}

bool dispatch_begin_cell(struct dispatch *d, const struct planned_cell *cell, int64_t row,
	const char *program, const char *key_program, const struct place *place)
{
	struct attempt *attempt;
	const struct attempt_spec spec = {
		.matrix = d->spec->plan->matrix,
		.cell = cell,
		.place = place,
		.limits = d->spec->limits ? d->spec->limits : &attempt_limits_default,
		.spool = d->spec->spool,
		.host = d->spec->host != NULL ? d->spec->host->wanted : NULL,
		.program = program,
		.key_program = key_program,
		.cell_row = row,
		.on_ended = dispatch_on_attempt_ended,
		.user = d,
	};
	if (!make_attempt(d, &attempt, &spec))
		return false;
	if (attempt == NULL)
		return true;
	g_ptr_array_add(d->active, attempt);
	if (cell->mode == AGENT_COUNT)
		g_queue_push_tail(&d->counts, attempt);
	else
		lane_add(lane_of(d, cell->agent), attempt);
	return true;
}

static bool cell_with_program(struct dispatch *d, const struct planned_cell *cell,
	const struct build_result *result, const struct place *place)
{
	int64_t row;

	return cell_row_put(d->spec->store, &row, d->spec->run, cell, result, place->platform, &d->error) &&
	       dispatch_begin_cell(d, cell, row, result->program, result->key_program, place);
}

/* One cell of a build that has ended. */
static bool cell_after_build(struct dispatch *d, const struct planned_cell *cell,
	const struct build_result *result, const struct place *place)
{
	if (place->what == NULL && !place->away)
		return true; /* told before the build began */
	if (result->state != BUILD_OK)
		return cell_without_program(d, cell, result, place->platform);
	return place->away ? absent_add(d, cell, result, place) : cell_with_program(d, cell, result, place);
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

bool dispatch_after_build(struct dispatch *d, const struct build_result *result)
{
	const struct planned_cell *cell;
	const struct place *place;

	if (result->state == BUILD_OK && !cell_row_put_sizes(d->spec->store, d->spec->run,
						 spool_run(d->spec->spool), result, &d->error))
		return false;
	for (guint i = 0; (cell = next_cell(d, &i, result->build)) != NULL;) {
		if (!find_place(d, &place, cell) || !cell_after_build(d, cell, result, place))
			return false;
	}
	return true;
}

static void on_built(struct build_result *result, void *user)
{
	struct dispatch *d = user;

	d->done++;
	if (result->state == BUILD_OK) {
		d->result.programs_cached += result->program_cached;
		d->result.programs_built += !result->program_cached;
		d->result.libraries_compiled += !result->library_cached;
	}
	dispatch_tell(d, (struct dispatch_event){.what = DISPATCH_BUILT,
				 .name = result->build->name,
				 .state = build_states[result->state].name,
				 .reason = result->reason,
				 .cached = result->program_cached,
				 .seconds = result->seconds});
	dispatch_build_ended(d, result);
}

/* Whether some place that can be used, or may be later, waits for the build. */
static bool is_wanted(struct dispatch *d, bool *ret, const struct planned_build *build)
{
	const struct planned_cell *cell;
	const struct place *place;

	*ret = false;
	for (guint i = 0; !*ret && (cell = next_cell(d, &i, build)) != NULL;) {
		if (!find_place(d, &place, cell))
			return false;
		*ret = place->what != NULL || place->away;
	}
	return true;
}

static bool tell_cells_without_place(struct dispatch *d, const struct planned_build *build)
{
	const struct planned_cell *cell;
	const struct place *place;

	for (guint i = 0; (cell = next_cell(d, &i, build)) != NULL;)
		if (!find_place(d, &place, cell) ||
			(place->what == NULL && !place->away &&
				!dispatch_cell_without_place(d, cell, place->lacks)))
			return false;
	return true;
}

bool dispatch_start_build(struct dispatch *d)
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

void dispatch_drop_builds(struct dispatch *d)
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
