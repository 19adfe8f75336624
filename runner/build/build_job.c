#include "build_parts.h"
#include "diag.h"
#include "errors.h"
#include "fsx.h"
#include "identity_kept.h"

#include <math.h>
#include <string.h>
#include <sys/statvfs.h>

#define DETAILS_CEILING (4u << 20)

void build_result_free(struct build_result *result)
{
	if (!result)
		return;
	char *const texts[] = {result->reason, result->program, result->key_library, result->key_program,
		result->revision, result->parent, result->compiler, result->configure_line,
		result->optimisation_effective, result->math, result->machine, result->code_sha256,
		result->log};
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
		g_free(texts[i]);
	g_free(result);
}

/* The archive of a program that was in the cache may have been pruned. */
static void read_sizes(struct build_job *job)
{
	struct build_result *result = job->result;
	if (result->state != BUILD_OK)
		return;
	g_autofree char *archive = g_build_filename(job->library, "tree", job->build->library->archive, NULL);
	sizes_read(&result->library_sizes, archive, NULL);
	sizes_read(&result->program_sizes, result->program, NULL);
}

static void fill_result(struct build_job *job)
{
	struct build_result *result = job->result;
	result->key_library = g_steal_pointer(&job->facts.key_library);
	result->key_program = g_steal_pointer(&job->key_program);
	/* Of what was asked for: equal sources may have other names in the entry. */
	result->revision = g_strdup(job->source ? job->source->revision : NULL);
	result->parent = g_strdup(job->source ? job->source->parent : NULL);
	result->compiler = g_steal_pointer(&job->facts.compiler);
	result->configure_line = g_steal_pointer(&job->facts.configure_line);
	result->optimisation_effective = g_steal_pointer(&job->facts.optimisation_effective);
	result->math = g_steal_pointer(&job->facts.math);
	result->machine = g_steal_pointer(&job->facts.machine);
	result->code_sha256 = g_steal_pointer(&job->facts.code_sha256);
	result->log = g_strdup(job->log->str);
	read_sizes(job);
	result->seconds = job->spent;
}

static void job_free(struct build_job *job)
{
	facts_clear(&job->facts);
	g_free(job->work);
	g_free(job->library);
	g_free(job->program);
	g_free(job->key_program);
	g_string_free(job->log, TRUE);
	g_clear_pointer(&job->steps, g_ptr_array_unref);
	g_free(job);
}

/* Nothing was found out about the library then: the build is to be made again, as a cancelled one is. */
static bool stopped_by_disk(const struct build_job *job, const char *reason)
{
	struct statvfs disk;
	if (job->disk_full || (reason && errors_disk_full(reason)))
		return true;
	/* Tools do not always say why they cannot write. */
	return statvfs(job->builder->cache.root, &disk) == 0 && disk.f_blocks > 0 && disk.f_bavail == 0;
}

static void judge_disk(const struct build_job *job, struct build_result *result)
{
	if (result->state == BUILD_OK || result->state == BUILD_CANCELLED ||
		!stopped_by_disk(job, result->reason))
		return;
	g_free(result->reason);
	result->state = BUILD_CANCELLED;
	result->reason =
		g_strdup_printf("the disk of the cache is full (%s): free some space, then run --resume",
			job->builder->cache.root);
}

void build_end(struct build_job *job, enum build_state state, char *reason)
{
	if (job->since)
		build_clock_stop(job);
	job->result->state = state;
	job->result->reason = reason;
	/* While the work still takes its space. */
	judge_disk(job, job->result);
	build_unlock(job);
	if (job->work)
		fsx_remove_tree(job->work, NULL);
	fill_result(job);
	g_ptr_array_remove(job->builder->jobs, job);
	job->done(job->result, job->user);
	job_free(job);
}

void build_fail(struct build_job *job, enum build_state state, GError *err)
{
	char *reason = g_strdup(err->message);
	g_error_free(err);
	build_end(job, state, reason);
}

void build_clock_start(struct build_job *job)
{
	job->since = g_get_monotonic_time();
}

double build_clock_stop(struct build_job *job)
{
	double seconds = (double)(g_get_monotonic_time() - job->since) / 1e6;
	job->since = 0;
	job->spent = isnan(job->spent) ? seconds : job->spent + seconds;
	return seconds;
}

bool build_make_work(struct build_job *job)
{
	GError *err = NULL;
	if (!job->work)
		job->work = fsx_unique_folder(job->builder->cache.work, "build", &err);
	if (!job->work)
		build_fail(job, BUILD_UNSUPPORTED, err);
	return job->work != NULL;
}

static void tell_step(const char *name, void *user)
{
	struct build_job *job = user;
	if (job->builder->on_step)
		job->builder->on_step(job->build->name, name, job->builder->user);
}

/* Where configuring failed, the reason in full stands in a file that goes with the build folder. */
static void add_details(struct build_job *job, const struct step *failed)
{
	if (failed->fails_as != BUILD_CONFIGURE_FAILED || !job->recipe->details)
		return;
	g_autofree char *file = g_build_filename(failed->folder, job->recipe->details, NULL);
	g_autofree char *text = NULL;
	size_t length;
	if (!fsx_read(&text, &length, file, DETAILS_CEILING, NULL))
		return;
	g_string_append_printf(job->log, "\n[%s]\n", job->recipe->details);
	g_string_append_len(job->log, text, (gssize)length);
}

static void take_steps(const struct step *failed, const struct child_exit *end, const GError *err, void *user)
{
	struct build_job *job = user;
	job->run = NULL;
	if (job->cancelled) {
		build_end(job, BUILD_CANCELLED, g_strdup("cancelled"));
	} else if (failed) {
		char *reason;
		enum build_state state = errors_judge(&reason, failed, end, err, job->log,
			(const char *const *)job->build->library->packages);
		add_details(job, failed);
		job->disk_full = errors_disk_full(job->log->str + failed->output_from);
		build_end(job, state, reason);
	} else {
		job->then(job);
	}
}

void build_run(struct build_job *job, GPtrArray *steps, void (*then)(struct build_job *job))
{
	g_clear_pointer(&job->steps, g_ptr_array_unref);
	job->steps = steps;
	job->then = then;
	const struct steps_spec spec = {
		.steps = steps,
		.environment = (const char *const *)job->builder->environment,
		.temporary = job->work,
		.log = job->log,
		.output_ceiling = job->builder->limits.output_ceiling,
		.on_step = tell_step,
		.done = take_steps,
		.user = job,
	};
	job->run = steps_start(&spec);
}

static void take_lock(int lock, const GError *err, void *user)
{
	struct build_job *job = user;
	job->wait = NULL;
	job->lock = lock;
	if (err)
		build_fail(job, BUILD_UNSUPPORTED, g_error_copy(err));
	else
		job->then(job);
}

void build_lock(struct build_job *job, const char *kind, const char *key, void (*then)(struct build_job *job))
{
	g_autofree char *name = g_strdup_printf("%s-%s", kind, key);
	job->then = then;
	job->wait = cache_lock(&job->builder->cache, name, take_lock, job);
}

void build_unlock(struct build_job *job)
{
	if (job->lock >= 0)
		fsx_unlock(job->lock);
	job->lock = -1;
}

static void take_source(const struct source_tree *tree, const GError *err, void *user)
{
	struct build_job *job = user;
	job->source = tree;
	if (job->cancelled)
		build_end(job, BUILD_CANCELLED, g_strdup("cancelled"));
	else if (!tree)
		build_end(job, BUILD_UNSUPPORTED, g_strdup(err->message));
	else
		build_library(job);
}

/* What a toolchain is does not change under a builder. */
static const struct identity *identity_of(
	struct builder *builder, const struct toolchain *toolchain, GError **err)
{
	struct identity *identity = g_hash_table_lookup(builder->identities, toolchain);
	if (identity)
		return identity;
	g_autofree char *folder = g_build_filename(builder->cache.root, "identities", NULL);
	if (!identity_find(&identity, folder, toolchain, (const char *const *)builder->environment, err))
		return NULL;
	g_hash_table_insert(builder->identities, (gpointer)toolchain, identity);
	return identity;
}

static bool find_recipe(struct build_job *job, GError **err)
{
	const struct library *library = job->build->library;
	const char *path = g_environ_getenv(job->builder->environment, "PATH");
	const struct version *version = job->build->version;
	bool prebuilt = version->origin.kind == ORIGIN_DEBIAN_BINARY;
	const char *name = prebuilt ? "prebuilt" : version->settings ? "user_settings" : library->recipe;
	job->recipe = recipe_find(name);
	if (!job->recipe)
		return diag_set(err, DIAG_INPUT, "%s: recipe \"%s\" is not known", library->file, name);
	for (const char *const *tool = job->recipe->tools; *tool; tool++) {
		g_autofree char *found = fsx_find_program(*tool, path);
		g_autofree char *packages = found ? NULL : g_strjoinv(" ", library->packages);
		if (!found)
			return diag_set(
				err, DIAG_LACKS, "%s is not installed: apt-get install %s", *tool, packages);
	}
	return true;
}

static gboolean begin(gpointer user)
{
	struct build_job *job = user;
	GError *err = NULL;
	job->idle = 0;
	if (job->cancelled) {
		build_end(job, BUILD_CANCELLED, g_strdup("cancelled"));
		return G_SOURCE_REMOVE;
	}
	if (find_recipe(job, &err))
		job->identity = identity_of(job->builder, job->build->toolchain, &err);
	if (job->identity)
		sources_want(job->builder->sources, job->build->library, job->build->version,
			job->build->toolchain, tell_step, take_source, job);
	else
		build_fail(job, BUILD_UNSUPPORTED, err);
	return G_SOURCE_REMOVE;
}

void builder_start(struct builder *builder, const struct planned_build *build,
	void (*done)(struct build_result *result, void *user), void *user)
{
	struct build_job *job = g_new0(struct build_job, 1);
	job->builder = builder;
	job->build = build;
	job->done = done;
	job->user = user;
	job->lock = -1;
	job->spent = NAN;
	job->facts.seconds = NAN;
	job->log = g_string_new(NULL);
	job->result = g_new0(struct build_result, 1);
	job->result->build = build;
	job->result->library_sizes = job->result->program_sizes = sizes_unknown;
	job->idle = g_idle_add(begin, job);
	g_ptr_array_add(builder->jobs, job);
}

/* A build that waits for a lock has nothing to kill: it ends in the main loop like the others. */
static gboolean end_waiting(gpointer user)
{
	struct build_job *job = user;
	job->idle = 0;
	build_end(job, BUILD_CANCELLED, g_strdup("cancelled"));
	return G_SOURCE_REMOVE;
}

void builder_cancel(struct builder *builder)
{
	for (guint i = 0; i < builder->jobs->len; i++) {
		struct build_job *job = builder->jobs->pdata[i];
		job->cancelled = true;
		if (job->run)
			steps_cancel(job->run);
		if (!job->wait)
			continue;
		cache_lock_cancel(g_steal_pointer(&job->wait));
		job->idle = g_idle_add(end_waiting, job);
	}
	if (builder->sources)
		sources_cancel(builder->sources);
}
