#include "cmd.h"
#include "diag.h"
#include "store.h"

#include <stdio.h>
#include <string.h>

static int check(const struct paths *paths, GError **err)
{
	struct store *store = store_open(paths->db, STORE_READ, err);
	g_autoptr(GPtrArray) problems = NULL;

	if (store == NULL)
		return 1;
	bool ok = store_check(store, &problems, err);
	store_close(store);
	if (!ok)
		return 1;
	for (guint i = 0; i < problems->len; i++) {
		g_autofree char *problem = diag_printable(problems->pdata[i], -1);
		printf("%s\n", problem);
	}
	if (problems->len > 0)
		printf("%s: %u problem%s\n", paths->db, problems->len, problems->len == 1 ? "" : "s");
	else
		printf("%s: no problem found\n", paths->db);
	return problems->len > 0 ? 1 : 0;
}

static int run(const struct paths *paths, char **arguments, GError **err)
{
	if (strcmp(arguments[0], "check") == 0)
		return check(paths, err);
	diag_set(err, DIAG_USAGE, "unknown action \"%s\": it is `benchmatrix db check`", arguments[0]);
	return DIAG_USAGE;
}

const struct cmd cmd_db = {
	.name = "db",
	.arguments = "check",
	.summary = "look after the database",
	.description = "check: tests the file's integrity, its references and our own rules: every raw text "
		       "has its hash, every figure its "
		       "right answer, every sampled figure its samples, equal exact keys equal results. Exit "
		       "status 1 where a problem is found.",
	.min = 1,
	.max = 1,
	.run = run,
};
