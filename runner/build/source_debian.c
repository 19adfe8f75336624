#include "apt_sources.h"
#include "diag.h"
#include "fsx.h"
#include "keys.h"
#include "source_parts.h"

#include <string.h>

static char *in_work(const struct source_job *job, const char *name)
{
	return g_build_filename(job->work, name, NULL);
}

/* apt with lists, cache and sources of our own: it needs no root, and the system's configuration stays as it
 * is. */
static void add_apt_options(const struct source_job *job, GStrvBuilder *argv)
{
	static const char *const fixed[] = {"Dir::Etc::sourceparts=-", "APT::Sandbox::User=root",
		"APT::Update::Error-Mode=any", "Acquire::Languages=none", "Acquire::Retries=2"};
	static const char *const folders[][2] = {{"Dir::Etc::sourcelist", "debian.sources"},
		{"Dir::State::lists", "lists"}, {"Dir::Cache", "apt-cache"}};
	for (size_t i = 0; i < G_N_ELEMENTS(fixed); i++)
		g_strv_builder_add_many(argv, "-o", fixed[i], NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(folders); i++) {
		g_autofree char *option =
			g_strdup_printf("%s=%s/%s", folders[i][0], job->work, folders[i][1]);
		g_strv_builder_add_many(argv, "-o", option, NULL);
	}
}

static void add_step(struct source_job *job, GPtrArray *steps, const char *name, GStrvBuilder *argv)
{
	g_autofree char *folder = in_work(job, "download");
	g_ptr_array_add(steps, step_new(name, g_strv_builder_end(argv), folder, job->sources->limits->other_s,
				       BUILD_UNSUPPORTED));
	g_strv_builder_unref(argv);
}

void source_debian_begin(struct source_job *job)
{
	const struct origin *origin = &job->version->origin;
	g_autoptr(GStrvBuilder) words = g_strv_builder_new();
	g_strv_builder_add_many(words, "debian", job->library->name, origin->package, origin->suite,
		job->version->name, NULL);
	g_strv_builder_addv(words, (const char **)job->library->prepare);
	g_auto(GStrv) list = g_strv_builder_end(words);
	job->request = keys_of_texts((const char *const *)list);
	source_look_or_lock(job);
}

static void unpacked(struct source_job *job)
{
	g_autofree char *download = in_work(job, "download");
	g_autofree char *dsc = g_build_filename(download, job->dsc, NULL);
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
	const struct step *listing = job->steps->pdata[1];
	g_autofree char *others = NULL;
	job->debian_version =
		apt_pick_version(&others, job->log->str + listing->output_from, package, job->version->name);
	if (!job->debian_version) {
		source_fail(job, g_error_new(DIAG_ERROR, DIAG_LACKS,
					 "source of %s %s: Debian %s has no such version of the package %s "
					 "(it has %s)",
					 job->library->name, job->version->name, job->version->origin.suite,
					 package, *others ? others : "none"));
		return;
	}
	const char *colon = strchr(job->debian_version, ':');
	job->revision = g_strdup(job->debian_version);
	job->dsc = g_strdup_printf("%s_%s.dsc", package, colon ? colon + 1 : job->debian_version);
	g_autofree char *wanted = g_strdup_printf("%s=%s", package, job->debian_version);
	g_autofree char *tree = in_work(job, "entry/tree");
	GPtrArray *steps = steps_new();
	GStrvBuilder *argv = g_strv_builder_new();
	g_strv_builder_add(argv, "apt-get");
	add_apt_options(job, argv);
	g_strv_builder_add_many(argv, "-q", "source", "--download-only", "--only-source", wanted, NULL);
	add_step(job, steps, "download", argv);
	argv = g_strv_builder_new();
	g_strv_builder_add_many(argv, "dpkg-source", "-x", job->dsc, tree, NULL);
	add_step(job, steps, "unpack", argv);
	source_run(job, steps, unpacked);
}

static bool make_folders(struct source_job *job, GError **err)
{
	static const char *const names[] = {
		"download", "entry", "lists/partial", "apt-cache/archives/partial"};
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *folder = in_work(job, names[i]);
		if (!fsx_make_folder(folder, err))
			return false;
	}
	g_autoptr(GString) list = g_string_new(NULL);
	g_autofree char *file = in_work(job, "debian.sources");
	return apt_sources_derive(list, job->sources->apt, job->version->origin.suite, err) &&
	       fsx_write(file, list->str, list->len, err);
}

static bool has_tools(const struct source_job *job, GError **err)
{
	static const char *const tools[][2] = {
		{"apt-get", "apt"}, {"apt-cache", "apt"}, {"dpkg-source", "dpkg-dev"}};
	const char *path = g_environ_getenv(job->sources->environment, "PATH");
	for (size_t i = 0; i < G_N_ELEMENTS(tools); i++) {
		g_autofree char *found = fsx_find_program(tools[i][0], path);
		if (!found)
			return diag_set(err, DIAG_LACKS,
				"source of %s %s: %s is not installed: apt-get install %s",
				job->library->name, job->version->name, tools[i][0], tools[i][1]);
	}
	return true;
}

void source_debian_make(struct source_job *job)
{
	GError *err = NULL;
	if (!has_tools(job, &err) || !make_folders(job, &err)) {
		source_fail(job, err);
		return;
	}
	GPtrArray *steps = steps_new();
	GStrvBuilder *argv = g_strv_builder_new();
	g_strv_builder_add(argv, "apt-get");
	add_apt_options(job, argv);
	g_strv_builder_add_many(argv, "-q", "update", NULL);
	add_step(job, steps, "update", argv);
	argv = g_strv_builder_new();
	g_strv_builder_add(argv, "apt-cache");
	add_apt_options(job, argv);
	g_strv_builder_add_many(argv, "showsrc", "--only-source", job->version->origin.package, NULL);
	add_step(job, steps, "list", argv);
	source_run(job, steps, fetch);
}
