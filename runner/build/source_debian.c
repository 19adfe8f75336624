#include "fsx.h"
#include "keys.h"
#include "source_parts.h"

#include <string.h>

void source_debian_begin(struct source_job *job)
{
	const struct origin *origin = &job->version->origin;
	g_autoptr(GStrvBuilder) words = g_strv_builder_new();
	g_strv_builder_add_many(words, "debian", job->library->name, origin->package, origin->suite,
		job->version->name, NULL);
	g_strv_builder_addv(words, (const char **)job->library->prepare);
	if (origin->upstream)
		g_strv_builder_add_many(words, "upstream", origin->upstream, NULL);
	g_auto(GStrv) list = g_strv_builder_end(words);
	job->request = keys_of_texts((const char *const *)list);
	source_look_or_lock(job);
}

static void unpacked(struct source_job *job)
{
	g_autofree char *dsc = g_build_filename(job->work, "download", job->dsc, NULL);
	GError *err = NULL;
	g_autofree char *hash = fsx_hash_file(dsc, &err);
	if (!hash) {
		source_fail(job, err);
		return;
	}
	job->content = g_strconcat("dsc:", hash, NULL);
	source_prepare(job, steps_new());
}

static void fetch(struct source_job *job)
{
	const char *package = job->version->origin.package;
	if (!source_apt_pick(job))
		return;
	const char *colon = strchr(job->revision, ':');
	job->dsc = g_strdup_printf("%s_%s.dsc", package, colon ? colon + 1 : job->revision);
	g_autofree char *wanted = g_strdup_printf("%s=%s", package, job->revision);
	g_autofree char *tree = g_build_filename(job->work, "entry", "tree", NULL);
	const char *const download[] = {
		"apt-get", "-q", "source", "--download-only", "--only-source", wanted, NULL};
	const char *const unpack[] = {"dpkg-source", "-x", job->dsc, tree, NULL};
	GPtrArray *steps = steps_new();
	source_apt_step(job, steps, "download", download);
	source_apt_step(job, steps, "unpack", unpack);
	source_run(job, steps, unpacked);
}

void source_debian_make(struct source_job *job)
{
	GError *err = NULL;
	if (source_apt_begin(job, &err))
		source_apt_list(job, fetch);
	else
		source_fail(job, err);
}
