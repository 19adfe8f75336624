/* What the files of the builder share: the builder, and one build under way. */
#ifndef BM_BUILD_PARTS_H
#define BM_BUILD_PARTS_H

#include "build.h"
#include "cache.h"
#include "entry.h"
#include "identity.h"
#include "recipe.h"
#include "source.h"
#include "steps.h"

struct builder {
	struct cache cache;
	int64_t cache_bytes; /* what the cache is pruned to at the end */
	struct build_limits limits;
	char *core, *schema, *apt, *build_triple;
	char **environment;	 /* of every build step */
	GPtrArray *core_sources; /* char *: absolute, sorted */
	GHashTable
		*core_hashes;	/* name -> SHA-256: bench-core's files and the wire words that they include */
	GHashTable *identities; /* const struct toolchain * -> struct identity * */
	struct sources *sources;
	GPtrArray *jobs; /* struct build_job * */
	void (*on_step)(const char *build, const char *step, void *user);
	void *user;
};

struct build_job {
	struct builder *builder;
	const struct planned_build *build;
	void (*done)(struct build_result *result, void *user);
	void *user;
	struct build_result *result;
	const struct recipe *recipe;
	const struct identity *identity;
	const struct source_tree *source;
	struct facts facts;
	char *work;		 /* own folder, made where something is to be made */
	char *library, *program; /* entries */
	char *key_program;
	struct cache_wait *wait;
	int lock;
	GString *log;	    /* of the library, then of the program */
	size_t program_log; /* where the program's begins */
	GPtrArray *steps;
	struct steps_run *run;
	void (*then)(struct build_job *job); /* after the steps */
	guint idle;
	bool cancelled;
	bool disk_full; /* a step said so */
	gint64 since;	/* monotonic time when making began, in microseconds; 0: nothing is being made */
	double spent;	/* seconds; NAN: nothing was made */
};

/* For tests: shorter deadlines, and another folder of apt's configuration. Before the first builder_start().
 */
void builder_set_limits(struct builder *builder, const struct build_limits *limits);
void builder_set_apt(struct builder *builder, const char *folder);

/* builder.c */
void build_end(struct build_job *job, enum build_state state,
	char *reason); /* takes the reason; the job's last act */
void build_fail(struct build_job *job, enum build_state state, GError *err); /* takes the error */
bool build_make_work(struct build_job *job);				     /* ends the job where it fails */
void build_run(
	struct build_job *job, GPtrArray *steps, void (*then)(struct build_job *job)); /* takes the steps */
void build_lock(
	struct build_job *job, const char *kind, const char *key, void (*then)(struct build_job *job));
void build_unlock(struct build_job *job);
void build_clock_start(struct build_job *job);
double build_clock_stop(struct build_job *job); /* seconds since the start, also added to job->spent */

/* build_library.c, build_program.c: one after the other. */
void build_library(struct build_job *job);
bool build_program_look(
	struct build_job *job); /* finds P; true where the job has ended: with the cached program, or badly */
void build_program(struct build_job *job);

#endif
