#include "asides.h"
#include "carry_out.h"
#include "changes.h"
#include "cmd.h"
#include "diag.h"
#include "trees.h"

#include <limits.h>
#include <stdio.h>

static gboolean fresh, resume, no_time, no_count;
static char *repository, *library, *toolchains, *configs, *only, *metric, *unit, *label, *known_file, *host;
static int jobs = INT_MIN; /* not given */

static const GOptionEntry options[] = {
	{"repository", 0, 0, G_OPTION_ARG_FILENAME, &repository,
		"BEFORE and AFTER are commits, branches or tags of this git repository; the current folder's "
		"where "
		"not given",
		"FOLDER"},
	{"library", 0, 0, G_OPTION_ARG_STRING, &library, "whose source it is; wolfssl where not given",
		"NAME"},
	{"toolchain", 0, 0, G_OPTION_ARG_STRING, &toolchains, "x86_64-gcc where not given", "NAME,..."},
	{"config", 0, 0, G_OPTION_ARG_STRING, &configs,
		"sets of flags, such as default,fastmath+TFM_NO_ASM; default where not given", "FLAGS,..."},
	{"only", 0, 0, G_OPTION_ARG_FILENAME, &only, "only the cells that this selector takes", "SELECTOR"},
	{"metric", 0, 0, G_OPTION_ARG_STRING, &metric,
		"compare by this metric; by instructions, with time beside it, where not given", "METRIC"},
	{"unit", 0, 0, G_OPTION_ARG_STRING, &unit, "show time in this unit: MiB/s MB/s ops/s s ms us ns",
		"UNIT"},
	{"no-time", 0, 0, G_OPTION_ARG_NONE, &no_time, "leave timing out", NULL},
	{"no-count", 0, 0, G_OPTION_ARG_NONE, &no_count, "leave counting out", NULL},
	{"resume", 0, 0, G_OPTION_ARG_NONE, &resume,
		"go on with the latest comparison, which was stopped or killed; BEFORE and AFTER are as they "
		"were",
		NULL},
	{"fresh", 0, 0, G_OPTION_ARG_NONE, &fresh,
		"measure exact results again instead of carrying them forward", NULL},
	{"jobs", 0, 0, G_OPTION_ARG_INT, &jobs,
		"builds and counts at once; as many as processors where not given", "N"},
	{"label", 0, 0, G_OPTION_ARG_FILENAME, &label,
		"a name for this run; \"BEFORE against AFTER\" where not given", "TEXT"},
	{"known", 0, 0, G_OPTION_ARG_FILENAME, &known_file,
		"failures that are known; known-failures.json of the user's folder where not given", "FILE"},
	{"host", 0, 0, G_OPTION_ARG_STRING, &host,
		"settings of this machine while it times: governor=NAME, turbo=on|off", "SETTING,..."},
	{0},
};

/* Counts say what changed; time stands beside them. All of wolfSSL in 16 processes takes half a minute so. */
#define BUDGET_MS 20

static bool check_arguments(char **arguments, GError **err)
{
	bool both = arguments[0] != NULL && arguments[1] != NULL;

	if (jobs != INT_MIN && jobs < 1)
		return diag_set(err, DIAG_USAGE, "--jobs %d: at least 1", jobs);
	if (no_time && no_count)
		return diag_set(err, DIAG_USAGE, "--no-time and --no-count: nothing is left to compare");
	if (resume && (arguments[0] != NULL || only != NULL || label != NULL))
		return diag_set(err, DIAG_USAGE,
			"--resume: the comparison is as it began; leave BEFORE, AFTER, --only and --label "
			"away");
	return resume || both || diag_set(err, DIAG_USAGE, "two trees are needed: BEFORE and AFTER");
}

static bool make_matrix(char **ret, char **arguments, GError **err)
{
	const struct trees_spec spec = {
		.before = arguments[0],
		.after = arguments[1],
		.repository = repository,
		.library = library ? library : "wolfssl",
		.toolchains = toolchains ? toolchains : "x86_64-gcc",
		.configs = configs ? configs : "default",
		.budget_ms = BUDGET_MS,
		.count = !no_count,
		.time = !no_time,
	};

	return trees_matrix(ret, &spec, err);
}

static bool measures(const struct matrix *matrix, enum agent_mode mode)
{
	for (guint i = 0; i < matrix->agents->len; i++) {
		const struct agent *agent = matrix->agents->pdata[i];
		if (agent->kind->modes & 1u << mode)
			return true;
	}
	return false;
}

static int compare(struct carry_out *job, GError **err)
{
	g_autoptr(GError) nothing = NULL;
	int status = carry_out(job, err);

	if (job->verdict == NULL)
		return status;
	const struct changes_spec spec = {
		.store = job->store,
		.run = job->uuid,
		.metric = metric,
		.count = measures(job->matrix, AGENT_COUNT),
		.time = measures(job->matrix, AGENT_TIME),
		.unit = unit,
	};
	if (!changes_print(&spec, &nothing)) {
		printf("nothing could be compared: %s\n\n", nothing->message);
		status = MAX(status, DIAG_FAILED);
	}
	return carry_out_tell(job, err) ? status : DIAG_FAILED;
}

static int run(const struct paths *paths, char **arguments, GError **err)
{
	g_autofree char *text = NULL, *own_label = NULL;
	struct carry_out job = {
		.paths = paths,
		.again = "compare-trees --resume",
		.file = ASIDE_TREES ".json",
		.only = only,
		.known_file = known_file,
		.host = host,
		.jobs = jobs == INT_MIN ? CARRY_OUT_ALL_PROCESSORS : jobs,
		.fresh = fresh,
		.resume = resume,
	};
	int status = DIAG_FAILED;

	if (check_arguments(arguments, err) && (resume || make_matrix(&text, arguments, err)) &&
		carry_out_prepare(&job, err) && catalog_load(&job.catalog, paths->data, paths->user, err)) {
		own_label = resume ? NULL : g_strdup_printf("%s against %s", arguments[0], arguments[1]);
		job.text = text;
		job.label = label ? label : own_label;
		status = compare(&job, err);
	}
	carry_out_clear(&job);
	return status;
}

const struct cmd cmd_compare_trees = {
	.name = "compare-trees",
	.arguments = "BEFORE AFTER",
	.summary = "what a patch did: builds two states of a source and compares them",
	.description =
		"Builds the library from BEFORE and from AFTER, counts the instructions of both under QEMU, "
		"times "
		"both in turn, and says in one line what changed: `benchmatrix compare-trees HEAD .` in a "
		"work "
		"tree tells what its uncommitted changes do.\n\n"
		"BEFORE and AFTER are folders, or commits, branches or tags of a git repository "
		"(--repository; "
		"the current folder's where not given). Counts are exact: what is not named executes the "
		"same "
		"instructions as before, but for differences below 0.001 %, which code that only lies "
		"elsewhere "
		"makes; the line says how many these are. Below it stand the rows that changed, by count and "
		"by "
		"time.\n\n"
		"All else is as with run: results are kept under a run of the matrix compare-trees, whose "
		"versions "
		"are before and after; what the cache holds is not built again. The exit status is 0 whether "
		"something changed or not, and 1 where something failed.",
	.options = options,
	.min = 0,
	.max = 2,
	.run = run,
};
