#include "elf_code.h"

#include "diag.h"
#include "fsx.h"

#include <glib/gstdio.h>
#include <string.h>

/* Two strings in each: what is recorded of the build comes first, so that its length moves the other. */
static const char one[] = "#ifndef ARGS\n#define ARGS \"a\"\n#endif\n"
			  "const char *args(void) { return ARGS; }\n"
			  "const char *name(void) { return \"a name\"; }\n"
			  "const unsigned char table[] = {1, 2, TABLE};\n"
			  "static int helper(int x) { return x * x + 1; }\n"
			  "int code(int x) { return helper(x) + CODE; }\n";
static const char two[] = "extern const unsigned char table[];\nint other(int i) { return table[i]; }\n";

struct lab {
	char *folder, *cc;
	bool turned; /* the archive's members in the other order */
};

static void run(const struct lab *lab, const char *const *argv)
{
	int status = -1;
	g_autofree char *errors = NULL;
	g_autoptr(GError) err = NULL;
	g_spawn_sync(lab->folder, (char **)argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, &errors,
		&status, &err);
	g_assert_no_error(err);
	if (status != 0)
		g_error("%s: %s", argv[0], errors);
}

static void compile(const struct lab *lab, const char *name, const char *text, const char *flags)
{
	g_autofree char *file = g_strdup_printf("%s/%s.c", lab->folder, name);
	g_assert_true(g_file_set_contents(file, text, -1, NULL));
	g_autofree char *line =
		g_strdup_printf("%s -DTABLE=3 -DCODE=7 -O2 %s -c %s.c -o %s.o", lab->cc, flags, name, name);
	g_auto(GStrv) argv = NULL;
	g_assert_true(g_shell_parse_argv(line, NULL, &argv, NULL));
	run(lab, (const char *const *)argv);
}

/* The hash of an archive of both files, compiled with `flags`. */
static char *code_of(const struct lab *lab, const char *flags)
{
	compile(lab, "one", one, flags);
	compile(lab, "two", two, flags);
	g_autofree char *file = g_build_filename(lab->folder, "lib.a", NULL);
	g_unlink(file);
	run(lab, lab->turned ? (const char *const[]){"ar", "cr", "lib.a", "two.o", "one.o", NULL}
			     : (const char *const[]){"ar", "cr", "lib.a", "one.o", "two.o", NULL});
	struct elf_archive archive;
	g_autoptr(GError) err = NULL;
	elf_read_archive(&archive, file, &err);
	g_assert_no_error(err);
	char *hash = g_strdup(archive.code_sha256);
	elf_archive_clear(&archive);
	return hash;
}

static struct lab lab_new(const char *cc)
{
	return (struct lab){.folder = g_dir_make_tmp("elf-XXXXXX", NULL), .cc = g_strdup(cc)};
}

static void lab_clear(struct lab *lab)
{
	fsx_remove_tree(lab->folder, NULL);
	g_free(lab->folder);
	g_free(lab->cc);
}

static void check_compiler(const char *cc)
{
	static const char *const same[] = {"-DARGS='\"--enable-this --enable-that -O2 and so on\"'", "-g",
		"-frecord-gcc-switches", "-fno-ident", "-DUNUSED"};
	static const char *const different[] = {"-UCODE -DCODE=8", "-UTABLE -DTABLE=4", "-O0", "-fno-inline"};
	struct lab lab = lab_new(cc);
	g_autofree char *plain = code_of(&lab, "");
	g_assert_cmpuint(strlen(plain), ==, 64);
	for (size_t i = 0; i < G_N_ELEMENTS(same); i++) {
		g_autofree char *hash = code_of(&lab, same[i]);
		if (strcmp(hash, plain) != 0)
			g_error("%s: %s changes the hash", cc, same[i]);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(different); i++) {
		g_autofree char *hash = code_of(&lab, different[i]);
		if (strcmp(hash, plain) == 0)
			g_error("%s: %s does not change the hash", cc, different[i]);
	}
	lab.turned = true;
	g_autofree char *turned = code_of(&lab, "");
	g_assert_cmpstr(turned, ==, plain);
	lab_clear(&lab);
}

static void hashes_code_and_tables_but_not_what_records_the_build(void)
{
	check_compiler("gcc");
}

static void hashes_the_same_for_another_machine(void)
{
	g_autofree char *cc = fsx_find_program("aarch64-linux-gnu-gcc", NULL);
	if (cc)
		check_compiler(cc);
	else
		g_test_skip("aarch64-linux-gnu-gcc is not installed");
}

/* 32-bit x86 keeps the addends of its relocations in the code itself. */
static void hashes_the_same_where_addends_stand_in_the_code(void)
{
	check_compiler("gcc -m32");
}

/* Objects that wait for the linker to make their code must not all look the same. */
static void has_no_hash_where_there_is_no_code(void)
{
	struct lab lab = lab_new("gcc");
	g_autofree char *hash = code_of(&lab, "-flto -fno-fat-lto-objects");
	g_assert_null(hash);
	/* What such objects may hold besides is not what is linked; nor is an archive's one other member. */
	g_autofree char *fat = code_of(&lab, "-flto -ffat-lto-objects");
	g_assert_null(fat);
	lab_clear(&lab);
}

static void finds_defined_symbols(void)
{
	struct lab lab = lab_new("gcc");
	g_autofree char *hash = code_of(&lab, "-O0");
	g_autofree char *file = g_build_filename(lab.folder, "lib.a", NULL);
	struct elf_archive archive;
	g_assert_true(elf_read_archive(&archive, file, NULL));
	g_assert_true(g_hash_table_contains(archive.symbols, "code"));
	g_assert_true(g_hash_table_contains(archive.symbols, "table"));
	g_assert_true(g_hash_table_contains(archive.symbols, "helper"));
	g_assert_false(g_hash_table_contains(archive.symbols, "one.c"));
	g_assert_false(g_hash_table_contains(archive.symbols, "printf"));
	elf_archive_clear(&archive);
	lab_clear(&lab);
}

static void names_the_machine_of_a_program(void)
{
	struct lab lab = lab_new("gcc");
	compile(&lab, "one", one, "");
	g_autofree char *object = g_build_filename(lab.folder, "one.o", NULL);
	g_autofree char *x86_64 = elf_machine(object, NULL);
	g_assert_cmpstr(x86_64, ==, "EM_X86_64 64-bit little-endian");
	compile(&lab, "one", one, "-m32");
	g_autofree char *i386 = elf_machine(object, NULL);
	g_assert_cmpstr(i386, ==, "EM_386 32-bit little-endian");
	g_autofree char *words = elf_machine_text("EM_MIPS", 32, true);
	g_assert_cmpstr(words, ==, "EM_MIPS 32-bit big-endian");
	lab_clear(&lab);
}

static void refuses_what_is_no_elf_file(void)
{
	struct lab lab = lab_new("gcc");
	g_autofree char *file = g_build_filename(lab.folder, "x", NULL);
	struct elf_archive archive;
	g_autoptr(GError) err = NULL;
	g_assert_true(g_file_set_contents(file, "#!/bin/sh\n", -1, NULL));
	g_assert_null(elf_machine(file, &err));
	g_assert_error(err, DIAG_ERROR, DIAG_FAILED);
	g_assert_true(g_str_has_suffix(err->message, "/x: not an ELF file"));
	g_assert_false(elf_read_archive(&archive, file, NULL));
	g_assert_null(elf_machine("/nonexistent", NULL));
	lab_clear(&lab);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/elf_code/hashes_code_and_tables_but_not_what_records_the_build",
		hashes_code_and_tables_but_not_what_records_the_build);
	g_test_add_func("/elf_code/hashes_the_same_for_another_machine", hashes_the_same_for_another_machine);
	g_test_add_func("/elf_code/hashes_the_same_where_addends_stand_in_the_code",
		hashes_the_same_where_addends_stand_in_the_code);
	g_test_add_func("/elf_code/has_no_hash_where_there_is_no_code", has_no_hash_where_there_is_no_code);
	g_test_add_func("/elf_code/finds_defined_symbols", finds_defined_symbols);
	g_test_add_func("/elf_code/names_the_machine_of_a_program", names_the_machine_of_a_program);
	g_test_add_func("/elf_code/refuses_what_is_no_elf_file", refuses_what_is_no_elf_file);
	return g_test_run();
}
