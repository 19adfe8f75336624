#include "apt_sources.h"
#include "diag.h"
#include "fsx.h"
#include "source_parts.h"

/* apt with lists, cache and sources of our own: it needs no root, and the system's configuration and packages
 * stay as they are. */
static void add_options(const struct source_job *job, GStrvBuilder *argv)
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
	if (!job->arch)
		return;
	g_autofree char *native = g_strconcat("APT::Architecture=", job->arch, NULL);
	g_autofree char *only = g_strconcat("APT::Architectures=", job->arch, NULL);
	g_strv_builder_add_many(argv, "-o", native, "-o", only, "-o", "Dir::State::status=/dev/null", NULL);
}

void source_apt_step(struct source_job *job, GPtrArray *steps, const char *name, const char *const *words)
{
	g_autoptr(GStrvBuilder) argv = g_strv_builder_new();
	g_autofree char *folder = g_build_filename(job->work, "download", NULL);
	g_strv_builder_add(argv, words[0]);
	if (g_str_has_prefix(words[0], "apt-"))
		add_options(job, argv);
	g_strv_builder_addv(argv, (const char **)words + 1);
	g_ptr_array_add(steps, step_new(name, g_strv_builder_end(argv), folder, job->sources->limits->other_s,
				       BUILD_UNSUPPORTED));
}

static bool has_tools(const struct source_job *job, GError **err)
{
	static const char *const tools[][2] = {
		{"apt-get", "apt"}, {"apt-cache", "apt"}, {"dpkg-deb", "dpkg"}, {"dpkg-source", "dpkg-dev"}};
	const char *path = g_environ_getenv(job->sources->environment, "PATH");
	/* The last one is for source packages alone. */
	for (size_t i = 0; i < G_N_ELEMENTS(tools) - (job->arch != NULL); i++) {
		g_autofree char *found = fsx_find_program(tools[i][0], path);
		if (!found)
			return diag_set(err, DIAG_LACKS,
				"source of %s %s: %s is not installed: apt-get install %s",
				job->library->name, job->version->name, tools[i][0], tools[i][1]);
	}
	return true;
}

bool source_apt_begin(struct source_job *job, GError **err)
{
	static const char *const names[] = {
		"download", "entry", "lists/partial", "apt-cache/archives/partial"};
	if (!has_tools(job, err))
		return false;
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *folder = g_build_filename(job->work, names[i], NULL);
		if (!fsx_make_folder(folder, err))
			return false;
	}
	g_autoptr(GString) list = g_string_new(NULL);
	g_autofree char *file = g_build_filename(job->work, "debian.sources", NULL);
	return apt_sources_derive(list, job->sources->apt, job->arch ? "deb" : "deb-src",
		       job->version->origin.suite, err) &&
	       fsx_write(file, list->str, list->len, err);
}

void source_apt_list(struct source_job *job, void (*then)(struct source_job *job))
{
	const char *package = job->version->origin.package;
	const char *const update[] = {"apt-get", "-q", "update", NULL};
	const char *const sources[] = {"apt-cache", "showsrc", "--only-source", package, NULL};
	const char *const packages[] = {"apt-cache", "show", package, NULL};
	GPtrArray *steps = steps_new();
	source_apt_step(job, steps, "update", update);
	source_apt_step(job, steps, "list", job->arch ? packages : sources);
	source_run(job, steps, then);
}

bool source_apt_pick(struct source_job *job)
{
	const struct origin *origin = &job->version->origin;
	const struct step *listing = job->steps->pdata[1];
	const char *upstream = origin->upstream ? origin->upstream : job->version->name;
	g_autofree char *others = NULL;
	job->revision =
		apt_pick_version(&others, job->log->str + listing->output_from, origin->package, upstream);
	if (job->revision)
		return true;
	source_fail(
		job, g_error_new(DIAG_ERROR, DIAG_LACKS,
			     "source of %s %s: Debian %s has no version %s of the package %s%s%s (it has "
			     "%s); name "
			     "one of these with \"upstream\", or a folder or a tarball, in the matrix",
			     job->library->name, job->version->name, origin->suite, upstream, origin->package,
			     job->arch ? ":" : "", job->arch ? job->arch : "", *others ? others : "none"));
	return false;
}
