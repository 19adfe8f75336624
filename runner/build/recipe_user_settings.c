/* wolfSSL without its configure: wolfcrypt's sources, compiled against a user_settings.h that is made of what
 * profile and flags define. It asks nothing of the compiler but that it compiles, and of this machine nothing
 * but make. */
#include "recipe.h"

#include "fsx.h"

#include <string.h>

/* What configure would find out. */
static const char from_the_compiler[] = "#ifdef __SIZEOF_LONG__\n"
					"#define SIZEOF_LONG __SIZEOF_LONG__\n"
					"#define SIZEOF_LONG_LONG __SIZEOF_LONG_LONG__\n"
					"#endif\n"
					"#ifdef __SIZEOF_INT128__\n"
					"#define HAVE___UINT128_T 1\n"
					"#endif\n";
/* The programs include these two: the one that configure writes, and the one that it makes of it. */
static const char settings_only[] = "#ifndef WOLFSSL_USER_SETTINGS\n"
				    "#define WOLFSSL_USER_SETTINGS\n"
				    "#endif\n";
/* In the order of their names: the folder's own order is nobody's. */
static const char rules[] =
	"SOURCES := $(sort $(wildcard wolfcrypt/src/*.c))\n"
	"OBJECTS := $(SOURCES:.c=.o)\n"
	"$(ARCHIVE): $(OBJECTS)\n"
	"\tmkdir -p $(@D)\n"
	"\t$(AR) cr $@ $(OBJECTS)\n"
	"\t$(RANLIB) $@\n"
	"%.o: %.c user_settings.h\n"
	"\t$(CC) -DWOLFSSL_USER_SETTINGS -DWOLFSSL_IGNORE_FILE_WARN -I. $(CFLAGS) -c -o $@ $<\n";

static void add(GStrvBuilder *words, char **more)
{
	if (more)
		g_strv_builder_addv(words, (const char **)more);
}

static char **defines(const struct planned_build *build)
{
	g_autoptr(GStrvBuilder) words = g_strv_builder_new();
	if (build->toolchain->big_endian)
		g_strv_builder_add(words, "BIG_ENDIAN_ORDER");
	add(words, build->profile->defines);
	for (guint i = 0; i < build->flags->len; i++)
		add(words, ((const struct flag *)build->flags->pdata[i])->defines);
	return g_strv_builder_end(words);
}

static char **compiler_flags(const struct planned_build *build)
{
	g_autoptr(GStrvBuilder) words = g_strv_builder_new();
	if (strcmp(build->optimisation, "library") != 0)
		g_strv_builder_add(words, build->optimisation);
	add(words, build->toolchain->cflags);
	add(words, build->profile->cflags);
	for (guint i = 0; i < build->flags->len; i++)
		add(words, ((const struct flag *)build->flags->pdata[i])->cflags);
	return g_strv_builder_end(words);
}

static void add_variable(GStrvBuilder *words, const char *name, const char *value)
{
	g_autofree char *word = g_strdup_printf("%s=%s", name, value);
	g_strv_builder_add(words, word);
}

/* The variables of the makefile. */
static void add_variables(GStrvBuilder *words, const struct planned_build *build)
{
	g_auto(GStrv) flags = compiler_flags(build);
	g_autofree char *line = g_strjoinv(" ", flags);
	add_variable(words, "ARCHIVE", build->library->archive);
	add_variable(words, "CC", build->toolchain->cc);
	add_variable(words, "AR", build->toolchain->ar);
	add_variable(words, "RANLIB", build->toolchain->ranlib);
	add_variable(words, "CFLAGS", line);
}

/* What is made, with the lines of the header as the words that define them on a command line. */
static char **settings_words(const struct recipe_input *in)
{
	g_autoptr(GStrvBuilder) words = g_strv_builder_new();
	g_auto(GStrv) names = defines(in->build);
	g_strv_builder_add(words, "user_settings.h");
	for (char **name = names; *name; name++) {
		g_autofree char *word =
			**name == '!' ? g_strconcat("-U", *name + 1, NULL) : g_strconcat("-D", *name, NULL);
		g_strv_builder_add(words, word);
	}
	add_variables(words, in->build);
	return g_strv_builder_end(words);
}

static char *header_text(const struct planned_build *build)
{
	g_auto(GStrv) names = defines(build);
	g_autoptr(GString) text = g_string_new("#ifndef BENCHMATRIX_USER_SETTINGS_H\n"
					       "#define BENCHMATRIX_USER_SETTINGS_H\n");
	g_string_append(text, from_the_compiler);
	for (char **name = names; *name; name++) {
		const char *value = strchr(*name, '=');
		g_autofree char *bare = value ? g_strndup(*name, (gsize)(value - *name)) : g_strdup(*name);
		if (**name == '!')
			g_string_append_printf(text, "#undef %s\n", bare + 1);
		else
			g_string_append_printf(text, "#define %s %s\n", bare, value ? value + 1 : "");
	}
	g_string_append(text, "#endif\n");
	return g_string_free(g_steal_pointer(&text), FALSE);
}

static bool write_file(const struct recipe_input *in, const char *name, const char *text, GError **err)
{
	g_autofree char *file = g_build_filename(in->folder, name, NULL);
	return fsx_write(file, text, strlen(text), err);
}

static bool write_files(const struct recipe_input *in, GError **err)
{
	g_autofree char *header = header_text(in->build);
	return write_file(in, "user_settings.h", header, err) &&
	       write_file(in, "config.h", settings_only, err) &&
	       write_file(in, "wolfssl/options.h", settings_only, err) &&
	       write_file(in, "benchmatrix.mk", rules, err);
}

static char **no_words(const struct recipe_input *in)
{
	(void)in;
	return g_new0(char *, 1);
}

static GPtrArray *settings_steps(const struct recipe_input *in)
{
	g_autoptr(GStrvBuilder) argv = g_strv_builder_new();
	g_autofree char *jobs = g_strdup_printf("-j%d", in->jobs);
	g_strv_builder_add_many(argv, "make", jobs, "-f", "benchmatrix.mk", NULL);
	add_variables(argv, in->build);
	g_auto(GStrv) words = g_strv_builder_end(argv);
	GPtrArray *steps = steps_new();
	g_ptr_array_add(steps, step_new("make", recipe_expand((const char *const *)words, in->folder),
				       in->folder, in->limits->make_s, BUILD_COMPILE_FAILED));
	return steps;
}

static const char *const tools[] = {"make", NULL};

const struct recipe recipe_user_settings = {
	.name = "user_settings",
	.version = 1,
	.tools = tools,
	.words = settings_words,
	.cache_words = no_words,
	.write = write_files,
	.steps = settings_steps,
};
