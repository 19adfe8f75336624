#include "diag.h"
#include "fsx.h"
#include "keys.h"
#include "source_parts.h"
#include "tree.h"

#include <string.h>

/* Copying and hashing a tree takes a second or more: it is done beside the main loop. */
struct copying {
	struct source_job *job; /* not touched by the thread */
	char *from, *to;
	char *hash;
	GError *err;
};

static gboolean take_copy(gpointer user)
{
	struct copying *copying = user;
	struct source_job *job = copying->job;
	if (copying->hash) {
		g_autoptr(GStrvBuilder) words = g_strv_builder_new();
		g_strv_builder_add_many(words, "folder", job->library->name, copying->hash, NULL);
		g_strv_builder_addv(words, (const char **)job->library->prepare);
		g_auto(GStrv) list = g_strv_builder_end(words);
		job->request = keys_of_texts((const char *const *)list);
		job->revision = g_strdup_printf("tree:%.12s", copying->hash);
		job->content = g_strconcat("tree:", copying->hash, NULL);
		source_look_or_lock(job);
	} else {
		g_prefix_error(&copying->err, "source of %s %s: ", job->library->name, job->version->name);
		source_fail(job, copying->err);
	}
	g_free(copying->from);
	g_free(copying->to);
	g_free(copying->hash);
	g_free(copying);
	return G_SOURCE_REMOVE;
}

/* What is hashed is the copy, so that an edit in between cannot make the two differ. */
static gpointer copy_and_hash(gpointer user)
{
	struct copying *copying = user;
	if (tree_copy(copying->from, copying->to, tree_takes_source, &copying->err))
		copying->hash = fsx_hash_tree(copying->to, NULL, &copying->err);
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
