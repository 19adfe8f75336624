/* Makes programs: fetches sources, runs the library's own build system in private copies, links bench-core,
 * publishes both into the cache by rename under a lock per key (schema/keys.md).
 *
 *     cache/sources/<library>-<revision>-<request>/   tree/ unpacked and prepared once, source.json, log
 *     cache/downloads/<request>                       tarballs that are being fetched, to go on after a cut
 *     cache/configure/<hash>                          configure caches, by toolchain, source and CFLAGS
 *     cache/identities/<hash>                         what a toolchain's programs are (identity_kept.h)
 *     cache/libraries/<L>/                            tree/ with archive and headers, entry.json, log
 *     cache/programs/<P>/                             bench-core, entry.json, log
 *     cache/work/, cache/locks/                       unfinished work, removed at the end; who makes what
 *     cache/pins/                                     marks of entries that pruning leaves
 *
 * An entry.json holds every fact of its build, so that another database can be told of it. */
#ifndef BM_BUILD_H
#define BM_BUILD_H

#include "plan.h"
#include "rows.h"
#include "sizes.h"

#include <glib.h>

struct builder_spec {
	const char *cache;  /* folder, made where missing */
	const char *core;   /* bench-core's source folder */
	const char *schema; /* schema's source folder: wire.h and the .def files */
	/* "configure", "make": for progress; may be NULL. */
	void (*on_step)(const char *build, const char *step, void *user);
	void *user;
};

struct builder;
/* DIAG_USAGE where $BENCHMATRIX_CACHE_SIZE is no size. */
struct builder *builder_new(const struct builder_spec *spec, GError **err);
/* Cancels what is under way, and prunes the cache to its size (cache_prune.h). */
void builder_free(struct builder *builder);

/* What came of a build. Owned by the builder's caller: build_result_free(). Unknown is NULL. */
struct build_result {
	const struct planned_build *build;
	enum build_state state;
	char *reason;  /* the first real error; for unsupported what to install */
	char *program; /* path; only for BUILD_OK */
	char *key_library, *key_program;
	char *revision, *parent, *compiler, *configure_line, *optimisation_effective, *math, *machine,
		*code_sha256;
	char *log;
	struct sizes library_sizes, program_sizes; /* of all objects of the archive; of what was linked */
	bool library_cached, program_cached;	   /* it was there before */
	double seconds;				   /* NAN where program_cached */
};
void build_result_free(struct build_result *result);

/* Starts one build in the default main context; `done` is called once with a result that the callee owns,
 * never before builder_start() returns. Several may be under way; builds of one source wait for its fetching,
 * builds of one key for its lock. */
void builder_start(struct builder *builder, const struct planned_build *build,
	void (*done)(struct build_result *result, void *user), void *user);
/* Cancels everything under way; each done follows with BUILD_CANCELLED. */
void builder_cancel(struct builder *builder);

#endif
