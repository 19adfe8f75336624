#include "carry_out.h"
#include "cmd.h"
#include "diag.h"
#include "duel.h"
#include "duel_print.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static gboolean resume;
static char *on, *where, *benchmarks, *metric, *unit, *format, *label, *known_file, *host;
static int pairs = INT_MIN, jobs = INT_MIN, seconds = INT_MIN; /* not given */

static const GOptionEntry options[] = {
	{"on", 0, 0, G_OPTION_ARG_FILENAME, &on, "the agent that both run on; local where not given",
		"AGENT"},
	{"where", 0, 0, G_OPTION_ARG_FILENAME, &where, "a selector that both builds must meet", "SELECTOR"},
	{"benchmark", 0, 0, G_OPTION_ARG_FILENAME, &benchmarks,
		"which benchmarks; those of the matrix that BEFORE was measured by where not given",
		"GLOB,..."},
	{"pairs", 0, 0, G_OPTION_ARG_INT, &pairs,
		"how many times each runs; as often as a verdict takes where neither this nor --time is "
		"given",
		"N"},
	{"time", 0, 0, G_OPTION_ARG_INT, &seconds,
		"begin no pair that would end later than so many seconds after the first began", "SECONDS"},
	{"metric", 0, 0, G_OPTION_ARG_FILENAME, &metric,
		"compare by this sampled metric; time where not given", "METRIC"},
	{"unit", 0, 0, G_OPTION_ARG_FILENAME, &unit, "show values in this unit: MiB/s MB/s ops/s s ms us ns",
		"UNIT"},
	{"format", 0, 0, G_OPTION_ARG_FILENAME, &format, "table, markdown, csv, json or html", "FORMAT"},
	{"resume", 0, 0, G_OPTION_ARG_NONE, &resume,
		"go on with the latest duel, which was stopped or killed; BEFORE and AFTER are as they were, "
		"--time is given again",
		NULL},
	{"jobs", 0, 0, G_OPTION_ARG_INT, &jobs, "builds at once; as many as processors where not given", "N"},
	{"label", 0, 0, G_OPTION_ARG_FILENAME, &label,
		"a name for this run; \"BEFORE against AFTER\" where not given", "TEXT"},
	{"known", 0, 0, G_OPTION_ARG_FILENAME, &known_file,
		"failures that are known; known-failures.json of the user's folder where not given", "FILE"},
	{"host", 0, 0, G_OPTION_ARG_STRING, &host,
		"settings of this machine while it times: governor=NAME, turbo=on|off", "SETTING,..."},
	{0},
};

static bool check_metric(GError **err)
{
	int found = metric != NULL ? metric_find(metric) : METRIC_TIME;

	return found < 0 || metric_infos[found].assume == ASSUME_SAMPLED ||
	       diag_set(err, DIAG_USAGE,
		       "--metric %s is exact, which needs no pairs: `benchmatrix compare` tells", metric);
}

static bool check_numbers(GError **err)
{
	if (jobs != INT_MIN && jobs < 1)
		return diag_set(err, DIAG_USAGE, "--jobs %d: at least 1", jobs);
	if (pairs != INT_MIN && (pairs < 1 || pairs > DUEL_MOST_PAIRS))
		return diag_set(err, DIAG_USAGE, "--pairs %d: 1 to %d", pairs, DUEL_MOST_PAIRS);
	return seconds == INT_MIN || seconds >= 1 ||
	       diag_set(err, DIAG_USAGE, "--time %d: at least 1 second", seconds);
}

static bool check_arguments(char **arguments, GError **err)
{
	if (!check_numbers(err) || !check_metric(err))
		return false;
	if (resume && (arguments[0] != NULL || on != NULL || where != NULL || benchmarks != NULL ||
			      pairs != INT_MIN || label != NULL))
		return diag_set(err, DIAG_USAGE,
			"--resume: the duel is as it began; leave BEFORE, AFTER, --on, --where, --benchmark, "
			"--pairs and "
			"--label away");
	return resume || (arguments[0] != NULL && arguments[1] != NULL) ||
	       diag_set(err, DIAG_USAGE, "two builds are needed: BEFORE and AFTER");
}

static bool prepare(struct duel **ret, const struct carry_out *job, char **arguments, GError **err)
{
	const struct duel_spec spec = {
		.before = arguments[0],
		.after = arguments[1],
		.where = where,
		.agent = on,
		.benchmarks = benchmarks,
		.pairs = pairs != INT_MIN     ? pairs
			 : seconds != INT_MIN ? DUEL_MOST_PAIRS
					      : 0,
	};
	struct store *store = store_open(job->paths->db, STORE_READ, err);
	bool ok = store != NULL && duel_prepare(ret, store, job->catalog, &spec, err);

	store_close(store);
	if (ok && pairs == INT_MIN && seconds == INT_MIN)
		fprintf(stderr, "%d pairs, which a verdict over %u row%s takes\n", (*ret)->pairs,
			(*ret)->rows, (*ret)->rows == 1 ? "" : "s");
	return ok;
}

static bool tell(const struct carry_out *job, GError **err)
{
	if (format != NULL && strcmp(format, "table") != 0)
		return true;
	duel_print_again(job->matrix, job->uuid, metric);
	return carry_out_tell(job, err);
}

static int measure(struct carry_out *job, GError **err)
{
	g_autoptr(GError) nothing = NULL;
	int status = carry_out(job, err);
	const struct duel_view view = {.run = job->uuid, .metric = metric, .unit = unit, .format = format};

	if (job->verdict == NULL)
		return status;
	if (!duel_print(job->store, job->matrix, &view, &nothing)) {
		fprintf(stderr, "nothing could be compared: %s\n", nothing->message);
		status = MAX(status, DIAG_FAILED);
	}
	return tell(job, err) ? status : DIAG_FAILED;
}

static int run(const struct paths *paths, char **arguments, GError **err)
{
	g_autofree char *own_label = NULL;
	struct duel *duel = NULL;
	struct carry_out job = {
		.paths = paths,
		.again = "duel --resume",
		.file = DUEL_FILE,
		.known_file = known_file,
		.host = host,
		.jobs = jobs == INT_MIN ? CARRY_OUT_ALL_PROCESSORS : jobs,
		.resume = resume,
		.narrow = duel_narrow,
		.pairs = true,
		.pairs_s = seconds == INT_MIN ? 0 : seconds,
	};
	int status = DIAG_FAILED;

	if (check_arguments(arguments, err) && carry_out_prepare(&job, err) &&
		catalog_load(&job.catalog, paths->data, paths->user, err) &&
		(resume || prepare(&duel, &job, arguments, err))) {
		if (duel != NULL)
			own_label = g_strdup_printf("%s against %s", arguments[0], arguments[1]);
		job.label = label != NULL ? label : own_label;
		job.text = duel != NULL ? duel->text : NULL;
		job.narrow_user = duel;
		status = measure(&job, err);
	}
	carry_out_clear(&job);
	duel_free(duel);
	return status;
}

const struct cmd cmd_duel = {
	.name = "duel",
	.arguments = "BEFORE AFTER",
	.summary = "two builds in alternation on one agent: which is faster?",
	.description =
		"Runs two programs in turn on one agent, alone on the machine, and compares each invocation "
		"of one with "
		"the invocation of the other that stood next to it: what the machine does meanwhile, it does "
		"to both. "
		"So it proves smaller differences than compare does between two runs.\n\n"
		"BEFORE and AFTER are selectors, as of compare, that each settle on one build of those that "
		"the "
		"database has results of: `benchmatrix duel config=default config=sp --where "
		"toolchain=x86_64-gcc "
		"--benchmark 'aes-*'`. A build that the cache lacks is made again, as the matrix that "
		"measured it says, "
		"with refs at the commits at which they stood; a side that could be several builds is "
		"refused with the "
		"labels to add. One build against itself shows what the machine itself does.\n\n"
		"Pairs go A B, B A, and which of them begins is decided by chance for every two. Without "
		"--pairs and "
		"--time there are as many as a verdict over that many rows takes; what cannot be decided "
		"says how many "
		"would do.\n\n"
		"The results are a run of the matrix duel, whose k-th invocations are the k-th pair: "
		"`benchmatrix compare "
		"BEFORE AFTER --where run=UUID` shows the same table later. Where --resume goes on with a "
		"duel, one pair "
		"may be torn. The exit status is 0 whether they differ or not, and 1 where something failed.",
	.options = options,
	.min = 0,
	.max = 2,
	.run = run,
};
