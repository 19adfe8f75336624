#include "carry_out.h"
#include "cmd.h"
#include "diag.h"
#include "fsx.h"
#include "nightly_settle.h"
#include "nightly_tell.h"

#include <limits.h>
#include <stdio.h>

static char *baseline, *mail, *site, *token_file, *webhook_token_file, *only, *label, *known_file, *host;
static char **places, **webhooks;
static int jobs = INT_MIN; /* not given */

static const GOptionEntry options[] = {
	{"baseline", 0, 0, G_OPTION_ARG_FILENAME, &baseline,
		"what to hold the night against: previous (where not given), median:N of the last N nights, "
		"or a "
		"baseline (baseline pin)",
		"WHAT"},
	{"mail", 0, 0, G_OPTION_ARG_FILENAME, &mail,
		"write the report there as a mail, for a mail program to send", "FILE"},
	{"report", 0, 0, G_OPTION_ARG_FILENAME, &site,
		"make the site of the whole database anew in that folder, as report does", "FOLDER"},
	{"webhook", 0, 0, G_OPTION_ARG_STRING_ARRAY, &webhooks,
		"send the report there as JSON; may be given several times", "URL|@FILE"},
	{"webhook-token-file", 0, 0, G_OPTION_ARG_FILENAME, &webhook_token_file,
		"a file that only you can read, with the token for --webhook", "FILE"},
	{"publish", 0, 0, G_OPTION_ARG_STRING_ARRAY, &places,
		"send the night's figures there, as publish does; may be given several times", "URL|@FILE"},
	{"token-file", 0, 0, G_OPTION_ARG_FILENAME, &token_file,
		"a file that only you can read, with the token for --publish", "FILE"},
	{"known", 0, 0, G_OPTION_ARG_FILENAME, &known_file,
		"failures that are known; known-failures.json of the user's folder where not given", "FILE"},
	{"only", 0, 0, G_OPTION_ARG_FILENAME, &only, "only the cells that this selector takes", "SELECTOR"},
	{"jobs", 0, 0, G_OPTION_ARG_INT, &jobs,
		"builds and counts at once; as many as processors where not given", "N"},
	{"label", 0, 0, G_OPTION_ARG_FILENAME, &label, "a name for the run", "TEXT"},
	{"host", 0, 0, G_OPTION_ARG_STRING, &host,
		"settings of this machine while it times: governor=NAME, turbo=on|off", "SETTING,..."},
	{0},
};

static bool check_options(struct nightly_spec *spec, const struct nightly_audience *audience, GError **err)
{
	if (jobs != INT_MIN && jobs < 1)
		return diag_set(err, DIAG_USAGE, "--jobs %d: at least 1", jobs);
	return night_baseline_read(&spec->baseline, spec->baseline_text, err) &&
	       nightly_audience_check(audience, err);
}

/* Two at once would make the same night twice. */
static bool lock_database(int *ret, const char *db, GError **err)
{
	g_autofree char *file = g_strconcat(db, ".nightly", NULL), *folder = g_path_get_dirname(db);

	if (!fsx_make_folder(folder, err) || !fsx_lock(ret, file, false, err))
		return false;
	return *ret >= 0 ||
	       diag_set(err, DIAG_FAILED,
		       "%s: another nightly is at work on this database; wait for it, or stop it", db);
}

static int make_night(const struct nightly_spec *spec, const struct nightly_audience *audience, GError **err)
{
	struct nightly_night night;
	bool cancelled;
	int status = DIAG_FAILED;

	if (nightly_settle(&night, &cancelled, spec, err) && !cancelled &&
		nightly_tell(&status, &night, audience, spec->paths, err) && night.lacks)
		status = DIAG_LACKS;
	nightly_night_done(&night);
	return status;
}

/* What was settled is told first. A night that was only lately begun is then done. */
static int nights(const struct nightly_spec *spec, const struct nightly_audience *audience, GError **err)
{
	g_autoptr(GPtrArray) untold = NULL;
	int status = 0;

	if (!nightly_untold(&untold, spec, err))
		return DIAG_FAILED;
	for (guint i = 0; i < untold->len; i++) {
		const struct nightly_night *night = untold->pdata[i];
		if (!nightly_tell(&status, night, audience, spec->paths, err))
			return DIAG_FAILED;
		if (night->recent && i + 1 == untold->len)
			return status;
	}
	return make_night(spec, audience, err);
}

static int run(const struct paths *paths, char **arguments, GError **err)
{
	struct nightly_spec spec = {.paths = paths,
		.matrix = arguments[0],
		.baseline_text = baseline ? baseline : "previous",
		.label = label,
		.only = only,
		.known_file = known_file,
		.host = host,
		.jobs = jobs == INT_MIN ? CARRY_OUT_ALL_PROCESSORS : jobs};
	const struct nightly_audience audience = {.mail = mail,
		.report = site,
		.webhooks = webhooks,
		.places = places,
		.webhook_token_file = webhook_token_file,
		.token_file = token_file};
	int lock = -1, status = DIAG_FAILED;

	if (check_options(&spec, &audience, err) && lock_database(&lock, paths->db, err))
		status = nights(&spec, &audience, err);
	fsx_unlock(lock);
	return status;
}

const struct cmd cmd_nightly = {
	.name = "nightly",
	.arguments = "MATRIX",
	.summary = "run a matrix every night, and alarm where something changed",
	.description =
		"Runs the matrix, holds every figure against the baseline, measures what differs again, and "
		"tells: "
		"new failures, confirmed regressions and improvements with the commits they came in, and "
		"changes "
		"of the instrument. `docs/nightly.md` has a timer for systemd and a line for cron.\n\n"
		"Exact figures (instructions) are suspected from 0.1 % on, sizes of code and memory from 1 "
		"%; time where the "
		"samples "
		"prove it, by more than the series moved from night to night until now. Each suspect is then "
		"measured anew: of a git repository the old and the new revision, both built by today's "
		"compiler and "
		"measured in turn; of a release or a folder the version as it is. What the old revision does "
		"otherwise today is the instrument's (compiler, emulator, bench-core), and is told as such; "
		"the "
		"rest is the library's.\n\n"
		"A change is told once. From then on the series is expected where it went, with a pinned "
		"baseline too; going back is an improvement, and told once as well. Failures are new "
		"where they are neither known nor in the night before or the pinned run.\n\n"
		"Where it was stopped or killed, the same command within 18 hours goes on. A report is kept "
		"with its alarms at one stroke and counts as told when mail, webhooks and servers have it "
		"and the site is made; "
		"until "
		"then it "
		"is sent again, with the same Idempotency-Key. A webhook gets the report as JSON, with the "
		"headline as \"text\"; addresses that are secret stand in a file: --webhook @FILE.\n\n"
		"The exit status is 1 for a confirmed regression, a new failure, or a report that reached "
		"not "
		"everybody.",
	.options = options,
	.min = 1,
	.max = 1,
	.run = run,
};
