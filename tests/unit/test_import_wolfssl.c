/* The formats of wolfSSL: CyaSSL's benchmark, wolfCrypt's as text and CSV, wolfTPM's, tls_bench, published
 * tables. A value is worked out from what is printed: 1 MiB is 1048576 bytes. */
#include "import_harness.h"

#define MIB 1048576.0

static void cyassl_rates_are_mib(void)
{
	g_autoptr(GPtrArray) all = told_of("cyassl", "AES 5 megs took 0.500 seconds, 9.99 MB/s\n"
						     "3DES 5 megs took 2.196 seconds, 2.28 MB/s\n"
						     "AES      25 kB took 0.019 seconds,    1.285 MB/s\n");

	/* 1 / (9.99 * 1048576); a digit is worth 0.01, so that the value is sure to 0.005 / 9.99 of it. */
	const struct import_record *aes = told_expect(all, 0, "aes-128-cbc encrypt", 1 / (9.99 * MIB));
	g_assert_cmpfloat_with_epsilon(aes->error / aes->value, 0.005 / 9.99, 1e-6);
	g_assert_cmpstr(aes->printed, ==, "9.99");
	g_assert_cmpstr(aes->unit, ==, "MB/s");
	g_assert_cmpstr(aes->labels.v[LABEL_BLOCK], ==, "1048576");
	/* 2.196 s for 5 MiB has four digits, 2.28 MB/s three: the time is surer. 2.196 / (5 * 1048576). */
	told_expect(all, 1, "3des-cbc encrypt", 2.196 / (5 * MIB));
	/* 25 blocks of 1024 bytes; the rate is divided by 1024 once more, so that it is MiB too. */
	g_assert_cmpstr(told_expect(all, 2, "aes-128-cbc encrypt", 1 / (1.285 * MIB))->labels.v[LABEL_BLOCK],
		==, "1024");
}

static void cyassl_operations_are_milliseconds(void)
{
	g_autoptr(GPtrArray) all =
		told_of("cyassl", "RSA 1024 encryption took 1.12 milliseconds, avg over 100 iterations\n"
				  "RSA 1024 decryption took 17.81 milliseconds, avg over 100 iterations\n"
				  "DH 1024 key generation 11.90 milliseconds, avg over 100 iterations\n"
				  "EC-DSA   verify time     130.200 milliseconds, avg over 5 iterations\n"
				  "private RSA: 165 milliseconds\n");

	told_expect(all, 0, "rsa-1024 public", 0.00112);
	told_expect(all, 1, "rsa-1024 private", 0.01781);
	told_expect(all, 2, "dh-1024 keygen", 0.0119);
	told_expect(all, 3, "ecdsa-p256 verify", 0.1302);
	/* No key size, and so none in the benchmark. */
	g_assert_cmpstr(told_expect(all, 4, "rsa private", 0.165)->name, ==, "private RSA");
}

static void cyassl_numbers_of_a_line_must_agree(void)
{
	g_autoptr(GPtrArray) all = told_of("cyassl",
		"EC-DSA sign time 1997.000 milliseconds, avg over 5 iterations, 2.504 ops/sec\n"
		"AES 5 megs took 0.500 seconds, 99.9 MB/s\n");

	/* 1 / 2.504 is 0.399 s, a fifth of 1.997 s. */
	told_doubted(all, 0, "1997.000 milliseconds and 2.504 ops/sec disagree");
	told_doubted(all, 1, "99.9 MB/s and 0.500 seconds for 5 megs disagree");
}

static void cyassl_tells_cuts_and_runs(void)
{
	g_autoptr(GPtrArray) all = told_of("cyassl", "fsys=120000000\n"
						     "RNG 25 kB took 0.033 seconds, 0.736 MB/s\n"
						     "fsys=72000000\n"
						     "RNG 25 kB took 0.054 seconds, 0.455 MB/s\n"
						     "AES 25 kB took 0.0\n"
						     "and some prose\n");

	g_assert_cmpuint(told_count(all, IMPORT_BREAK), ==, 1);
	g_assert_cmpuint(told_at(all, IMPORT_BREAK, 0)->line, ==, 3);
	g_assert_cmpstr(told_at(all, IMPORT_FACT, 1)->fact, ==, "72000000");
	g_assert_cmpuint(told_at(all, IMPORT_UNREAD, 0)->line, ==, 5);
	g_assert_cmpstr(told_at(all, IMPORT_OTHER, 0)->text, ==, "and some prose");
}

static void a_run_that_starts_over_is_another_run(void)
{
	const char *run =
		"RNG 25 kB took 0.033 seconds, 0.736 MB/s\nAES 25 kB took 0.019 seconds, 1.285 MB/s\n"
		"MD5 25 kB took 0.005 seconds, 4.883 MB/s\nSHA 25 kB took 0.008 seconds, 3.052 MB/s\n";
	g_autofree char *twice = g_strconcat(run, run, NULL);
	g_autoptr(GPtrArray) all = told_of("cyassl", twice);

	g_assert_cmpuint(told_count(all, IMPORT_BREAK), ==, 1);
	g_assert_cmpuint(told_at(all, IMPORT_BREAK, 0)->line, ==, 5);
}

static void wolfcrypt_tells_bytes_and_operations(void)
{
	g_autoptr(GPtrArray) all = told_of("wolfcrypt",
		" wolfSSL version 5.8.0\n"
		"Math: Multi-Precision: Wolf(SP) word-size=32 bits=4096 sp_int.c\n"
		"wolfCrypt Benchmark (block bytes 1024, min 1.0 sec each)\n"
		"AES-128-CBC-enc 3 MiB took 1.003 seconds, 3.432 MiB/s\n"
		"AES-128-GCM-enc 475 KiB took 1.014 seconds, 468.300 KiB/s\n"
		"RSA 2048 public 78 ops took 1.017 sec, avg 13.035 ms, 76.715 ops/sec\n"
		"RSA 2048 private 2 ops took 1.480 sec, avg 739.794 ms, 1.352 ops/sec\n");

	g_assert_cmpstr(told_fact(all, "version"), ==, "5.8.0");
	g_assert_cmpstr(
		told_fact(all, "math"), ==, "Multi-Precision: Wolf(SP) word-size=32 bits=4096 sp_int.c");
	const struct import_record *cbc = told_expect(all, 0, "aes-128-cbc encrypt", 1 / (3.432 * MIB));
	g_assert_cmpstr(cbc->labels.v[LABEL_BLOCK], ==, "1024");
	told_expect(all, 1, "aes-128-gcm encrypt", 1 / (468.300 * 1024));
	/* 0.0005 of 76.715 is less than of 13.035: the rate is surer, and its unit comes out as it went in.
	 */
	g_assert_cmpstr(told_expect(all, 2, "rsa-2048 public", 1 / 76.715)->unit, ==, "ops/sec");
	/* Here the mean is: six digits against four. */
	const struct import_record *private = told_expect(all, 3, "rsa-2048 private", 0.739794);
	g_assert_cmpstr(private->printed, ==, "739.794");
	g_assert_cmpstr(private->labels.v[LABEL_BLOCK], ==, NULL);
}

static void wolfcrypt_mb_depend_on_the_version(void)
{
	const char *line = "AES-128-CBC-enc     65 MB took 1.001 seconds,   64.947 MB/s\n";
	g_autofree char *old = g_strconcat("wolfSSL version 5.2.0\n", line, NULL);
	g_autofree char *recent = g_strconcat("wolfSSL version 5.6.3\n", line, NULL);
	g_autoptr(GPtrArray) before = told_of("wolfcrypt", old);
	g_autoptr(GPtrArray) since = told_of("wolfcrypt", recent);
	g_autoptr(GPtrArray) base10 =
		told_of("wolfcrypt", "AES-128-CBC-dec  5185 mB took 1.000 seconds, 5184.260 mB/s\n");

	told_expect(before, 0, "aes-128-cbc encrypt", 1 / (64.947 * MIB));
	told_expect(since, 0, "aes-128-cbc encrypt", 1 / 64.947e6);
	told_expect(base10, 0, "aes-128-cbc decrypt", 1 / 5184.260e6);
}

static void wolfcrypt_layout_tells_what_mb_are(void)
{
	/* A name of 16 columns is of the old layout, one of 24 of the new. */
	g_autoptr(GPtrArray) old =
		told_of("wolfcrypt", "RNG                  2 MB took 1.000 seconds,    2.124 MB/s\n");
	g_autoptr(GPtrArray) recent =
		told_of("wolfcrypt", "RNG                          2 MB took 1.000 seconds,    2.124 MB/s\n");
	g_autoptr(GPtrArray) lost = told_of("wolfcrypt", "RNG 2 MB took 1.000 seconds, 2.124 MB/s\n");

	told_expect(old, 0, "rng generate", 1 / (2.124 * MIB));
	told_expect(recent, 0, "rng generate", 1 / 2.124e6);
	told_doubted(lost, 0, "does not say which version");
}

static void wolfcrypt_cycles_must_go_with_the_clock(void)
{
	g_autoptr(GPtrArray) all = told_of("wolfcrypt",
		"I (199) cpu_start: cpu freq: 160000000 Hz\n"
		"AES-128-CBC-enc  50 KiB took 1.082 seconds,   46.211 KiB/s Cycles per byte = 845.33\n"
		"AES-128-CBC-enc  4450 KiB took 1.000 seconds, 4450.000 KiB/s Cycles per byte =  34.79\n");

	told_expect(all, 0, "aes-128-cbc encrypt", 1 / (46.211 * 1024));
	/* 845.33 * 46.211 * 1024 is 40.0e6 per second. */
	told_doubted(all, 1, "is a clock of 40 MHz, and 160 MHz is stated");
	/* 34.79 * 4450 * 1024 is 158.5e6 per second. */
	const struct import_record *cycles = told_expect(all, 3, "aes-128-cbc encrypt", 34.79);
	g_assert_cmpint(cycles->metric, ==, METRIC_CYCLES);
}

static void wolfcrypt_tells_hardware_and_sums_of_threads(void)
{
	g_autoptr(GPtrArray) all = told_of("wolfcrypt",
		"IntelQA: Instances 18\n"
		"CPUs: 2\n"
		"RSA     2048 sign      HW  12300 ops took 1.001 sec, avg 0.081 ms, 12288.056 ops/sec\n"
		"RSA     2048 sign      HW  19600 ops took 1.003 sec, avg 0.051 ms, 19537.967 ops/sec\n"
		"Benchmark complete\n"
		"RSA   2048 sign      HW 31826.022 ops/sec\n"
		"SHA-256         SW  657.716 mB/s\n");

	told_doubted(all, 0, "one of several threads");
	told_doubted(all, 1, "one of several threads");
	/* 12288.056 + 19537.967 = 31826.023 per second. */
	const struct import_record *sum = told_expect(all, 2, "rsa-2048 sign", 1 / 31826.022);
	g_assert_cmpstr(sum->labels.v[LABEL_THREADS], ==, "2");
	g_assert_cmpstr(sum->labels.v[LABEL_ENGINE], ==, "intelqa");
	g_assert_cmpstr(told_expect(all, 3, "sha-256 hash", 1 / 657.716e6)->labels.v[LABEL_ENGINE], ==, NULL);
}

static void wolfcrypt_reads_the_words_of_other_builds(void)
{
	g_autoptr(GPtrArray) all = told_of("wolfcrypt",
		"SHA-256                     30 MiB を 1.000 秒で処理,   30.000 MiB/s\n"
		"RSA     2048   public       100 回処理を 1.000 秒で実施, 平均 10.000 ms, 100.000 処理/秒\n"
		"RSA     2048   public       100 ops took 1000000.000 μsec, avg 10.00000 ms, 0.00010 "
		"ops/μsec\n"
		"| RSA   2048             public |  90200 ops took 1.001 seconds |\n");

	told_expect(all, 0, "sha-256 hash", 1 / (30.0 * MIB));
	told_expect(all, 1, "rsa-2048 public", 0.01);
	told_expect(all, 2, "rsa-2048 public", 0.01);
	told_expect(all, 3, "rsa-2048 public", 1.001 / 90200);
}

static void wolfcrypt_quarantines_what_did_nothing(void)
{
	g_autoptr(GPtrArray) all = told_of("wolfcrypt", "AES-128-GCM-STREAM-dec       0 bytes took 0.012 "
							"seconds,    0.000 bytes/s Cycles per byte =   0.00\n"
							"Benchmark AES-128-GCM-STREAM-dec failed: -180\n");

	told_doubted(all, 0, "no work was done");
	g_assert_true(isnan(told_at(all, IMPORT_FIGURE, 0)->value));
	told_doubted(all, 1, "zero");
	g_assert_cmpstr(told_fact(all, "failed"), ==, "AES-128-GCM-STREAM-dec failed: -180");
}

static void wolfcrypt_tells_damaged_lines(void)
{
	g_autoptr(GPtrArray) all =
		told_of("wolfcrypt", "AES-128-CBC-dec    250KB toks 1.51 seonds,  237.817 KB/s\n"
				     "3DES              100 KB tooks 1.112 econds,   89.930 KB/s\n"
				     "HMAC-SHA384          8 MB took 1.002 seconds,\n"
				     "SHA-512           00 KBtooks 1.092 seconds,  183.222 KB/s\n");

	g_assert_cmpuint(told_count(all, IMPORT_UNREAD), ==, 4);
	g_assert_cmpuint(told_count(all, IMPORT_FIGURE), ==, 0);
}

static void wolfcrypt_csv_says_mb_whatever_stands_there(void)
{
	g_autoptr(GPtrArray) all =
		told_of("wolfcrypt", "wolfCrypt Benchmark (block bytes 1048576, min 1.0 sec each)\n"
				     "Algorithm,MB/s,Cycles per byte,\n"
				     "SHA-256,1739.363026,1.535162,\n"
				     "PBKDF2,188.112263,14535.399709,\n"
				     "Algorithm,key size,operation,avg ms,ops/sec,\n"
				     "KDF,128,SRTP,0.000,6264459.026,\n"
				     "scrypt,17,,44.080,22.686,\n"
				     "ECC   [      SECP256R1],256,key gen,0.016,63765.444,\n");

	/* 1739.363 MiB/s * 1.535162 is 2.8e9 per second. */
	told_expect(all, 0, "sha-256 hash", 1 / (1739.363026 * MIB));
	/* In MiB/s this would be a clock of 2.87e12; in KiB/s it is 2.8e9. */
	const struct import_record *derived =
		told_expect(all, 2, "pbkdf2-hmac-sha-256-1000 derive", 1 / (188.112263 * 1024));
	g_assert_cmpstr(derived->labels.v[LABEL_BLOCK], ==, "32");
	told_expect(all, 4, "srtp-kdf-128 derive", 1 / 6264459.026);
	/* 0.0005 of 44.080 is surer than 0.0005 of 22.686. */
	told_expect(all, 5, "scrypt-16384-8-1 derive", 0.04408);
	told_expect(all, 6, "ec-p256 keygen", 1 / 63765.444);
}

static void wolfcrypt_csv_reads_every_layout(void)
{
	g_autoptr(GPtrArray) all = told_of("wolfcrypt",
		"\"sym\",Algorithm,HW/SW,bytes_total,seconds_total,MB/s,cycles_total,Cycles per byte,\n"
		"sym,AES-128-CBC-enc,SW,10485760,1.25,8.000000,0,0.5,\n"
		"\"asym\",Algorithm,key size,operation,avg ms,ops/sec,ops,secs,\n"
		"asym,RSA,2048,public,2.000,500.000,600,1.200,\n"
		"Algorithm,MB/s,\n"
		"SHA-256,100.000,\n");

	/* 1.25 s for 10 MiB; the time's half digit is 0.005 s, the rate stands for the same. */
	told_expect(all, 0, "aes-128-cbc encrypt", 1.25 / 10485760);
	told_expect(all, 2, "rsa-2048 public", 1 / 500.0);
	told_doubted(all, 3, "may hold MiB, KiB or bytes");
}

static void wolftpm_tells_what_it_lacks(void)
{
	g_autoptr(GPtrArray) all = told_of("wolfcrypt",
		"TPM2 Benchmark using Wrapper API's\n"
		"Benchmark symmetric AES-128-CBC-enc not supported!\n"
		"SHA256 138 KB took 1.009 seconds, 136.763 KB/s\n"
		"RSA 2048 Pub  OAEP 73 ops took 1.011 sec, avg 13.848 ms, 72.211 ops/sec\n");

	g_assert_cmpstr(told_fact(all, "unsupported"), ==, "AES-128-CBC-enc");
	g_assert_cmpstr(
		told_expect(all, 0, "sha-256 hash", 1 / (136.763 * 1024))->labels.v[LABEL_ENGINE], ==, "tpm");
	told_expect(all, 1, "rsa-2048 public-oaep", 1 / 72.211);
}

static void tables_state_ratios(void)
{
	g_autoptr(GPtrArray) all = told_of("wolfssl-table", "AES-128 CBC Decrypt: 6,084.83 MB/s (256.15X)\n"
							    "RSA 2048 public: 1,211.27 ops/sec (1.50X)\n"
							    "ECC 256 key gen: 1670.65 ops/sec (8.67X)\n");

	told_expect(all, 0, "aes-128-cbc decrypt", 1 / (6084.83 * MIB));
	const struct import_record *ratio = told_expect(all, 1, "aes-128-cbc decrypt", 256.15);
	g_assert_cmpint(ratio->figure_kind, ==, KIND_STATED);
	g_assert_cmpstr(ratio->printed, ==, "256.15");
	told_expect(all, 2, "rsa-2048 public", 1 / 1211.27);
	told_expect(all, 4, "ec-p256 keygen", 1 / 1670.65);
}

static void tables_tell_tls_by_suite(void)
{
	g_autoptr(GPtrArray) all = told_of(
		"wolfssl-table", "ECDHE-RSA-AES128-GCM-SHA256: CPS 26.2, Read 598 MB/s RX, Write 125 MB/s\n");

	told_expect(all, 0, "tls12-ecdhe-rsa-aes128-gcm-sha256 connect", 1 / 26.2);
	told_expect(all, 1, "tls12-ecdhe-rsa-aes128-gcm-sha256 read", 1 / (598 * MIB));
	told_expect(all, 2, "tls12-ecdhe-rsa-aes128-gcm-sha256 write", 1 / (125 * MIB));
}

static void tls_bench_rates_are_half_of_the_total(void)
{
	g_autoptr(GPtrArray) all = told_of("tls_bench",
		"wolfSSL Server Benchmark on TLS13-AES128-GCM-SHA256 with group ML_KEM_512:\n"
		"\tTotal       :   6029312 bytes\n"
		"\tNum Conns   :        24\n"
		"\tRx Total    :   952.389 ms\n"
		"\tTx Total    :     5.561 ms\n"
		"\tRx          :     3.019 MB/s\n"
		"\tTx          :   999.999 MB/s\n"
		"\tConnect     :    50.177 ms\n"
		"\tConnect Avg :     2.091 ms\n");

	/* 0.952389 s for 6029312 / 2 bytes: six digits against four. 3014656 / 0.952389 / 1048576 = 3.0187.
	 */
	const struct import_record *read = told_expect(all, 0, NULL, 0.952389 / (6029312 / 2));
	g_assert_cmpstr(read->name, ==, "TLS13-AES128-GCM-SHA256 ML_KEM_512 server read");
	told_doubted(all, 1, "disagree"); /* 3014656 / 0.005561 / 1048576 = 517 */
	told_expect(all, 2, NULL, 0.002091);
}

#define TEST(name) g_test_add_func("/import_wolfssl/" #name, name)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	TEST(cyassl_rates_are_mib);
	TEST(cyassl_operations_are_milliseconds);
	TEST(cyassl_numbers_of_a_line_must_agree);
	TEST(cyassl_tells_cuts_and_runs);
	TEST(a_run_that_starts_over_is_another_run);
	TEST(wolfcrypt_tells_bytes_and_operations);
	TEST(wolfcrypt_mb_depend_on_the_version);
	TEST(wolfcrypt_layout_tells_what_mb_are);
	TEST(wolfcrypt_cycles_must_go_with_the_clock);
	TEST(wolfcrypt_tells_hardware_and_sums_of_threads);
	TEST(wolfcrypt_reads_the_words_of_other_builds);
	TEST(wolfcrypt_quarantines_what_did_nothing);
	TEST(wolfcrypt_tells_damaged_lines);
	TEST(wolfcrypt_csv_says_mb_whatever_stands_there);
	TEST(wolfcrypt_csv_reads_every_layout);
	TEST(wolftpm_tells_what_it_lacks);
	TEST(tables_state_ratios);
	TEST(tables_tell_tls_by_suite);
	TEST(tls_bench_rates_are_half_of_the_total);
	return g_test_run();
}
