#include "cell_row.h"

#include <math.h>

static bool put_build(struct store *store, int64_t *ret, const struct build_result *result, GError **err)
{
	const struct planned_build *build = result->build;
	const struct build_row row = {
		.labels.v = {[LABEL_LIBRARY] = build->library->name,
			[LABEL_VERSION] = build->version->name,
			[LABEL_CONFIG] = build->config,
			[LABEL_PROFILE] = build->profile->name,
			[LABEL_OPTIMISATION] = build->optimisation,
			[LABEL_TOOLCHAIN] = build->toolchain->name},
		.state = result->state,
		.key_library = result->key_library,
		.key_program = result->key_program,
		.reason = result->reason,
		.arch = build->toolchain->arch,
		.revision = result->revision,
		.parent = result->parent,
		.compiler = result->compiler,
		.configure_line = result->configure_line,
		.optimisation_effective = result->optimisation_effective,
		.math = result->math,
		.machine = result->machine,
		.code_sha256 = result->code_sha256,
		.log = result->log,
		.seconds = result->seconds,
	};

	return store_build_put(store, ret, &row, err);
}

bool cell_row_put(struct store *store, int64_t *ret, int64_t run, const struct planned_cell *cell,
	const struct build_result *result, int64_t platform, GError **err)
{
	struct cell_row row = {
		.run = run,
		.platform = platform,
		.build_cached = result->program_cached,
		.name = cell->name,
		.agent = cell->agent->name,
		.instrument = planned_instrument(cell->build),
		.mode = agent_mode_names[cell->mode],
	};

	return put_build(store, &row.build, result, err) && store_cell_put(store, ret, &row, err);
}

/* --- sizes --- */

enum { SIZES_KINDS = 4, SIZES_WHATS = 2 };

/* What an attempt at measuring sizes brings; the intake points into it. */
struct size_rows {
	struct outcome outcomes[SIZES_WHATS];
	struct measurement measurements[SIZES_WHATS * SIZES_KINDS];
	struct intake intake;
};

static void add_size(struct size_rows *rows, const char *what, enum metric metric, int64_t bytes)
{
	double value = (double)bytes;
	struct measurement *measurement = &rows->measurements[rows->intake.measurements->len];

	*measurement = (struct measurement){
		.benchmark = what,
		.metric = metric,
		.source = SOURCE_OWN,
		.environment = ENVIRONMENT_HARDWARE,
		.kind = KIND_EXACT,
		.figure = {1, value, NAN, value, NAN, value, value, NAN},
	};
	g_ptr_array_add(rows->intake.measurements, measurement);
}

static void add_sizes(struct size_rows *rows, const char *what, const struct sizes *sizes)
{
	struct outcome *outcome = &rows->outcomes[rows->intake.outcomes->len];

	if (sizes->text < 0)
		return;
	*outcome = (struct outcome){.benchmark = what, .state = OUTCOME_OK};
	g_ptr_array_add(rows->intake.outcomes, outcome);
	add_size(rows, what, METRIC_TEXT, sizes->text);
	add_size(rows, what, METRIC_RODATA, sizes->rodata);
	add_size(rows, what, METRIC_DATA, sizes->data);
	add_size(rows, what, METRIC_BSS, sizes->bss);
}

/* The same for the same run and build, so that a run that goes on does not store them twice. */
static char *sizes_uuid(const char *run_uuid, const char *name)
{
	g_autofree char *text = g_strconcat(run_uuid, "\n", name, NULL);
	g_autofree char *hash = g_compute_checksum_for_string(G_CHECKSUM_SHA256, text, -1);

	return g_strdup_printf(
		"%.8s-%.4s-8%.3s-8%.3s-%.12s", hash, hash + 8, hash + 12, hash + 15, hash + 18);
}

static bool put_sizes(
	struct store *store, int64_t cell, const char *uuid, const struct build_result *result, GError **err)
{
	const struct attempt_row attempt = {.uuid = uuid,
		.cell = cell,
		.state = ATTEMPT_OK,
		.argv = "[]",
		.started_at = g_get_real_time() * 1000,
		.seconds = 0};
	struct size_rows rows = {
		.intake = {
			.outcomes = g_ptr_array_new(), .measurements = g_ptr_array_new(), .complete = true}};
	int64_t row;

	add_sizes(&rows, "library size", &result->library_sizes);
	add_sizes(&rows, "program size", &result->program_sizes);
	bool ok = store_attempt_take_in(store, &row, &attempt, &rows.intake, err);
	g_ptr_array_unref(rows.intake.outcomes);
	g_ptr_array_unref(rows.intake.measurements);
	return ok;
}

bool cell_row_put_sizes(struct store *store, int64_t run, const char *run_uuid,
	const struct build_result *result, GError **err)
{
	g_autofree char *name = g_strconcat(result->build->name, " sizes", NULL);
	g_autofree char *uuid = sizes_uuid(run_uuid, name);
	struct cell_row row = {
		.run = run,
		.build_cached = result->program_cached,
		.name = name,
		.agent = "build",
		.instrument = "build",
		.mode = agent_mode_names[AGENT_COUNT],
	};
	int64_t cell;

	/* The sizes of a build are those of its library and of bench-core. */
	if (result->build->tool || (result->library_sizes.text < 0 && result->program_sizes.text < 0))
		return true;
	return put_build(store, &row.build, result, err) && store_cell_put(store, &cell, &row, err) &&
	       put_sizes(store, cell, uuid, result, err);
}
