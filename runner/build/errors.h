/* What went wrong, out of what the tools printed. */
#ifndef BM_ERRORS_H
#define BM_ERRORS_H

#include "steps.h"

#include <stdbool.h>

/* The first real error in a log: a compiler's "error:", an undefined reference, configure's or apt's own
 * words; only where there is none of these make's "Error 1", else the last line. `folder` (may be NULL) is
 * the work folder, whose name is taken out. New text of one line, or NULL where the log is empty. */
char *errors_first(const char *log, const char *folder);

/* Whether the first real error is the linker's (and not a compiler's). */
bool errors_is_link(const char *log);

/* What a build is whose step failed, and why in words: *ret_reason is new. `packages` (may be NULL or empty)
 * are what to install where the step's program is not there. */
enum build_state errors_judge(char **ret_reason, const struct step *failed, const struct child_exit *end,
	const GError *err, const GString *log, const char *const *packages);

/* Whether a message or a log says that a disk is full: then it is no failure of what was being made. */
bool errors_disk_full(const char *text);

/* The level that the compile commands of a log name last: "-O2"; "-O0" where they name none; "-O2,-Os" where
 * they differ, "-O2 -flto" where code is made at the link. NULL where the log has no compile command. New
 * text. */
char *errors_optimisation(const char *log);

#endif
