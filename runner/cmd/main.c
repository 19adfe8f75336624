#include "agent.h"
#include "child.h"
#include "cmd.h"
#include "diag.h"
#include "help.h"
#include "http.h"
#include "paths.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char *db;
static gboolean version, help;

static const GOptionEntry globals[] = {
	{"db", 0, 0, G_OPTION_ARG_FILENAME, &db, "the database", "FILE"},
	{"version", 0, 0, G_OPTION_ARG_NONE, &version, "print the version", NULL},
	{"help", 'h', 0, G_OPTION_ARG_NONE, &help, "print this help", NULL},
	{0},
};

/* Parses a vector that it owns from here on; *argv keeps what is no option. */
static bool parse(
	char ***argv, const GOptionEntry *first, const GOptionEntry *second, bool strict, GError **err)
{
	g_autoptr(GOptionContext) context = g_option_context_new(NULL);
	g_autoptr(GError) error = NULL;

	g_option_context_set_help_enabled(context, FALSE);
	g_option_context_set_strict_posix(context, strict);
	g_option_context_add_main_entries(context, first, NULL);
	if (second != NULL)
		g_option_context_add_main_entries(context, second, NULL);
	if (!g_option_context_parse_strv(context, argv, &error))
		return diag_set(err, DIAG_USAGE, "%s", error->message);
	return true;
}

static int run(const struct cmd *cmd, char **arguments, GError **err)
{
	int n = (int)g_strv_length(arguments);
	struct paths paths;

	if (n < cmd->min || (cmd->max >= 0 && n > cmd->max)) {
		diag_set(err, DIAG_USAGE, "usage: benchmatrix %s %s (`benchmatrix help %s` tells more)",
			cmd->name, cmd->arguments, cmd->name);
		return DIAG_USAGE;
	}
	if (!paths_find(&paths, db, err))
		return DIAG_LACKS;
	child_set_supervisor(paths.supervisor);
	agent_set_plugin(paths.plugin);
	http_set_module(paths.http);
	int status = cmd->run(&paths, arguments, err);
	paths_done(&paths);
	return status;
}

static void print_help(FILE *to, const struct cmd *cmd)
{
	g_autoptr(GString) out = g_string_new(NULL);

	if (cmd != NULL)
		help_command(out, cmd);
	else
		help_program(out);
	fputs(out->str, to);
}

static int run_command(char **argv, GError **err)
{
	const struct cmd *cmd = cmd_find(argv[1], err);

	if (cmd == NULL)
		return DIAG_USAGE;

	/* The command's name stands where GLib expects the program's. */
	g_auto(GStrv) own = g_strdupv(argv + 1);
	if (!parse(&own, globals, cmd->options, false, err))
		return DIAG_USAGE;
	if (help) {
		print_help(stdout, cmd);
		return 0;
	}
	char **arguments = own + 1;
	if (*arguments != NULL && strcmp(*arguments, "--") == 0)
		arguments++;
	return run(cmd, arguments, err);
}

static int benchmatrix(char **argv, GError **err)
{
	g_auto(GStrv) own = g_strdupv(argv);

	if (!parse(&own, globals, NULL, true, err))
		return DIAG_USAGE;
	if (version) {
		puts("benchmatrix " BM_VERSION);
		return 0;
	}
	if (help || own[1] == NULL) {
		print_help(help ? stdout : stderr, NULL);
		return help ? 0 : DIAG_USAGE;
	}
	return run_command(own, err);
}

/* A stream that our parent has closed must not become the first file or pipe that we open, which our messages
 * would then get into. It stays as unusable as it was: it is opened the wrong way around. */
static void keep_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			(void)!open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int main(int argc, char **argv)
{
	g_autoptr(GError) error = NULL;

	(void)argc;
	keep_streams();
	/* Text may be in the user's encoding; numbers never are. */
	setlocale(LC_CTYPE, "");
	int status = benchmatrix(argv, &error);
	if (error != NULL) {
		g_autofree char *message = diag_printable(error->message, -1);
		fprintf(stderr, "benchmatrix: %s\n", message);
		status = diag_exit_status(error);
	}
	if (fflush(stdout) != 0 || ferror(stdout)) {
		fprintf(stderr, "benchmatrix: cannot write to standard output: %s\n", g_strerror(errno));
		status = status ? status : DIAG_FAILED;
	}
	g_free(db);
	return status;
}
