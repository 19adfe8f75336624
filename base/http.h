/* Fetching files: http, https and file URLs. */
#ifndef BM_HTTP_H
#define BM_HTTP_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct http_fetch {
	const char *url;
	const char *file;      /* appended to where it exists already: a fetch that was cut goes on */
	int64_t ceiling;       /* bytes; more is an error */
	double silence_s;      /* a server that sends nothing for so long is asked again; 0: 60 */
	int tries;	       /* in all; 0: 5 */
	const gint *cancelled; /* set by another thread (g_atomic_int_set) to stop; may be NULL */
};

/* Fetches to the end, for a thread: it blocks, and tries again after faults of the network (waiting 1, 2, 4,
 * ... seconds), going on where the last try stopped where the server can. Where it fails, what has come stays
 * in the file for the next time. Only a server's whole answer is a success; whether it is the right one is
 * for the caller to check. Follows redirects, but to http and https alone. DIAG_LACKS for what the network or
 * the server lacks; DIAG_FAILED for our own disk, and where it was cancelled. */
bool http_fetch(const struct http_fetch *fetch, GError **err);

#endif
