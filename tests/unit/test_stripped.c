#include "stripped.h"

#include "child.h"
#include "fsx.h"

#include <glib/gstdio.h>
#include <string.h>

static char *scratch;

static char *copy_of_victim(const char *name)
{
	char *file = g_build_filename(scratch, name, NULL);
	g_autofree char *bytes = NULL;
	gsize length;

	g_assert_true(g_file_get_contents(VICTIM, &bytes, &length, NULL));
	g_assert_true(
		g_file_set_contents_full(file, bytes, (gssize)length, G_FILE_SET_CONTENTS_NONE, 0755, NULL));
	return file;
}

static goffset size_of(const char *file)
{
	GStatBuf facts;

	g_assert_cmpint(g_stat(file, &facts), ==, 0);
	g_assert_cmpint(facts.st_mode & 0777, ==, 0755);
	return facts.st_size;
}

static void is_smaller_runs_and_is_made_once(void)
{
	const struct agent_target target = {.strip = "strip"};
	g_autofree char *program = copy_of_victim("victim");
	g_autofree char *stripped = stripped_program(program, &target), *again = NULL, *out = NULL;
	g_autofree char *expected = g_strconcat(program, ".stripped", NULL);
	const char *argv[] = {stripped, "name", NULL};
	int status;

	g_assert_cmpstr(stripped, ==, expected);
	g_assert_cmpint(size_of(stripped), <, size_of(program));
	g_assert_true(g_spawn_sync(
		NULL, (char **)argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, &out, NULL, &status, NULL));
	g_assert_true(g_spawn_check_wait_status(status, NULL));
	g_assert_cmpstr(g_strchomp(out), ==, stripped);
	g_assert_true(fsx_write(stripped, "once", 4, NULL));
	again = stripped_program(program, &target);
	g_assert_cmpstr(again, ==, stripped);
	g_assert_cmpint(size_of(again), ==, 4);
}

/* It is then sent as it is. */
static void what_cannot_be_stripped_stays(void)
{
	const struct agent_target no_tool = {.strip = "/nonexistent/strip"}, none = {.strip = NULL},
				  usual = {.strip = "strip"};
	g_autofree char *program = copy_of_victim("other");
	g_autofree char *script = g_build_filename(scratch, "script", NULL);
	g_autofree char *a = stripped_program(program, &no_tool), *b = stripped_program(program, &none);

	g_assert_cmpstr(a, ==, program);
	g_assert_cmpstr(b, ==, program);
	g_assert_true(g_file_set_contents(script, "#!/bin/sh\n", -1, NULL));
	g_autofree char *c = stripped_program(script, &usual);
	g_assert_cmpstr(c, ==, script);
	g_autoptr(GDir) folder = g_dir_open(scratch, 0, NULL);
	for (const char *name; (name = g_dir_read_name(folder)) != NULL;)
		g_assert_false(g_str_has_prefix(name, "script.") || g_str_has_prefix(name, "other."));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	child_set_supervisor(SUPERVISOR);
	scratch = fsx_unique_folder(g_get_tmp_dir(), "test-stripped", NULL);
	g_test_add_func("/stripped/is_smaller_runs_and_is_made_once", is_smaller_runs_and_is_made_once);
	g_test_add_func("/stripped/what_cannot_be_stripped_stays", what_cannot_be_stripped_stays);
	int status = g_test_run();
	fsx_remove_tree(scratch, NULL);
	g_free(scratch);
	return status;
}
