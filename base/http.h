/* Fetching and sending: http, https and file URLs.
 *
 * What does it is a module of its own, libbm-http.so, loaded when it is first needed: DIAG_LACKS where it, or
 * libcurl, is not there. */
#ifndef BM_HTTP_H
#define BM_HTTP_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Where the module lies: libexec/benchmatrix/libbm-http.so. The path must outlive all use. */
void http_set_module(const char *file);

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

struct http_post {
	const char *url;
	const void *body;
	size_t length;
	const char *const *headers; /* "Name: value", NULL-terminated; Content-Type among them */
	const char *token;	    /* goes as "Authorization: Bearer"; NULL: none */
	double silence_s;	    /* a server that says nothing for so long is asked again; 0: 60 */
	int tries;		    /* in all; 0: 5 */
	/* Told before each wait; may be NULL. `why` is "503 Service Unavailable" or what the network lacks.
	 */
	void (*on_wait)(const char *why, int seconds, int next_try, int tries, void *user);
	void *user;
};

/* What the server answered. */
struct http_answer {
	int status;
	char *line; /* the first line of its text, printable, 200 bytes at most; NULL where it is empty */
};
void http_answer_done(struct http_answer *answer);

/* Sends until the server takes it: any 2xx is a success. Blocks. After 408, 429, 500, 502, 503, 504 and
 * faults of the network it waits as long as Retry-After says (an hour or more is given up), else 1, 2, 4, ...
 * seconds, and sends the same again: the caller gives a header by which the server knows it. Certificates are
 * verified. A redirect is followed by the same POST (307, 308) within the same host, never to another one.
 * The token goes over https alone, or to this machine. DIAG_USAGE for a URL that cannot be used; DIAG_LACKS
 * for what the network lacks; DIAG_FAILED where the server refuses: its status and *ret->line are in the
 * message. */
bool http_post(struct http_answer *ret, const struct http_post *post, GError **err);

/* A URL as it may be shown: without user, password, query and fragment; "the address" where that cannot be
 * told. Free with g_free(). */
char *http_shown(const char *url);

#endif
