#include "sizes.h"

#include "diag.h"
#include "fsx.h"

#include <stdio.h>
#include <string.h>

/* Sections of sizes that differ from each other, so that none can stand for another. */
static const char one[] = ".text\n.skip 40\n"
			  ".section .text.cold,\"ax\",@progbits\n.skip 5\n"
			  ".section .rodata,\"a\",@progbits\n.skip 12\n"
			  ".section .rodata.str,\"aMS\",@progbits,1\n.asciz \"abcdef\"\n"
			  ".data\n.skip 20\n"
			  ".section .init_array,\"aw\",@init_array\n.skip 8\n"
			  ".bss\n.skip 100\n"
			  ".section .tbss,\"awT\",@nobits\n.skip 3\n"
			  ".section .note.x,\"a\",@note\n.skip 64\n"
			  ".section .debug_info,\"\",@progbits\n.skip 1000\n"
			  ".section .comment\n.skip 200\n";
static const char two[] = ".text\n.skip 1000\n.bss\n.skip 7\n";

struct lab {
	char *folder;
};

static void run(const struct lab *lab, const char *line)
{
	g_auto(GStrv) argv = NULL;
	g_autofree char *errors = NULL;
	int status = -1;

	g_assert_true(g_shell_parse_argv(line, NULL, &argv, NULL));
	g_assert_true(g_spawn_sync(
		lab->folder, argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, &errors, &status, NULL));
	if (status != 0)
		g_error("%s: %s", line, errors);
}

static char *path_of(const struct lab *lab, const char *name)
{
	return g_build_filename(lab->folder, name, NULL);
}

static struct lab lab_new(void)
{
	struct lab lab = {g_dir_make_tmp("sizes-XXXXXX", NULL)};
	g_autofree char *a = path_of(&lab, "one.s"), *b = path_of(&lab, "two.s");

	g_assert_true(g_file_set_contents(a, one, -1, NULL));
	g_assert_true(g_file_set_contents(b, two, -1, NULL));
	run(&lab, "as -o one.o one.s");
	run(&lab, "as -o two.o two.s");
	run(&lab, "ar cr lib.a one.o two.o");
	return lab;
}

static void lab_clear(struct lab *lab)
{
	fsx_remove_tree(lab->folder, NULL);
	g_free(lab->folder);
}

static void check(const struct sizes *sizes, int64_t text, int64_t rodata, int64_t data, int64_t bss)
{
	g_assert_cmpint(sizes->text, ==, text);
	g_assert_cmpint(sizes->rodata, ==, rodata);
	g_assert_cmpint(sizes->data, ==, data);
	g_assert_cmpint(sizes->bss, ==, bss);
}

static void sorts_sections_by_what_they_are(void)
{
	struct lab lab = lab_new();
	g_autofree char *file = path_of(&lab, "one.o");
	struct sizes sizes;

	g_assert_true(sizes_read(&sizes, file, NULL));
	/* 40 + 5; 12 + "abcdef" with its end; 20 + 8; 100 + 3. */
	check(&sizes, 45, 19, 28, 103);
	lab_clear(&lab);
}

static void an_archive_is_the_sum_of_its_objects(void)
{
	struct lab lab = lab_new();
	g_autofree char *file = path_of(&lab, "lib.a");
	g_autoptr(GPtrArray) objects = NULL;
	struct sizes sizes;

	g_assert_true(sizes_read(&sizes, file, NULL));
	check(&sizes, 1045, 19, 28, 110);
	g_assert_true(sizes_of_objects(&objects, file, NULL));
	g_assert_cmpuint(objects->len, ==, 2);
	const struct object_sizes *second = objects->pdata[1];
	g_assert_cmpstr(second->name, ==, "two.o");
	check(&second->sizes, 1000, 0, 0, 7);
	lab_clear(&lab);
}

/* Its code is made at the link: what stands in the archive until then is no size of it. */
static void is_unknown_where_the_linker_makes_the_code(void)
{
	struct lab lab = lab_new();
	g_autofree char *source = path_of(&lab, "late.c"), *file = path_of(&lab, "lib.a");
	struct sizes sizes;

	g_assert_true(g_file_set_contents(source, "int late(int a) { return a * 3; }\n", -1, NULL));
	run(&lab, "gcc -O2 -flto -c -o late.o late.c");
	run(&lab, "ar cr lib.a late.o");
	g_assert_true(sizes_read(&sizes, file, NULL));
	check(&sizes, -1, -1, -1, -1);
	lab_clear(&lab);
}

/* Held against size(1), whose text is ours with constants and notes. */
static void a_program_is_what_was_linked(void)
{
	struct lab lab = lab_new();
	g_autofree char *source = path_of(&lab, "main.c"), *program = path_of(&lab, "main");
	g_autofree char *line = g_strdup_printf("size -B %s", program), *out = NULL;
	struct sizes sizes;
	long long text, data, bss;

	g_assert_true(g_file_set_contents(
		source, "int big[1000] = {1}; int main(void) { return big[1]; }\n", -1, NULL));
	run(&lab, "gcc -static -Wl,--build-id=none -o main main.c");
	run(&lab, "objcopy -R .note.ABI-tag -R .note.gnu.property main");
	g_assert_true(sizes_read(&sizes, program, NULL));
	g_assert_true(g_spawn_command_line_sync(line, &out, NULL, NULL, NULL));
	g_assert_cmpint(sscanf(strchr(out, '\n'), "%lld %lld %lld", &text, &data, &bss), ==, 3);
	g_assert_cmpint(sizes.text + sizes.rodata, ==, text);
	g_assert_cmpint(sizes.data, ==, data);
	g_assert_cmpint(sizes.bss, ==, bss);
	g_assert_cmpint(sizes.data, >=, 4000);
	lab_clear(&lab);
}

static void what_is_no_elf_file_has_no_size(void)
{
	struct lab lab = lab_new();
	g_autofree char *text = path_of(&lab, "one.s"), *missing = path_of(&lab, "missing");
	g_autoptr(GError) err = NULL;
	struct sizes sizes = {0};

	g_assert_false(sizes_read(&sizes, text, &err));
	g_assert_error(err, DIAG_ERROR, DIAG_FAILED);
	g_assert_nonnull(strstr(err->message, "one.s: neither"));
	check(&sizes, -1, -1, -1, -1);
	g_assert_false(sizes_read(&sizes, missing, NULL));
	check(&sizes, -1, -1, -1, -1);
	lab_clear(&lab);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
#define TEST(f) g_test_add_func("/sizes/" #f, f)
	TEST(sorts_sections_by_what_they_are);
	TEST(an_archive_is_the_sum_of_its_objects);
	TEST(is_unknown_where_the_linker_makes_the_code);
	TEST(a_program_is_what_was_linked);
	TEST(what_is_no_elf_file_has_no_size);
	return g_test_run();
}
