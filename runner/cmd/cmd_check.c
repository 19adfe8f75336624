#include "asides.h"
#include "carry_out.h"
#include "check.h"
#include "cmd.h"
#include "diag.h"
#include "duel.h"
#include "trees.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* As git bisect run reads exit statuses: 1 to 127 are bad, 125 is to be left out, above it stops. */
#define STATUS_BAD	  1
#define STATUS_UNTESTABLE 125
#define STATUS_STOPS	  128 /* and the usual exit status added */

static char *repository, *library, *toolchain, *config, *benchmarks, *metric, *above;
static int pairs = INT_MIN, jobs = INT_MIN; /* not given */

static const GOptionEntry options[] = {
	{"benchmark", 0, 0, G_OPTION_ARG_STRING, &benchmarks,
		"what is watched; all benchmarks where not given", "GLOB,..."},
	{"metric", 0, 0, G_OPTION_ARG_STRING, &metric,
		"what is watched of them; instructions where not given, a sampled metric by a duel",
		"METRIC"},
	{"above", 0, 0, G_OPTION_ARG_STRING, &above,
		"a worsening counts from more than this on; 0.1% where not given, 1% of a sampled metric",
		"PERCENT"},
	{"pairs", 0, 0, G_OPTION_ARG_INT, &pairs,
		"how many times each runs for a sampled metric; as often as a verdict takes where not given",
		"N"},
	{"repository", 0, 0, G_OPTION_ARG_FILENAME, &repository,
		"where BEFORE is a commit, branch or tag; the current folder where not given", "FOLDER"},
	{"library", 0, 0, G_OPTION_ARG_STRING, &library, "whose source it is; wolfssl where not given",
		"NAME"},
	{"toolchain", 0, 0, G_OPTION_ARG_STRING, &toolchain, "x86_64-gcc where not given", "NAME"},
	{"config", 0, 0, G_OPTION_ARG_STRING, &config,
		"a set of flags, such as fastmath+TFM_NO_ASM; default where not given", "FLAGS"},
	{"jobs", 0, 0, G_OPTION_ARG_INT, &jobs,
		"builds and counts at once; as many as processors where not given", "N"},
	{0},
};

/* What the options come to. */
struct wanted {
	const char *metric;
	bool exact;
	double above; /* share; NAN: the usual one */
	int pairs;
};

static bool read_above(double *ret, GError **err)
{
	char *end = NULL;

	*ret = NAN;
	if (above == NULL)
		return true;
	double percent = g_ascii_strtod(above, &end);
	if (end == above || (*end != '\0' && strcmp(end, "%") != 0) || !isfinite(percent) || percent < 0)
		return diag_set(err, DIAG_USAGE, "--above %s: a percentage such as 0.1%% or 2", above);
	*ret = percent / 100;
	return true;
}

/* Of one set of flags on one toolchain: a duel is of two builds. */
static bool check_one(const char *option, const char *words, GError **err)
{
	return words == NULL || strchr(words, ',') == NULL ||
	       diag_set(err, DIAG_USAGE, "%s %s: a sampled metric is of one %s", option, words, option + 2);
}

static bool read_sampled(struct wanted *ret, bool stored, GError **err)
{
	if (stored)
		return diag_set(err, DIAG_USAGE,
			"--metric %s is measured anew on both sides, so BEFORE is a folder or a commit, no "
			"selector",
			ret->metric);
	if (!check_one("--toolchain", toolchain, err) || !check_one("--config", config, err))
		return false;
	ret->pairs = pairs != INT_MIN ? pairs : check_pairs(benchmarks);
	return ret->pairs > 0 ||
	       diag_set(err, DIAG_USAGE,
		       "--benchmark %s: there is none (`benchmatrix list benchmarks` names them)",
		       benchmarks);
}

static bool read_options(struct wanted *ret, bool stored, GError **err)
{
	ret->metric = metric != NULL ? metric : "instructions";
	if (!check_is_exact(&ret->exact, ret->metric, err) || !read_above(&ret->above, err))
		return false;
	if (jobs != INT_MIN && jobs < 1)
		return diag_set(err, DIAG_USAGE, "--jobs %d: at least 1", jobs);
	if (pairs != INT_MIN && (ret->exact || pairs < 1 || pairs > DUEL_MOST_PAIRS))
		return diag_set(
			err, DIAG_USAGE, "--pairs %d: 1 to %d, of a sampled metric", pairs, DUEL_MOST_PAIRS);
	return ret->exact || read_sampled(ret, stored, err);
}

static bool make_matrix(char **ret, char **arguments, const struct wanted *wanted, bool stored, GError **err)
{
	const struct trees_spec spec = {
		.before = stored ? NULL : arguments[0],
		.after = arguments[1],
		.repository = repository,
		.library = library ? library : "wolfssl",
		.toolchains = toolchain ? toolchain : "x86_64-gcc",
		.configs = config ? config : "default",
		.benchmarks = benchmarks,
		.invocations = wanted->pairs,
		.count = wanted->exact,
		.time = !wanted->exact,
	};

	return trees_matrix(ret, &spec, err);
}

static int judge(struct carry_out *job, const struct wanted *wanted, const char *stored, GError **err)
{
	enum check_answer answer;
	int status = carry_out(job, err);
	const struct check_spec spec = {
		.store = job->store,
		.run = job->run,
		.uuid = job->uuid,
		.stored = stored,
		.metric = wanted->metric,
		.benchmarks = benchmarks,
		.above = wanted->above,
	};

	if (job->verdict == NULL)
		return STATUS_STOPS + status;
	if (job->result.cancelled || status == DIAG_LACKS) {
		verdict_print(job->verdict, job->matrix->library);
		return STATUS_STOPS + status;
	}
	if (!check_judge(&answer, &spec, err))
		return STATUS_STOPS;
	return answer == CHECK_GOOD ? 0 : answer == CHECK_BAD ? STATUS_BAD : STATUS_UNTESTABLE;
}

static int check(const struct paths *paths, char **arguments, GError **err)
{
	bool stored = strchr(arguments[0], '=') != NULL && !g_file_test(arguments[0], G_FILE_TEST_IS_DIR);
	g_autofree char *text = NULL,
			*label = g_strdup_printf("check: %s against %s", arguments[0], arguments[1]);
	struct wanted wanted = {0};
	struct carry_out job = {
		.paths = paths,
		.again = "check BEFORE AFTER",
		.label = label,
		.jobs = jobs == INT_MIN ? CARRY_OUT_ALL_PROCESSORS : jobs,
	};
	int status = STATUS_STOPS;

	if (read_options(&wanted, stored, err) && carry_out_prepare(&job, err) &&
		catalog_load(&job.catalog, paths->data, paths->user, err) &&
		make_matrix(&text, arguments, &wanted, stored, err)) {
		job.text = text;
		job.file = wanted.exact ? ASIDE_TREES ".json" : DUEL_FILE;
		job.pairs = !wanted.exact;
		status = judge(&job, &wanted, stored ? arguments[0] : NULL, err);
	}
	carry_out_clear(&job);
	return status;
}

/* An error is told here, since its exit status is another one than main() would give it. */
static int run(const struct paths *paths, char **arguments, GError **err)
{
	g_autoptr(GError) error = NULL;
	int status = check(paths, arguments, &error);

	(void)err;
	if (error == NULL)
		return status;
	g_autofree char *message = diag_printable(error->message, -1);
	fprintf(stderr, "benchmatrix: %s\n", message);
	return STATUS_STOPS + diag_exit_status(error);
}

const struct cmd cmd_check = {
	.name = "check",
	.arguments = "BEFORE AFTER",
	.summary = "an exit status for `git bisect run`: is AFTER worse than BEFORE?",
	.description = "Builds and measures AFTER and holds it against BEFORE. The exit status is 0 where "
		       "nothing that is "
		       "watched is worse, 1 where something is, 125 where that cannot be tested: AFTER does "
		       "not build, a "
		       "watched benchmark fails, or a difference cannot be told from noise. Anything else "
		       "that goes wrong "
		       "(wrong usage, a BEFORE that does not build, Ctrl-C) gives 128 and the usual exit "
		       "status, which stops "
		       "git bisect instead of calling a commit bad.\n\n"
		       "    git bisect start HEAD v1.2\n"
		       "    git bisect run benchmatrix check v1.2 . --benchmark 'aes-*'\n\n"
		       "AFTER is as with compare-trees, most often the work tree (.). BEFORE is a commit or "
		       "folder as well, "
		       "which is built once and then taken from the cache; or a selector of stored results "
		       "(it has a = in it), "
		       "such as run=v1.2.\n\n"
		       "Instructions are counted under QEMU and are exact, so that 0.1 % is seen. A sampled "
		       "metric (--metric "
		       "time) is measured by a duel of both.",
	.options = options,
	.min = 2,
	.max = 2,
	.run = run,
};
