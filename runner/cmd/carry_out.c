#include "carry_out.h"

#include "diag.h"
#include "only.h"
#include "progress.h"
#include "resolve.h"
#include "resume.h"
#include "signals.h"
#include "strangers.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

/* Of all users of this machine. Tests whose figures nobody looks at have one of their own. */
#define MACHINE_LOCK	  "/run/lock/benchmatrix.lock"
#define MACHINE_LOCK_NAME "BENCHMATRIX_LOCK"

bool carry_out_prepare(struct carry_out *job, GError **err)
{
	const char *sysfs = g_getenv("BENCHMATRIX_SYSFS");
	g_autoptr(GPtrArray) told = NULL;

	signal(SIGPIPE, SIG_IGN);
	job->host_settings = (struct host_settings_spec){
		.wanted = job->host, .sysfs = sysfs && *sysfs ? sysfs : "/sys", .journal = job->paths->cache};
	if (!host_settings_recover(&told, &job->host_settings, err))
		return false;
	for (guint i = 0; i < told->len; i++)
		fprintf(stderr, "put back what a run that was killed had changed: %s\n",
			(const char *)told->pdata[i]);
	return host_settings_check(&job->host_settings, err);
}

static bool load(struct carry_out *job, GError **err)
{
	if (job->text != NULL)
		return matrix_load_text(&job->matrix, job->file, job->text, job->catalog, err);
	return matrix_load(&job->matrix, job->file, job->catalog, err);
}

/* They would else lie there for ever without a word. */
static bool tell_strangers(struct store *store, GError **err)
{
	g_autoptr(GPtrArray) all = NULL;

	if (!strangers_find(&all, store, err))
		return false;
	for (guint i = 0; i < all->len; i++) {
		g_autofree char *text = strangers_text(all->pdata[i]), *plain = diag_printable(text, -1);
		fprintf(stderr,
			"%s; a database that knows it takes it in, `benchmatrix db spool --remove` removes "
			"it\n",
			plain);
	}
	return true;
}

/* A run of its own: planned before the database is opened, so that a wrong matrix leaves no trace. */
static bool begin(struct carry_out *job, GError **err)
{
	if (!load(job, err) || !plan_make(&job->plan, job->matrix, err) ||
		!only_apply(job->plan, job->only, err) ||
		(job->takes && !only_keep(job->plan, job->takes, job->user, err)) ||
		(job->narrow != NULL && !job->narrow(job->plan, job->narrow_user, err)) ||
		!(job->store = store_open(job->paths->db, STORE_WRITE, err)) ||
		!resume_sweep(job->store, NULL, err) || !tell_strangers(job->store, err))
		return false;

	/* The plan that is stored says where refs stood. */
	resolve_refs(job->matrix->versions);
	g_autofree char *plan = plan_text(job->plan);
	const struct run_row row = {
		.matrix = job->matrix->name,
		.label = job->label,
		.matrix_text = job->matrix->text,
		.plan_text = plan,
		.program = BM_VERSION,
	};
	return store_run_begin(job->store, &job->run, &job->uuid, &row, err) &&
	       (!job->begun || job->begun(job->store, job->run, job->user, err)) &&
	       spool_open(&job->spool, job->paths->db, job->uuid, err);
}

static bool find_unfinished(struct carry_out *job, const char *matrix, GError **err)
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
static bool plan_rest(struct carry_out *job, GError **err)
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

static bool begin_again(struct carry_out *job, GError **err)
{
	g_autofree char *name = g_path_get_basename(job->file);

	if (g_str_has_suffix(name, ".json"))
		name[strlen(name) - strlen(".json")] = '\0';
	job->store = store_open(job->paths->db, STORE_WRITE, err);
	return job->store != NULL && find_unfinished(job, name, err) &&
	       spool_open(&job->spool, job->paths->db, job->uuid, err) &&
	       resume_sweep(job->store, job->uuid, err) && tell_strangers(job->store, err) &&
	       plan_rest(job, err);
}

/* `all`: nothing of the run was done before. */
static int status_of(const struct verdict *verdict, const struct dispatch_result *result, bool all)
{
	if (result->nothing_could_run && all)
		return DIAG_LACKS;
	return result->cancelled || verdict->fresh > 0 ? DIAG_FAILED : 0;
}

static bool find_run(struct run_info **ret, GPtrArray **ret_runs, const struct carry_out *job, GError **err)
{
	if (!store_runs(job->store, ret_runs, err))
		return false;
	for (guint i = 0; i < (*ret_runs)->len; i++)
		if (((struct run_info *)(*ret_runs)->pdata[i])->id == job->run)
			*ret = (*ret_runs)->pdata[i];
	return true;
}

/* Marks the run as ended; returns the exit status. */
static int conclude(struct carry_out *job, GError **err)
{
	g_autoptr(GPtrArray) runs = NULL;
	struct run_info *run = NULL;

	if (!find_run(&run, &runs, job, err) ||
		!verdict_make(&job->verdict, job->store, job->run, job->known, err))
		return DIAG_FAILED;
	g_assert(run != NULL);
	int status = status_of(job->verdict, &job->result, (int)job->plan->cells->len == run->cells);
	if (store_run_end(job->store, job->run, status, err))
		return status;
	verdict_free(g_steal_pointer(&job->verdict));
	return DIAG_FAILED;
}

bool carry_out_tell(const struct carry_out *job, GError **err)
{
	g_autoptr(GPtrArray) runs = NULL;
	struct run_info *run = NULL;

	if (!find_run(&run, &runs, job, err))
		return false;
	g_assert(run != NULL);
	print_summary(run, &job->result);
	if (job->result.cancelled)
		printf("`benchmatrix %s` goes on with it\n", job->again);
	verdict_print(job->verdict, job->matrix->library);
	printf("\ndatabase: %s\n", store_file(job->store));
	return true;
}

static gboolean hear(gpointer user)
{
	(void)user;
	return G_SOURCE_CONTINUE;
}

/* Where a run that could not be kept leaves off, it can be gone on with. */
static int broken_off(const struct carry_out *job, GError *error, GError **err)
{
	diag_set(err, (enum diag_code)diag_exit_status(error),
		"%s; `benchmatrix %s` then goes on with run %.8s", error->message, job->again, job->uuid);
	g_error_free(error);
	return DIAG_FAILED;
}

static bool are_pairs(const struct carry_out *job)
{
	int timed = 0;

	for (guint i = 0; i < job->plan->cells->len; i++)
		timed += ((const struct planned_cell *)job->plan->cells->pdata[i])->mode == AGENT_TIME;
	return job->pairs && timed == 2;
}

static int execute(struct carry_out *job, struct builder *builder, struct progress *progress, GError **err)
{
	g_autofree char *own_lock = g_build_filename(job->paths->cache, "timing.lock", NULL);
	const char *named = g_getenv(MACHINE_LOCK_NAME);
	const char *const locks[] = {named && *named ? named : MACHINE_LOCK, own_lock, NULL};
	const struct dispatch_spec spec = {
		.plan = job->plan,
		.store = job->store,
		.builder = builder,
		.run = job->run,
		.spool = job->spool,
		.jobs = job->jobs == CARRY_OUT_ALL_PROCESSORS ? (int)g_get_num_processors() : job->jobs,
		.fresh = job->fresh,
		.pairs = are_pairs(job),
		.pairs_s = job->pairs_s,
		.locks = locks,
		.host = &job->host_settings,
		.on_event = progress_event,
		.user = progress,
	};
	GError *error = NULL;
	guint signals[SIGNALS_MAX];

	/* One that comes when the dispatch has ended must not end us before the run is marked as ended and
	 * told. */
	signals_watch(signals, hear, NULL);
	if (!dispatch_run(&job->result, &spec, &error))
		return broken_off(job, error, err);
	return conclude(job, err);
}

static int with_plan(struct carry_out *job, GError **err)
{
	g_autofree char *core = g_build_filename(job->paths->data, "core", NULL);
	g_autofree char *schema = g_build_filename(job->paths->data, "schema", NULL);
	struct progress *progress = progress_new((int)(job->plan->builds->len + job->plan->cells->len));
	const struct builder_spec spec = {.cache = job->paths->cache,
		.core = core,
		.schema = schema,
		.on_step = progress_step,
		.user = progress};
	g_autofree char *emulators = g_build_filename(job->paths->cache, "emulators", NULL);
	struct builder *builder = builder_new(&spec, err);

	agent_keep_answers(emulators);
	int status = builder != NULL ? execute(job, builder, progress, err) : DIAG_FAILED;
	agent_keep_answers(NULL);
	progress_free(progress);
	builder_free(builder);
	return status;
}

int carry_out(struct carry_out *job, GError **err)
{
	if (!summary_known(&job->known, job->paths, job->known_file, err) ||
		!(job->resume ? begin_again(job, err) : begin(job, err)))
		return DIAG_FAILED;
	return with_plan(job, err);
}

void carry_out_clear(struct carry_out *job)
{
	verdict_free(job->verdict);
	spool_close(job->spool);
	store_close(job->store);
	plan_free(job->plan);
	matrix_free(job->matrix);
	known_free(job->known);
	if (job->catalog != NULL)
		catalog_free(job->catalog);
	g_free(job->uuid);
}
