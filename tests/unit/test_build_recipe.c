#include "fsx.h"
#include "recipe.h"

#include <glib/gstdio.h>

#include <string.h>

static char *none[] = {NULL};
static char *fastmath_configure[] = {(char *)"--enable-fastmath", NULL};
static char *sp_configure[] = {(char *)"--enable-sp", (char *)"--enable-sp-math", NULL};
static char *no_asm_cflags[] = {(char *)"-DTFM_NO_ASM", NULL};
static struct flag fastmath = {.name = "fastmath", .configure = fastmath_configure, .cflags = none};
static struct flag sp = {.name = "sp", .configure = sp_configure, .cflags = none};
static struct flag no_asm = {.name = "TFM_NO_ASM", .configure = none, .cflags = no_asm_cflags};
static char *library_configure[] = {(char *)"--disable-shared", NULL};
static char *crypto_configure[] = {(char *)"--enable-cryptonly", NULL};
static char *targets[] = {(char *)"src/libwolfssl.la", NULL};
static char *arm_cflags[] = {(char *)"-mcpu=cortex-a72", (char *)"-DDIR={build}", NULL};
static char *static_link[] = {(char *)"-static", NULL};
static const struct library wolfssl = {.name = "wolfssl", .configure = library_configure, .targets = targets};
static const struct profile crypto = {.name = "crypto", .configure = crypto_configure, .cflags = none};
static const struct version release = {.name = "5.5.4"};
static const struct toolchain x86_64 = {.name = "x86_64-gcc",
	.triple = "x86_64-linux-gnu",
	.cc = "gcc",
	.ar = "ar",
	.ranlib = "ranlib",
	.strip = "strip",
	.nm = "nm",
	.cflags = none,
	.ldflags = static_link};
static const struct toolchain aarch64 = {.name = "aarch64-gcc",
	.triple = "aarch64-linux-gnu",
	.cc = "aarch64-linux-gnu-gcc",
	.ar = "aarch64-linux-gnu-ar",
	.ranlib = "aarch64-linux-gnu-ranlib",
	.cflags = arm_cflags,
	.ldflags = none};

#define X86_BEGIN                                                                                            \
	"./configure --build=x86_64-linux-gnu --host=x86_64-linux-gnu --cache-file=config.cache "            \
	"--disable-shared --enable-cryptonly "
#define X86_TOOLS "CC=gcc AR=ar RANLIB=ranlib STRIP=strip NM=nm "

static const struct recipe *autotools(void)
{
	const struct recipe *recipe = recipe_find("autotools");
	g_assert_nonnull(recipe);
	return recipe;
}

static struct planned_build planned(
	const struct toolchain *toolchain, const char *optimisation, GPtrArray *flags)
{
	return (struct planned_build){.library = &wolfssl,
		.version = &release,
		.toolchain = toolchain,
		.profile = &crypto,
		.optimisation = optimisation,
		.flags = flags};
}

static void assert_line(const struct toolchain *toolchain, const char *optimisation,
	struct flag *const *flags, const char *expected)
{
	g_autoptr(GPtrArray) list = g_ptr_array_new();
	for (; *flags; flags++)
		g_ptr_array_add(list, *flags);
	const struct planned_build build = planned(toolchain, optimisation, list);
	const struct recipe_input in = {.build = &build, .build_triple = "x86_64-linux-gnu"};
	g_auto(GStrv) words = autotools()->words(&in);
	g_autofree char *line = steps_line((const char *const *)words);
	g_assert_cmpstr(line, ==, expected);
}

static void writes_the_configure_line_of_each_set(void)
{
	assert_line(&x86_64, "-O2", (struct flag *const[]){NULL},
		X86_BEGIN X86_TOOLS "CFLAGS=-O2 LDFLAGS=-static");
	assert_line(&x86_64, "library", (struct flag *const[]){NULL}, X86_BEGIN X86_TOOLS "LDFLAGS=-static");
	assert_line(&x86_64, "-O2", (struct flag *const[]){&fastmath, &sp, NULL},
		X86_BEGIN "--enable-fastmath --enable-sp --enable-sp-math " X86_TOOLS
			  "CFLAGS=-O2 LDFLAGS=-static");
	assert_line(&x86_64, "-Os", (struct flag *const[]){&fastmath, &no_asm, NULL},
		X86_BEGIN "--enable-fastmath " X86_TOOLS "'CFLAGS=-Os -DTFM_NO_ASM' LDFLAGS=-static");
	assert_line(&x86_64, "library", (struct flag *const[]){&fastmath, &no_asm, NULL},
		X86_BEGIN "--enable-fastmath " X86_TOOLS "CFLAGS=-DTFM_NO_ASM LDFLAGS=-static");
}

static void adds_what_a_profile_has_in_some_versions(void)
{
	static char *mldsa[] = {(char *)"--enable-mldsa", NULL};
	struct profile_more old = {">=5.5 <5.9", mldsa}, newer = {">=5.9", mldsa};
	g_autoptr(GPtrArray) more = g_ptr_array_new();
	struct profile profile = {.configure = crypto_configure, .more = more};

	g_ptr_array_add(more, &newer);
	g_auto(GStrv) without = profile_configure(&profile, "5.7.2");
	g_auto(GStrv) with = profile_configure(&profile, "5.9.2");
	g_assert_cmpuint(g_strv_length(without), ==, 1);
	g_assert_cmpuint(g_strv_length(with), ==, 2);
	g_assert_cmpstr(with[1], ==, "--enable-mldsa");
	g_ptr_array_add(more, &old);
	g_auto(GStrv) other = profile_configure(&profile, "5.7.2");
	g_assert_cmpuint(g_strv_length(other), ==, 2);
}

static void writes_the_line_of_a_cross_build(void)
{
	assert_line(&aarch64, "-O2", (struct flag *const[]){&sp, NULL},
		"./configure --build=x86_64-linux-gnu --host=aarch64-linux-gnu --cache-file=config.cache "
		"--disable-shared --enable-cryptonly --enable-sp --enable-sp-math CC=aarch64-linux-gnu-gcc "
		"AR=aarch64-linux-gnu-ar RANLIB=aarch64-linux-gnu-ranlib "
		"'CFLAGS=-O2 -mcpu=cortex-a72 -DDIR={build}'");
}

static void makes_the_steps(void)
{
	g_autoptr(GPtrArray) flags = g_ptr_array_new();
	const struct planned_build build = planned(&aarch64, "-O2", flags);
	const struct recipe_input in = {&build, "/work/b", "x86_64-linux-gnu", 3, &build_limits_default};
	g_autoptr(GPtrArray) steps = autotools()->steps(&in);
	g_assert_cmpuint(steps->len, ==, 2);
	const struct step *configure = steps->pdata[0], *make = steps->pdata[1];
	g_assert_cmpstr(configure->name, ==, "configure");
	g_assert_cmpstr(configure->folder, ==, "/work/b");
	g_assert_cmpint(configure->fails_as, ==, BUILD_CONFIGURE_FAILED);
	g_assert_cmpfloat(configure->timeout_s, ==, 600);
	g_assert_true(g_strv_contains(
		(const char *const *)configure->argv, "CFLAGS=-O2 -mcpu=cortex-a72 -DDIR=/work/b"));
	g_autofree char *line = steps_line((const char *const *)make->argv);
	g_assert_cmpstr(line, ==, "make -j3 V=1 src/libwolfssl.la");
	g_assert_cmpint(make->fails_as, ==, BUILD_COMPILE_FAILED);
	g_assert_cmpfloat(make->timeout_s, ==, 1800);
}

static void writes_the_line_of_openssls_own_configure(void)
{
	static char *system[] = {(char *)"linux-aarch64", NULL};
	struct recipe_on on = {"aarch64", system};
	struct toolchain toolchain = aarch64;
	struct library openssl = {.configure = library_configure, .targets = targets};
	static char *archives[] = {(char *)"libssl.a", NULL};
	struct profile profile = crypto;
	g_autoptr(GPtrArray) flags = g_ptr_array_new();
	g_autoptr(GPtrArray) ons = g_ptr_array_new();
	g_ptr_array_add(ons, &on);
	g_ptr_array_add(flags, &sp);
	g_ptr_array_add(flags, &no_asm);
	toolchain.arch = "aarch64";
	openssl.recipe_on = ons;
	struct planned_build build = planned(&toolchain, "-Os", flags);
	build.library = &openssl;
	profile.archives = archives;
	build.profile = &profile;
	const struct recipe_input in = {&build, "/work/b", "x86_64-linux-gnu", 3, &build_limits_default};
	g_auto(GStrv) words = recipe_find("openssl")->words(&in);
	g_autofree char *line = steps_line((const char *const *)words);
	g_assert_cmpstr(line, ==,
		"perl Configure linux-aarch64 --disable-shared --enable-cryptonly --enable-sp "
		"--enable-sp-math "
		"CC=aarch64-linux-gnu-gcc AR=aarch64-linux-gnu-ar RANLIB=aarch64-linux-gnu-ranlib CFLAGS=-Os "
		"-mcpu=cortex-a72 '-DDIR={build}' -DTFM_NO_ASM");
	g_autoptr(GPtrArray) steps = recipe_find("openssl")->steps(&in);
	g_assert_cmpuint(steps->len, ==, 3);
	const struct step *configure = steps->pdata[0], *make = steps->pdata[2];
	g_assert_true(g_strv_contains((const char *const *)configure->argv, "-DDIR=/work/b"));
	g_autofree char *made = steps_line((const char *const *)make->argv);
	g_assert_cmpstr(made, ==, "make -j3 src/libwolfssl.la libssl.a");
}

static void puts_what_comes_built_where_the_library_says(void)
{
	static char *here[] = {(char *)".", NULL};
	struct toolchain toolchain = aarch64;
	struct library library = {.archive = "src/libwolfssl.a", .includes = here};
	struct version version = {"1.0", {.kind = ORIGIN_DEBIAN_BINARY, .package = "libwolfssl-dev"}, false};
	g_autoptr(GPtrArray) flags = g_ptr_array_new();
	toolchain.debian_arch = "arm64";
	struct planned_build build = planned(&toolchain, "library", flags);
	build.library = &library;
	build.version = &version;
	static char *archives[] = {(char *)"src/libmore.a", NULL};
	struct profile profile = crypto;
	profile.archives = archives;
	build.profile = &profile;
	const struct recipe_input in = {&build, "/work/b", "x86_64-linux-gnu", 1, &build_limits_default};
	g_auto(GStrv) words = recipe_find("prebuilt")->words(&in);
	g_autofree char *line = steps_line((const char *const *)words);
	g_assert_cmpstr(line, ==, "prebuilt libwolfssl-dev:arm64");
	g_autoptr(GPtrArray) steps = recipe_find("prebuilt")->steps(&in);
	g_assert_cmpuint(steps->len, ==, 3);
	const struct step *headers = steps->pdata[0], *more = steps->pdata[1], *archive = steps->pdata[2];
	g_autofree char *install_more = steps_line((const char *const *)more->argv);
	g_assert_cmpstr(install_more, ==, "install -D -m 644 debian/lib/libmore.a src/libmore.a");
	g_autofree char *copy = steps_line((const char *const *)headers->argv);
	g_autofree char *install = steps_line((const char *const *)archive->argv);
	g_assert_cmpstr(copy, ==, "cp -a -T debian/include .");
	g_assert_cmpstr(install, ==, "install -D -m 644 debian/lib/libwolfssl.a src/libwolfssl.a");
	g_assert_cmpint(archive->fails_as, ==, BUILD_UNSUPPORTED);
}

static void compiles_against_a_header_of_defines(void)
{
	static char *profile_defines[] = {(char *)"TOY_SMALL", (char *)"TOY_DIGITS=64", NULL};
	static char *flag_defines[] = {(char *)"!TOY_SMALL", (char *)"TOY_SP", NULL};
	g_autofree char *folder = g_dir_make_tmp("recipe-XXXXXX", NULL);
	g_autofree char *subfolder = g_build_filename(folder, "wolfssl", NULL);
	g_autofree char *header = g_build_filename(folder, "user_settings.h", NULL), *text = NULL;
	struct toolchain toolchain = aarch64;
	struct library library = {.archive = "src/libtoy.a"};
	struct profile profile = {.name = "small", .cflags = none, .defines = profile_defines};
	struct flag flag = {
		.name = "sp", .configure = sp_configure, .cflags = no_asm_cflags, .defines = flag_defines};
	g_autoptr(GPtrArray) flags = g_ptr_array_new();
	g_ptr_array_add(flags, &flag);
	toolchain.big_endian = true;
	struct planned_build build = planned(&toolchain, "-Os", flags);
	build.library = &library;
	build.profile = &profile;
	const struct recipe *recipe = recipe_find("user_settings");
	const struct recipe_input in = {&build, folder, "x86_64-linux-gnu", 2, &build_limits_default};
	g_auto(GStrv) words = recipe->words(&in);
	g_autofree char *line = steps_line((const char *const *)words);
	g_assert_cmpstr(line, ==,
		"user_settings.h -DBIG_ENDIAN_ORDER -DTOY_SMALL -DTOY_DIGITS=64 -UTOY_SMALL -DTOY_SP "
		"ARCHIVE=src/libtoy.a CC=aarch64-linux-gnu-gcc AR=aarch64-linux-gnu-ar "
		"RANLIB=aarch64-linux-gnu-ranlib 'CFLAGS=-Os -mcpu=cortex-a72 -DDIR={build} -DTFM_NO_ASM'");
	g_autoptr(GPtrArray) steps = recipe->steps(&in);
	g_assert_cmpuint(steps->len, ==, 1);
	const struct step *make = steps->pdata[0];
	g_autofree char *expected =
		g_strdup_printf("CFLAGS=-Os -mcpu=cortex-a72 -DDIR=%s -DTFM_NO_ASM", folder);
	g_assert_true(g_strv_contains((const char *const *)make->argv, expected));
	g_assert_cmpint(g_mkdir(subfolder, 0700), ==, 0);
	g_assert_true(recipe->write(&in, NULL));
	g_assert_true(g_file_get_contents(header, &text, NULL, NULL));
	g_assert_nonnull(
		strstr(text, "\n#define BIG_ENDIAN_ORDER \n#define TOY_SMALL \n#define TOY_DIGITS 64\n"
			     "#undef TOY_SMALL\n#define TOY_SP \n"));
	fsx_remove_tree(folder, NULL);
}

static char *cache_line(const struct toolchain *toolchain, const char *optimisation, struct flag *flag)
{
	g_autoptr(GPtrArray) flags = g_ptr_array_new();
	if (flag)
		g_ptr_array_add(flags, flag);
	const struct planned_build build = planned(toolchain, optimisation, flags);
	const struct recipe_input in = {.build = &build, .build_triple = "x86_64-linux-gnu"};
	g_auto(GStrv) words = autotools()->cache_words(&in);
	return g_strjoinv("|", words);
}

static void shares_findings_only_where_tools_and_cflags_are_equal(void)
{
	g_autofree char *plain = cache_line(&x86_64, "-O2", NULL);
	g_autofree char *with_sp = cache_line(&x86_64, "-O2", &sp);
	g_autofree char *with_cflags = cache_line(&x86_64, "-O2", &no_asm);
	g_autofree char *other_level = cache_line(&x86_64, "-Os", NULL);
	g_autofree char *other_target = cache_line(&aarch64, "-O2", NULL);
	g_assert_cmpstr(plain, ==, with_sp);
	g_assert_cmpstr(plain, !=, with_cflags);
	g_assert_cmpstr(plain, !=, other_level);
	g_assert_cmpstr(plain, !=, other_target);
}

static void knows_no_other_recipe(void)
{
	g_assert_null(recipe_find("bazel"));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func(
		"/recipe/writes_the_configure_line_of_each_set", writes_the_configure_line_of_each_set);
	g_test_add_func(
		"/recipe/adds_what_a_profile_has_in_some_versions", adds_what_a_profile_has_in_some_versions);
	g_test_add_func("/recipe/writes_the_line_of_a_cross_build", writes_the_line_of_a_cross_build);
	g_test_add_func("/recipe/makes_the_steps", makes_the_steps);
	g_test_add_func("/recipe/shares_findings_only_where_tools_and_cflags_are_equal",
		shares_findings_only_where_tools_and_cflags_are_equal);
	g_test_add_func("/recipe/knows_no_other_recipe", knows_no_other_recipe);
	g_test_add_func("/recipe/writes_the_line_of_openssls_own_configure",
		writes_the_line_of_openssls_own_configure);
	g_test_add_func("/recipe/compiles_against_a_header_of_defines", compiles_against_a_header_of_defines);
	g_test_add_func("/recipe/puts_what_comes_built_where_the_library_says",
		puts_what_comes_built_where_the_library_says);
	return g_test_run();
}
