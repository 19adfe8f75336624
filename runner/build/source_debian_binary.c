/* A library that Debian has built: static archives and headers of a development package, of the toolchain's
 * architecture. The tree has the archives in debian/lib and all headers in debian/include, whatever the
 * architecture. */
#include "diag.h"
#include "fsx.h"
#include "keys.h"
#include "source_parts.h"
#include "tree.h"

#include <errno.h>
#include <glib/gstdio.h>

void source_debian_binary_begin(struct source_job *job)
{
	const struct origin *origin = &job->version->origin;
	if (!job->arch) {
		source_fail(job,
			g_error_new(DIAG_ERROR, DIAG_LACKS,
				"source of %s %s: it is built by Debian, and the toolchain names none of its "
				"architectures (debian_arch)",
				job->library->name, job->version->name));
		return;
	}
	const char *const words[] = {"debian_binary", job->library->name, origin->package, origin->suite,
		job->version->name, origin->upstream ? origin->upstream : "", job->arch, NULL};
	job->request = keys_of_texts(words);
	source_look_or_lock(job);
}

/* The first name in a folder that ends so; "" fits all. NULL where there is none. */
static char *find(const char *folder, const char *ending)
{
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	const char *name;
	while (dir && (name = g_dir_read_name(dir)))
		if (g_str_has_suffix(name, ending))
			return g_strdup(name);
	return NULL;
}

/* The folder below usr/lib that is named after the architecture: the one with the archives. */
static char *find_triple(const char *libraries)
{
	g_autoptr(GDir) dir = g_dir_open(libraries, 0, NULL);
	const char *name;
	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *folder = g_build_filename(libraries, name, NULL);
		g_autofree char *archive = find(folder, ".a");
		if (archive)
			return g_strdup(name);
	}
	return NULL;
}

static bool lay_out(const struct source_job *job, const char *unpacked, GError **err)
{
	g_autofree char *tree = g_build_filename(job->work, "entry", "tree", "debian", NULL);
	g_autofree char *libraries = g_build_filename(unpacked, "usr", "lib", NULL);
	g_autofree char *headers = g_build_filename(unpacked, "usr", "include", NULL);
	g_autofree char *triple = find_triple(libraries);
	if (!triple)
		return diag_set(err, DIAG_LACKS,
			"source of %s %s: the package %s:%s has no static library below usr/lib",
			job->library->name, job->version->name, job->version->origin.package, job->arch);
	g_autofree char *archives = g_build_filename(libraries, triple, NULL);
	g_autofree char *own_headers = g_build_filename(headers, triple, NULL);
	g_autofree char *aside = g_build_filename(unpacked, "headers", NULL);
	g_autofree char *lib = g_build_filename(tree, "lib", NULL);
	g_autofree char *include = g_build_filename(tree, "include", NULL);
	if (!fsx_make_folder(tree, err))
		return false;
	bool own = g_file_test(own_headers, G_FILE_TEST_IS_DIR);
	if (g_rename(archives, lib) != 0 || (own && g_rename(own_headers, aside) != 0))
		return diag_set(err, DIAG_FAILED, "%s: %s", tree, g_strerror(errno));
	return tree_copy(headers, include, NULL, err) && (!own || tree_copy(aside, include, NULL, err));
}

static void unpacked(struct source_job *job)
{
	GError *err = NULL;
	g_autofree char *folder = g_build_filename(job->work, "unpacked", NULL);
	if (lay_out(job, folder, &err))
		source_prepare(job, steps_new());
	else
		source_fail(job, err);
}

static void unpack(struct source_job *job)
{
	GError *err = NULL;
	g_autofree char *download = g_build_filename(job->work, "download", NULL);
	g_autofree char *folder = g_build_filename(job->work, "unpacked", NULL);
	g_autofree char *name = find(download, ".deb");
	g_autofree char *package = g_build_filename(download, name ? name : "package.deb", NULL);
	g_autofree char *hash = fsx_hash_file(package, &err);
	if (!hash) {
		source_fail(job, err);
		return;
	}
	job->content = g_strdup_printf("deb:%s:%s", job->arch, hash);
	const char *const argv[] = {"dpkg-deb", "-x", package, folder, NULL};
	GPtrArray *steps = steps_new();
	source_apt_step(job, steps, "unpack", argv);
	source_run(job, steps, unpacked);
}

static void fetch(struct source_job *job)
{
	if (!source_apt_pick(job))
		return;
	g_autofree char *wanted = g_strdup_printf("%s=%s", job->version->origin.package, job->revision);
	const char *const argv[] = {"apt-get", "-q", "download", wanted, NULL};
	GPtrArray *steps = steps_new();
	source_apt_step(job, steps, "download", argv);
	source_run(job, steps, unpack);
}

void source_debian_binary_make(struct source_job *job)
{
	GError *err = NULL;
	if (source_apt_begin(job, &err))
		source_apt_list(job, fetch);
	else
		source_fail(job, err);
}
