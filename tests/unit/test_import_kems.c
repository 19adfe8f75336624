/* Benchmarks of post-quantum schemes, and SUPERCOP's data. */
#include "import_harness.h"

#define HEADER                                                                                               \
	"Operation                      | Iterations | Total time (s) | Time (us): mean | pop. stdev | %s: " \
	"mean | pop. stdev\n"

static GPtrArray *liboqs(const char *last, const char *rows)
{
	g_autofree char *header = g_strdup_printf(HEADER, last);
	g_autofree char *text = g_strconcat(header, rows, NULL);

	return told_of("liboqs", text);
}

static void liboqs_tells_schemes_in_rows_of_their_own(void)
{
	g_autoptr(GPtrArray) all =
		liboqs("CPU cycles", "FrodoKEM-640-AES               |            |                |         "
				     "        |            |                  |           \n"
				     "keygen                         |        142 |          3.004 |       "
				     "21154.986 |   1715.938 |         54877166 |    4451114\n"
				     "encaps                         |      17923 |          3.000 |         "
				     "167.384 |     43.782 |           433997 |     112015\n");

	/* 3.004 / 142 is 21154.9 us. */
	told_expect(all, 0, "frodokem-640-aes keygen", 21154.986e-6);
	g_assert_cmpint(told_expect(all, 1, "frodokem-640-aes keygen", 54877166)->metric, ==,
		METRIC_REFERENCE_CYCLES);
	told_expect(all, 2, "frodokem-640-aes encaps", 167.384e-6);
}

static void liboqs_cycles_that_ran_over_are_refused(void)
{
	g_autoptr(GPtrArray) all =
		liboqs("CPU cycles", "Kyber512                       |            |                |         "
				     "        |            |                  |           \n"
				     "sign                           |        100 |          1.000 |       "
				     "10000.000 |      1.000 | 18446744073709551 |          1\n");

	told_expect(all, 0, NULL, 0.01);
	told_doubted(all, 1, "is a clock of");
}

static void liboqs_may_have_a_finer_clock_in_place_of_cycles(void)
{
	g_autoptr(GPtrArray) all = liboqs("High-prec time (ns)",
		"Kyber512                       |            |                |                 |            "
		"|                  |           \n"
		"keygen                         |        300 |          3.000 |       10000.000 |      1.000 "
		"|         10000000 |          1\n"
		"encaps                         |        300 |          3.000 |       10000.000 |      1.000 "
		"|         20000000 |          1\n"
		"decaps                         |\n");

	g_assert_cmpuint(told_count(all, IMPORT_FIGURE), ==, 2);
	told_expect(all, 0, "kyber-512 keygen", 0.01);
	told_doubted(all, 1, "disagree");
	g_assert_cmpuint(told_count(all, IMPORT_UNREAD), ==, 1);
}

static void mlkem_native_names_its_set_above(void)
{
	g_autoptr(GPtrArray) all = told_of("mlkem-native", "encaps cycles = 1\n"
							   "INFO  > ML-KEM-512\n"
							   "   keypair cycles = 25342\n"
							   "INFO  > MLKEM768\n"
							   "decaps cycles=146212\n"
							   "encaps cycles=0\n");

	g_assert_cmpuint(told_at(all, IMPORT_UNREAD, 0)->line, ==, 1);
	told_expect(all, 0, "ml-kem-512 keygen", 25342);
	told_expect(all, 1, "ml-kem-768 decaps", 146212);
	told_doubted(all, 2, "zero"); /* built without a counter */
}

static void pqm4_tells_mean_min_and_max(void)
{
	g_autoptr(GPtrArray) all =
		told_of("pqm4", "Speed Evaluation,,,,\n"
				"Scheme,Implementation,Key Generation [cycles] (mean),Key Generation "
				"[cycles] (min),Key Generation [cycles] (max)\n"
				"ml-kem-1024 (10 executions),m4fspeed,1018976,1014877,1026934\n"
				"Memory Evaluation,,,,\n"
				"Scheme,Implementation,Key Generation [bytes],,\n"
				"ml-kem-1024,m4fspeed,43976,,\n");

	g_assert_cmpuint(told_count(all, IMPORT_FIGURE), ==, 4);
	g_assert_cmpint(told_expect(all, 3, "ml-kem-1024 keygen", 43976)->metric, ==, METRIC_RAM);
	const struct import_record *mean = told_expect(all, 0, "ml-kem-1024 keygen", 1018976);
	g_assert_cmpint(mean->metric, ==, METRIC_CYCLES);
	g_assert_cmpint(mean->statistic, ==, IMPORT_MEAN);
	g_assert_cmpstr(mean->labels.v[LABEL_ENGINE], ==, "m4fspeed");
	g_assert_cmpint(told_expect(all, 1, "ml-kem-1024 keygen", 1014877)->statistic, ==, IMPORT_BEST);
	g_assert_cmpint(told_expect(all, 2, "ml-kem-1024 keygen", 1026934)->statistic, ==, IMPORT_WORST);
}

static void supercop_divides_by_the_length(void)
{
	g_autoptr(GPtrArray) all = told_of("supercop",
		"20200417 h amd64 20200512 crypto_hash sha256 cpucycles_persecond 3900000000\n"
		"20200417 h amd64 20200512 crypto_hash sha256 cpucycles_implementation amd64cpuinfo\n"
		"20200417 h amd64 20200512 crypto_hash sha256 try 0fb5 fails 771210 2902992 3900000000 x y\n"
		"20200417 h amd64 20200512 crypto_hash sha256 cycles 0 1680 5850 2048\n"
		"20200417 h amd64 20200512 crypto_hash sha256 cycles 1024 8192 8200 8190\n");

	g_assert_cmpstr(told_fact(all, "clock"), ==, "3900000000");
	g_assert_nonnull(told_fact(all, "failed"));
	const struct import_record *figure = told_expect(all, 0, "sha-256 hash", 8);
	g_assert_cmpint(figure->statistic, ==, IMPORT_MEDIAN);
	g_assert_cmpint(figure->metric, ==, METRIC_REFERENCE_CYCLES);
	g_assert_cmpstr(figure->labels.v[LABEL_BLOCK], ==, "1024");
}

static void supercop_lists_are_cycles_per_byte(void)
{
	g_autoptr(GPtrArray) all =
		told_of("supercop", "crypto_stream/chacha20/hacl_star/vec256 gcc-9_-O3 0.79\n"
				    "crypto_stream/chacha20/hacl_star/vec256 gcc-9\n");

	g_assert_cmpstr(told_expect(all, 0, "chacha20 encrypt", 0.79)->labels.v[LABEL_ENGINE], ==,
		"hacl_star/vec256");
	g_assert_cmpstr(told_fact(all, "compiler"), ==, "gcc-9_-O3");
	g_assert_cmpuint(told_count(all, IMPORT_UNREAD), ==, 1);
}

#define TEST(name) g_test_add_func("/import_kems/" #name, name)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	TEST(liboqs_tells_schemes_in_rows_of_their_own);
	TEST(liboqs_cycles_that_ran_over_are_refused);
	TEST(liboqs_may_have_a_finer_clock_in_place_of_cycles);
	TEST(mlkem_native_names_its_set_above);
	TEST(pqm4_tells_mean_min_and_max);
	TEST(supercop_divides_by_the_length);
	TEST(supercop_lists_are_cycles_per_byte);
	return g_test_run();
}
