/* The names that tools print, and the benchmarks that they are. */
#include "importer.h"
#include "names.h"

#include <string.h>

static void expect(const char *importer, const char *printed, const char *benchmark)
{
	int found = name_benchmark(importer, printed);

	g_assert_cmpstr(found < 0 ? NULL : benchmark_infos[found].name, ==, benchmark);
}

static void every_alias_without_signs_is_a_benchmark(void)
{
	for (size_t i = 0; aliases[i].importer; i++)
		if (!strpbrk(aliases[i].name, "#@*") && benchmark_find(aliases[i].benchmark) < 0)
			g_error("%s is no benchmark", aliases[i].benchmark);
}

static void aliases_are_tidy_and_stand_once(void)
{
	g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (size_t i = 0; aliases[i].importer; i++) {
		g_autofree char *tidy = name_tidy(aliases[i].name);
		g_assert_cmpstr(tidy, ==, aliases[i].name);
		char *key = g_strdup_printf("%s\n%s", aliases[i].importer, aliases[i].name);
		if (!g_hash_table_add(seen, key))
			g_error("%s twice", aliases[i].name);
	}
}

static void benchmarks_are_named_by_algorithm_and_operation(void)
{
	for (int i = 0; i < BENCHMARK_COUNT; i++) {
		g_autofree char *name =
			g_strdup_printf("%s %s", benchmark_infos[i].algorithm, benchmark_infos[i].operation);
		g_assert_cmpstr(name, ==, benchmark_infos[i].name);
		g_assert_cmpint(benchmark_find(name), ==, i);
	}
}

static void old_words_are_the_operations_that_they_were(void)
{
	expect("cyassl", "RSA 1024 encryption", "rsa-1024 public");
	expect("cyassl", "RSA 1024 decryption", "rsa-1024 private");
	expect("cyassl", "AES", "aes-128-cbc encrypt");
	expect("cryptopp", "RSA 2056 Sig", "rsa-2056 sign");
	expect("cryptopp", "ECDSA secp192r1 Sig/pre", "ecdsa-p192 sign-precomputed");
	expect("cryptopp", "ECDSA secp192r1 Sig", "ecdsa-p192 sign");
}

static void blanks_and_case_do_not_matter(void)
{
	expect("wolfcrypt", "RSA     2048  Public", "rsa-2048 public");
	expect("wolfcrypt", "ECC   [      SECP256R1]   256  key gen", "ec-p256 keygen");
	expect("wolfcrypt", "GMAC Table 4-bit", "aes-128-gmac mac");
}

static void signs_stand_for_numbers_and_words(void)
{
	expect("openssl-speed", "aes-256-ctr decrypt", "aes-256-ctr decrypt");
	expect("openssl-speed", "rsa 4096 verify", "rsa-4096 verify");
	expect("libgcrypt", "AES256 GCM enc", "aes-256-gcm encrypt");
	expect("liboqs", "ML-KEM-768 encaps", "ml-kem-768 encaps");
}

static void what_is_not_there_stays_unknown(void)
{
	expect("openssl-speed", "aes-257-ctr encrypt", NULL);
	expect("openssl-speed", "rsa 2047 sign", NULL);
	expect("wolfcrypt", "AES-128-CBC", NULL);
	expect("nobody", "AES", NULL);
	expect("cyassl", "", NULL);
	g_autofree char *rubbish = g_strnfill(200, 'x');
	expect("cyassl", rubbish, NULL);
}

static void each_importer_with_aliases_is_one(void)
{
	/* libgcrypt's two importers share names. */
	for (size_t i = 0; aliases[i].importer; i++)
		g_assert_true(
			importer_find(aliases[i].importer) || strcmp(aliases[i].importer, "libgcrypt") == 0);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/import_names/every_alias_without_signs_is_a_benchmark",
		every_alias_without_signs_is_a_benchmark);
	g_test_add_func("/import_names/aliases_are_tidy_and_stand_once", aliases_are_tidy_and_stand_once);
	g_test_add_func("/import_names/benchmarks_are_named_by_algorithm_and_operation",
		benchmarks_are_named_by_algorithm_and_operation);
	g_test_add_func("/import_names/old_words_are_the_operations_that_they_were",
		old_words_are_the_operations_that_they_were);
	g_test_add_func("/import_names/blanks_and_case_do_not_matter", blanks_and_case_do_not_matter);
	g_test_add_func("/import_names/signs_stand_for_numbers_and_words", signs_stand_for_numbers_and_words);
	g_test_add_func("/import_names/what_is_not_there_stays_unknown", what_is_not_there_stays_unknown);
	g_test_add_func("/import_names/each_importer_with_aliases_is_one", each_importer_with_aliases_is_one);
	return g_test_run();
}
