#include "child.h"
#include "fsx.h"
#include "identity_kept.h"

#include <glib/gstdio.h>
#include <string.h>
#include <utime.h>

/* A compiler that says what it is asked, in a folder of its own. */
struct lab {
	char *folder, *compiler, *log, *kept;
	struct toolchain toolchain;
};

static char *none[] = {NULL};
static const char *const environment[] = {"PATH=/usr/bin:/bin", NULL};

static void age(const char *file)
{
	const struct utimbuf long_ago = {1000000000, 1000000000};
	g_assert_cmpint(utime(file, &long_ago), ==, 0);
}

/* `knows`: whether it answers GCC's own questions. */
static void write_compiler(const struct lab *lab, const char *version, bool knows)
{
	g_autofree char *text = g_strdup_printf("#!/bin/sh\n"
						"echo \"$*\" >> %s\n"
						"case \"$*\" in\n"
						"--version) echo 'cc %s' ;;\n"
						"%s) echo %s ;;\n"
						"*) echo unknown option >&2; exit 1 ;;\n"
						"esac\n",
		lab->log, version, knows ? "-print-file-name=libc.a" : "-never", lab->compiler);
	g_assert_true(g_file_set_contents(lab->compiler, text, -1, NULL));
	g_assert_cmpint(g_chmod(lab->compiler, 0755), ==, 0);
	age(lab->compiler);
}

static struct lab lab_new(void)
{
	struct lab lab = {.folder = g_dir_make_tmp("identity-XXXXXX", NULL)};
	child_set_supervisor(SUPERVISOR);
	lab.compiler = g_build_filename(lab.folder, "cc", NULL);
	lab.log = g_build_filename(lab.folder, "log", NULL);
	lab.kept = g_build_filename(lab.folder, "kept", NULL);
	lab.toolchain = (struct toolchain){.name = "mine",
		.cc = lab.compiler,
		.ar = "true",
		.ranlib = "true",
		.cflags = none,
		.packages = none};
	write_compiler(&lab, "1", true);
	return lab;
}

static void lab_clear(struct lab *lab)
{
	fsx_remove_tree(lab->folder, NULL);
	g_free(lab->folder);
	g_free(lab->compiler);
	g_free(lab->log);
	g_free(lab->kept);
}

/* The compiler that is found; *ret_questions gets how many it was asked. New text. */
static char *find(const struct lab *lab, guint *ret_questions)
{
	GError *err = NULL;
	struct identity *identity;
	g_autofree char *asked = NULL;
	g_unlink(lab->log);
	identity_find(&identity, lab->kept, &lab->toolchain, environment, &err);
	g_assert_no_error(err);
	*ret_questions = 0;
	if (g_file_get_contents(lab->log, &asked, NULL, NULL))
		for (const char *at = asked; (at = strchr(at, '\n')); at++)
			(*ret_questions)++;
	char *all = g_strdup_printf("%s %s %s", identity->compiler, identity->compiler_sha256,
		identity->libc_sha256 ? identity->libc_sha256 : "-");
	identity_free(identity);
	return all;
}

static void asks_once_as_long_as_the_files_are_the_same(void)
{
	struct lab lab = lab_new();
	guint questions;
	g_autofree char *first = find(&lab, &questions);
	g_assert_cmpuint(questions, >, 3);
	g_assert_true(g_str_has_prefix(first, "cc 1 "));
	g_autofree char *second = find(&lab, &questions);
	g_assert_cmpuint(questions, ==, 0);
	g_assert_cmpstr(second, ==, first);
	lab_clear(&lab);
}

/* Of the same size, and as old. */
static void asks_again_where_a_file_is_another(void)
{
	struct lab lab = lab_new();
	guint questions;
	g_autofree char *first = find(&lab, &questions);
	write_compiler(&lab, "2", true);
	g_autofree char *second = find(&lab, &questions);
	g_assert_cmpuint(questions, >, 3);
	g_assert_true(g_str_has_prefix(second, "cc 2 "));
	g_assert_cmpstr(second, !=, first);
	lab_clear(&lab);
}

static void asks_again_for_other_words(void)
{
	static char *tuned[] = {(char *)"-mtune=generic", NULL};
	struct lab lab = lab_new();
	guint questions;
	g_free(find(&lab, &questions));
	lab.toolchain.cflags = tuned;
	g_free(find(&lab, &questions));
	g_assert_cmpuint(questions, >, 3);
	lab_clear(&lab);
}

/* It may be written again within the step of the clock, and then look the same. */
static void keeps_nothing_of_a_file_that_is_new(void)
{
	struct lab lab = lab_new();
	guint questions;
	g_assert_cmpint(utime(lab.compiler, NULL), ==, 0);
	g_free(find(&lab, &questions));
	g_free(find(&lab, &questions));
	g_assert_cmpuint(questions, >, 3);
	lab_clear(&lab);
}

static void takes_a_compiler_that_knows_its_version_alone(void)
{
	struct lab lab = lab_new();
	guint questions;
	write_compiler(&lab, "3", false);
	g_autofree char *found = find(&lab, &questions);
	g_assert_true(g_str_has_prefix(found, "cc 3 "));
	g_assert_true(g_str_has_suffix(found, " -"));
	lab_clear(&lab);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
#define TEST(f) g_test_add_func("/identity/" #f, f)
	TEST(asks_once_as_long_as_the_files_are_the_same);
	TEST(asks_again_where_a_file_is_another);
	TEST(asks_again_for_other_words);
	TEST(keeps_nothing_of_a_file_that_is_new);
	TEST(takes_a_compiler_that_knows_its_version_alone);
	return g_test_run();
}
