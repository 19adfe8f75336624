/* What the files of the sources share: one job that gets one source. */
#ifndef BM_SOURCE_PARTS_H
#define BM_SOURCE_PARTS_H

#include "source.h"

struct source_job {
	struct sources *sources;
	const struct library *library;
	const struct version *version;
	const char
		*arch; /* Debian's architecture of the package; NULL where the source is the same for all */
	char *request; /* names the entry; known when the content is */
	struct source_tree *tree;
	GError *err;
	bool over, cancelled;
	gint stop; /* for a thread that works for it: to be read with g_atomic_int_get() */
	GPtrArray *waiters;
	guint idle;
	struct cache_wait *wait;
	int lock;
	char *work; /* folder; "entry" in it becomes the entry, with "tree" in it */
	char *dsc, *revision, *parent, *content;
	GString *log;
	GPtrArray *steps;
	struct steps_run *run;
};

struct sources {
	const struct cache *cache;
	const struct build_limits *limits;
	const char *apt;
	char **environment;
	GPtrArray *jobs;
};

/* source.c */
void source_fail(struct source_job *job, GError *err); /* takes the error; ends the job */
void source_look_or_lock(struct source_job *job);      /* goes on where the request is known */
void source_run(
	struct source_job *job, GPtrArray *steps, void (*then)(struct source_job *job)); /* takes the steps */
void source_prepare(
	struct source_job *job, GPtrArray *steps); /* takes the steps; adds preparing, then publishes */

void source_tell_step(struct source_job *job, const char *name);

/* source_apt.c: apt in the job's folder. */
bool source_apt_begin(
	struct source_job *job, GError **err); /* makes the folders, and apt's list of archives */
void source_apt_list(
	struct source_job *job, void (*then)(struct source_job *job)); /* the versions that there are */
bool source_apt_pick(struct source_job *job); /* `revision` of that list; ends the job where none fits */
/* Adds a step in the folder "download"; apt's programs get the options that keep them in the job's folder. */
void source_apt_step(struct source_job *job, GPtrArray *steps, const char *name, const char *const *words);

/* source_<kind>.c: `begin` finds the request, `make` fills work/entry/tree under the lock and goes on with
 * source_prepare(). */
void source_debian_begin(struct source_job *job);
void source_debian_make(struct source_job *job);
void source_debian_binary_begin(struct source_job *job);
void source_debian_binary_make(struct source_job *job);
void source_folder_begin(struct source_job *job);
void source_folder_make(struct source_job *job);
void source_tarball_begin(struct source_job *job);
void source_tarball_make(struct source_job *job);
void source_git_begin(struct source_job *job);
void source_git_make(struct source_job *job);

#endif
