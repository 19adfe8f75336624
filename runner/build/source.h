/* Sources: fetched or copied, prepared once, kept in the cache. */
#ifndef BM_SOURCE_H
#define BM_SOURCE_H

#include "cache.h"
#include "catalog.h"
#include "steps.h"

#include <glib.h>

/* A prepared source in the cache. */
struct source_tree {
	char *folder;	/* to be copied from, never built in */
	char *revision; /* "5.5.4-2+deb12u2", "tree:0f3a5b7c9d1e", a commit; of a git work tree
			   "commit:1a2b3c4d5e6f-dirty tree:0f3a5b7c9d1e" */
	char *parent;	/* the commit before it; NULL where there is none */
	char *content; /* "dsc:<sha256>", "deb:<architecture>:<sha256>", "tree:<sha256>": what the library key
			  takes */
};

struct sources;
/* Lends its arguments. `apt` is the folder of the machine's apt configuration ("/etc/apt"). */
struct sources *sources_new(const struct cache *cache, const struct build_limits *limits, const char *apt);
/* Only when nothing is under way. */
void sources_free(struct sources *sources);

/* Asks for the source of a version, for a toolchain where it is a package that has been built. `done` is
 * called once, never before sources_want() returns, with the tree (lent for the life of `sources`) or NULL
 * and an error: DIAG_LACKS for what this machine or the network lacks, DIAG_FAILED where it was cancelled.
 * What was answered once is answered the same for the life of `sources`: a folder that changes meanwhile does
 * not split a run. */
void sources_want(struct sources *sources, const struct library *library, const struct version *version,
	const struct toolchain *toolchain, void (*on_step)(const char *step, void *user),
	void (*done)(const struct source_tree *tree, const GError *err, void *user), void *user);

/* What programs that fetch get: proxies and the ssh agent of the user. g_strfreev(). */
char **source_environment(void);

/* Stops all fetching; each `done` follows. Nothing that was stopped is remembered. */
void sources_cancel(struct sources *sources);

#endif
