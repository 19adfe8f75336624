#include "cmd.h"
#include "diag.h"
#include "reporting.h"

#include <stdio.h>

static char *output;

static const GOptionEntry options[] = {
	{"output", 'o', 0, G_OPTION_ARG_FILENAME, &output, "folder that the site is written to", "FOLDER"},
	{0},
};

static int run(const struct paths *paths, char **arguments, GError **err)
{
	if (output == NULL) {
		diag_set(err, DIAG_USAGE, "-o FOLDER is needed: where the site is written to");
		return DIAG_USAGE;
	}
	struct store *store = store_open(paths->db, STORE_READ, err);
	if (store == NULL)
		return DIAG_FAILED;

	g_autofree char *command = g_strdup_printf("benchmatrix report -o %s%s%s", output,
		arguments[0] ? " " : "", arguments[0] ? arguments[0] : "");
	bool ok = reporting_make(paths, store, output, arguments[0], command, err);
	if (ok)
		printf("%s/index.html\n", output);
	store_close(store);
	return ok ? 0 : DIAG_FAILED;
}

const struct cmd cmd_report = {
	.name = "report",
	.arguments = "[SELECTOR]",
	.summary = "a static site to look at and to send on",
	.description =
		"Writes pages that open from disk and load nothing from outside: an overview of the newest "
		"run, "
		"what failed and what changed since the run before it, a heat map of toolchains and "
		"configurations, footprint against speed with the builds that nothing beats in both, the "
		"history "
		"of each series with the points where its level changed, the relative speed of ciphers, "
		"library "
		"against library, TLS suites, and a page for each platform and each build, those that failed "
		"in the newest run with what they said. Behind each chart "
		"stands a table, and behind each table a CSV file.\n\n"
		"Without a SELECTOR the latest result of each series is shown. The folder is made where "
		"missing; "
		"one that holds a report is made anew, one that holds anything else is refused.",
	.options = options,
	.max = 1,
	.run = run,
};
