#include "cmd.h"
#include "diag.h"
#include "dispatch.h"
#include "host_settings.h"
#include "only.h"
#include "progress.h"
#include "resolve.h"
#include "resume.h"
#include "signals.h"
#include "summary.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

/* Of all users of this machine. */
#define MACHINE_LOCK "/run/lock/benchmatrix.lock"

static gboolean fresh, resume;
static char *only, *label, *known_file, *host;
static int jobs = INT_MIN; /* not given */

static const GOptionEntry options[] = {
	{"resume", 0, 0, G_OPTION_ARG_NONE, &resume,
		"go on with the latest run of the matrix, which was stopped or killed", NULL},
	{"fresh", 0, 0, G_OPTION_ARG_NONE, &fresh,
		"measure exact results again instead of carrying them forward", NULL},
	{"only", 0, 0, G_OPTION_ARG_FILENAME, &only, "only the cells that this selector takes", "SELECTOR"},
	{"jobs", 0, 0, G_OPTION_ARG_INT, &jobs,
		"builds and counts at once; as many as processors where not given", "N"},
	{"label", 0, 0, G_OPTION_ARG_FILENAME, &label, "a name for this run", "TEXT"},
	{"known", 0, 0, G_OPTION_ARG_FILENAME, &known_file,
		"failures that are known; known-failures.json of the user's folder where not given", "FILE"},
	{"host", 0, 0, G_OPTION_ARG_STRING, &host,
		"settings of this machine while it times: governor=NAME, turbo=on|off", "SETTING,..."},
	{0},
};

static int count_jobs(void)
{
	return jobs == INT_MIN ? (int)g_get_num_processors() : jobs;
}

/* What a run needs, from the plan to its end. */
struct job {
	const struct paths *paths;
	const char *named; /* the matrix, as it was named */
	const char *file;  /* of the matrix */
	struct catalog *catalog;
	struct matrix *matrix;
	struct plan *plan;
	struct store *store;
	struct spool *spool;
	int64_t run;
	char *uuid;
	struct known *known; /* NULL: nothing is */
	struct host_settings_spec host;
};

/* A run of its own: planned before the database is opened, so that a wrong matrix leaves no trace. */
static bool begin(struct job *job, GError **err)
{
	if (!matrix_load(&job->matrix, job->file, job->catalog, err) ||
		!plan_make(&job->plan, job->matrix, err) || !only_apply(job->plan, only, err) ||
		!(job->store = store_open(job->paths->db, STORE_WRITE, err)) ||
		!resume_sweep(job->store, NULL, err))
		return false;

	/* The plan that is stored says where refs stood. */
	resolve_refs(job->matrix->versions);
	g_autofree char *plan = plan_text(job->plan);
	const struct run_row row = {
		.matrix = job->matrix->name,
		.label = label,
		.matrix_text = job->matrix->text,
		.plan_text = plan,
		.program = BM_VERSION,
	};
	return store_run_begin(job->store, &job->run, &job->uuid, &row, err) &&
	       spool_open(&job->spool, job->paths->db, job->uuid, err);
}

static bool find_unfinished(struct job *job, const char *matrix, GError **err)
{
	if (!store_run_unfinished(job->store, &job->run, &job->uuid, matrix, err))
		return false;
	if (job->uuid == NULL)
		return diag_set(err, DIAG_USAGE, "nothing to resume: there is no run of %s in %s", matrix,
			job->paths->db);
	return job->run != 0 ||
	       diag_set(err, DIAG_USAGE, "nothing to resume: run %.8s of %s has ended", job->uuid, matrix);
}

/* The matrix as it was, planned anew; of that what is left. */
static bool plan_rest(struct job *job, GError **err)
{
	g_autofree char *text = NULL, *plan = NULL;

	if (!store_run_texts(job->store, &text, &plan, job->run, err))
		return false;
	if (text == NULL)
		return diag_set(err, DIAG_INPUT, "%s: run %.8s was stored without its matrix; start it anew",
			job->paths->db, job->uuid);
	if (!matrix_load_text(&job->matrix, job->file, text, job->catalog, err) ||
		!plan_make(&job->plan, job->matrix, err))
		return false;
	/* A ref that has moved since is another revision: half a run each would be neither. */
	resume_refs(job->matrix->versions, plan);
	resolve_refs(job->matrix->versions);
	return resume_narrow(job->plan, job->store, job->spool, job->run, err);
}

static bool begin_again(struct job *job, GError **err)
{
	g_autofree char *name = g_path_get_basename(job->file);

	if (g_str_has_suffix(name, ".json"))
		name[strlen(name) - strlen(".json")] = '\0';
	job->store = store_open(job->paths->db, STORE_WRITE, err);
	return job->store != NULL && find_unfinished(job, name, err) &&
	       spool_open(&job->spool, job->paths->db, job->uuid, err) &&
	       resume_sweep(job->store, job->uuid, err) && plan_rest(job, err);
}

/* `all`: nothing of the run was done before. */
static int status_of(const struct verdict *verdict, const struct dispatch_result *result, bool all)
{
	if (result->nothing_could_run && all)
		return DIAG_LACKS;
	return result->cancelled || verdict->fresh > 0 ? DIAG_FAILED : 0;
}

static bool find_run(struct run_info **ret, GPtrArray **ret_runs, const struct job *job, GError **err)
{
	if (!store_runs(job->store, ret_runs, err))
		return false;
	for (guint i = 0; i < (*ret_runs)->len; i++)
		if (((struct run_info *)(*ret_runs)->pdata[i])->id == job->run)
			*ret = (*ret_runs)->pdata[i];
	return true;
}

/* Marks the run as ended and tells what came of it; returns the exit status. */
static int conclude(const struct job *job, const struct dispatch_result *result, GError **err)
{
	g_autoptr(GPtrArray) runs = NULL;
	struct verdict *verdict = NULL;
	struct run_info *run = NULL;
	int status = DIAG_FAILED;

	if (!find_run(&run, &runs, job, err) ||
		!verdict_make(&verdict, job->store, job->run, job->known, err))
		return status;
	g_assert(run != NULL);
	int ended = status_of(verdict, result, (int)job->plan->cells->len == run->cells);
	if (store_run_end(job->store, job->run, ended, err)) {
		status = ended;
		print_summary(run, result);
		if (result->cancelled)
			printf("`benchmatrix run %s --resume` goes on with it\n", job->named);
		verdict_print(verdict, job->matrix->library);
		printf("\ndatabase: %s\n", store_file(job->store));
	}
	verdict_free(verdict);
	return status;
}

static gboolean hear(gpointer user)
{
	(void)user;
	return G_SOURCE_CONTINUE;
}

/* Where a run that could not be kept leaves off, it can be gone on with. */
static int broken_off(const struct job *job, GError *error, GError **err)
{
	diag_set(err, (enum diag_code)diag_exit_status(error),
		"%s; `benchmatrix run %s --resume` then goes on with run %.8s", error->message, job->named,
		job->uuid);
	g_error_free(error);
	return DIAG_FAILED;
}

static int execute(struct job *job, struct builder *builder, struct progress *progress, GError **err)
{
	g_autofree char *own_lock = g_build_filename(job->paths->cache, "timing.lock", NULL);
	const char *const locks[] = {MACHINE_LOCK, own_lock, NULL};
	const struct dispatch_spec spec = {
		.plan = job->plan,
		.store = job->store,
		.builder = builder,
		.run = job->run,
		.spool = job->spool,
		.jobs = count_jobs(),
		.fresh = fresh,
		.locks = locks,
		.host = &job->host,
		.on_event = progress_event,
		.user = progress,
	};
	struct dispatch_result result;
	GError *error = NULL;
	guint signals[SIGNALS_MAX];

	/* One that comes when the dispatch has ended must not end us before the run is marked as ended and
	 * told. */
	signals_watch(signals, hear, NULL);
	if (!dispatch_run(&result, &spec, &error))
		return broken_off(job, error, err);
	return conclude(job, &result, err);
}

static int with_plan(struct job *job, GError **err)
{
	g_autofree char *core = g_build_filename(job->paths->data, "core", NULL);
	g_autofree char *schema = g_build_filename(job->paths->data, "schema", NULL);
	struct progress *progress = progress_new((int)(job->plan->builds->len + job->plan->cells->len));
	const struct builder_spec spec = {.cache = job->paths->cache,
		.core = core,
		.schema = schema,
		.on_step = progress_step,
		.user = progress};
	struct builder *builder = builder_new(&spec, err);
	int status = builder != NULL ? execute(job, builder, progress, err) : DIAG_FAILED;

	progress_free(progress);
	builder_free(builder);
	return status;
}

static bool check_options(GError **err)
{
	if (jobs != INT_MIN && jobs < 1)
		return diag_set(err, DIAG_USAGE, "--jobs %d: at least 1", jobs);
	if (resume && (only != NULL || label != NULL))
		return diag_set(err, DIAG_USAGE,
			"--resume: the run keeps the %s that it began with; leave --%s away",
			only != NULL ? "cells" : "label", only != NULL ? "only" : "label");
	return true;
}

/* Before anything is built: puts back what a run that was killed has left changed, and looks whether what is
 * asked for can be had. */
static bool prepare_host(struct job *job, GError **err)
{
	const char *sysfs = g_getenv("BENCHMATRIX_SYSFS");
	g_autoptr(GPtrArray) told = NULL;

	job->host = (struct host_settings_spec){
		.wanted = host, .sysfs = sysfs && *sysfs ? sysfs : "/sys", .journal = job->paths->cache};
	if (!host_settings_recover(&told, &job->host, err))
		return false;
	for (guint i = 0; i < told->len; i++)
		fprintf(stderr, "put back what a run that was killed had changed: %s\n",
			(const char *)told->pdata[i]);
	return host_settings_check(&job->host, err);
}

static int run(const struct paths *paths, char **arguments, GError **err)
{
	struct job job = {.paths = paths, .named = arguments[0]};
	g_autofree char *file = NULL;
	int status = DIAG_FAILED;

	/* That nobody reads our progress any more is no reason to stop measuring. */
	signal(SIGPIPE, SIG_IGN);
	if (!check_options(err) || !prepare_host(&job, err) ||
		!catalog_load(&job.catalog, paths->data, paths->user, err))
		return status;
	file = catalog_matrix_file(job.catalog, arguments[0], err);
	job.file = file;
	if (file != NULL && summary_known(&job.known, paths, known_file, err) &&
		(resume ? begin_again(&job, err) : begin(&job, err)))
		status = with_plan(&job, err);
	spool_close(job.spool);
	store_close(job.store);
	plan_free(job.plan);
	matrix_free(job.matrix);
	known_free(job.known);
	catalog_free(job.catalog);
	g_free(job.uuid);
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
		"rest; failures are listed at the end, and the exit status is then 1, unless all of them are "
		"known: known-failures.json in the user's folder (or --known) lists these with the reason "
		"and a day until which they may stay.\n\n"
		"Whatever a program prints is on disk at once, beside the database. --resume goes on with a "
		"run that was stopped or killed: its matrix is as it was, finished cells stay, and an "
		"unfinished one goes on with the benchmark that was in hand. Any other run takes what was "
		"finished into the database.\n\n"
		"--host changes settings of this machine while it times, as root: governor=performance and "
		"turbo=off make the clock steadier. What was there before is put back when timing ends; "
		"where the run is killed, by the next one.",
	.options = options,
	.min = 1,
	.max = 1,
	.run = run,
};
