/* The signals that ask a run to stop: SIGINT, SIGTERM, and SIGHUP where it was not ignored when we started.
 */
#ifndef BM_SIGNALS_H
#define BM_SIGNALS_H

#include <glib.h>

enum { SIGNALS_MAX = 3 };

/* Calls `heard` in the main loop whenever one comes. *ret are the sources; 0: none. */
void signals_watch(guint ret[SIGNALS_MAX], GSourceFunc heard, gpointer user);
void signals_ignore(guint sources[SIGNALS_MAX]); /* removes the sources */
/* From now on the next one calls `last`, which may do only what a signal handler may, and ends us at once,
 * with exit status 1: what is on disk stays, and the supervisors end everything below us. */
void signals_end_us(void (*last)(void));

#endif
