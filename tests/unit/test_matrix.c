#include "diag.h"
#include "fsx.h"
#include "matrix.h"

#include <string.h>

#define BUNDLED BM_BINARY "/share/benchmatrix"
#define TOY	BM_SOURCE "/tests/fixtures/catalog_data"

static struct catalog *catalog;
static char *folder; /* a new one for each test */
static char *file;   /* folder/it.json */

/* A matrix of the toy library that is right, and `more` keys. */
static void put(const char *more)
{
	GError *error = NULL;
	g_autofree char *text = g_strdup_printf(
		"{\"library\": \"toy\", \"toolchains\": [\"plain\"], \"agents\": [\"qemu-user\"]%s}", more);
	g_file_set_contents(file, text, -1, &error);
	g_assert_no_error(error);
}

static struct matrix *load(const char *more)
{
	struct matrix *matrix;
	GError *error = NULL;
	put(more);
	matrix_load(&matrix, file, catalog, &error);
	g_assert_no_error(error);
	return matrix;
}

static void check_file_refused(const char *message)
{
	struct matrix *matrix;
	g_autoptr(GError) error = NULL;
	g_autofree char *expected = g_strdup_printf("%s:%s", file, message);
	g_assert_false(matrix_load(&matrix, file, catalog, &error));
	g_assert_error(error, DIAG_ERROR, DIAG_INPUT);
	g_assert_cmpstr(error->message, ==, expected);
}

static void check_refused(const char *more, const char *message)
{
	put(more);
	check_file_refused(message);
}

static void check_text_refused(const char *text, const char *message)
{
	g_file_set_contents(file, text, -1, NULL);
	check_file_refused(message);
}

static void has_defaults_for_what_is_not_said(void)
{
	struct matrix *matrix = load("");
	g_assert_cmpstr(matrix->name, ==, "it");
	g_assert_cmpstr(matrix->file, ==, file);
	g_assert_cmpstr(matrix->text, ==,
		"{\"library\": \"toy\", \"toolchains\": [\"plain\"], \"agents\": [\"qemu-user\"]}");
	g_assert_cmpstr(matrix->summary, ==, "");
	g_assert_cmpuint(matrix->versions->len, ==, 2);
	g_assert_cmpuint(matrix->profiles->len, ==, 1);
	g_assert_cmpstr(((const struct profile *)matrix->profiles->pdata[0])->name, ==, "small");
	g_assert_cmpuint(g_strv_length(matrix->optimisations), ==, 1);
	g_assert_cmpstr(matrix->optimisations[0], ==, "library");
	g_assert_false(matrix->all_flags);
	g_assert_cmpuint(matrix->flag_sets->len, ==, 1);
	g_assert_null(((const struct flag_request *)matrix->flag_sets->pdata[0])->names[0]);
	g_assert_cmpstr(matrix->benchmarks[0], ==, "*");
	g_assert_null(matrix->benchmarks[1]);
	g_assert_cmpint(matrix->blocks[0], ==, 16384);
	g_assert_cmpint(matrix->blocks[1], ==, 0);
	g_assert_cmpint(matrix->invocations, ==, 8);
	g_assert_cmpint(matrix->budget_ms, ==, 100);
	g_assert_cmpint(matrix->deadlines.start, ==, 0);
	g_assert_cmpint(matrix->deadlines.silence, ==, 0);
	g_assert_cmpint(matrix->deadlines.total, ==, 0);
	matrix_free(matrix);
}

static void takes_what_is_said(void)
{
	struct matrix *matrix =
		load(", \"summary\": \"all of it\", \"versions\": [\"2.0+p1\"], \"profiles\": [\"full\"],"
		     " \"optimisations\": [\"-O2\", \"library\"], \"flags\": [[], [\"wide\", \"base\"]],"
		     " \"benchmarks\": [\"aes-128-* encrypt\", \"rsa*\"], \"blocks\": [16, 1048576],"
		     " \"invocations\": 9, \"budget_ms\": 250");
	g_assert_cmpstr(matrix->summary, ==, "all of it");
	g_assert_cmpuint(matrix->versions->len, ==, 1);
	g_assert_cmpstr(((const struct version *)matrix->versions->pdata[0])->name, ==, "2.0+p1");
	g_assert_cmpstr(((const struct profile *)matrix->profiles->pdata[0])->name, ==, "full");
	g_assert_cmpstr(matrix->optimisations[0], ==, "-O2");
	g_assert_cmpstr(matrix->optimisations[1], ==, "library");
	const struct flag_request *second = matrix->flag_sets->pdata[1];
	g_assert_cmpstr(second->names[0], ==, "wide"); /* as written */
	g_assert_cmpstr(second->names[1], ==, "base");
	g_assert_cmpstr(matrix->benchmarks[1], ==, "rsa*");
	g_assert_cmpint(matrix->blocks[0], ==, 16);
	g_assert_cmpint(matrix->blocks[1], ==, 1048576);
	g_assert_cmpint(matrix->blocks[2], ==, 0);
	g_assert_cmpint(matrix->invocations, ==, 9);
	g_assert_cmpint(matrix->budget_ms, ==, 250);
	matrix_free(matrix);
}

static void takes_deadlines_that_can_be_met(void)
{
	struct matrix *matrix = load(", \"deadlines\": {\"start\": 20, \"silence\": 30, \"total\": 30}");
	g_assert_cmpint(matrix->deadlines.start, ==, 20);
	g_assert_cmpint(matrix->deadlines.silence, ==, 30);
	g_assert_cmpint(matrix->deadlines.total, ==, 30);
	matrix_free(matrix);
	matrix = load(", \"deadlines\": {\"silence\": 604800}");
	g_assert_cmpint(matrix->deadlines.silence, ==, 604800);
	g_assert_cmpint(matrix->deadlines.total, ==, 0);
	matrix_free(matrix);
	check_refused(", \"deadlines\": {\"silence\": 31, \"total\": 30}",
		" $.deadlines: silence: 31 s is longer than total: 30 s");
	check_refused(", \"deadlines\": {\"start\": 31, \"total\": 30}",
		" $.deadlines: start: 31 s is longer than total: 30 s");
	check_refused(", \"deadlines\": {\"total\": 0}", " $.deadlines.total: 0 is not between 1 and 604800");
	check_refused(", \"deadlines\": {\"silent\": 3}",
		" $.deadlines: unknown key \"silent\"; did you mean \"silence\"?");
	check_refused(", \"deadlines\": 3", " $.deadlines: expected an object, found a number");
}

static void times_always_unless_told_once(void)
{
	struct matrix *matrix = load("");
	g_assert_false(matrix->times_once);
	matrix_free(matrix);
	matrix = load(", \"timing\": \"always\"");
	g_assert_false(matrix->times_once);
	matrix_free(matrix);
	matrix = load(", \"timing\": \"once\"");
	g_assert_true(matrix->times_once);
	matrix_free(matrix);
	check_refused(", \"timing\": \"onc\"", " $.timing: unknown timing \"onc\"; did you mean \"once\"?");
	check_refused(", \"timing\": true", " $.timing: expected a string, found true or false");
}

static void combines_named_flags_in_the_order_of_the_library(void)
{
	struct matrix *matrix = load(", \"flags\": {\"all\": [\"vec\", \"base\"]}");
	g_assert_true(matrix->all_flags);
	g_assert_cmpstr(matrix->flags_of[0], ==, "base");
	g_assert_cmpstr(matrix->flags_of[1], ==, "vec");
	g_assert_null(matrix->flags_of[2]);
	matrix_free(matrix);
	matrix = load(", \"flags\": \"all\"");
	g_assert_true(matrix->all_flags);
	g_assert_cmpuint(g_strv_length(matrix->flags_of), ==, 8);
	matrix_free(matrix);
}

static void takes_a_folder_as_seen_from_its_file(void)
{
	g_autofree char *tree = g_build_filename(folder, "tree", NULL);
	fsx_make_folder(tree, NULL);
	struct matrix *matrix =
		load(", \"versions\": [\"1.2\", {\"name\": \"mine\", \"folder\": \"./tree\"}]");
	const struct version *mine = matrix->versions->pdata[1];
	g_assert_cmpstr(mine->name, ==, "mine");
	g_assert_cmpint(mine->origin.kind, ==, ORIGIN_FOLDER);
	g_assert_cmpstr(mine->origin.folder, ==, tree);
	matrix_free(matrix);
	check_refused(", \"versions\": [{\"name\": \"1.2\", \"folder\": \"tree\"}]",
		" $.versions[0]: \"1.2\" is a version of library toy: give yours another name");
	g_autofree char *no_folder = g_strdup_printf(" $.versions[0].folder: %s/wood is no folder", folder);
	check_refused(", \"versions\": [{\"name\": \"mine\", \"folder\": \"wood\"}]", no_folder);
	check_refused(", \"versions\": [{\"name\": \"a b\", \"folder\": \"tree\"}]",
		" $.versions[0].name: \"a b\" cannot name a version: use 1 to 64 letters, digits and . _ + "
		"-, a letter or "
		"digit first");
	check_refused(", \"versions\": [{\"name\": \"a\", \"folder\": \"tree\"}, {\"name\": \"a\", "
		      "\"folder\": \"tree\"}]",
		" $.versions[1]: version \"a\" is named twice");
}

static void names_the_nearest_of_what_it_does_not_know(void)
{
	check_refused(", \"toolchain\": []", " $: unknown key \"toolchain\"; did you mean \"toolchains\"?");
	check_refused(", \"flags\": [[], [\"bsae\"]]",
		" $.flags[1][0]: unknown flag \"bsae\"; did you mean \"base\"?");
	check_refused(", \"flags\": {\"all\": [\"trubo\"]}",
		" $.flags.all[0]: unknown flag \"trubo\"; did you mean \"turbo\"?");
	check_refused(", \"versions\": [\"1.3\"]",
		" $.versions[0]: unknown version \"1.3\"; did you mean \"1.2\"?");
	check_refused(", \"profiles\": [\"ful\"]",
		" $.profiles[0]: unknown profile \"ful\"; did you mean \"full\"?");
	check_refused(", \"optimisations\": [\"-Ofst\"]",
		" $.optimisations[0]: unknown optimisation \"-Ofst\"; did you mean \"-Ofast\"?");
	check_refused(", \"benchmarks\": [\"*\", \"rsa-2048 privat\"]",
		" $.benchmarks[1]: unknown benchmark \"rsa-2048 privat\"; did you mean \"rsa-2048 "
		"private\"?");
	check_text_refused(
		"{\"library\": \"openssl\"}", " $.library: unknown library \"openssl\"; known are: toy");
	check_text_refused("{\"library\": \"toy\", \"toolchains\": [\"armed\", \"plan\"]}",
		" $.toolchains[1]: unknown toolchain \"plan\"; did you mean \"plain\"?");
	check_text_refused("{\"library\": \"toy\", \"toolchains\": [\"armed\"], \"agents\": [\"qemu_user\"]}",
		" $.agents[0]: unknown agent \"qemu_user\"; did you mean \"qemu-user\"?");
}

static void refuses_a_block_that_is_not_allowed(void)
{
	check_refused(", \"blocks\": [16, 1000]", " $.blocks[1]: no block of 1000 bytes; it can be 16, 64, "
						  "256, 1024, 4096, 8192, 16384, 65536, 262144, "
						  "1048576, 8388608");
	check_refused(", \"blocks\": [\"16k\"]", " $.blocks[0]: expected a number of bytes: one of 16, 64, "
						 "256, 1024, 4096, 8192, 16384, 65536, 262144, "
						 "1048576, 8388608");
	check_refused(", \"blocks\": [16, 64, 16]", " $.blocks[2]: block 16 is named twice");
}

static void refuses_to_name_a_thing_twice_or_nothing(void)
{
	check_refused(", \"flags\": [[\"base\", \"base\"]]", " $.flags[0][1]: flag \"base\" is named twice");
	check_refused(
		", \"profiles\": [\"full\", \"full\"]", " $.profiles[1]: profile \"full\" is named twice");
	check_refused(", \"profiles\": []", " $.profiles: name at least one profile");
	check_refused(", \"flags\": []",
		" $.flags: name at least one set of flags; [] within it is the set of none");
}

static void refuses_a_shape_that_it_does_not_expect(void)
{
	check_refused(", \"flags\": \"most\"",
		" $.flags: expected \"all\", {\"all\": [flags]} or a list of sets of flags");
	check_refused(", \"flags\": [\"base\"]", " $.flags[0]: expected a set of flags such as [\"base\"]");
	check_refused(", \"invocations\": 0", " $.invocations: 0 is not between 1 and 1000");
	check_text_refused("{\"library\": \"toy\"}", " $: the key \"toolchains\" is missing");
}

static void adds_flags_of_its_own(void)
{
	struct matrix *matrix =
		load(", \"flags\": [[\"aligned\"]], \"extra_flags\": [{\"name\": \"aligned\","
		     " \"summary\": \"own\", \"cflags\": [\"-DALIGNED\"], \"implies\": [\"base\"]}]");
	const struct flag *aligned = library_flag(matrix->library, "aligned");
	g_assert_cmpstr(aligned->cflags[0], ==, "-DALIGNED");
	g_assert_cmpstr(aligned->implies[0], ==, "base");
	g_assert_true(library_flag(matrix->library, "base") ==
		      library_flag(catalog_library(catalog, "toy", NULL), "base"));
	matrix_free(matrix);
	/* The catalog's library is as it was. */
	g_assert_null(library_flag(catalog_library(catalog, "toy", NULL), "aligned"));
	check_refused(
		", \"extra_flags\": [{\"name\": \"base\", \"summary\": \"own\", \"cflags\": [\"-DA\"]}]",
		" $.extra_flags[0]: flag \"base\" is named twice");
	check_refused(", \"extra_flags\": [{\"name\": \"a\", \"summary\": \"own\", \"cflags\": [\"-DA\"], "
		      "\"needs\":"
		      " [\"bsae\"]}]",
		" $.extra_flags[0].needs[0]: unknown flag \"bsae\"; did you mean \"base\"?");
}

static void refuses_a_name_that_is_not_safe(void)
{
	struct matrix *matrix;
	g_autoptr(GError) error = NULL;
	g_autofree char *odd = g_build_filename(folder, "my matrix.json", NULL);
	g_autofree char *expected = g_strdup_printf("%s: rename it: a matrix's file is named by 1 to 64 "
						    "letters, digits and . _ + -, a letter or digit first",
		odd);
	g_file_set_contents(odd, "{}", -1, NULL);
	g_assert_false(matrix_load(&matrix, odd, catalog, &error));
	g_assert_cmpstr(error->message, ==, expected);
}

static void reads_the_bundled_matrices(void)
{
	static const struct {
		const char *name;
		guint versions, toolchains, sets, agents; /* 0 sets: all of some flags */
	} cases[] = {
		{"quick", 1, 2, 4, 2},
		{"flags", 1, 3, 0, 2},
		{"versions", 4, 2, 5, 2},
		{"seeds", 1, 4, 8, 1},
		{"nightly", 2, 21, 11, 2},
	};
	struct catalog *bundled;
	GError *error = NULL;
	catalog_load(&bundled, BUNDLED, NULL, &error);
	g_assert_no_error(error);
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct matrix *matrix;
		g_autofree char *path = catalog_matrix_file(bundled, cases[i].name, &error);
		g_assert_no_error(error);
		matrix_load(&matrix, path, bundled, &error);
		g_assert_no_error(error);
		g_assert_cmpstr(matrix->name, ==, cases[i].name);
		g_assert_cmpuint(matrix->versions->len, ==, cases[i].versions);
		g_assert_cmpuint(matrix->toolchains->len, ==, cases[i].toolchains);
		g_assert_cmpint(matrix->all_flags, ==, cases[i].sets == 0);
		g_assert_cmpuint(matrix->flag_sets->len, ==, cases[i].sets);
		g_assert_cmpuint(matrix->agents->len, ==, cases[i].agents);
		g_assert_cmpstr(matrix->optimisations[0], ==, "-O2");
		matrix_free(matrix);
	}
	catalog_free(bundled);
}

static void in_a_new_folder(gconstpointer test)
{
	GError *error = NULL;
	folder = g_dir_make_tmp("matrix-XXXXXX", &error);
	g_assert_no_error(error);
	file = g_build_filename(folder, "it.json", NULL);
	((void (*)(void))test)();
	fsx_remove_tree(folder, &error);
	g_assert_no_error(error);
	g_clear_pointer(&file, g_free);
	g_clear_pointer(&folder, g_free);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	GError *error = NULL;
	catalog_load(&catalog, TOY, NULL, &error);
	g_assert_no_error(error);
#define TEST(function) g_test_add_data_func("/matrix/" #function, (gconstpointer)function, in_a_new_folder)
	TEST(has_defaults_for_what_is_not_said);
	TEST(takes_what_is_said);
	TEST(takes_deadlines_that_can_be_met);
	TEST(times_always_unless_told_once);
	TEST(combines_named_flags_in_the_order_of_the_library);
	TEST(takes_a_folder_as_seen_from_its_file);
	TEST(names_the_nearest_of_what_it_does_not_know);
	TEST(refuses_a_block_that_is_not_allowed);
	TEST(refuses_to_name_a_thing_twice_or_nothing);
	TEST(refuses_a_shape_that_it_does_not_expect);
	TEST(adds_flags_of_its_own);
	TEST(refuses_a_name_that_is_not_safe);
	TEST(reads_the_bundled_matrices);
	int status = g_test_run();
	catalog_free(catalog);
	return status;
}
