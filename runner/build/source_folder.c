#include "child.h"
#include "diag.h"
#include "fsx.h"
#include "keys.h"
#include "source_parts.h"
#include "tree.h"

#include <string.h>

#define GIT_TIMEOUT_S	   60
#define GIT_OUTPUT_CEILING (64u << 20)

/* Copying and hashing a tree takes a second or more: it is done beside the main loop. */
struct copying {
	struct source_job *job; /* not touched by the thread */
	char *from, *to;
	char *hash;
	char *commit, *parent; /* NULL where git knows none */
	GError *err;
};

/* What `git ARGUMENTS` prints about the folder, without the newline at its end; NULL where it fails or is not
 * installed. */
static char *git_says(const char *folder, const char *const *arguments)
{
	g_auto(GStrv) environment = source_environment();
	g_autoptr(GStrvBuilder) argv = g_strv_builder_new();
	g_strv_builder_add_many(
		argv, "git", "--no-optional-locks", "-c", "core.fsmonitor=false", "-C", folder, NULL);
	g_strv_builder_addv(argv, (const char **)arguments);
	g_auto(GStrv) list = g_strv_builder_end(argv);
	const struct child_spec spec = {.argv = (const char *const *)list,
		.environment = (const char *const *)environment,
		.timeout_s = GIT_TIMEOUT_S,
		.output_ceiling = GIT_OUTPUT_CEILING,
		.cpu = -1};
	g_autoptr(GString) out = g_string_new(NULL);
	struct child_exit end;
	if (!child_run(&end, out, NULL, &spec, NULL) || end.end != CHILD_EXITED || end.status != 0)
		return NULL;
	return g_strchomp(g_strdup(out->str));
}

/* A folder below a work tree's top is no work tree of the library: that commit would be another project's. */
static void ask_git(struct copying *copying)
{
	const char *const up[] = {"rev-parse", "--show-cdup", NULL};
	const char *const log[] = {"log", "-1", "--format=%H %P", NULL};
	const char *const status[] = {"status", "--porcelain", NULL};
	g_autofree char *top = git_says(copying->from, up);
	g_autofree char *names = top && !*top ? git_says(copying->from, log) : NULL;
	g_autofree char *changes = names ? git_says(copying->from, status) : NULL;
	if (!changes)
		return;
	g_auto(GStrv) commits = g_strsplit(names, " ", -1);
	/* What was changed since comes after the commit itself. */
	copying->commit = g_strdup_printf("%.12s%s", commits[0], *changes ? "-dirty" : "");
	copying->parent = g_strdup(*changes ? commits[0] : commits[1]);
}

/* What the thread found becomes the job's. */
static void name_source(struct source_job *job, struct copying *copying)
{
	g_autoptr(GStrvBuilder) words = g_strv_builder_new();
	g_strv_builder_add_many(words, "folder", job->library->name, copying->hash, NULL);
	g_strv_builder_addv(words, (const char **)job->library->prepare);
	g_auto(GStrv) list = g_strv_builder_end(words);
	job->request = keys_of_texts((const char *const *)list);
	job->revision = copying->commit
				? g_strdup_printf("commit:%s tree:%.12s", copying->commit, copying->hash)
				: g_strdup_printf("tree:%.12s", copying->hash);
	job->parent = g_steal_pointer(&copying->parent);
	job->content = g_strconcat("tree:", copying->hash, NULL);
}

static gboolean take_copy(gpointer user)
{
	struct copying *copying = user;
	struct source_job *job = copying->job;
	if (copying->hash) {
		name_source(job, copying);
		source_look_or_lock(job);
	} else {
		g_prefix_error(&copying->err, "source of %s %s: ", job->library->name, job->version->name);
		source_fail(job, copying->err);
	}
	g_free(copying->from);
	g_free(copying->to);
	g_free(copying->hash);
	g_free(copying->commit);
	g_free(copying->parent);
	g_free(copying);
	return G_SOURCE_REMOVE;
}

/* What is hashed is the copy, so that an edit in between cannot make the two differ. */
static gpointer copy_and_hash(gpointer user)
{
	struct copying *copying = user;
	if (tree_copy(copying->from, copying->to, tree_takes_source, &copying->err))
		copying->hash = fsx_hash_tree(copying->to, NULL, &copying->err);
	if (copying->hash)
		ask_git(copying);
	g_idle_add(take_copy, copying);
	return NULL;
}

void source_folder_begin(struct source_job *job)
{
	struct copying *copying = g_new0(struct copying, 1);
	copying->job = job;
	copying->from = g_strdup(job->version->origin.folder);
	copying->to = g_build_filename(job->work, "entry", "tree", NULL);
	g_thread_unref(g_thread_new("copy", copy_and_hash, copying));
}

void source_folder_make(struct source_job *job)
{
	source_prepare(job, steps_new());
}
