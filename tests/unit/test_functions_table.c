#include "functions_table.h"

#include "diag.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

/* A program without a C library, so that every function of it is known. `labels` has none of ELF's types and
 * sizes, as hand-written assembly often has not; `inner` begins within `outer`. */
static const char source[] =
	"__asm__(\".text\\n.globl bare\\nbare: nop\\n nop\\n\"\n"
	"        \".globl outer\\n.type outer,@function\\nouter: nop\\n.globl inner\\ninner: nop\\n.size "
	"outer, .-outer\\n\"\n"
	"        \".type split.part.0,@function\\nsplit.part.0: nop\\n.size split.part.0, "
	".-split.part.0\\n\");\n"
	"static __attribute__((noinline)) int helper(int x) { return x * 3; }\n"
	"int number;\n"
	"int _start(int x) { return helper(x) + number; }\n";

static bool link_program(const char *folder, const char *flags, GError **err)
{
	g_autofree char *file = g_build_filename(folder, "it.c", NULL);
	g_autofree char *line = g_strdup_printf("gcc -O1 -nostdlib %s -o it it.c", flags);
	g_auto(GStrv) argv = NULL;
	int status = -1;

	g_assert_true(g_file_set_contents(file, source, -1, NULL));
	g_assert_true(g_shell_parse_argv(line, NULL, &argv, NULL));
	g_spawn_sync(folder, argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, &status, err);
	return status == 0;
}

/* The table of the program that these flags make; NULL with the message of why there is none. */
static char *table_of(const char *flags, char **ret_message)
{
	g_autofree char *folder = g_dir_make_tmp("functions-XXXXXX", NULL);
	g_autofree char *program = g_build_filename(folder, "it", NULL);
	g_autofree char *table = g_build_filename(folder, "it.functions", NULL);
	g_autofree char *file = g_build_filename(folder, "it.c", NULL);
	g_autoptr(GError) err = NULL;
	char *text = NULL;

	g_assert_true(link_program(folder, flags, &err));
	if (functions_table_write(table, program, &err))
		g_assert_true(g_file_get_contents(table, &text, NULL, NULL));
	else
		*ret_message = g_strdup(err->message);
	g_remove(table);
	g_remove(program);
	g_remove(file);
	g_rmdir(folder);
	return text;
}

/* How many bytes the function of that name has; 0: it is not in the table. */
static unsigned long size_of(const char *table, const char *name)
{
	g_auto(GStrv) lines = g_strsplit(table, "\n", -1);
	char found[64];
	unsigned long start, end;

	for (char **line = lines; *line; line++)
		if (sscanf(*line, "%lx %lx %63s", &start, &end, found) == 3 && strcmp(found, name) == 0)
			return end - start;
	return 0;
}

static void has_each_function_with_its_place(void)
{
	char *message = NULL;
	g_autofree char *table = table_of("-static -no-pie", &message);

	g_assert_null(message);
	g_assert_cmpuint(size_of(table, "helper"), >, 0);
	g_assert_cmpuint(size_of(table, "_start"), >, 0);
	g_assert_cmpuint(size_of(table, "number"), ==, 0);
	/* Two bytes, to the next symbol. */
	g_assert_cmpuint(size_of(table, "bare"), ==, 2);
	g_assert_cmpuint(size_of(table, "outer"), ==, 2);
	g_assert_cmpuint(size_of(table, "inner"), ==, 0);
	g_assert_cmpuint(size_of(table, "split"), ==, 1);
	g_assert_cmpuint(size_of(table, "split.part.0"), ==, 0);
}

static void is_sorted_without_overlaps(void)
{
	char *message = NULL;
	g_autofree char *table = table_of("-static -no-pie", &message);
	g_auto(GStrv) lines = g_strsplit(table, "\n", -1);
	unsigned long start, end, before = 0;

	g_assert_cmpuint(g_strv_length(lines), >=, 6);
	for (char **line = lines; **line; line++) {
		g_assert_cmpint(sscanf(*line, "%lx %lx ", &start, &end), ==, 2);
		g_assert_cmpuint(start, >=, before);
		g_assert_cmpuint(end, >, start);
		before = end;
	}
}

static void refuses_what_it_cannot_tell_apart(void)
{
	g_autofree char *stripped = NULL, *moving = NULL;

	g_assert_null(table_of("-static -no-pie -s", &stripped));
	g_assert_nonnull(strstr(stripped, "has no symbols"));
	g_assert_null(table_of("-static-pie -fPIE", &moving));
	g_assert_nonnull(strstr(moving, "not linked to a fixed address"));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func(
		"/functions_table/has_each_function_with_its_place", has_each_function_with_its_place);
	g_test_add_func("/functions_table/is_sorted_without_overlaps", is_sorted_without_overlaps);
	g_test_add_func(
		"/functions_table/refuses_what_it_cannot_tell_apart", refuses_what_it_cannot_tell_apart);
	return g_test_run();
}
