/* Other ways to a program than configure and code in the archive. */
#include "build_world.h"

#include "fsx.h"

#include <string.h>

static char *output_of(const char *program)
{
	char *out = NULL;
	const char *argv[] = {program, NULL};
	int status = -1;
	g_assert_true(g_spawn_sync(NULL, (char **)argv, NULL, 0, NULL, NULL, &out, NULL, &status, NULL));
	g_assert_cmpint(status, ==, 0);
	return out;
}

static struct build_result *build_well(struct world *world)
{
	struct build_result *result = world_build(world);
	if (result->state != BUILD_OK)
		g_error("%s\n%s", result->reason, result->log);
	g_autofree char *out = output_of(result->program);
	g_assert_true(g_str_has_prefix(out, "wire 1 answer 42 about "));
	return result;
}

static void code_that_is_made_at_the_link_has_its_size_in_the_program(void)
{
	struct world *world = world_new();
	world->optimisation = "-O2 -flto";
	struct build_result *result = build_well(world);
	g_assert_cmpstr(result->optimisation_effective, ==, "-O2 -flto");
	g_assert_nonnull(strstr(result->configure_line, "'CFLAGS=-O2 -flto'"));
	g_assert_null(result->code_sha256);
	g_assert_null(result->math);
	g_assert_cmpint(result->library_sizes.text, ==, -1);
	g_assert_cmpint(result->program_sizes.text, >, 1000);
	build_result_free(result);
	world_free(world);
}

static void put(const struct world *world, const char *name, const char *text)
{
	GError *err = NULL;
	g_autofree char *file = g_build_filename(world->source, name, NULL);
	g_autofree char *folder = g_path_get_dirname(file);
	fsx_make_folder(folder, &err);
	g_assert_no_error(err);
	g_file_set_contents(file, text, -1, &err);
	g_assert_no_error(err);
}

/* Without configure, and without a way to run one. */
static void settings_stand_for_configure(void)
{
	static char *profile_defines[] = {(char *)"TINY_FACTOR=6", (char *)"TINY_TABLE", NULL};
	static char *flag_defines[] = {(char *)"!TINY_FACTOR", (char *)"TINY_FACTOR=7", NULL};
	struct world *world = world_new();
	put(world, "configure", "#!/bin/sh\nexit 1\n");
	put(world, "wolfssl/version.h", "\n");
	put(world, "wolfcrypt/src/answer.c",
		"#ifdef WOLFSSL_USER_SETTINGS\n#include \"user_settings.h\"\n#endif\n"
		"int tiny_answer(int question);\n"
		"int tiny_answer(int question) { return question * TINY_FACTOR; }\n");
	put(world, "wolfcrypt/src/table.c",
		"#include \"user_settings.h\"\n#ifdef TINY_TABLE\n"
		"extern const char tiny_table[];\nconst char tiny_table[] = {1, 2, 3};\n#endif\n"
		"const char *tiny_arguments(void);\nconst char *tiny_arguments(void) { return \"none\"; }\n");
	world->version.settings = true;
	world->profile.defines = profile_defines;
	world_flag(world, "seven", "--not-asked", "-DSEVEN");
	((struct flag *)world->flags->pdata[0])->defines = flag_defines;
	struct build_result *result = build_well(world);
	g_assert_cmpstr(result->math, ==, "tiny.c + table");
	g_assert_cmpstr(result->optimisation_effective, ==, "-O2");
	g_assert_cmpstr(result->configure_line, ==,
		"user_settings.h -DTINY_FACTOR=6 -DTINY_TABLE -UTINY_FACTOR -DTINY_FACTOR=7 "
		"ARCHIVE=lib/libtiny.a CC=gcc AR=ar RANLIB=ranlib 'CFLAGS=-O2 -DSEVEN'");
	g_assert_cmpstr(world->steps->str, ==, "prepare copy make link ");
	build_result_free(result);
	world_free(world);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
#define TEST(f) g_test_add_func("/builder_ways/" #f, f)
	TEST(code_that_is_made_at_the_link_has_its_size_in_the_program);
	TEST(settings_stand_for_configure);
	return g_test_run();
}
