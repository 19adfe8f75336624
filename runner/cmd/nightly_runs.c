#include "nightly_runs.h"

#include "asides.h"
#include "carry_out.h"
#include "diag.h"
#include "store_alarms.h"

#include <stdio.h>
#include <string.h>

static bool mark_night(struct store *store, int64_t run, const void *baseline, GError **err)
{
	return store_night_begin(store, run, baseline, err);
}

/* What is common to both sorts. */
static struct carry_out job_of(const struct nightly_spec *spec, const char *again)
{
	return (struct carry_out){.paths = spec->paths,
		.again = again,
		.known_file = spec->known_file,
		.host = spec->host,
		.jobs = spec->jobs};
}

/* The status of a run that has come to its end, told where a signal ended it. */
static bool end_of(enum nightly_end *ret, const struct carry_out *job, int status, GError **err)
{
	*ret = status == DIAG_LACKS ? NIGHTLY_LACKS : NIGHTLY_DONE;
	if (!job->result.cancelled)
		return true;
	*ret = NIGHTLY_CANCELLED;
	return carry_out_tell(job, err);
}

static bool run_matrix(enum nightly_end *ret, struct carry_out *job, const char *name, GError **err)
{
	g_autofree char *file = catalog_matrix_file(job->catalog, name, err);

	if (file == NULL)
		return false;
	job->file = file;
	int status = carry_out(job, err);
	return job->verdict != NULL && end_of(ret, job, status, err);
}

bool nightly_run(enum nightly_end *ret, const struct nightly_spec *spec, bool resume, GError **err)
{
	g_autofree char *again = g_strdup_printf("nightly %s", spec->matrix);
	struct carry_out job = job_of(spec, again);

	job.label = spec->label;
	job.only = spec->only;
	job.resume = resume;
	job.begun = mark_night;
	job.user = spec->baseline_text;
	bool ok = carry_out_prepare(&job, err) &&
		  catalog_load(&job.catalog, spec->paths->data, spec->paths->user, err) &&
		  run_matrix(ret, &job, spec->matrix, err);
	carry_out_clear(&job);
	return ok;
}

/* --- measuring again --- */

/* The first failure of the run, for which a suspect may lack its figures. */
static char *problem_of(const struct verdict *verdict)
{
	if (verdict->failures->len == 0)
		return NULL;
	const struct failure_info *failure = verdict->failures->pdata[0];
	bool benchmark = failure->benchmark != NULL && *failure->benchmark;
	return g_strdup_printf("it could not be measured again: %s%s%s: %s%s%s", failure->cell,
		benchmark ? ", " : "", benchmark ? failure->benchmark : "", failure->what,
		failure->reason ? ": " : "", failure->reason ? failure->reason : "");
}

static bool read_again(struct night_change *change, struct store *store, const char *known_file,
	const struct paths *paths, GError **err)
{
	struct known *known = NULL;
	struct verdict *verdict = NULL;
	bool ok = night_results(store, &change->again, change->run_uuid, err) &&
		  summary_known(&known, paths, known_file, err) &&
		  verdict_make(&verdict, store, change->run, known, err);

	if (ok)
		change->problem = problem_of(verdict);
	verdict_free(verdict);
	known_free(known);
	return ok;
}

/* What cannot even be planned is no reason to say nothing of all else. */
static bool not_begun(struct night_change *change, GError *error, GError **err)
{
	if (error == NULL || diag_exit_status(error) == DIAG_FAILED) {
		g_propagate_error(err, error);
		return false;
	}
	change->problem = g_strdup_printf("it could not be measured again: %s", error->message);
	g_error_free(error);
	return true;
}

static bool measure_again(
	enum nightly_end *ret, struct carry_out *job, struct night_change *change, GError **err)
{
	GError *error = NULL;
	int status = carry_out(job, &error);

	if (job->run == 0)
		return not_begun(change, error, err);
	if (job->verdict == NULL) {
		g_propagate_error(err, error);
		return false;
	}
	change->run = job->run;
	change->run_uuid = g_strdup(job->uuid);
	return end_of(ret, job, status, err);
}

static bool carry_out_again(enum nightly_end *ret, struct night_change *change,
	const struct nightly_spec *spec, bool resume, GError **err)
{
	g_autofree char *again = g_strdup_printf("nightly %s", spec->matrix);
	g_autofree char *text = night_change_matrix(change);
	struct carry_out job = job_of(spec, again);

	fprintf(stderr, "measuring again: %s, %u suspect%s\n", change->label, change->suspects->len,
		plural((int)change->suspects->len));
	job.file = ASIDE_CONFIRM ".json";
	job.text = resume ? NULL : text;
	job.label = change->label;
	job.pairs = change->two;
	/* A figure that was carried forward confirms nothing. */
	job.fresh = true;
	job.resume = resume;
	job.takes = night_change_takes;
	job.user = change;
	bool ok = carry_out_prepare(&job, err) &&
		  catalog_load(&job.catalog, spec->paths->data, spec->paths->user, err) &&
		  measure_again(ret, &job, change, err);
	carry_out_clear(&job);
	return ok;
}

/* A run that measures the change again and was stopped can be gone on with while it is the latest of its
 * sort.
 */
static bool find_again(
	struct night_change *change, bool *ret_resume, bool *ret_ended, struct store *store, GError **err)
{
	g_autofree char *latest = NULL;
	int64_t unfinished;

	*ret_resume = false;
	if (!store_run_labelled(
		    store, &change->run, &change->run_uuid, ret_ended, ASIDE_CONFIRM, change->label, err))
		return false;
	if (change->run == 0)
		return true;
	if (!store_run_unfinished(store, &unfinished, &latest, ASIDE_CONFIRM, err))
		return false;
	*ret_resume = unfinished == change->run;
	*ret_ended = !*ret_resume && *ret_ended;
	return true;
}

bool nightly_confirm(enum nightly_end *ret, struct night_change *change, struct store *store,
	const struct nightly_spec *spec, GError **err)
{
	bool resume, ended;

	*ret = NIGHTLY_DONE;
	if (change->version == NULL) {
		change->problem = g_strdup("the matrix no longer has this version");
		return true;
	}
	if (!find_again(change, &resume, &ended, store, err))
		return false;
	if (!ended) {
		change->run = 0;
		g_clear_pointer(&change->run_uuid, g_free);
		if (!carry_out_again(ret, change, spec, resume, err))
			return false;
	}
	return *ret == NIGHTLY_CANCELLED || change->run == 0 ||
	       read_again(change, store, spec->known_file, spec->paths, err);
}
