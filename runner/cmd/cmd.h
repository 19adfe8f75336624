/* Subcommands: cmd_<name>.c each, listed in cmds.c. Only here is anything printed: data to stdout, messages
 * to stderr. */
#ifndef BM_CMD_H
#define BM_CMD_H

#include "paths.h"

#include <glib.h>

struct cmd {
	const char *name;
	const char *arguments;	     /* "BEFORE AFTER" */
	const char *summary;	     /* one line, no full stop */
	const char *description;     /* paragraphs, separated by a blank line; also the man page's */
	const GOptionEntry *options; /* NULL-terminated; NULL: none. Their values are static variables of the
					command's file */
	int min, max;		     /* how many arguments; max -1: any */
	/* Returns the exit status. Where *err is set, main() prints it and its code is the status. */
	int (*run)(const struct paths *paths, char **arguments, GError **err);
};

extern const struct cmd *const cmds[]; /* NULL-terminated, in the order of use */

/* By name; DIAG_USAGE with the nearest name where unknown. */
const struct cmd *cmd_find(const char *name, GError **err);

#endif
