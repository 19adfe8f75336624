#include "cmd.h"
#include "diag.h"
#include "store.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int run(const struct paths *paths, char **arguments, GError **err)
{
	bool adds = strcmp(arguments[0], "add") == 0;
	int64_t figures;

	if (g_strv_length(arguments) != (adds ? 4 : 3) || (!adds && strcmp(arguments[0], "drop") != 0)) {
		diag_set(err, DIAG_USAGE,
			"usage: benchmatrix alias add IMPORTER NAME BENCHMARK, or alias drop IMPORTER NAME");
		return DIAG_USAGE;
	}
	struct store *store = store_open(paths->db, STORE_WRITE, err);
	if (store == NULL)
		return 1;
	bool ok =
		store_alias_put(store, &figures, arguments[1], arguments[2], adds ? arguments[3] : NULL, err);
	store_close(store);
	if (!ok)
		return 1;
	g_autofree char *name = diag_printable(arguments[2], -1);
	if (adds)
		printf("%s's \"%s\" is %s; %" PRId64 " figure%s imported before count%s from now on\n",
			arguments[1], name, arguments[3], figures, figures == 1 ? "" : "s",
			figures == 1 ? "s" : "");
	else
		printf("%s's \"%s\" is unknown again\n", arguments[1], name);
	return 0;
}

const struct cmd cmd_alias = {
	.name = "alias",
	.arguments = "add IMPORTER NAME BENCHMARK|drop IMPORTER NAME",
	.summary = "which benchmark another tool's name is",
	.description =
		"add: from now on the name that an importer's tool prints is the benchmark (`list "
		"benchmarks`), "
		"in what was imported before too. `list unknown` shows the names that wait for one.\n\n"
		"drop: the name is unknown again; its figures count no longer.\n\n"
		"`list aliases` shows what was given.",
	.min = 3,
	.max = 4,
	.run = run,
};
