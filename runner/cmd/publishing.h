/* Sending results to a server: what publish and nightly have in common. */
#ifndef BM_PUBLISHING_H
#define BM_PUBLISHING_H

#include "export.h"

#include <glib.h>

struct publishing {
	const char *url;
	const char *token_file; /* NULL: the server wants none */
	const struct exporter *exporter;
	bool samples;
	int tries, timeout_s;
};
/* What publish takes where it is not told otherwise. */
#define PUBLISHING_FORMAT  "jsonl"
#define PUBLISHING_TRIES   5
#define PUBLISHING_TIMEOUT 60

/* Sends the figures as one compressed POST; says on standard error what it does. */
bool publishing_send(const struct publishing *to, const struct export_set *set, GError **err);

/* The one word of a file that only the user can read; *ret is NULL where `file` is. DIAG_INPUT. */
bool publishing_token(char **ret, const char *file, GError **err);

/* For struct http_post: says on standard error why it waits. */
void publishing_tell_wait(const char *why, int seconds, int next_try, int of, void *user);

#endif
