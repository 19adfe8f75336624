#include "catalog.h"
#include "diag.h"
#include "fsx.h"

#include <glib/gstdio.h>
#include <string.h>

#define BUNDLED BM_BINARY "/share/benchmatrix"
#define TOY	BM_SOURCE "/tests/fixtures/catalog_data"

static char *user; /* a user's folder, empty at the start of each test */

static void put(const char *name, const char *text)
{
	GError *error = NULL;
	g_autofree char *file = g_build_filename(user, name, NULL);
	g_autofree char *folder = g_path_get_dirname(file);
	fsx_make_folder(folder, &error);
	g_assert_no_error(error);
	g_file_set_contents(file, text, -1, &error);
	g_assert_no_error(error);
}

/* A bundled file's text with one place changed. */
static char *changed(const char *file, const char *from, const char *to)
{
	g_autofree char *text = NULL;
	GError *error = NULL;
	g_file_get_contents(file, &text, NULL, &error);
	g_assert_no_error(error);
	g_assert_nonnull(strstr(text, from));
	GString *edited = g_string_new(text);
	g_string_replace(edited, from, to, 1);
	return g_string_free(edited, FALSE);
}

static struct catalog *load(const char *data)
{
	struct catalog *catalog;
	GError *error = NULL;
	catalog_load(&catalog, data, user, &error);
	g_assert_no_error(error);
	return catalog;
}

/* The toy catalog with a user's file in it is refused with this message about that file. */
static void check_refused(const char *name, const char *text, const char *message)
{
	struct catalog *catalog;
	g_autoptr(GError) error = NULL;
	put(name, text);
	g_autofree char *expected = g_strdup_printf("%s/%s: %s", user, name, message);
	g_assert_false(catalog_load(&catalog, TOY, user, &error));
	g_assert_error(error, DIAG_ERROR, DIAG_INPUT);
	g_assert_cmpstr(error->message, ==, expected);
	g_autofree char *file = g_build_filename(user, name, NULL);
	g_assert_cmpint(g_remove(file), ==, 0);
}

static void check_toolchain_refused(const char *from, const char *to, const char *message)
{
	g_autofree char *text = changed(TOY "/toolchains/plain.json", from, to);
	check_refused("toolchains/mine.json", text, message);
}

static void check_library_refused(const char *from, const char *to, const char *message)
{
	g_autofree char *text = changed(TOY "/libs/toy.json", from, to);
	check_refused("libs/toy.json", text, message);
}

static void reads_the_bundled_toolchains(void)
{
	struct catalog *catalog = load(BUNDLED);
	const struct toolchain *x86 = catalog_toolchain(catalog, "x86_64-gcc", NULL);
	const struct toolchain *arm = catalog_toolchain(catalog, "aarch64-gcc", NULL);
	g_assert_nonnull(x86);
	g_assert_nonnull(arm);
	/* Not plain gcc, which makes what the host is. */
	g_assert_cmpstr(x86->cc, ==, "x86_64-linux-gnu-gcc");
	g_assert_cmpstr(arm->triple, ==, "aarch64-linux-gnu");
	g_assert_cmpstr(arm->machine, ==, "EM_AARCH64");
	g_assert_cmpint(arm->bits, ==, 64);
	g_assert_false(arm->big_endian);
	g_assert_true(g_strv_contains((const char *const *)arm->cpu_features, "aes"));
	g_assert_cmpstr(arm->target.arch, ==, "aarch64");
	g_assert_cmpstr(arm->target.emulator, ==, "qemu-aarch64");
	g_assert_cmpstr(arm->target.cpu, ==, "cortex-a72");
	g_assert_cmpstr(x86->target.cpu, ==, "max");
	g_assert_cmpstr(x86->target.package, ==, "qemu-user");
	catalog_free(catalog);
}

/* What <elf.h> and the ABIs say: a slip in the data would have every program refused or, worse, taken. */
static void tells_of_each_bundled_toolchain_what_its_programs_are(void)
{
	static const struct {
		const char *name, *arch, *machine;
		int bits;
		bool big_endian;
		const char *emulator;
	} cases[] = {
		{"aarch64-clang", "aarch64", "EM_AARCH64", 64, false, "qemu-aarch64"},
		{"aarch64-gcc", "aarch64", "EM_AARCH64", 64, false, "qemu-aarch64"},
		{"aarch64-max", "aarch64", "EM_AARCH64", 64, false, "qemu-aarch64"},
		{"armel-gcc", "arm", "EM_ARM", 32, false, "qemu-arm"},
		{"armhf-gcc", "arm", "EM_ARM", 32, false, "qemu-arm"},
		{"hppa-gcc", "hppa", "EM_PARISC", 32, true, "qemu-hppa"},
		{"i686-gcc", "i686", "EM_386", 32, false, "qemu-i386"},
		{"m68k-gcc", "m68k", "EM_68K", 32, true, "qemu-m68k"},
		{"mips-gcc", "mips", "EM_MIPS", 32, true, "qemu-mips"},
		{"mips64el-gcc", "mips64el", "EM_MIPS", 64, false, "qemu-mips64el"},
		{"mipsel-gcc", "mipsel", "EM_MIPS", 32, false, "qemu-mipsel"},
		{"powerpc-gcc", "ppc", "EM_PPC", 32, true, "qemu-ppc"},
		{"ppc64-gcc", "ppc64", "EM_PPC64", 64, true, "qemu-ppc64"},
		{"ppc64le-gcc", "ppc64le", "EM_PPC64", 64, false, "qemu-ppc64le"},
		{"riscv64-gcc", "riscv64", "EM_RISCV", 64, false, "qemu-riscv64"},
		{"s390x-gcc", "s390x", "EM_S390", 64, true, "qemu-s390x"},
		{"sparc-leon3", "sparc", "EM_SPARC32PLUS", 32, true, "qemu-sparc32plus"},
		{"sparc64-gcc", "sparc64", "EM_SPARCV9", 64, true, "qemu-sparc64"},
		{"x86_64-clang", "x86_64", "EM_X86_64", 64, false, "qemu-x86_64"},
		{"x86_64-gcc", "x86_64", "EM_X86_64", 64, false, "qemu-x86_64"},
		{"x86_64-musl", "x86_64", "EM_X86_64", 64, false, "qemu-x86_64"},
	};
	struct catalog *catalog = load(BUNDLED);
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_test_message("%s", cases[i].name);
		const struct toolchain *toolchain = catalog_toolchain(catalog, cases[i].name, NULL);
		g_assert_nonnull(toolchain);
		g_assert_cmpstr(toolchain->arch, ==, cases[i].arch);
		g_assert_cmpstr(toolchain->machine, ==, cases[i].machine);
		g_assert_cmpint(toolchain->bits, ==, cases[i].bits);
		g_assert_cmpint(toolchain->big_endian, ==, cases[i].big_endian);
		g_assert_cmpstr(toolchain->target.emulator, ==, cases[i].emulator);
		g_assert_cmpstr(toolchain->target.package, ==, "qemu-user");
		g_assert_cmpuint(g_strv_length(toolchain->packages), >, 0);
	}
	catalog_free(catalog);
}

static void takes_for_the_key_only_what_the_compiler_sees(void)
{
	struct catalog *catalog = load(TOY);
	const struct toolchain *plain = catalog_toolchain(catalog, "plain", NULL);
	g_assert_cmpstr(plain->canonical, ==,
		"{\"ar\":\"plain-ar\",\"cc\":\"plain-cc\",\"cflags\":[\"-mtune=generic\"],\"ldflags\":[\"-"
		"static\"],"
		"\"nm\":\"plain-nm\",\"ranlib\":\"plain-ranlib\",\"strip\":\"plain-strip\","
		"\"triple\":\"x86_64-linux-gnu\"}");
	catalog_free(catalog);
}

static void reads_a_library(void)
{
	struct catalog *catalog = load(TOY);
	const struct library *toy = catalog_library(catalog, "toy", NULL);
	const struct version *debian = library_version(toy, "1.2"), *folder = library_version(toy, "2.0+p1");
	g_assert_cmpint(debian->origin.kind, ==, ORIGIN_DEBIAN);
	g_assert_false(debian->origin.unpatched);
	g_assert_cmpstr(debian->origin.package, ==, "toy");
	g_assert_cmpstr(debian->origin.suite, ==, "stable");
	g_assert_cmpint(folder->origin.kind, ==, ORIGIN_FOLDER);
	g_assert_cmpstr(folder->origin.folder, ==, TOY "/toy-2.0");
	g_assert_cmpstr(toy->adapter, ==, TOY "/libs/toy.c");
	g_assert_cmpstr(toy->recipe, ==, "autotools");
	g_assert_cmpstr(toy->recipe_canonical, ==,
		"{\"archive\":\"src/"
		"libtoy.a\",\"config_header\":\"config.h\",\"configure\":[\"--enable-static\"],"
		"\"name\":\"autotools\",\"prepare\":[\"./bootstrap\"],\"targets\":[\"libtoy.a\"]}");
	g_assert_cmpstr(toy->core_cflags[0], ==, "-I{build}");
	g_assert_cmpuint(toy->math->len, ==, 2);
	g_assert_cmpstr(((const struct math_mark *)toy->math->pdata[1])->symbol, ==, "small_mul");
	g_assert_cmpstr(library_profile(toy, "full")->cflags[0], ==, "-DFULL");
	g_assert_cmpstr(library_profile(toy, "full")->archives[0], ==, "src/libmore.a");
	g_assert_cmpstr(library_profile(toy, "full")->core_cflags[0], ==, "-DHAS_MORE");
	g_assert_null(library_profile(toy, "tls"));
	g_assert_cmpstr(library_flag(toy, "wide")->needs[0], ==, "base");
	g_assert_cmpstr(library_flag(toy, "late")->versions, ==, ">=2.0");
	g_assert_null(library_flag(toy, "later"));
	const struct flag *tuned = library_flag(toy, "tuned");
	g_assert_cmpstr(flag_on(tuned, "aarch64")->cpu[0], ==, "aes");
	g_assert_cmpstr(flag_on(tuned, "aarch64")->versions, ==, ">=2.0");
	g_assert_null(flag_on(tuned, "x86_64"));
	catalog_free(catalog);
}

static void compares_versions_by_their_numbers(void)
{
	static const struct {
		const char *version, *range;
		bool in;
	} cases[] = {
		{"5.5.4", NULL, true},
		{"5.5.4", ">=4.0 <5.0", false},
		{"4.6.0+p1", ">=4.0 <5.0", true},
		{"4.0", ">=4.0", true},
		{"3.99", ">=4.0", false},
		{"5.0", "<5.0", false},
		{"5", ">=5.0.0 <=5.0.0", true},
		{"5.10.0", ">5.9", true}, /* by number, not by letter */
		{"5.9", "<5.10", true},
		{"5.5.4", "=5.5.4", true},
		{"5.5.4-2", "=5.5.4", true},
		{"5.5.40", "=5.5.4", false},
		{"mine", ">=99", true},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_test_message("%s in %s", cases[i].version, cases[i].range);
		g_assert_cmpint(version_in_range(cases[i].version, cases[i].range), ==, cases[i].in);
	}
}

static void prefers_a_users_toolchain(void)
{
	g_autofree char *text = changed(TOY "/toolchains/plain.json", "plain-cc", "vendor-cc");
	put("toolchains/plain.json", text);
	put("toolchains/vendor.json", text);
	struct catalog *catalog = load(TOY);
	g_assert_cmpuint(catalog->toolchains->len, ==, 4);
	g_assert_cmpstr(catalog_toolchain(catalog, "plain", NULL)->cc, ==, "vendor-cc");
	g_assert_cmpstr(((const struct toolchain *)catalog->toolchains->pdata[3])->name, ==, "vendor");
	g_assert_cmpstr(catalog_toolchain(catalog, "armed", NULL)->cc, ==, "armed-cc");
	catalog_free(catalog);
}

static void lets_a_user_add_a_flag_by_replacing_the_file(void)
{
	g_autofree char *text = changed(TOY "/libs/toy.json", "{ \"name\": \"late\"",
		"{ \"name\": \"new\", \"summary\": \"own\", \"cflags\": [\"-DNEW\"] }, { \"name\": \"late\"");
	put("libs/toy.json", text);
	struct catalog *catalog = load(TOY);
	const struct library *toy = catalog_library(catalog, "toy", NULL);
	g_assert_cmpuint(toy->flags->len, ==, 9);
	g_assert_cmpstr(library_flag(toy, "new")->cflags[0], ==, "-DNEW");
	g_assert_cmpstr(toy->adapter, ==, TOY "/libs/toy.c"); /* the bundled one still serves */
	catalog_free(catalog);
}

static void lets_a_user_bring_a_library_with_its_adapter(void)
{
	g_autofree char *text = changed(TOY "/libs/toy.json", "never built", "never built either");
	put("libs/own.json", text);
	put("libs/own.c", "");
	struct catalog *catalog = load(TOY);
	g_autofree char *adapter = g_build_filename(user, "libs/own.c", NULL);
	g_assert_cmpstr(catalog_library(catalog, "own", NULL)->adapter, ==, adapter);
	catalog_free(catalog);
}

static void refuses_a_library_without_an_adapter(void)
{
	check_refused("libs/own.json", "{}", "$: library own has no adapter: write own.c beside this file");
}

static void refuses_an_unknown_key(void)
{
	check_toolchain_refused(
		"\"ldflags\"", "\"ldflag\"", "$: unknown key \"ldflag\"; did you mean \"ldflags\"?");
	check_library_refused(
		"\"needs\"", "\"need\"", "$.flags[2]: unknown key \"need\"; did you mean \"needs\"?");
}

static void refuses_a_wrong_toolchain(void)
{
	check_toolchain_refused("\"bits\": 64", "\"bits\": 48", "$.bits: 48 bits; it can be 32 or 64");
	check_toolchain_refused(
		"\"little\"", "\"middle\"", "$.endian: \"middle\"; it can be \"little\" or \"big\"");
	check_toolchain_refused(
		"EM_X86_64", "x86", "$.machine: \"x86\" is no machine of <elf.h>, such as \"EM_AARCH64\"");
	check_toolchain_refused("\"x86_64-linux-gnu\"", "\"x86_64/../linux\"",
		"$.triple: \"x86_64/../linux\" cannot name a triple: use 1 to 64 letters, digits and . _ + "
		"-, a letter or "
		"digit first");
}

static void refuses_flags_that_name_each_other_wrongly(void)
{
	check_library_refused("[\"base\"], \"excludes\"", "[\"bsae\"], \"excludes\"",
		"$.flags[2].needs[0]: unknown flag \"bsae\"; did you mean \"base\"?");
	check_library_refused("\"implies\": [\"base\"]", "\"implies\": [\"turbo\"]",
		"$.flags[1].implies[0]: flag turbo names itself");
	check_library_refused(
		"\"name\": \"turbo\"", "\"name\": \"base\"", "$.flags[1]: flag \"base\" is named twice");
}

static void refuses_a_profile_of_no_version(void)
{
	check_library_refused("\"configure\": [\"--small\"]",
		"\"versions\": { \"new\": { \"configure\": [] } }",
		"$.profiles[0].versions.new: \"new\" is no range of versions, such as \">=4.0 <5.0\"");
}

static void refuses_a_flag_that_cannot_be(void)
{
	check_library_refused("\">=2.0\"", "\"2.0 or so\"",
		"$.flags[5]: \"2.0 or so\" is no range of versions, such as \">=4.0 <5.0\"");
	check_library_refused("\"versions\": \">=2.0\" } }", "\"versions\": \"2\" } }",
		"$.flags[7].on.aarch64: \"2\" is no range of versions, such as \">=4.0 <5.0\"");
	check_library_refused("\"on\": { \"aarch64\"", "\"on\": { \"aarch46\"",
		"$.flags[7].on.aarch46: unknown architecture \"aarch46\"; did you mean \"aarch64\"?");
	check_library_refused("\"cflags\": [\"-DNARROW\"]", "\"cflags\": []",
		"$.flags[3]: flag narrow does nothing: give it configure or cflags");
	check_library_refused("\"name\": \"narrow\"", "\"name\": \"nar+row\"",
		"$.flags[3]: \"nar+row\" cannot name a flag: \"default\" and \"+\" name sets of flags");
}

static void refuses_paths_out_of_the_build_folder(void)
{
	check_library_refused("src/libtoy.a", "../libtoy.a",
		"$.recipe: archive is \"../libtoy.a\"; it must be a path within the build folder");
	check_library_refused("[\"include\"]", "[\"/usr/include\"]",
		"$.program: includes is \"/usr/include\"; it must be a path within the build folder");
}

static void refuses_patches_that_are_no_boolean(void)
{
	check_library_refused("\"suite\": \"stable\"", "\"suite\": \"stable\", \"patches\": 0",
		"$.versions[0].debian.patches: expected true or false, found a number");
}

static void refuses_a_version_without_a_source(void)
{
	check_library_refused("\"folder\": \"../toy-2.0\"", "\"folder\": null",
		"$.versions[1]: say where the source is: one of \"debian\", \"debian_binary\", \"folder\", "
		"\"tarball\" and "
		"\"git\"");
}

static void refuses_a_file_name_that_is_not_safe(void)
{
	check_refused("toolchains/my gcc.json", "{}",
		"rename it: 1 to 64 letters, digits and . _ + -, a letter or digit first");
}

static void names_the_nearest_toolchain_and_library(void)
{
	struct catalog *catalog = load(TOY);
	g_autoptr(GError) near = NULL;
	g_autoptr(GError) far = NULL;
	g_assert_null(catalog_toolchain(catalog, "armd", &near));
	g_assert_error(near, DIAG_ERROR, DIAG_INPUT);
	g_assert_cmpstr(near->message, ==, "unknown toolchain \"armd\"; did you mean \"armed\"?");
	g_assert_null(catalog_library(catalog, "openssl", &far));
	g_assert_cmpstr(far->message, ==, "unknown library \"openssl\"; known are: toy");
	catalog_free(catalog);
}

static void finds_a_matrix_by_name_or_path(void)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GError) missing = NULL;
	put("matrices/mine.json", "{}");
	struct catalog *catalog = load(TOY);
	g_autofree char *bundled = catalog_matrix_file(catalog, "both", NULL);
	g_autofree char *own = catalog_matrix_file(catalog, "mine", NULL);
	g_autofree char *path = catalog_matrix_file(catalog, own, NULL);
	g_autofree char *expected = g_build_filename(user, "matrices/mine.json", NULL);
	g_assert_cmpstr(bundled, ==, TOY "/matrices/both.json");
	g_assert_cmpstr(own, ==, expected);
	g_assert_cmpstr(path, ==, expected);
	g_assert_null(catalog_matrix_file(catalog, "bot", &error));
	g_assert_cmpstr(error->message, ==, "unknown matrix \"bot\"; did you mean \"both\"?");
	g_assert_null(catalog_matrix_file(catalog, "./both.json", &missing));
	g_assert_cmpstr(missing->message, ==, "./both.json: no such matrix file");
	catalog_free(catalog);
}

static void in_an_empty_user_folder(gconstpointer test)
{
	GError *error = NULL;
	user = g_dir_make_tmp("catalog-XXXXXX", &error);
	g_assert_no_error(error);
	((void (*)(void))test)();
	fsx_remove_tree(user, &error);
	g_assert_no_error(error);
	g_clear_pointer(&user, g_free);
}

#define PACKAGES "\"packages\": [\"make\"],"
#define OWN(members)                                                                                         \
	PACKAGES " \"own\": { \"importer\": \"wolfcrypt\", \"instrument\": \"toy-bench\", " members " },"

static void reads_the_librarys_own_benchmark(void)
{
	g_autofree char *text = changed(TOY "/libs/toy.json", PACKAGES,
		OWN("\"sources\": [\"bench/b.c\"], \"libs\": [\"-lm\"], \"arguments\": [\"{block}\"], "
		    "\"choices\": [{ \"benchmarks\": [\"sha-* hash\"], \"argument\": \"-sha\" }]"));
	put("libs/toy.json", text);
	struct catalog *catalog = load(TOY);
	const struct tool *tool = catalog_library(catalog, "toy", NULL)->tool;
	g_assert_nonnull(tool);
	g_assert_cmpstr(tool->importer, ==, "wolfcrypt");
	g_assert_cmpstr(tool->instrument, ==, "toy-bench");
	g_assert_cmpstr(tool->sources[0], ==, "bench/b.c");
	g_assert_cmpstr(tool->arguments[0], ==, "{block}");
	g_assert_cmpuint(tool->choices->len, ==, 1);
	g_assert_cmpstr(((const struct tool_choice *)tool->choices->pdata[0])->argument, ==, "-sha");
	catalog_free(catalog);
	g_autofree char *file = g_build_filename(user, "libs/toy.json", NULL);
	g_assert_cmpint(g_remove(file), ==, 0);

	catalog = load(TOY);
	g_assert_null(catalog_library(catalog, "toy", NULL)->tool);
	catalog_free(catalog);
}

static void refuses_a_benchmark_of_its_own_that_is_half_told(void)
{
	check_library_refused(PACKAGES, OWN("\"sources\": [\"../b.c\"]"),
		"$.own: sources is \"../b.c\"; it must be a path within the build folder");
	check_library_refused(PACKAGES,
		OWN("\"sources\": [\"b.c\"], \"choices\": [{ \"benchmarks\": [\"sha-256 hash\"] }]"),
		"$.own.choices[0]: the key \"argument\" is missing");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
#define TEST(function)                                                                                       \
	g_test_add_data_func("/catalog/" #function, (gconstpointer)function, in_an_empty_user_folder)
	TEST(reads_the_bundled_toolchains);
	TEST(tells_of_each_bundled_toolchain_what_its_programs_are);
	TEST(takes_for_the_key_only_what_the_compiler_sees);
	TEST(reads_a_library);
	TEST(compares_versions_by_their_numbers);
	TEST(prefers_a_users_toolchain);
	TEST(lets_a_user_add_a_flag_by_replacing_the_file);
	TEST(lets_a_user_bring_a_library_with_its_adapter);
	TEST(refuses_a_library_without_an_adapter);
	TEST(refuses_an_unknown_key);
	TEST(refuses_a_wrong_toolchain);
	TEST(refuses_flags_that_name_each_other_wrongly);
	TEST(refuses_a_profile_of_no_version);
	TEST(refuses_a_flag_that_cannot_be);
	TEST(refuses_paths_out_of_the_build_folder);
	TEST(refuses_patches_that_are_no_boolean);
	TEST(refuses_a_version_without_a_source);
	TEST(refuses_a_file_name_that_is_not_safe);
	TEST(names_the_nearest_toolchain_and_library);
	TEST(finds_a_matrix_by_name_or_path);
	TEST(reads_the_librarys_own_benchmark);
	TEST(refuses_a_benchmark_of_its_own_that_is_half_told);
	return g_test_run();
}
