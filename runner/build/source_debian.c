#include "diag.h"
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
	if (origin->unpatched)
		g_strv_builder_add(words, "unpatched");
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

/* The one file that was downloaded; new text. */
static char *find_tarball(const struct source_job *job, GError **err)
{
	g_autofree char *folder = g_build_filename(job->work, "download", NULL);
	g_autoptr(GDir) dir = g_dir_open(folder, 0, err);
	if (!dir)
		return NULL;
	g_autofree char *first = g_strdup(g_dir_read_name(dir));
	if (first && !g_dir_read_name(dir))
		return g_build_filename(folder, first, NULL);
	diag_set(err, DIAG_LACKS,
		"source of %s %s: the package %s has not just one upstream tarball; leave out \"patches\": "
		"false",
		job->library->name, job->version->name, job->version->origin.package);
	return NULL;
}

static void unpack_tarball(struct source_job *job)
{
	GError *err = NULL;
	g_autofree char *tree = g_build_filename(job->work, "entry", "tree", NULL);
	g_autofree char *file = find_tarball(job, &err);
	g_autofree char *hash = file && fsx_make_folder(tree, &err) ? fsx_hash_file(file, &err) : NULL;
	if (!hash) {
		source_fail(job, err);
		return;
	}
	job->content = g_strconcat("sha256:", hash, NULL);
	const char *const argv[] = {"tar", "--extract", "--file", file, "--directory", tree,
		"--strip-components=1", "--no-same-owner", "--no-same-permissions", NULL};
	GPtrArray *steps = steps_new();
	source_apt_step(job, steps, "unpack", argv);
	source_prepare(job, steps);
}

static void fetch_tarball(struct source_job *job, const char *wanted)
{
	const char *const download[] = {
		"apt-get", "-q", "source", "--download-only", "--tar-only", "--only-source", wanted, NULL};
	GPtrArray *steps = steps_new();
	source_apt_step(job, steps, "download", download);
	/* Debian's part of it says nothing of these sources. */
	char *debian = strrchr(job->revision, '-');
	if (debian)
		*debian = '\0';
	source_run(job, steps, unpack_tarball);
}

static void fetch(struct source_job *job)
{
	const char *package = job->version->origin.package;
	if (!source_apt_pick(job))
		return;
	g_autofree char *wanted = g_strdup_printf("%s=%s", package, job->revision);
	if (job->version->origin.unpatched) {
		fetch_tarball(job, wanted);
		return;
	}
	const char *colon = strchr(job->revision, ':');
	job->dsc = g_strdup_printf("%s_%s.dsc", package, colon ? colon + 1 : job->revision);
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
