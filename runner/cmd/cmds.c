#include "cmd.h"

#include "diag.h"

#include <string.h>

/* In the order of use; each is one file. */
#define CMDS(X)                                                                                              \
	X(doctor)                                                                                            \
	X(list)                                                                                              \
	X(agents)                                                                                            \
	X(plan)                                                                                              \
	X(run)                                                                                               \
	X(show)                                                                                              \
	X(compare)                                                                                           \
	X(compare_trees)                                                                                     \
	X(duel)                                                                                              \
	X(check)                                                                                             \
	X(nightly)                                                                                           \
	X(query)                                                                                             \
	X(report)                                                                                            \
	X(history) X(import) X(alias) X(export) X(publish) X(baseline) X(merge) X(cache) X(db) X(help)

#define DECLARE(name) extern const struct cmd cmd_##name;
CMDS(DECLARE)
#define ROW(name) &cmd_##name,
const struct cmd *const cmds[] = {CMDS(ROW) NULL};

const struct cmd *cmd_find(const char *name, GError **err)
{
	const char *names[G_N_ELEMENTS(cmds)] = {NULL};

	for (size_t i = 0; cmds[i] != NULL; i++) {
		if (strcmp(cmds[i]->name, name) == 0)
			return cmds[i];
		names[i] = cmds[i]->name;
	}

	const char *nearest = diag_nearest(name, names);
	diag_set(err, DIAG_USAGE, "unknown command \"%s\"%s%s%s; `benchmatrix help` lists them", name,
		nearest ? "; did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "");
	return NULL;
}
