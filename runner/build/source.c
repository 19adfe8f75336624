#include "source.h"

#include "diag.h"
#include "errors.h"
#include "fsx.h"
#include "jsonx.h"
#include "keys.h"
#include "source_parts.h"

#include <jansson.h>
#include <string.h>

static const struct {
	void (*begin)(struct source_job *job);
	void (*make)(struct source_job *job);
} kinds[] = {
	[ORIGIN_DEBIAN] = {source_debian_begin, source_debian_make},
	[ORIGIN_FOLDER] = {source_folder_begin, source_folder_make},
	[ORIGIN_TARBALL] = {source_tarball_begin, source_tarball_make},
	[ORIGIN_GIT] = {source_git_begin, source_git_make},
	[ORIGIN_DEBIAN_BINARY] = {source_debian_binary_begin, source_debian_binary_make},
};

struct waiter {
	void (*on_step)(const char *step, void *user);
	void (*done)(const struct source_tree *tree, const GError *err, void *user);
	void *user;
};

static void tree_free(struct source_tree *tree)
{
	if (!tree)
		return;
	g_free(tree->folder);
	g_free(tree->revision);
	g_free(tree->parent);
	g_free(tree->content);
	g_free(tree);
}

static void job_free(gpointer data)
{
	struct source_job *job = data;
	tree_free(job->tree);
	g_clear_error(&job->err);
	g_free(job->request);
	g_ptr_array_unref(job->waiters);
	g_free(job->work);
	g_free(job->dsc);
	g_free(job->revision);
	g_free(job->parent);
	g_free(job->content);
	g_string_free(job->log, TRUE);
	g_clear_pointer(&job->steps, g_ptr_array_unref);
	g_free(job);
}

/* Fetching goes through the proxies and the ssh agent that the user has set; nothing else of the environment
 * reaches it, and nothing asks for a password. */
char **source_environment(void)
{
	static const char *const names[] = {"http_proxy", "https_proxy", "ftp_proxy", "no_proxy",
		"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "SSH_AUTH_SOCK", "GIT_SSH_COMMAND"};
	g_autoptr(GStrvBuilder) extra = g_strv_builder_new();
	g_strv_builder_add_many(extra, "GIT_TERMINAL_PROMPT=0", "GIT_CONFIG_NOSYSTEM=1", NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		const char *value = g_getenv(names[i]);
		g_autofree char *line = value ? g_strdup_printf("%s=%s", names[i], value) : NULL;
		if (line)
			g_strv_builder_add(extra, line);
	}
	g_auto(GStrv) list = g_strv_builder_end(extra);
	return child_clean_environment((const char *const *)list);
}

struct sources *sources_new(const struct cache *cache, const struct build_limits *limits, const char *apt)
{
	struct sources *sources = g_new0(struct sources, 1);
	sources->cache = cache;
	sources->limits = limits;
	sources->apt = apt;
	sources->environment = source_environment();
	sources->jobs = g_ptr_array_new_with_free_func(job_free);
	return sources;
}

void sources_free(struct sources *sources)
{
	if (!sources)
		return;
	g_ptr_array_unref(sources->jobs);
	g_strfreev(sources->environment);
	g_free(sources);
}

/* Tells all that wait. */
static gboolean tell(gpointer user)
{
	struct source_job *job = user;
	job->idle = 0;
	g_autoptr(GPtrArray) waiters = job->waiters;
	job->waiters = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; i < waiters->len; i++) {
		const struct waiter *waiter = waiters->pdata[i];
		waiter->done(job->tree, job->err, waiter->user);
	}
	/* An answer that was cut short is no answer: the next one who asks gets a new try. */
	if (job->cancelled)
		g_ptr_array_remove(job->sources->jobs, job);
	return G_SOURCE_REMOVE;
}

static void end(struct source_job *job)
{
	job->over = true;
	if (job->work)
		fsx_remove_tree(job->work, NULL);
	if (job->lock >= 0)
		fsx_unlock(job->lock);
	job->lock = -1;
	job->idle = g_idle_add(tell, job);
}

void source_fail(struct source_job *job, GError *err)
{
	job->err = err;
	end(job);
}

static bool fail_if_cancelled(struct source_job *job)
{
	if (job->cancelled)
		source_fail(job, g_error_new(DIAG_ERROR, DIAG_FAILED, "cancelled"));
	return job->cancelled;
}

/* A tree that is no longer what was published, by damage or by hand, must not be built under its name: then
 * it is made again. */
static bool read_entry(struct source_tree *ret, const char *entry)
{
	g_autofree char *file = g_build_filename(entry, "source.json", NULL);
	g_autofree char *folder = g_build_filename(entry, "tree", NULL);
	g_autofree char *sum = fsx_hash_tree(folder, NULL, NULL);
	struct jx_document *doc = jx_load(file, NULL);
	const char *revision, *parent, *content, *tree;
	bool good = doc && sum && jx_string(&revision, jx_root(doc), "revision", NULL) &&
		    jx_string_or(&parent, jx_root(doc), "parent", NULL, NULL) &&
		    jx_string(&content, jx_root(doc), "content", NULL) &&
		    jx_string(&tree, jx_root(doc), "tree", NULL) && strcmp(tree, sum) == 0;
	if (good) {
		ret->folder = g_steal_pointer(&folder);
		ret->revision = g_strdup(revision);
		ret->parent = g_strdup(parent);
		ret->content = g_strdup(content);
	}
	jx_document_free(doc);
	return good;
}

/* Equal trees are one entry, whatever commits they stand at: what is told is what was asked for. */
static void rename_folder(struct source_tree *tree, const struct source_job *job)
{
	if (job->version->origin.kind != ORIGIN_FOLDER)
		return;
	g_free(tree->revision);
	g_free(tree->parent);
	tree->revision = g_strdup(job->revision);
	tree->parent = g_strdup(job->parent);
}

/* An entry's name ends with the request that it answers: the revision before it is for people. */
static bool look(struct source_job *job)
{
	g_autofree char *folder = g_build_filename(job->sources->cache->root, "sources", NULL);
	g_autofree char *ending = g_strdup_printf("-%.12s", job->request);
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	const char *name;
	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *entry = g_build_filename(folder, name, NULL);
		struct source_tree found;
		g_autofree char *file = g_build_filename(entry, "source.json", NULL);
		if (!g_str_has_suffix(name, ending) || !cache_use(job->sources->cache, file) ||
			!read_entry(&found, entry))
			continue;
		rename_folder(&found, job);
		job->tree = g_memdup2(&found, sizeof found);
		return true;
	}
	return false;
}

static void take_lock(int lock, const GError *err, void *user)
{
	struct source_job *job = user;
	job->wait = NULL;
	job->lock = lock;
	if (err)
		source_fail(job, g_error_copy(err));
	else if (look(job))
		end(job);
	else
		kinds[job->version->origin.kind].make(job);
}

void source_look_or_lock(struct source_job *job)
{
	if (fail_if_cancelled(job))
		return;
	if (look(job)) {
		end(job);
		return;
	}
	g_autofree char *name = g_strconcat("source-", job->request, NULL);
	job->wait = cache_lock(job->sources->cache, name, take_lock, job);
}

/* What the user can do about a step that failed. */
static char *advice(const struct source_job *job, const struct step *failed)
{
	if (strcmp(failed->name, "prepare") == 0) {
		g_autofree char *packages = g_strjoinv(" ", job->library->packages);
		return g_strdup_printf("; preparing needs: apt-get install %s", packages);
	}
	switch (job->version->origin.kind) {
	case ORIGIN_DEBIAN:
		return g_strdup_printf("; check the network and this machine's Debian archive (suite %s), or "
				       "unpack the source and name its folder in the matrix",
			job->version->origin.suite);
	case ORIGIN_DEBIAN_BINARY:
		return g_strdup_printf(
			"; check the network, and that this machine's Debian archive has %s:%s "
			"in %s",
			job->version->origin.package, job->arch, job->version->origin.suite);
	case ORIGIN_GIT:
		return g_strdup_printf("; check that git can reach %s", job->version->origin.repository);
	case ORIGIN_TARBALL:
	case ORIGIN_FOLDER:
		return g_strdup("");
	}
	g_assert_not_reached();
}

struct chain {
	struct source_job *job;
	void (*then)(struct source_job *job);
};

static void take_steps(const struct step *failed, const struct child_exit *how, const GError *err, void *user)
{
	g_autofree struct chain *chain = user;
	struct source_job *job = chain->job;
	job->run = NULL;
	if (fail_if_cancelled(job))
		return;
	if (!failed) {
		chain->then(job);
		return;
	}
	static const char *const tools[] = {"dpkg-dev", "git", "tar", NULL};
	g_autofree char *reason = NULL;
	errors_judge(&reason, failed, how, err, job->log, tools);
	if (errors_disk_full(job->log->str + failed->output_from)) {
		source_fail(job,
			g_error_new(DIAG_ERROR, DIAG_FAILED, "source of %s %s: %s: No space left on device",
				job->library->name, job->version->name, failed->name));
		return;
	}
	bool stranger = how && how->end == CHILD_NOT_RUN && strchr(failed->argv[0], '/');
	g_autofree char *help = stranger ? g_strdup("") : advice(job, failed);
	source_fail(job, g_error_new(DIAG_ERROR, DIAG_LACKS, "source of %s %s: %s%s", job->library->name,
				 job->version->name, reason, help));
}

void source_tell_step(struct source_job *job, const char *name)
{
	for (guint i = 0; i < job->waiters->len; i++) {
		const struct waiter *waiter = job->waiters->pdata[i];
		if (waiter->on_step)
			waiter->on_step(name, waiter->user);
	}
}

static void tell_step(const char *name, void *user)
{
	source_tell_step(((struct chain *)user)->job, name);
}

void source_run(struct source_job *job, GPtrArray *steps, void (*then)(struct source_job *job))
{
	g_clear_pointer(&job->steps, g_ptr_array_unref);
	job->steps = steps;
	struct chain *chain = g_new(struct chain, 1);
	*chain = (struct chain){job, then};
	const struct steps_spec spec = {
		.steps = steps,
		.environment = (const char *const *)job->sources->environment,
		.temporary = job->work,
		.log = job->log,
		.output_ceiling = job->sources->limits->output_ceiling,
		.on_step = tell_step,
		.done = take_steps,
		.user = chain,
	};
	job->run = steps_start(&spec);
}

static bool write_entry(const struct source_job *job, const char *unfinished, GError **err)
{
	g_autofree char *file = g_build_filename(unfinished, "source.json", NULL);
	g_autofree char *log = g_build_filename(unfinished, "log", NULL);
	g_autofree char *folder = g_build_filename(unfinished, "tree", NULL);
	g_autofree char *tree = fsx_hash_tree(folder, NULL, err);
	if (!tree)
		return false;
	json_t *json = json_pack("{s:s, s:s, s:s, s:s*, s:s, s:s}", "library", job->library->name, "version",
		job->version->name, "revision", job->revision, "parent", job->parent, "content", job->content,
		"tree", tree);
	g_autofree char *text = jx_canonical(json);
	json_decref(json);
	return fsx_write(log, job->log->str, job->log->len, err) && fsx_write(file, text, strlen(text), err);
}

static void publish(struct source_job *job)
{
	GError *err = NULL;
	g_autofree char *revision = g_strdelimit(g_strdup(job->revision), ":/ ", '-');
	g_autofree char *name = g_strdup_printf("%s-%s-%.12s", job->library->name, revision, job->request);
	g_autofree char *entry = cache_path(job->sources->cache, "sources", name);
	g_autofree char *unfinished = g_build_filename(job->work, "entry", NULL);
	/* Where an entry stands that cannot be read, it is in the way. */
	bool good = cache_remove(job->sources->cache->root, entry, &err) &&
		    write_entry(job, unfinished, &err) && cache_publish(unfinished, entry, &err);
	if (!good) {
		source_fail(job, err);
		return;
	}
	job->tree = g_new0(struct source_tree, 1);
	if (!read_entry(job->tree, entry))
		source_fail(job, g_error_new(DIAG_ERROR, DIAG_FAILED, "%s: cannot be read back", entry));
	else
		end(job);
}

void source_prepare(struct source_job *job, GPtrArray *steps)
{
	bool built = job->version->origin.kind == ORIGIN_DEBIAN_BINARY;
	if (!built && job->library->prepare && *job->library->prepare) {
		g_autofree char *tree = g_build_filename(job->work, "entry", "tree", NULL);
		g_ptr_array_add(steps, step_new("prepare", g_strdupv(job->library->prepare), tree,
					       job->sources->limits->configure_s, BUILD_UNSUPPORTED));
	}
	if (steps->len) {
		source_run(job, steps, publish);
		return;
	}
	g_ptr_array_unref(steps);
	publish(job);
}

static gboolean begin(gpointer user)
{
	struct source_job *job = user;
	GError *err = NULL;
	job->idle = 0;
	if (fail_if_cancelled(job))
		return G_SOURCE_REMOVE;
	job->work = fsx_unique_folder(job->sources->cache->work, "source", &err);
	if (!job->work)
		source_fail(job, err);
	else
		kinds[job->version->origin.kind].begin(job);
	return G_SOURCE_REMOVE;
}

static struct source_job *find_job(struct sources *sources, const struct library *library,
	const struct version *version, const struct toolchain *toolchain)
{
	const char *arch = version->origin.kind == ORIGIN_DEBIAN_BINARY ? toolchain->debian_arch : NULL;
	for (guint i = 0; i < sources->jobs->len; i++) {
		struct source_job *job = sources->jobs->pdata[i];
		if (job->library == library && job->version == version && g_strcmp0(job->arch, arch) == 0 &&
			!job->cancelled)
			return job;
	}
	struct source_job *job = g_new0(struct source_job, 1);
	job->sources = sources;
	job->library = library;
	job->version = version;
	job->arch = arch;
	job->lock = -1;
	job->log = g_string_new(NULL);
	job->waiters = g_ptr_array_new_with_free_func(g_free);
	job->idle = g_idle_add(begin, job);
	g_ptr_array_add(sources->jobs, job);
	return job;
}

void sources_want(struct sources *sources, const struct library *library, const struct version *version,
	const struct toolchain *toolchain, void (*on_step)(const char *step, void *user),
	void (*done)(const struct source_tree *tree, const GError *err, void *user), void *user)
{
	struct source_job *job = find_job(sources, library, version, toolchain);
	struct waiter *waiter = g_new(struct waiter, 1);
	*waiter = (struct waiter){on_step, done, user};
	g_ptr_array_add(job->waiters, waiter);
	if (job->over && !job->idle)
		job->idle = g_idle_add(tell, job);
}

void sources_cancel(struct sources *sources)
{
	for (guint i = 0; i < sources->jobs->len; i++) {
		struct source_job *job = sources->jobs->pdata[i];
		if (job->over)
			continue;
		job->cancelled = true;
		g_atomic_int_set(&job->stop, 1);
		if (job->run)
			steps_cancel(job->run);
		if (!job->wait)
			continue;
		cache_lock_cancel(g_steal_pointer(&job->wait));
		fail_if_cancelled(job);
	}
}
