/* OpenSSL's own: Configure writes the makefile for a system that it knows by name, which the library's file
 * gives for each architecture (`on` of its recipe). */
#include "recipe.h"

#include <string.h>

static void add(GStrvBuilder *argv, char **words)
{
	if (words)
		g_strv_builder_addv(argv, (const char **)words);
}

static void add_variable(GStrvBuilder *argv, const char *name, const char *value)
{
	g_autofree char *word = value ? g_strdup_printf("%s=%s", name, value) : NULL;
	if (word)
		g_strv_builder_add(argv, word);
}

static char **configure_words(const struct recipe_input *in)
{
	const struct planned_build *build = in->build;
	const struct toolchain *toolchain = build->toolchain;
	const struct recipe_on *on = library_recipe_on(build->library, toolchain->arch);
	g_auto(GStrv) profile_words = profile_configure(build->profile, build->version->name);
	g_autoptr(GStrvBuilder) argv = g_strv_builder_new();
	g_strv_builder_add_many(argv, "perl", "Configure", NULL);
	add(argv, on ? on->configure : NULL);
	add(argv, build->library->configure);
	add(argv, profile_words);
	for (guint i = 0; i < build->flags->len; i++)
		add(argv, ((const struct flag *)build->flags->pdata[i])->configure);
	add_variable(argv, "CC", toolchain->cc);
	add_variable(argv, "AR", toolchain->ar);
	add_variable(argv, "RANLIB", toolchain->ranlib);
	/* In the place of the system's own "-Wall -O3". What stands by itself follows it. */
	if (strcmp(build->optimisation, "library") != 0)
		add_variable(argv, "CFLAGS", build->optimisation);
	add(argv, toolchain->cflags);
	add(argv, build->profile->cflags);
	for (guint i = 0; i < build->flags->len; i++)
		add(argv, ((const struct flag *)build->flags->pdata[i])->cflags);
	return g_strv_builder_end(argv);
}

static char **no_words(const struct recipe_input *in)
{
	(void)in;
	return g_new0(char *, 1);
}

static GPtrArray *openssl_steps(const struct recipe_input *in)
{
	static const char *const generate[] = {"make", "build_generated", NULL};
	GPtrArray *steps = steps_new();
	g_auto(GStrv) configure = configure_words(in);
	g_autoptr(GStrvBuilder) make = g_strv_builder_new();
	g_autofree char *jobs = g_strdup_printf("-j%d", in->jobs);
	g_strv_builder_add_many(make, "make", jobs, NULL);
	add(make, in->build->library->targets);
	add(make, in->build->profile->archives);
	g_ptr_array_add(
		steps, step_new("configure", recipe_expand((const char *const *)configure, in->folder),
			       in->folder, in->limits->configure_s, BUILD_CONFIGURE_FAILED));
	/* Its makefile does not say that objects need the headers that it makes. */
	g_ptr_array_add(steps, step_new("generate", g_strdupv((char **)generate), in->folder,
				       in->limits->make_s, BUILD_COMPILE_FAILED));
	g_ptr_array_add(steps, step_new("make", g_strv_builder_end(make), in->folder, in->limits->make_s,
				       BUILD_COMPILE_FAILED));
	return steps;
}

static const char *const tools[] = {"perl", "make", NULL};

const struct recipe recipe_openssl = {
	.name = "openssl",
	.version = 1,
	.tools = tools,
	.words = configure_words,
	.cache_words = no_words,
	.steps = openssl_steps,
};
