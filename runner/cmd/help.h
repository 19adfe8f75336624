/* Help and the man page, both from the table of commands. */
#ifndef BM_HELP_H
#define BM_HELP_H

#include "cmd.h"

void help_program(GString *out);
void help_command(GString *out, const struct cmd *cmd);
void help_man(GString *out, const char *version);

#endif
