#include "cell_row.h"

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
		.instrument = "bench-core",
		.mode = agent_mode_names[cell->mode],
	};

	return put_build(store, &row.build, result, err) && store_cell_put(store, ret, &row, err);
}
