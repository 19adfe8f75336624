/* Nothing is built: what a Debian package holds (source_debian_binary.c) is put where the library's file says
 * that its archive and headers are. */
#include "recipe.h"

/* Names what is taken: there is nothing to run that would say it. */
static char **prebuilt_words(const struct recipe_input *in)
{
	g_autoptr(GStrvBuilder) words = g_strv_builder_new();
	g_autofree char *package = g_strdup_printf(
		"%s:%s", in->build->version->origin.package, in->build->toolchain->debian_arch);
	g_strv_builder_add_many(words, "prebuilt", package, NULL);
	return g_strv_builder_end(words);
}

static char **no_words(const struct recipe_input *in)
{
	(void)in;
	return g_new0(char *, 1);
}

static void add(GPtrArray *steps, const struct recipe_input *in, const char *name, const char *const *argv)
{
	g_ptr_array_add(steps,
		step_new(name, g_strdupv((char **)argv), in->folder, in->limits->other_s, BUILD_UNSUPPORTED));
}

static void add_archive(GPtrArray *steps, const struct recipe_input *in, const char *archive)
{
	g_autofree char *name = g_path_get_basename(archive);
	g_autofree char *from = g_build_filename("debian", "lib", name, NULL);
	const char *const argv[] = {"install", "-D", "-m", "644", from, archive, NULL};
	add(steps, in, "archive", argv);
}

static GPtrArray *prebuilt_steps(const struct recipe_input *in)
{
	const struct library *library = in->build->library;
	const char *include = library->includes && *library->includes ? *library->includes : NULL;
	const char *const headers[] = {"cp", "-a", "-T", "debian/include", include, NULL};
	GPtrArray *steps = steps_new();
	if (include)
		add(steps, in, "headers", headers);
	for (char **archive = in->build->profile->archives; archive && *archive; archive++)
		add_archive(steps, in, *archive);
	add_archive(steps, in, library->archive);
	return steps;
}

static const char *const tools[] = {"install", "cp", NULL};

const struct recipe recipe_prebuilt = {
	.name = "prebuilt",
	.version = 1,
	.tools = tools,
	.words = prebuilt_words,
	.cache_words = no_words,
	.steps = prebuilt_steps,
};
