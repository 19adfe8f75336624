#include "cmd.h"

#include "diag.h"

#include <string.h>

const struct cmd *const cmds[] = {
	&cmd_doctor,
	&cmd_list,
	&cmd_plan,
	&cmd_run,
	&cmd_show,
	&cmd_compare,
	&cmd_query,
	&cmd_db,
	&cmd_help,
	NULL,
};

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
