#include "recipe.h"

#include <string.h>

#define CACHE_FILE "config.cache"

static void add(GPtrArray *argv, char **words)
{
	for (; words && *words; words++)
		g_ptr_array_add(argv, g_strdup(*words));
}

static char **close_list(GPtrArray *argv)
{
	g_ptr_array_add(argv, NULL);
	return (char **)g_ptr_array_free(argv, FALSE);
}

/* What stands in CFLAGS, or NULL to leave the choice to the library: a CFLAGS without a level would not stop
 * configure from adding its own, but an empty one would keep it from adding "-g -O2". */
static char *cflags(const struct planned_build *build)
{
	g_autoptr(GPtrArray) words = g_ptr_array_new_with_free_func(g_free);
	if (strcmp(build->optimisation, "library") != 0)
		g_ptr_array_add(words, g_strdup(build->optimisation));
	add(words, build->toolchain->cflags);
	add(words, build->profile->cflags);
	for (guint i = 0; i < build->flags->len; i++)
		add(words, ((const struct flag *)build->flags->pdata[i])->cflags);
	if (!words->len)
		return NULL;
	g_ptr_array_add(words, NULL);
	return g_strjoinv(" ", (char **)words->pdata);
}

static void add_variable(GPtrArray *argv, const char *name, const char *value)
{
	if (value)
		g_ptr_array_add(argv, g_strdup_printf("%s=%s", name, value));
}

static void add_tools(GPtrArray *argv, const struct planned_build *build)
{
	const struct toolchain *toolchain = build->toolchain;
	g_autofree char *compiler_flags = cflags(build);
	g_autofree char *linker_flags =
		toolchain->ldflags && *toolchain->ldflags ? g_strjoinv(" ", toolchain->ldflags) : NULL;
	add_variable(argv, "CC", toolchain->cc);
	add_variable(argv, "AR", toolchain->ar);
	add_variable(argv, "RANLIB", toolchain->ranlib);
	add_variable(argv, "STRIP", toolchain->strip);
	add_variable(argv, "NM", toolchain->nm);
	add_variable(argv, "CFLAGS", compiler_flags);
	add_variable(argv, "LDFLAGS", linker_flags);
}

static char **configure_words(const struct recipe_input *in)
{
	const struct planned_build *build = in->build;
	g_auto(GStrv) profile_words = profile_configure(build->profile, build->version->name);
	GPtrArray *argv = g_ptr_array_new();
	g_ptr_array_add(argv, g_strdup("./configure"));
	/* Both are named: with --host alone configure tries whether the target's programs happen to run here.
	 */
	g_ptr_array_add(argv, g_strdup_printf("--build=%s", in->build_triple));
	g_ptr_array_add(argv, g_strdup_printf("--host=%s", build->toolchain->triple));
	g_ptr_array_add(argv, g_strdup("--cache-file=" CACHE_FILE));
	add(argv, build->library->configure);
	add(argv, profile_words);
	for (guint i = 0; i < build->flags->len; i++)
		add(argv, ((const struct flag *)build->flags->pdata[i])->configure);
	add_tools(argv, build);
	return close_list(argv);
}

/* configure refuses a cache that was made with other triples, tools or flags of theirs. */
static char **cache_words(const struct recipe_input *in)
{
	GPtrArray *words = g_ptr_array_new();
	g_ptr_array_add(words, g_strdup(in->build_triple));
	g_ptr_array_add(words, g_strdup(in->build->toolchain->triple));
	add_tools(words, in->build);
	return close_list(words);
}

static char **make_words(const struct recipe_input *in)
{
	GPtrArray *argv = g_ptr_array_new();
	g_ptr_array_add(argv, g_strdup("make"));
	g_ptr_array_add(argv, g_strdup_printf("-j%d", in->jobs));
	g_ptr_array_add(argv, g_strdup("V=1"));
	add(argv, in->build->library->targets);
	return close_list(argv);
}

static GPtrArray *autotools_steps(const struct recipe_input *in)
{
	GPtrArray *steps = steps_new();
	g_auto(GStrv) configure = configure_words(in);
	g_auto(GStrv) make = make_words(in);
	g_ptr_array_add(
		steps, step_new("configure", recipe_expand((const char *const *)configure, in->folder),
			       in->folder, in->limits->configure_s, BUILD_CONFIGURE_FAILED));
	g_ptr_array_add(steps, step_new("make", recipe_expand((const char *const *)make, in->folder),
				       in->folder, in->limits->make_s, BUILD_COMPILE_FAILED));
	return steps;
}

static const char *const tools[] = {"sh", "make", NULL};

const struct recipe recipe_autotools = {
	.name = "autotools",
	.version = 1,
	.tools = tools,
	.cache_file = CACHE_FILE,
	.details = "config.log",
	.words = configure_words,
	.cache_words = cache_words,
	.steps = autotools_steps,
};
