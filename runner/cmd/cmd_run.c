#include "cmd.h"
#include "diag.h"
#include "dispatch.h"
#include "only.h"
#include "progress.h"
#include "resolve.h"
#include "summary.h"

#include <glib-unix.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>

static gboolean fresh;
static char *only, *label;
static int jobs = INT_MIN; /* not given */

static const GOptionEntry options[] = {
	{"fresh", 0, 0, G_OPTION_ARG_NONE, &fresh,
		"measure exact results again instead of carrying them forward", NULL},
	{"only", 0, 0, G_OPTION_ARG_FILENAME, &only, "only the cells that this selector takes", "SELECTOR"},
	{"jobs", 0, 0, G_OPTION_ARG_INT, &jobs,
		"builds and counts at once; as many as processors where not given", "N"},
	{"label", 0, 0, G_OPTION_ARG_FILENAME, &label, "a name for this run", "TEXT"},
	{0},
};

static int count_jobs(void)
{
	return jobs == INT_MIN ? (int)g_get_num_processors() : jobs;
}

static int status_of(const struct run_info *run, const struct dispatch_result *result)
{
	if (result->nothing_could_run)
		return DIAG_LACKS;
	return result->cancelled || run->failed > 0 || run->partial > 0 ? DIAG_FAILED : 0;
}

/* Marks the run as ended and tells what came of it; returns the exit status. */
static int conclude(struct store *store, int64_t id, const struct dispatch_result *result, GError **err)
{
	g_autoptr(GPtrArray) runs = NULL;
	const struct run_info *run = NULL;

	if (!store_runs(store, &runs, err))
		return DIAG_FAILED;
	for (guint i = 0; i < runs->len; i++)
		if (((const struct run_info *)runs->pdata[i])->id == id)
			run = runs->pdata[i];
	g_assert(run != NULL);

	int status = status_of(run, result);
	if (!store_run_end(store, id, status, err))
		return DIAG_FAILED;
	print_summary(run, result);
	if (!print_failures(store, id, err))
		return DIAG_FAILED;
	printf("\ndatabase: %s\n", store_file(store));
	return status;
}

static gboolean hear(gpointer user)
{
	(void)user;
	return G_SOURCE_CONTINUE;
}

/* The dispatch takes the signals while it works. A second one, which comes when it has stopped, must not end
 * us before the run is marked as ended and told: from the dispatch on, no signal ends us by itself. */
static void keep_signals(void)
{
	g_unix_signal_add(SIGINT, hear, NULL);
	g_unix_signal_add(SIGTERM, hear, NULL);
}

static int execute(const struct paths *paths, const struct plan *plan, struct store *store,
	struct builder *builder, struct progress *progress, GError **err)
{
	g_autofree char *plan_json = plan_text(plan);
	g_autofree char *uuid = NULL;
	const struct run_row row = {
		.matrix = plan->matrix->name,
		.label = label,
		.matrix_text = plan->matrix->text,
		.plan_text = plan_json,
		.program = BM_VERSION,
	};
	struct dispatch_spec spec = {
		.plan = plan,
		.store = store,
		.builder = builder,
		.jobs = count_jobs(),
		.fresh = fresh,
		.locks = paths->cache,
		.on_event = progress_event,
		.user = progress,
	};
	struct dispatch_result result;

	if (!store_run_begin(store, &spec.run, &uuid, &row, err))
		return DIAG_FAILED;
	keep_signals();
	if (!dispatch_run(&result, &spec, err))
		return DIAG_FAILED;
	return conclude(store, spec.run, &result, err);
}

static int with_plan(const struct paths *paths, const struct plan *plan, GError **err)
{
	g_autofree char *core = g_build_filename(paths->data, "core", NULL);
	g_autofree char *schema = g_build_filename(paths->data, "schema", NULL);
	struct progress *progress = progress_new((int)(plan->builds->len + plan->cells->len));
	const struct builder_spec spec = {.cache = paths->cache,
		.core = core,
		.schema = schema,
		.on_step = progress_step,
		.user = progress};
	struct store *store = store_open(paths->db, STORE_WRITE, err);
	struct builder *builder = store ? builder_new(&spec, err) : NULL;
	int status = builder ? execute(paths, plan, store, builder, progress, err) : DIAG_FAILED;

	progress_free(progress);
	builder_free(builder);
	store_close(store);
	return status;
}

static int run(const struct paths *paths, char **arguments, GError **err)
{
	struct catalog *catalog = NULL;
	struct matrix *matrix = NULL;
	struct plan *plan = NULL;
	g_autofree char *file = NULL;
	int status = DIAG_FAILED;

	/* That nobody reads our progress any more is no reason to stop measuring. */
	signal(SIGPIPE, SIG_IGN);
	if (jobs != INT_MIN && jobs < 1) {
		diag_set(err, DIAG_USAGE, "--jobs %d: at least 1", jobs);
		return DIAG_USAGE;
	}
	if (!catalog_load(&catalog, paths->data, paths->user, err))
		return status;
	file = catalog_matrix_file(catalog, arguments[0], err);
	if (file != NULL && matrix_load(&matrix, file, catalog, err) && plan_make(&plan, matrix, err) &&
		only_apply(plan, only, err)) {
		resolve_refs(matrix->versions);
		status = with_plan(paths, plan, err);
	}
	plan_free(plan);
	matrix_free(matrix);
	catalog_free(catalog);
	return status;
}

const struct cmd cmd_run = {
	.name = "run",
	.arguments = "MATRIX",
	.summary = "build, run and keep everything that a matrix asks for",
	.description =
		"Builds every program of the matrix that the cache lacks, counts under the emulators, then "
		"times natively with nothing else of "
		"ours running, and keeps all results. MATRIX is a bundled name (list matrices) or a file.\n\n"
		"Exact results of an unchanged program under an unchanged emulator are carried forward. A "
		"failure of one cell never stops the "
		"rest; failures are listed at the end, and the exit status is then 1.",
	.options = options,
	.min = 1,
	.max = 1,
	.run = run,
};
