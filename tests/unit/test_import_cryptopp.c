/* Crypto++'s tables and pycryptopp's. */
#include "import_harness.h"

#define MIB 1048576.0

static GPtrArray *told(const char *text)
{
	return told_of("cryptopp", text);
}

static void text_tables_tell_rates_and_cycles(void)
{
	g_autoptr(GPtrArray) all = told("an ARM926EJ-S rev 0 at 266 MHz, with\n"
					"Algorithm    MiB/Sec Cycle/Byte\n"
					"---------    ------- ----------\n"
					"MD5               24       10.7\n"
					"AES/CTR (128-bit)  2      131.9\n"
					"SHA-1              9       57.0\n");

	g_assert_cmpstr(told_fact(all, "clock"), ==, "266000000");
	const struct import_record *md5 = told_expect(all, 0, "md5 hash", 1 / (24 * MIB));
	g_assert_cmpint(md5->metric, ==, METRIC_TIME);
	const struct import_record *cycles = told_expect(all, 1, "md5 hash", 10.7);
	g_assert_cmpint(cycles->metric, ==, METRIC_CYCLES);
	g_assert_cmpint(cycles->figure_kind, ==, KIND_DERIVED);
	told_expect(all, 2, "aes-128-ctr encrypt", 1 / (2 * MIB));
	/* 131.9 * 2 * 1048576 is 276.6 MHz, but 2 may be 1.5 to 2.5. */
	told_expect(all, 3, "aes-128-ctr encrypt", 131.9);
	told_expect(all, 4, "sha-1 hash", 1 / (9 * MIB));
	/* 57.0 * 9 * 1048576 is 537.9 MHz, and at least 508. */
	told_doubted(all, 5, "is a clock of 537.9 MHz, and 266 MHz is stated");
}

static void text_tables_tell_operations(void)
{
	g_autoptr(GPtrArray) all = told("Algorithm          millisec/Op megacycle/Op\n"
					"RSA 2056 Sig            950.00       252.70\n"
					"ECDSA secp192r1 Sig/pre  16.95         4.51\n");

	told_expect(all, 0, "rsa-2056 sign", 0.95);
	g_assert_cmpstr(told_expect(all, 1, "rsa-2056 sign", 252.70e6)->unit, ==, "megacycles/op");
	told_expect(all, 2, "ecdsa-p192 sign-precomputed", 0.01695);
}

static void key_generation_has_best_mean_and_worst(void)
{
	g_autoptr(GPtrArray) all = told("Algorithm          millisec/Op megacycle/Op\n"
					"RSA 2056 Verify          12.82         3.41\n"
					"Algorithm       millisec/new key\n"
					"RSA 2056                31,670    (best)\n"
					"RSA 2056                57,860    (mean)\n"
					"RSA 2056                98,180    (worst)\n");

	/* The points of the table before prove that commas stand between thousands. */
	g_assert_cmpint(told_expect(all, 2, "rsa-2056 keygen", 31.670)->statistic, ==, IMPORT_BEST);
	g_assert_cmpint(told_expect(all, 3, "rsa-2056 keygen", 57.860)->statistic, ==, IMPORT_MEAN);
	g_assert_cmpint(told_expect(all, 4, "rsa-2056 keygen", 98.180)->statistic, ==, IMPORT_WORST);
}

static void a_comma_that_nothing_proves_is_doubted(void)
{
	g_autoptr(GPtrArray) all =
		told("Algorithm       millisec/new key\nRSA 2056                31,670    (best)\n");

	told_doubted(all, 0, "between thousands or before decimals");
}

static void html_tables_are_read_by_their_headers(void)
{
	g_autoptr(GPtrArray) all =
		told("<H1><A href=\"x\">Crypto++ 8.9.0</A> Benchmarks</H1>\n"
		     "<P>CPU frequency of the test platform is 2.45 GHz.</P>\n"
		     "<TR><TH>Algorithm<TH>Provider<TH>MiB/Second<TH>Cycles/Byte<TH>Microseconds to<BR>Setup "
		     "Key and IV<TH>Cycles "
		     "to<BR>Setup Key and IV\n"
		     "<TBODY style=\"background: white;\">\n"
		     "<TR><TD>HMAC(SHA-1) (128-bit key)<TD>SHANI<TD>1584<TD>1.48<TD>0.327<TD>800\n"
		     "<TR><TH>Operation<TH>Provider<TH>Milliseconds/Operation<TH>Megacycles/Operation\n"
		     "<TR><TD>RSA 2048 Signature<TD>C++<TD>1.51<TD>3.69\n");

	g_assert_cmpstr(told_fact(all, "version"), ==, "8.9.0");
	const struct import_record *mac = told_expect(all, 0, "hmac-sha-1 mac", 1 / (1584 * MIB));
	g_assert_cmpstr(mac->labels.v[LABEL_ENGINE], ==, "SHANI");
	told_expect(all, 1, "hmac-sha-1 mac", 1.48); /* * 1584 * 1048576 = 2.458e9 */
	g_assert_cmpstr(told_expect(all, 2, NULL, 0.327e-6)->name, ==, "HMAC(SHA-1) (128-bit key) key setup");
	told_expect(all, 3, NULL, 800);
	g_assert_cmpstr(told_expect(all, 4, "rsa-2048 sign", 0.00151)->labels.v[LABEL_ENGINE], ==, NULL);
	told_expect(all, 5, "rsa-2048 sign", 3.69e6);
}

static void markdown_tables_are_read_with_and_without_bars(void)
{
	g_autoptr(GPtrArray) all =
		told("Algorithm | MiB/Second | Cycles Per Byte | u-sec key setup | cycles key setup\n"
		     "----------|------------|----------\n"
		     "SHA-256|101|29.4|0.207|643\n"
		     "| SHA-512 | 95 | 31.1 | 0.222 | 688 |\n"
		     "SHA-1|fast\n");

	told_expect(all, 0, "sha-256 hash", 1 / (101 * MIB));
	told_expect(all, 4, "sha-512 hash", 1 / (95 * MIB));
	g_assert_cmpuint(told_count(all, IMPORT_UNREAD), ==, 1);
}

#define TEST(name) g_test_add_func("/import_cryptopp/" #name, name)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	TEST(text_tables_tell_rates_and_cycles);
	TEST(text_tables_tell_operations);
	TEST(key_generation_has_best_mean_and_worst);
	TEST(a_comma_that_nothing_proves_is_doubted);
	TEST(html_tables_are_read_by_their_headers);
	TEST(markdown_tables_are_read_with_and_without_bars);
	return g_test_run();
}
