#include "plan.h"

#define DATA BM_SOURCE "/tests/fixtures/catalog_data"

static struct catalog *catalog;
static const struct library *toy;

#define BUNDLED BM_BINARY "/share/benchmatrix"

#define SET(...) ((const char *const[]){__VA_ARGS__, NULL})
#define NONE	 ((const char *const[]){NULL})

static void check_name(const char *expected, const char *const *flags)
{
	g_autofree char *name = config_name(flags);
	g_assert_cmpstr(name, ==, expected);
}

static void names_sets(void)
{
	check_name("default", NONE);
	check_name("sp", SET("sp"));
	check_name("fastmath+sp", SET("sp", "fastmath"));
	/* Case ignored first: TFM_NO_ASM is neither before nor after all small letters. */
	check_name("armasm+fasthugemath+fastmath+sp+TFM_NO_ASM",
		SET("TFM_NO_ASM", "fastmath", "sp", "fasthugemath", "armasm"));
	check_name("A+a+b", SET("b", "a", "A"));
	check_name("A+b", SET("b", "A"));
}

static void check_refused(
	const char *expected, const char *version, const char *toolchain, const char *const *flags)
{
	const struct toolchain *on = catalog_toolchain(catalog, toolchain, NULL);
	g_autofree char *reason = flags_refused(toy, version, on, flags);
	g_assert_cmpstr(reason, ==, expected);
}

static void accepts_closed_sets(void)
{
	check_refused(NULL, "2.0+p1", "plain", NONE);
	check_refused(NULL, "2.0+p1", "plain", SET("base"));
	check_refused(NULL, "2.0+p1", "plain", SET("turbo", "base"));
	check_refused(NULL, "2.0+p1", "plain", SET("base", "wide", "turbo", "late"));
	check_refused(NULL, "2.0+p1", "armed", SET("vec", "narrow"));
}

static void refuses_another_architecture(void)
{
	check_refused("flag vec: aarch64 only, not x86_64", "1.2", "plain", SET("vec"));
}

static void refuses_a_processor_without_the_feature(void)
{
	check_refused("flag vec: needs a processor with aes, which toolchain bare does not promise", "1.2",
		"bare", SET("vec"));
}

static void refuses_another_version(void)
{
	check_refused("flag late: versions >=2.0 only, not 1.2", "1.2", "plain", SET("late"));
	check_refused(NULL, "2.0+p1", "plain", SET("late"));
	/* Nothing is known against a folder that has a name and no number. */
	check_refused(NULL, "mine", "plain", SET("late"));
}

static void asks_for_more_on_one_architecture(void)
{
	check_refused(NULL, "1.2", "plain", SET("tuned"));
	check_refused(NULL, "2.0+p1", "armed", SET("tuned"));
	check_refused("flag tuned: versions >=2.0 only on aarch64, not 1.2", "1.2", "armed", SET("tuned"));
	check_refused("flag tuned: needs a processor with aes, which toolchain bare does not promise",
		"2.0+p1", "bare", SET("tuned"));
}

static void refuses_a_set_that_is_not_closed(void)
{
	check_refused("super implies turbo: the same as base+super+turbo", "1.2", "plain", SET("super"));
	check_refused("turbo implies base: the same as base+turbo", "1.2", "plain", SET("turbo"));
	check_refused(
		"turbo implies base: the same as base+turbo+wide", "1.2", "plain", SET("wide", "turbo"));
}

static void refuses_what_is_missing(void)
{
	check_refused("wide needs base", "1.2", "plain", SET("wide"));
}

static void refuses_either_order_of_an_exclusion(void)
{
	check_refused("wide excludes narrow", "1.2", "plain", SET("base", "wide", "narrow"));
	check_refused("wide excludes narrow", "1.2", "plain", SET("narrow", "wide", "base"));
}

static void tells_first_what_cannot_be_at_all(void)
{
	check_refused("flag vec: aarch64 only, not x86_64", "1.2", "plain", SET("turbo", "wide", "vec"));
}

/* As the configure.ac of each release has it. */
static void knows_what_wolfssl_can_have(void)
{
	static const struct {
		const char *version, *toolchain, *flags, *reason;
	} cases[] = {
		{"4.6.0", "aarch64-gcc", "armasm", NULL},
		{"4.6.0", "armhf-gcc", "armasm", "flag armasm: versions >=5.5 only on arm, not 4.6.0"},
		{"5.5.4", "armhf-gcc", "armasm", NULL},
		{"5.5.4", "armel-gcc", "armasm",
			"flag armasm: needs a processor with neon, which toolchain armel-gcc does not "
			"promise"},
		{"5.5.4", "riscv64-gcc", "armasm", "flag armasm: aarch64, arm only, not riscv64"},
		{"5.5.4", "x86_64-gcc", "sp-asm", "sp-asm needs sp"},
		{"5.5.4", "x86_64-gcc", "sp sp-asm", NULL},
		{"5.5.4", "x86_64-gcc", "fastmath sp sp-asm", NULL},
		{"5.5.4", "armel-gcc", "sp sp-asm",
			"flag sp-asm: needs a processor with armv6, which toolchain armel-gcc does not "
			"promise"},
		{"5.5.4", "s390x-gcc", "sp sp-asm", "flag sp-asm: x86_64, aarch64, arm only, not s390x"},
		{"5.5.4", "s390x-gcc", "sp", NULL},
		{"5.5.4", "x86_64-gcc", "sp sp-small", "sp-small excludes sp"},
		{"4.6.0", "x86_64-gcc", "heapmath", "flag heapmath: versions >=5.5 only, not 4.6.0"},
		{"5.5.4", "x86_64-gcc", "heapmath", NULL},
		{"5.5.4", "x86_64-gcc", "fastmath heapmath", "heapmath excludes fastmath"},
		{"5.5.4", "x86_64-gcc", "fastmath fasthugemath heapmath", "heapmath excludes fastmath"},
		{"5.5.4", "x86_64-gcc", "heapmath sp", "heapmath excludes sp"},
		{"5.5.4", "x86_64-gcc", "intelasm", "intelasm implies aesni: the same as aesni+intelasm"},
		{"5.5.4", "x86_64-gcc", "aesni intelasm", NULL},
		{"5.5.4", "i686-gcc", "aesni", "flag aesni: x86_64 only, not i686"},
		{"5.5.4", "x86_64-gcc", "noasm sp sp-asm", "noasm excludes sp-asm"},
		{"5.5.4", "aarch64-gcc", "armasm noasm", "noasm excludes armasm"},
		{"5.5.4", "riscv64-gcc", "riscv-asm", "flag riscv-asm: versions >=5.7 only, not 5.5.4"},
		{"5.7.2", "riscv64-gcc", "riscv-asm", NULL},
		{"5.7.2", "powerpc-gcc", "ppc32-asm", "flag ppc32-asm: versions >=5.9 only, not 5.7.2"},
		{"5.9.2", "powerpc-gcc", "ppc32-asm", NULL},
		{"5.5.4", "mips-gcc", "WOLFSSL_SP_INT_DIGIT_ALIGN", NULL},
		{"5.5.4", "mips-gcc", "fastmath WOLFSSL_SP_INT_DIGIT_ALIGN",
			"WOLFSSL_SP_INT_DIGIT_ALIGN excludes fastmath"},
		{"5.5.4", "armhf-gcc", "FP_MAX_BITS_8192", "FP_MAX_BITS_8192 needs fastmath"},
		{"5.7.2", "x86_64-gcc", "gcm-small gcm-table", "gcm-small excludes gcm-table"},
	};
	struct catalog *bundled;
	GError *error = NULL;
	catalog_load(&bundled, BUNDLED, NULL, &error);
	g_assert_no_error(error);
	const struct library *wolfssl = catalog_library(bundled, "wolfssl", NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_test_message("%s %s {%s}", cases[i].toolchain, cases[i].version, cases[i].flags);
		const struct toolchain *on = catalog_toolchain(bundled, cases[i].toolchain, NULL);
		g_auto(GStrv) flags = g_strsplit(cases[i].flags, " ", -1);
		for (char **flag = flags; *flag; flag++)
			g_assert_nonnull(library_flag(wolfssl, *flag));
		g_autofree char *reason =
			flags_refused(wolfssl, cases[i].version, on, (const char *const *)flags);
		g_assert_cmpstr(reason, ==, cases[i].reason);
	}
	catalog_free(bundled);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	GError *error = NULL;
	catalog_load(&catalog, DATA, NULL, &error);
	g_assert_no_error(error);
	toy = catalog_library(catalog, "toy", NULL);
	g_test_add_func("/flags/names_sets_sorted_with_case_ignored_first", names_sets);
	g_test_add_func("/flags/accepts_closed_sets", accepts_closed_sets);
	g_test_add_func("/flags/refuses_another_architecture", refuses_another_architecture);
	g_test_add_func(
		"/flags/refuses_a_processor_without_the_feature", refuses_a_processor_without_the_feature);
	g_test_add_func("/flags/refuses_another_version", refuses_another_version);
	g_test_add_func("/flags/asks_for_more_on_one_architecture", asks_for_more_on_one_architecture);
	g_test_add_func("/flags/refuses_a_set_that_is_not_closed", refuses_a_set_that_is_not_closed);
	g_test_add_func("/flags/refuses_what_is_missing", refuses_what_is_missing);
	g_test_add_func("/flags/refuses_either_order_of_an_exclusion", refuses_either_order_of_an_exclusion);
	g_test_add_func("/flags/tells_first_what_cannot_be_at_all", tells_first_what_cannot_be_at_all);
	g_test_add_func("/flags/knows_what_wolfssl_can_have", knows_what_wolfssl_can_have);
	int status = g_test_run();
	catalog_free(catalog);
	return status;
}
