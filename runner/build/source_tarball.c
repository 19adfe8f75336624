#include "diag.h"
#include "fsx.h"
#include "http.h"
#include "keys.h"
#include "source_parts.h"

#include <glib/gstdio.h>
#include <string.h>

/* The largest source of a crypto library is a tenth of that. */
#define CEILING (INT64_C(1) << 30)

/* Fetching blocks: it is done beside the main loop. */
struct fetching {
	struct source_job *job; /* the thread reads only `stop` of it */
	char *url, *part, *sha256;
	GError *err;
};

void source_tarball_begin(struct source_job *job)
{
	const struct origin *origin = &job->version->origin;
	g_autoptr(GStrvBuilder) words = g_strv_builder_new();
	g_strv_builder_add_many(words, "tarball", job->library->name, origin->sha256, NULL);
	g_strv_builder_addv(words, (const char **)job->library->prepare);
	g_auto(GStrv) list = g_strv_builder_end(words);
	job->request = keys_of_texts((const char *const *)list);
	job->revision = g_strdup_printf("sha256:%.12s", origin->sha256);
	job->content = g_strconcat("sha256:", origin->sha256, NULL);
	source_look_or_lock(job);
}

/* The file is of no use any more: a next try begins anew. */
static bool is_right(const struct fetching *fetching, GError **err)
{
	g_autofree char *sum = fsx_hash_file(fetching->part, err);
	if (!sum)
		return false;
	if (strcmp(sum, fetching->sha256) == 0)
		return true;
	g_unlink(fetching->part);
	return diag_set(err, DIAG_LACKS,
		"%s: its SHA-256 is %s, not %s; look whether the file there was changed, and correct the "
		"sha256 "
		"where it is meant to be",
		fetching->url, sum, fetching->sha256);
}

static void unpack(struct source_job *job, const char *file)
{
	g_autofree char *tree = g_build_filename(job->work, "entry", "tree", NULL);
	GError *err = NULL;
	if (!fsx_make_folder(tree, &err)) {
		source_fail(job, err);
		return;
	}
	char *argv[] = {(char *)"tar", (char *)"--extract", (char *)"--file", (char *)file,
		(char *)"--strip-components=1", (char *)"--no-same-owner", (char *)"--no-same-permissions",
		NULL};
	GPtrArray *steps = steps_new();
	g_ptr_array_add(steps,
		step_new("unpack", g_strdupv(argv), tree, job->sources->limits->other_s, BUILD_UNSUPPORTED));
	source_prepare(job, steps);
}

static gboolean take_file(gpointer user)
{
	struct fetching *fetching = user;
	struct source_job *job = fetching->job;
	g_autofree char *file = g_build_filename(job->work, "tarball", NULL);
	GError *err = g_steal_pointer(&fetching->err);
	if (!err && g_rename(fetching->part, file) != 0)
		diag_set(&err, DIAG_FAILED, "%s: cannot be moved to %s", fetching->part, file);
	if (err) {
		g_prefix_error(&err, "source of %s %s: ", job->library->name, job->version->name);
		source_fail(job, err);
	} else {
		unpack(job, file);
	}
	g_free(fetching->url);
	g_free(fetching->part);
	g_free(fetching->sha256);
	g_free(fetching);
	return G_SOURCE_REMOVE;
}

static gpointer fetch(gpointer user)
{
	struct fetching *fetching = user;
	const struct http_fetch request = {.url = fetching->url,
		.file = fetching->part,
		.ceiling = CEILING,
		.cancelled = &fetching->job->stop};
	if (http_fetch(&request, &fetching->err))
		is_right(fetching, &fetching->err);
	g_idle_add(take_file, fetching);
	return NULL;
}

void source_tarball_make(struct source_job *job)
{
	g_autofree char *folder = cache_path(job->sources->cache, "downloads", NULL);
	GError *err = NULL;
	if (!fsx_make_folder(folder, &err)) {
		source_fail(job, err);
		return;
	}
	struct fetching *fetching = g_new0(struct fetching, 1);
	fetching->job = job;
	fetching->url = g_strdup(job->version->origin.url);
	fetching->sha256 = g_strdup(job->version->origin.sha256);
	/* By the request, whose lock is held: nobody else appends to it. */
	fetching->part = g_build_filename(folder, job->request, NULL);
	source_tell_step(job, "download");
	g_thread_unref(g_thread_new("fetch", fetch, fetching));
}
