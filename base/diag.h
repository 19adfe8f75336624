/* Errors and messages: the vocabulary in which every layer says what went wrong.
 *
 * A function that can fail takes a GError ** last and returns false or NULL. It never prints: only commands
 * print. The message says what was wrong, where, and what to do. This folder is the floor: nothing here
 * includes a layer above. */
#ifndef BM_DIAG_H
#define BM_DIAG_H

#include <glib.h>
#include <stdbool.h>

#define DIAG_ERROR (diag_error_quark())
GQuark diag_error_quark(void);

/* What kind of failure it is. The numbers are the program's exit statuses. */
enum diag_code {
	DIAG_FAILED = 1, /* done, but something failed */
	DIAG_USAGE = 2,	 /* the command line is wrong */
	DIAG_LACKS = 3,	 /* this machine lacks something; the message says what to install */
	DIAG_INPUT =
		4, /* a file or value given by the user is wrong; the message says file and line or path */
};

/* Sets *err to a new error of the given code; does nothing where err is NULL. Always returns false, so that a
 * failing function can end with `return diag_set(err, ...)`. */
bool diag_set(GError **err, enum diag_code code, const char *format, ...) G_GNUC_PRINTF(3, 4);

/* The exit status for an error: its code where it is ours, DIAG_FAILED for any other domain. */
int diag_exit_status(const GError *err);

/* The known word that is nearest to `word` by edit distance (Damerau-Levenshtein, case folded), or NULL where
 * none is near enough to be meant: more than a third of the longer word's letters differ. `known` is
 * NULL-terminated; the answer is one of its strings. */
const char *diag_nearest(const char *word, const char *const *known);

/* Text that may be shown on a terminal: control bytes other than newline and tab, bytes that are not UTF-8,
 * and bidirectional overrides are shown as escapes. Free with g_free(). */
char *diag_printable(const char *bytes, gssize length);

#endif
