#include "cmd.h"
#include "diag.h"
#include "help.h"

#include <stdio.h>

static gboolean man;

static const GOptionEntry options[] = {
	{"man", 0, 0, G_OPTION_ARG_NONE, &man, "write the manual page in roff", NULL},
	{0},
};

static int run(const struct paths *paths, char **arguments, GError **err)
{
	g_autoptr(GString) out = g_string_new(NULL);

	(void)paths;
	if (man) {
		help_man(out, BM_VERSION);
	} else if (arguments[0] == NULL) {
		help_program(out);
	} else {
		const struct cmd *cmd = cmd_find(arguments[0], err);
		if (cmd == NULL)
			return DIAG_USAGE;
		help_command(out, cmd);
	}
	fputs(out->str, stdout);
	return 0;
}

const struct cmd cmd_help = {
	.name = "help",
	.arguments = "[COMMAND]",
	.summary = "what a command does and takes",
	.description = "Tells what a command does and takes; the same as COMMAND --help.",
	.options = options,
	.max = 1,
	.run = run,
};
