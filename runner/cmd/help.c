#include "help.h"

#include <string.h>

#define SUMMARY                                                                                              \
	"builds a crypto benchmark for every toolchain, library version and flag, runs it, and compares "    \
	"the results"

static const struct {
	const char *title, *text;
} topics[] = {
	{"SELECTORS", "A selector picks results: key=pattern, comma-separated, with * and ? in patterns. "
		      "Keys are the labels (list labels), "
		      "flag:NAME (on or off), arch, revision, run, algorithm, operation, source, environment "
		      "and kind.\n\n"
		      "config=sp is exactly the set {sp}; config=default the empty set; flag:sp=on every set "
		      "with sp. run is latest, latest~1, a baseline, a "
		      "label, or the beginning of a UUID; without it a result is the latest good one of its "
		      "series."},
	{"ENVIRONMENT",
		"BENCHMATRIX_DB: the database, where --db does not name it.\n\n"
		"BENCHMATRIX_CACHE: the folder for sources and builds; the XDG cache folder otherwise.\n\n"
		"BENCHMATRIX_CACHE_SIZE: what it may hold, such as 20G or 500M; each run removes at its end "
		"what was "
		"not used for longest. 20G where it is not set, 0 for no limit.\n\n"
		"BENCHMATRIX_SYSFS: a folder in the place of /sys for run --host and doctor, to try them."},
	{"FILES", "$XDG_CONFIG_HOME/benchmatrix/{toolchains,libs,matrices}: your own, found before the "
		  "bundled ones of the same name.\n\n"
		  "$XDG_CONFIG_HOME/benchmatrix/known-failures.json: failures that are known (run, show).\n\n"
		  "$XDG_DATA_HOME/benchmatrix/benchmatrix.db: the database."},
	{"EXIT STATUS", "0: done.\n\n1: done, but something failed.\n\n2: wrong usage.\n\n3: this machine "
			"lacks something; the message says "
			"what to install.\n\n4: bad input; the message says where."},
};

/* The name of an option as it is typed, with what it takes. Free with g_free(). */
static char *option_text(const GOptionEntry *option)
{
	return option->arg_description
		       ? g_strdup_printf("--%s %s", option->long_name, option->arg_description)
		       : g_strdup_printf("--%s", option->long_name);
}

static char *usage(const struct cmd *cmd)
{
	return g_strdup_printf("%s%s%s%s", cmd->name, *cmd->arguments ? " " : "", cmd->arguments,
		cmd->options ? " [OPTION...]" : "");
}

/* Breaks a paragraph at blanks so that no line is longer than the terminals that we know. */
static void wrapped(GString *out, const char *text, const char *indent)
{
	g_auto(GStrv) words = g_strsplit(text, " ", -1);
	size_t column = 0;

	for (char **word = words; *word != NULL; word++) {
		if (column > 0 && column + 1 + strlen(*word) > 78) {
			g_string_append_c(out, '\n');
			column = 0;
		}
		g_string_append(out, column == 0 ? indent : " ");
		column += (column == 0 ? strlen(indent) : 1) + strlen(*word);
		g_string_append(out, *word);
	}
	g_string_append_c(out, '\n');
}

static void paragraphs(GString *out, const char *text, const char *indent)
{
	g_auto(GStrv) parts = g_strsplit(text, "\n\n", -1);

	for (char **part = parts; *part != NULL; part++) {
		if (part != parts)
			g_string_append_c(out, '\n');
		wrapped(out, *part, indent);
	}
}

void help_program(GString *out)
{
	g_string_append(out, "usage: benchmatrix [--db FILE] COMMAND\n\n");
	wrapped(out, SUMMARY, "");
	g_string_append(out, "\nCommands:\n");
	for (const struct cmd *const *cmd = cmds; *cmd != NULL; cmd++)
		g_string_append_printf(out, "  %-13s %s\n", (*cmd)->name, (*cmd)->summary);
	g_string_append(
		out, "\n`benchmatrix COMMAND --help` tells more of each; start with `benchmatrix doctor`.\n");
}

void help_command(GString *out, const struct cmd *cmd)
{
	g_autofree char *line = usage(cmd);

	g_string_append_printf(out, "usage: benchmatrix %s\n\n", line);
	paragraphs(out, cmd->description, "");
	if (cmd->options == NULL)
		return;
	g_string_append(out, "\nOptions:\n");
	for (const GOptionEntry *option = cmd->options; option->long_name != NULL; option++) {
		g_autofree char *text = option_text(option);
		g_string_append_printf(out, "  %-20s %s\n", text, option->description);
	}
}

/* Text for roff: a leading dot or quote is no request, a minus no hyphen, a backslash itself. */
static void roff(GString *out, const char *text)
{
	for (const char *c = text; *c != '\0'; c++) {
		if ((c == text || c[-1] == '\n') && (*c == '.' || *c == '\''))
			g_string_append(out, "\\&");
		if (*c == '-')
			g_string_append(out, "\\-");
		else if (*c == '\\')
			g_string_append(out, "\\e");
		else
			g_string_append_c(out, *c);
	}
}

static void roff_paragraphs(GString *out, const char *text)
{
	g_auto(GStrv) parts = g_strsplit(text, "\n\n", -1);

	for (char **part = parts; *part != NULL; part++) {
		if (part != parts)
			g_string_append(out, ".PP\n");
		roff(out, *part);
		g_string_append_c(out, '\n');
	}
}

static void man_command(GString *out, const struct cmd *cmd)
{
	g_autofree char *line = usage(cmd);

	g_string_append(out, ".SS ");
	roff(out, line);
	g_string_append_c(out, '\n');
	roff_paragraphs(out, cmd->description);
	if (cmd->options == NULL)
		return;
	for (const GOptionEntry *option = cmd->options; option->long_name != NULL; option++) {
		g_autofree char *text = option_text(option);
		g_string_append(out, ".TP\n.B ");
		roff(out, text);
		g_string_append_c(out, '\n');
		roff(out, option->description);
		g_string_append_c(out, '\n');
	}
}

void help_man(GString *out, const char *version)
{
	g_string_append_printf(out,
		".TH BENCHMATRIX 1 " BM_RELEASED " \"benchmatrix %s\"\n.SH NAME\nbenchmatrix \\- ", version);
	roff(out, SUMMARY);
	g_string_append(out, "\n.SH SYNOPSIS\n.B benchmatrix\n[\\-\\-db FILE] COMMAND [ARGUMENT...] "
			     "[OPTION...]\n.SH COMMANDS\n");
	for (const struct cmd *const *cmd = cmds; *cmd != NULL; cmd++)
		man_command(out, *cmd);
	for (size_t i = 0; i < G_N_ELEMENTS(topics); i++) {
		g_string_append_printf(out, ".SH %s\n", topics[i].title);
		roff_paragraphs(out, topics[i].text);
	}
}
