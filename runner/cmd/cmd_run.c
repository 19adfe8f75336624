#include "carry_out.h"
#include "cmd.h"
#include "diag.h"

#include <jansson.h>
#include <limits.h>

static gboolean fresh, resume, functions;
static char *only, *label, *known_file, *host;
static int jobs = INT_MIN; /* not given */

static const GOptionEntry options[] = {
	{"resume", 0, 0, G_OPTION_ARG_NONE, &resume,
		"go on with the latest run of the matrix, which was stopped or killed, or lacked a machine",
		NULL},
	{"fresh", 0, 0, G_OPTION_ARG_NONE, &fresh,
		"measure exact results again instead of carrying them forward", NULL},
	{"functions", 0, 0, G_OPTION_ARG_NONE, &functions,
		"count by function as well, for compare --functions", NULL},
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

static bool check_options(GError **err)
{
	if (resume && functions)
		return diag_set(
			err, DIAG_USAGE, "--resume: the run counts as it began to; leave --functions away");
	if (jobs != INT_MIN && jobs < 1)
		return diag_set(err, DIAG_USAGE, "--jobs %d: at least 1", jobs);
	if (resume && (only != NULL || label != NULL))
		return diag_set(err, DIAG_USAGE,
			"--resume: the run keeps the %s that it began with; leave --%s away",
			only != NULL ? "cells" : "label", only != NULL ? "only" : "label");
	return true;
}

/* The matrix with "functions" in it, so that the run keeps it; NULL where the file is for others to
 * complain about. */
static char *with_functions(const char *file)
{
	json_t *root = json_load_file(file, 0, NULL);
	char *text = NULL, *copy;

	if (json_is_object(root)) {
		json_object_set_new(root, "functions", json_true());
		text = json_dumps(root, JSON_INDENT(1));
	}
	copy = g_strdup(text);
	free(text);
	json_decref(root);
	return copy;
}

static int run_file(struct carry_out *job, const char *name, GError **err)
{
	g_autofree char *file = catalog_matrix_file(job->catalog, name, err);

	if (file == NULL)
		return DIAG_FAILED;
	g_autofree char *text = functions ? with_functions(file) : NULL;
	job->file = file;
	job->text = text;
	int status = carry_out(job, err);
	return job->verdict == NULL || carry_out_tell(job, err) ? status : DIAG_FAILED;
}

static int run(const struct paths *paths, char **arguments, GError **err)
{
	g_autofree char *again = g_strdup_printf("run %s --resume", arguments[0]);
	struct carry_out job = {
		.paths = paths,
		.again = again,
		.label = label,
		.only = only,
		.known_file = known_file,
		.host = host,
		.jobs = jobs == INT_MIN ? CARRY_OUT_ALL_PROCESSORS : jobs,
		.fresh = fresh,
		.resume = resume,
	};
	int status = DIAG_FAILED;

	if (check_options(err) && carry_out_prepare(&job, err) &&
		catalog_load(&job.catalog, paths->data, paths->user, err))
		status = run_file(&job, arguments[0], err);
	carry_out_clear(&job);
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
		"unfinished one goes on with the benchmark that was in hand. What failed for want of a "
		"machine "
		"(infrastructure) is tried again. Any other run takes what was finished into the "
		"database.\n\n"
		"--functions adds up counts by the functions of each program as well, by its symbols: "
		"`benchmatrix compare BEFORE AFTER --functions` then shows where a difference comes "
		"from.\n\n"
		"--host changes settings of this machine while it times, as root: governor=performance and "
		"turbo=off make the clock steadier. What was there before is put back when timing ends, and "
		"where Ctrl-C ends the run, once or twice; where it is killed, by the next run.",
	.options = options,
	.min = 1,
	.max = 1,
	.run = run,
};
