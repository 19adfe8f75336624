#include "keys.h"

#include <string.h>

static const char *const words[] = {"./configure", "--enable-sp", NULL};
static const char *const environment[] = {"PATH=/bin", "LC_ALL=C", NULL};

static struct identity identity(void)
{
	return (struct identity){.compiler = (char *)"gcc 12",
		.compiler_sha256 = (char *)"c0",
		.assembler = (char *)"as 2.40",
		.linker = (char *)"ld 2.40",
		.libc_sha256 = (char *)"1c"};
}

static struct library_inputs library_inputs(const struct identity *of)
{
	return (struct library_inputs){
		.source = "dsc:aa",
		.recipe = "autotools",
		.recipe_version = 1,
		.recipe_canonical = "{\"name\":\"autotools\"}",
		.words = words,
		.toolchain = "{\"cc\":\"gcc\"}",
		.identity = of,
		.environment = environment,
	};
}

/* The expected hashes are SHA-256 of the JSON text of the inputs as Python's json module writes it with
 * sorted keys and no blanks. */
static void the_library_key_is_the_hash_of_its_inputs(void)
{
	struct identity gcc = identity();
	const struct library_inputs inputs = library_inputs(&gcc);
	g_autofree char *key = keys_library(&inputs);
	g_assert_cmpstr(key, ==, "e1d4082855c6eb7060a70669051dfa48cd1abf08b08aedcf18aed9ba4bff26a2");
}

static void expect_library_change(struct library_inputs changed, const char *what)
{
	struct identity gcc = identity();
	const struct library_inputs inputs = library_inputs(&gcc);
	g_autofree char *key = keys_library(&inputs);
	g_autofree char *other = keys_library(&changed);
	if (strcmp(key, other) == 0)
		g_error("%s does not change the library key", what);
}

static void every_input_of_the_library_changes_its_key(void)
{
	static const char *const more[] = {"./configure", "--enable-sp", "--enable-fastmath", NULL};
	static const char *const turned[] = {"--enable-sp", "./configure", NULL};
	static const char *const split[] = {"./configure --enable-sp", NULL};
	static const char *const archives[] = {"libmore.a", NULL};
	static const char *const other_locale[] = {"PATH=/bin", "LC_ALL=de_DE", NULL};
	struct identity gcc = identity();
	const struct library_inputs inputs = library_inputs(&gcc);
	struct library_inputs changed;
#define EXPECT_CHANGE(field, value)                                                                          \
	changed = inputs;                                                                                    \
	changed.field = value;                                                                               \
	expect_library_change(changed, #field " = " #value)
	EXPECT_CHANGE(source, "tree:aa");
	EXPECT_CHANGE(recipe, "cmake");
	EXPECT_CHANGE(recipe_version, 2);
	EXPECT_CHANGE(recipe_canonical, "{}");
	EXPECT_CHANGE(words, more);
	EXPECT_CHANGE(words, turned);
	EXPECT_CHANGE(words, split);
	EXPECT_CHANGE(archives, archives);
	EXPECT_CHANGE(toolchain, "{\"cc\":\"clang\"}");
	EXPECT_CHANGE(environment, other_locale);
#undef EXPECT_CHANGE
}

static void every_part_of_the_identity_changes_the_library_key(void)
{
	struct identity changed[6];
	for (size_t i = 0; i < G_N_ELEMENTS(changed); i++)
		changed[i] = identity();
	changed[0].compiler = (char *)"gcc 13";
	changed[1].compiler_sha256 = (char *)"c1";
	changed[2].assembler = (char *)"as 2.41";
	changed[3].linker = (char *)"ld 2.41";
	changed[4].libc_sha256 = (char *)"1d";
	/* Unknown is not the same as empty. */
	changed[5].libc_sha256 = NULL;
	for (size_t i = 0; i < G_N_ELEMENTS(changed); i++)
		expect_library_change(library_inputs(&changed[i]), "a part of the identity");
	struct identity empty = identity(), unknown = identity();
	empty.linker = (char *)"";
	unknown.linker = NULL;
	const struct library_inputs a = library_inputs(&empty), b = library_inputs(&unknown);
	g_autofree char *key_a = keys_library(&a);
	g_autofree char *key_b = keys_library(&b);
	g_assert_cmpstr(key_a, !=, key_b);
}

static void order_and_path_of_the_environment_do_not_count(void)
{
	static const char *const turned[] = {"LC_ALL=C", "PATH=/elsewhere", NULL};
	struct identity gcc = identity();
	struct library_inputs inputs = library_inputs(&gcc);
	g_autofree char *key = keys_library(&inputs);
	inputs.environment = turned;
	g_autofree char *other = keys_library(&inputs);
	g_assert_cmpstr(key, ==, other);
}

static void bytes_that_are_no_text_still_count(void)
{
	static const char *const odd[] = {"-DX=\xff", NULL}, *const other[] = {"-DX=\xfe", NULL};
	g_autofree char *a = keys_of_texts(odd);
	g_autofree char *b = keys_of_texts(other);
	g_assert_cmpstr(a, !=, b);
}

static const char *const compile[] = {"-O2", NULL};
static const char *const link_words[] = {"a.a", "-lm", NULL};

static GHashTable *sources(const char *first, const char *second)
{
	GHashTable *table = g_hash_table_new(g_str_hash, g_str_equal);
	for (int i = 0; i < 2; i++)
		if (strcmp(i ? second : first, "adapter") == 0)
			g_hash_table_insert(table, (gpointer) "adapter", (gpointer) "02");
		else
			g_hash_table_insert(table, (gpointer) "core/main.c", (gpointer) "01");
	return table;
}

static void the_program_key_is_the_hash_of_its_inputs_in_any_order_of_files(void)
{
	g_autoptr(GHashTable) one = sources("core/main.c", "adapter");
	g_autoptr(GHashTable) two = sources("adapter", "core/main.c");
	const struct program_inputs a = {"aa", one, compile, link_words},
				    b = {"aa", two, compile, link_words};
	g_autofree char *key_a = keys_program(&a);
	g_autofree char *key_b = keys_program(&b);
	g_assert_cmpstr(key_a, ==, "6ad3155640b3d40f55321ac626584a9af4216ac3b37c4e7df74dc3418e6b9e77");
	g_assert_cmpstr(key_b, ==, key_a);
}

static void every_input_of_the_program_changes_its_key(void)
{
	static const char *const o1[] = {"-O1", NULL}, *const turned[] = {"-lm", "a.a", NULL};
	g_autoptr(GHashTable) files = sources("core/main.c", "adapter");
	g_autoptr(GHashTable) edited = sources("core/main.c", "adapter");
	g_hash_table_insert(edited, (gpointer) "core/main.c", (gpointer) "03");
	g_autoptr(GHashTable) renamed = g_hash_table_new(g_str_hash, g_str_equal);
	g_hash_table_insert(renamed, (gpointer) "adapter", (gpointer) "02");
	g_hash_table_insert(renamed, (gpointer) "core/mein.c", (gpointer) "01");
	const struct program_inputs inputs = {"aa", files, compile, link_words};
	const struct program_inputs changed[] = {
		{"ab", files, compile, link_words},
		{"aa", edited, compile, link_words},
		{"aa", renamed, compile, link_words},
		{"aa", files, o1, link_words},
		{"aa", files, compile, turned},
	};
	g_autofree char *key = keys_program(&inputs);
	for (size_t i = 0; i < G_N_ELEMENTS(changed); i++) {
		g_autofree char *other = keys_program(&changed[i]);
		g_assert_cmpstr(other, !=, key);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func(
		"/keys/the_library_key_is_the_hash_of_its_inputs", the_library_key_is_the_hash_of_its_inputs);
	g_test_add_func("/keys/every_input_of_the_library_changes_its_key",
		every_input_of_the_library_changes_its_key);
	g_test_add_func("/keys/every_part_of_the_identity_changes_the_library_key",
		every_part_of_the_identity_changes_the_library_key);
	g_test_add_func("/keys/order_and_path_of_the_environment_do_not_count",
		order_and_path_of_the_environment_do_not_count);
	g_test_add_func("/keys/bytes_that_are_no_text_still_count", bytes_that_are_no_text_still_count);
	g_test_add_func("/keys/the_program_key_is_the_hash_of_its_inputs_in_any_order_of_files",
		the_program_key_is_the_hash_of_its_inputs_in_any_order_of_files);
	g_test_add_func("/keys/every_input_of_the_program_changes_its_key",
		every_input_of_the_program_changes_its_key);
	return g_test_run();
}
