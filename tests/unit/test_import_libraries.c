/* The benchmarks of further libraries: Botan, libgcrypt, BearSSL, Mbed TLS, cryptsetup, nettle, BoringSSL. */
#include "import_harness.h"

#define MIB 1048576.0

static void botan_tells_bytes(void)
{
	g_autoptr(GPtrArray) all = told_of("botan",
		"AES-128 encrypt buffer size 1024 bytes: 1340.119 MiB/sec 0.37 cycles/byte (4020.36 MiB in "
		"3000.00 ms)\n"
		"AES-128 [openssl] decrypt buffer size 16 bytes: 240.815 MiB/sec (120.41 MiB in 500.00 ms)\n"
		"AES-128 encrypt buffer size 1024 bytes: 1340.119 MiB/sec (4020.36 MiB in 6000.00 ms)\n");

	/* 4020.36 / 3 is 1340.12; 1340.119 is surer. */
	const struct import_record *first = told_expect(all, 0, "aes-128-ecb encrypt", 1 / (1340.119 * MIB));
	g_assert_cmpstr(first->labels.v[LABEL_BLOCK], ==, "1024");
	g_assert_cmpint(
		told_expect(all, 1, "aes-128-ecb encrypt", 0.37)->metric, ==, METRIC_REFERENCE_CYCLES);
	g_assert_cmpstr(
		told_expect(all, 2, "aes-128-ecb decrypt", 1 / (240.815 * MIB))->labels.v[LABEL_ENGINE], ==,
		"openssl");
	told_doubted(all, 3, "disagree");
}

static void botan_tells_operations(void)
{
	g_autoptr(GPtrArray) all = told_of("botan",
		"RSA-2048 keygen 12 keygen/sec; 83.20 ms/op 199680000 cycles/op (36 ops in 2995.20 ms)\n"
		"ECDSA-secp256r1 sign 4567 sign/sec; 0.22 ms/op (2285 ops in 500.36 ms)\n"
		"AES-128 e\nAES-128 decrypt buffer size 16 bytes: 24\n");

	/* 2995.20 ms / 36 = 83.2 ms, and surer than 83.20. */
	told_expect(all, 0, "rsa-2048 keygen", 2.9952 / 36);
	told_expect(all, 1, "rsa-2048 keygen", 199680000);
	told_expect(all, 2, "ecdsa-p256 sign", 0.50036 / 2285);
	g_assert_cmpuint(told_count(all, IMPORT_UNREAD), ==, 1);
}

static void bench_slope_tells_groups(void)
{
	g_autoptr(GPtrArray) all = told_of("bench-slope",
		"                |  nanosecs/byte   mebibytes/sec   cycles/byte\n"
		" MD5            |      7.35 ns/B     129.7 MiB/s         - c/B\n"
		" AES            |  nanosecs/byte   mebibytes/sec   cycles/byte  auto Mhz\n"
		"        CBC enc |     0.449 ns/B      2123 MiB/s      2.50 c/B      5566±1\n"
		"        CBC dec |     0.029 ns/B     32735 MiB/s     0.999 c/B      5566\n");

	/* 129.7 has four digits, 7.35 three. */
	told_expect(all, 0, "md5 hash", 1 / (129.7 * MIB));
	told_expect(all, 1, "aes-128-cbc encrypt", 1 / (2123 * MIB));
	const struct import_record *cycles = told_expect(all, 2, "aes-128-cbc encrypt", 2.50);
	g_assert_cmpint(cycles->figure_kind, ==, KIND_DERIVED);
	told_expect(all, 3, "aes-128-cbc decrypt", 1 / (32735 * MIB));
	/* 0.999 in 0.029 ns is 34 GHz. */
	told_doubted(all, 4, "5566 MHz is stated");
}

static void bench_slope_tells_operations(void)
{
	g_autoptr(GPtrArray) all =
		told_of("bench-slope", " NIST-P256      |  nanosecs/iter   cycles/iter  auto Mhz speed-up\n"
				       "           sign |         612866       2972630      4850     +26%\n"
				       " cm6688128f     |  nanosecs/iter   cycles/iter\n"
				       "         keygen |    <<skipped>>             -\n"
				       "          encap |          41016             -\n");

	told_expect(all, 0, "ecdsa-p256 sign", 612866e-9);
	told_expect(all, 1, "ecdsa-p256 sign", 2972630);
	g_assert_cmpstr(told_fact(all, "skipped"), ==, "cm6688128f keygen");
	told_expect(all, 2, "classic-mceliece-6688128f encaps", 41016e-9);
}

static void bench_slope_knows_the_clock_of_its_command(void)
{
	g_autoptr(GPtrArray) all =
		told_of("bench-slope", "$ tests/bench-slope --cpu-mhz 3201 cipher arcfour\n"
				       " ARCFOUR        |  nanosecs/byte   mebibytes/sec   cycles/byte\n"
				       "     STREAM enc |      2.43 ns/B     392.1 MiB/s      7.79 c/B\n"
				       "     STREAM dec |      2.44 ns/B     390.2 MiB/s      9.99 c/B\n");

	told_expect(all, 1, "arc4 encrypt", 7.79);
	told_doubted(all, 3, "3201 MHz is stated");
}

static void libgcrypt_benchmark_divides_by_its_columns(void)
{
	g_autoptr(GPtrArray) all =
		told_of("libgcrypt-benchmark", "Algorithm         generate  100*sign  100*verify\n"
					       "RSA 2048 bit        2770ms   11900ms       150ms\n"
					       "DSA 1024/160             -     990ms       910ms\n"
					       "ECDSA 192 bit        1.14x     1.10x       1.13x\n"
					       "RSA 4096 bit       10320ms\n");

	told_expect(all, 0, "rsa-2048 keygen", 2.770);
	told_expect(all, 1, "rsa-2048 sign", 0.119);
	told_expect(all, 2, "rsa-2048 verify", 0.0015);
	told_expect(all, 3, "dsa-1024 sign", 0.0099);
	const struct import_record *ratio = told_expect(all, 5, "ec-p192 keygen", 1.14);
	g_assert_cmpint(ratio->figure_kind, ==, KIND_STATED);
	g_assert_cmpuint(told_count(all, IMPORT_UNREAD), ==, 1);
}

static void bearssl_names_implementations(void)
{
	g_autoptr(GPtrArray) all = told_of("bearssl", "SHA-256                          197.16 MB/s\n"
						      "AES-128 CBC encrypt (ct64)        23.40 MB/s\n"
						      "AES-128 CTR (x86ni)            UNAVAILABLE\n"
						      "RSA i31                          185.68 priv/s\n"
						      "RSA i62                            4.76 kgen[2048]/s\n"
						      "EC c25519_m31                   5065.09 mul/s\n"
						      "ECDSA m31 P-256                 1611.07 sign/s\n"
						      "ECDSA m31 P-256                     inf verify/s\n");

	told_expect(all, 0, "sha-256 hash", 1 / 197.16e6);
	g_assert_cmpstr(
		told_expect(all, 1, "aes-128-cbc encrypt", 1 / 23.40e6)->labels.v[LABEL_ENGINE], ==, "ct64");
	g_assert_nonnull(told_fact(all, "unavailable"));
	g_assert_cmpstr(
		told_expect(all, 2, "rsa-2048 private-raw", 1 / 185.68)->labels.v[LABEL_ENGINE], ==, "i31");
	told_expect(all, 3, "rsa-2048 keygen", 1 / 4.76);
	told_expect(all, 4, "curve25519 mult", 1 / 5065.09);
	told_expect(all, 5, "ecdsa-p256 sign", 1 / 1611.07);
	told_doubted(all, 6, "infinite");
}

static void mbedtls_units_are_kib_whatever_they_are_called(void)
{
	g_autoptr(GPtrArray) all =
		told_of("mbedtls", "  AES-CBC-128              :      12427 KiB/s,          7 cycles/byte\n"
				   "  SHA-256                  :        407 Kb/s,         77 cycles/byte\n"
				   "  SHA-512                  :        333 KB/s\n"
				   "  CTR_DRBG (NOPR)          :        401 KB/s\n"
				   "  RSA-2048                 :     173 ms/ public\n"
				   "  RSA-2048                 :    6865 ms/private\n"
				   "  AES-XTS-256              :       8910\n");

	told_expect(all, 0, "aes-128-cbc encrypt", 1 / (12427 * 1024.0));
	told_expect(all, 1, "aes-128-cbc encrypt", 7);
	told_expect(all, 2, "sha-256 hash", 1 / (407 * 1024.0));
	told_expect(all, 4, "sha-512 hash", 1 / (333 * 1024.0));
	told_expect(all, 5, "ctr-drbg generate", 1 / (401 * 1024.0));
	told_expect(all, 6, "rsa-2048 public-raw", 0.173);
	told_expect(all, 7, "rsa-2048 private-raw", 6.865);
	g_assert_cmpuint(told_count(all, IMPORT_UNREAD), ==, 1);
}

static void mbedtls_figures_of_a_line_must_not_lie_far_apart(void)
{
	g_autoptr(GPtrArray) all = told_of("mbedtls", "  AES-CBC-128 :  875 KiB/s,  1113 ns/byte\n"
						      "  3DES        :  117 KiB/s,   304 ns/byte\n");

	/* 1 / (875 * 1024) is 1116 ns: measured apart, and near. */
	told_expect(all, 0, "aes-128-cbc encrypt", 1 / (875 * 1024.0));
	/* 1 / (117 * 1024) is 8347 ns. */
	told_doubted(all, 1, "far apart");
}

static void mbedtls_lines_may_be_lost(void)
{
	g_autoptr(GPtrArray) all = told_of("mbedtls", "SHA-256 : 1673 Kb/s, 70 cycles/byte SHA-512 : 546 "
						      "Kb/s, 215 cycles/byte RSA-2048 : 28 ms/ public\n");

	g_assert_cmpuint(told_count(all, IMPORT_FIGURE), ==, 5);
	told_expect(all, 2, "sha-512 hash", 1 / (546 * 1024.0));
	told_expect(all, 4, "rsa-2048 public-raw", 0.028);
}

static void cryptsetup_tells_both_directions(void)
{
	g_autoptr(GPtrArray) all =
		told_of("cryptsetup", "PBKDF2-sha1       111077 iterations per second for 256-bit key\n"
				      "#  Algorithm | Key | Encryption | Decryption\n"
				      "      aes-cbc   128b  212.0 MiB/s  428.0 MiB/s\n"
				      "      aes-xts   512b  175.0 MiB/s  N/A MiB/s\n"
				      "xchacha20,aes-adiantum        256b\n");

	told_expect(all, 0, "pbkdf2-hmac-sha-1 iterate", 1 / 111077.0);
	told_expect(all, 1, "aes-128-cbc encrypt", 1 / (212 * MIB));
	told_expect(all, 2, "aes-128-cbc decrypt", 1 / (428 * MIB));
	told_expect(all, 3, "aes-256-xts encrypt", 1 / (175 * MIB)); /* two keys of 256 bits */
	g_assert_cmpuint(told_count(all, IMPORT_UNREAD), ==, 1);
}

static void cryptsetup_speaks_the_users_language(void)
{
	g_autoptr(GPtrArray) all = told_of("cryptsetup", "aes-cbc 256b 690,1 MiB/s 3002,3 MiB/s\n"
							 "aes-cbc 256b 690,12 MiB/s 3002,3 MiB/s\n");

	told_expect(all, 0, "aes-256-cbc encrypt", 1 / (690.1 * MIB));
	told_expect(all, 1, "aes-256-cbc decrypt", 1 / (3002.3 * MIB));
	told_doubted(all, 2, "a digit is lost"); /* it prints one decimal */
}

static void cryptsetup_is_read_out_of_test_records(void)
{
	g_autoptr(GPtrArray) all = told_of("cryptsetup",
		"<TEST_CASE_ID=cryptsetup-benchmark-sha1 RESULT=pass MEASUREMENT=1646116 UNITS=iter/s>\n"
		"<TEST_CASE_ID=cryptsetup-benchmark-aes-cbc_128-decryption RESULT=pass MEASUREMENT=3210.5 "
		"UNITS=MiB/s>\n");

	told_expect(all, 0, "pbkdf2-hmac-sha-1 iterate", 1 / 1646116.0);
	told_expect(all, 1, "aes-128-cbc decrypt", 1 / (3210.5 * MIB));
}

static void nettle_needs_its_header(void)
{
	g_autoptr(GPtrArray) all = told_of("nettle", "   chacha     encrypt   71.90\n"
						     "         Algorithm         mode Mbyte/s\n"
						     "            sha256       update  280.97\n"
						     "       hmac-sha256     64 bytes   80.81\n"
						     "            aes128  ECB encrypt 1234.56\n");

	told_doubted(all, 0, "no header tells the unit");
	told_expect(all, 1, "sha-256 hash", 1 / (280.97 * MIB));
	g_assert_cmpstr(
		told_expect(all, 2, "hmac-sha-256 mac", 1 / (80.81 * MIB))->labels.v[LABEL_BLOCK], ==, "64");
	told_expect(all, 3, "aes-128-ecb encrypt", 1 / (1234.56 * MIB));
}

static void nettle_is_read_out_of_markdown(void)
{
	g_autoptr(GPtrArray) all = told_of("nettle", "| Algorithm | C (Mbyte/s) | Vectorized (Mbyte/s) |\n"
						     "| ------ | ------ | ------ |\n"
						     "| sha3_224 | 235.08 | 483.41 |\n");

	told_expect(all, 0, "sha3-224 hash", 1 / (235.08 * MIB));
	told_expect(all, 1, "sha3-224 hash", 1 / (483.41 * MIB));
	g_assert_cmpstr(told_at(all, IMPORT_FACT, 1)->fact, ==, "Vectorized");
}

static void boringssl_counts_operations(void)
{
	g_autoptr(GPtrArray) all =
		told_of("boringssl", "Did 2844000 AES-128-GCM seal (16384 bytes) operations in 10002055us "
				     "(284341.6 ops/sec): 4658.7 MB/s\n"
				     "Did 1500 RSA 2048 signing operations in 1000000us (1500.0 ops/sec)\n"
				     "Did 1500 RSA 2048 signing operations in 1000000us (1600.0 ops/sec)\n"
				     "Did 1500 RSA 2048 signing op\n");

	/* Half a microsecond of ten million is surest: 10.002055 / 2844000 / 16384. */
	told_expect(all, 0, "aes-128-gcm encrypt", 10.002055 / 2844000 / 16384);
	told_expect(all, 1, "rsa-2048 sign", 1 / 1500.0);
	told_doubted(all, 2, "disagree");
	g_assert_cmpuint(told_count(all, IMPORT_UNREAD), ==, 1);
}

#define TEST(name) g_test_add_func("/import_libraries/" #name, name)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	TEST(botan_tells_bytes);
	TEST(botan_tells_operations);
	TEST(bench_slope_tells_groups);
	TEST(bench_slope_tells_operations);
	TEST(bench_slope_knows_the_clock_of_its_command);
	TEST(libgcrypt_benchmark_divides_by_its_columns);
	TEST(bearssl_names_implementations);
	TEST(mbedtls_units_are_kib_whatever_they_are_called);
	TEST(mbedtls_figures_of_a_line_must_not_lie_far_apart);
	TEST(mbedtls_lines_may_be_lost);
	TEST(cryptsetup_tells_both_directions);
	TEST(cryptsetup_speaks_the_users_language);
	TEST(cryptsetup_is_read_out_of_test_records);
	TEST(nettle_needs_its_header);
	TEST(nettle_is_read_out_of_markdown);
	TEST(boringssl_counts_operations);
	return g_test_run();
}
