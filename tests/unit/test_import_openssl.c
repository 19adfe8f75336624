/* openssl speed: tables, progress, -mr, -multi. Its k is 1000 bytes per second. */
#include "import_harness.h"

static GPtrArray *told(const char *text)
{
	return told_of("openssl-speed", text);
}

static void a_table_has_a_figure_per_block_size(void)
{
	g_autoptr(GPtrArray) all = told("type             16 bytes     64 bytes    256 bytes\n"
					"sha512           27702.60k   110953.15k   224173.74k\n"
					"aes-256-cbc      58029.00k   110953.15k   224173.74k\n");

	/* 27702.60k is 27702600 bytes per second, sure to 5 of them. */
	const struct import_record *first = told_expect(all, 0, "sha-512 hash", 1 / 27702600.0);
	g_assert_cmpfloat_with_epsilon(first->error / first->value, 5 / 27702600.0, 1e-10);
	g_assert_cmpstr(first->labels.v[LABEL_BLOCK], ==, "16");
	g_assert_cmpstr(
		told_expect(all, 2, "sha-512 hash", 1 / 224173740.0)->labels.v[LABEL_BLOCK], ==, "256");
	told_expect(all, 3, "aes-256-cbc encrypt", 1 / 58029000.0);
}

static void headers_may_run_into_each_other(void)
{
	g_autoptr(GPtrArray) all =
		told("engine \"kae\" set.\n"
		     "type 51200 bytes 102400 bytes1048576 bytes sm4-cbc 383317.33k 389427.20k 395313.15k\n");

	const struct import_record *last = told_expect(all, 2, "sm4-cbc encrypt", 1 / 395313150.0);
	g_assert_cmpstr(last->labels.v[LABEL_BLOCK], ==, "1048576");
	g_assert_cmpstr(last->labels.v[LABEL_ENGINE], ==, "kae");
}

static void without_a_header_blocks_are_unknown(void)
{
	g_autoptr(GPtrArray) all = told("aes-128-cbc     417959.68k   436429.89k\n");

	g_assert_null(told_doubted(all, 0, "no header tells the block sizes")->labels.v[LABEL_BLOCK]);
}

static void a_cell_without_k_is_bytes(void)
{
	g_autoptr(GPtrArray) all =
		told("type             16 bytes     64 bytes\nrc2 cbc  5000.00  110953.15k\n");

	told_expect(all, 0, "rc2-cbc encrypt", 1 / 5000.0);
}

static void key_tables_have_times_and_rates(void)
{
	g_autoptr(GPtrArray) all = told("                  sign    verify    sign/s verify/s\n"
					"rsa 2048 bits 0.000019s 0.000006s  53586.1 174805.6\n"
					"                              op      op/s\n"
					" 256 bits ecdh (nistp256)   0.0001s  12345.6\n"
					"2048 bits ffdh   0.0006s   1658.0\n");

	told_expect(all, 0, "rsa-2048 sign", 1 / 53586.1);
	told_expect(all, 1, "rsa-2048 verify", 1 / 174805.6);
	told_expect(all, 2, "ecdh-p256 agree", 1 / 12345.6);
	told_expect(all, 3, "dh-2048 agree", 1 / 1658.0);
}

static void columns_are_what_the_header_says(void)
{
	g_autoptr(GPtrArray) all =
		told("   keygen    encaps    decaps keygens/s  encaps/s  decaps/s\n"
		     "   rsa15360 73.900000s 0.000746s 0.180727s       0.0    1339.7       5.5\n"
		     "   keygen     signs    verify keygens/s    sign/s  verify/s\n"
		     "   ML-DSA-44 0.000050s 0.000200s 0.000054s   20000.0    5000.0   18518.5\n"
		     "   sign    verify    encrypt   decrypt   sign/s verify/s  encr./s  decr./s\n"
		     "rsa   512 bits 0.000045s 0.000003s 0.000004s 0.000052s  22006.0 313907.0 259640.4  "
		     "19286.9\n");

	/* 0.0 per second is less than 0.05: it agrees with 73.9 s, and the time is the figure. */
	told_expect(all, 0, "rsa-15360 keygen", 73.9);
	told_expect(all, 1, "rsa-15360 encaps", 1 / 1339.7);
	told_expect(all, 2, "rsa-15360 decaps", 0.180727);
	told_expect(all, 4, "ml-dsa-44 sign", 1 / 5000.0);
	told_expect(all, 8, "rsa-512 encrypt", 1 / 259640.4);
	told_expect(all, 9, "rsa-512 decrypt", 1 / 19286.9);
}

static void times_and_rates_that_disagree_by_little_are_noted(void)
{
	g_autoptr(GPtrArray) all = told("rsa 2048 bits 0.001384s 0.000035s 724.1 28365.8.\n"
					"rsa 2048 bits 0.001318s 0.000032s 735.7 28555\n");

	/* 1 / 724.1 is 0.001381, 0.2 % below; 1 / 735.7 is 0.001359, 3.1 % above. */
	g_assert_nonnull(strstr(
		told_expect(all, 0, "rsa-2048 sign", 1 / 724.1)->note, "724.1 op/s and 0.001384 s disagree"));
	g_assert_null(told_expect(all, 1, "rsa-2048 verify", 1 / 28365.8)->note);
	g_assert_null(told_doubted(all, 2, "735.7 op/s and 0.001318 s disagree")->note);
	told_doubted(all, 3, "28555 op/s and 0.000032 s disagree");
}

static void a_table_says_again_what_ran(void)
{
	g_autoptr(GPtrArray) all = told("Doing sm3 for 3s on 16 size blocks: 9657786 sm3's in 2.99s\n"
					"Doing sm3 for 3s on 64 size blocks: 5748529 sm3's in 3.00s\n"
					"type             16 bytes     64 bytes\n"
					"sm3              51680.46k   122635.29k\n");

	/* 9657786 * 16 / 2.99 is 51680.46k: two figures, not four. */
	g_assert_cmpuint(told_count(all, IMPORT_FIGURE), ==, 2);
	told_expect(all, 0, "sm3 hash", 1 / 51680460.0);
}

static void seconds_are_of_the_processor_unless_said(void)
{
	g_autoptr(GPtrArray) all = told("Doing sm3 for 3s on 16 size blocks: 9657786 sm3's in 2.99s\n"
					"Doing sm3 for 3s on 64 size blocks: 5748529 sm3's in 3.00s\n");
	g_autoptr(GPtrArray) elapsed =
		told("You have chosen to measure elapsed time instead of user CPU time.\n"
		     "Doing sm3 for 3s on 16 size blocks: 9657786 sm3's in 2.99s\n");

	g_assert_cmpstr(told_fact(all, "timing"), ==, "user CPU");
	g_assert_cmpuint(told_count(all, IMPORT_FACT), ==, 1);
	g_assert_cmpstr(told_fact(elapsed, "timing"), ==, "elapsed");
	g_assert_cmpuint(told_count(elapsed, IMPORT_FACT), ==, 1);
}

static void what_no_table_says_again_is_told_at_the_end(void)
{
	g_autoptr(GPtrArray) all =
		told("Doing des-cbc for 3s on 16 size blocks: 1082844 des-cbc's in 3.01s\n"
		     "Doing rsa3072 decaps ops for 1s: 282 rsa3072 KEM decaps ops in 1.00s\n"
		     "Doing 2048 bits private rsa's for 10s: 535861 2048 bits private RSA's in 10.00s\n"
		     "Doing AES-128-GCM ops for 3s on 64 size blocks: 37100416 AES-128-GCM ops in 3.00s\n");

	const struct import_record *des = told_expect(all, 0, "des-cbc encrypt", 3.01 / (1082844.0 * 16));
	g_assert_cmpuint(des->line, ==, 1);
	/* 0.005 of 3.01 seconds. */
	g_assert_cmpfloat_with_epsilon(des->error / des->value, 0.005 / 3.01, 1e-6);
	told_expect(all, 1, "rsa-3072 decaps", 1.00 / 282);
	told_expect(all, 2, "rsa-2048 sign", 10.00 / 535861);
	told_expect(all, 3, "aes-128-gcm encrypt", 3.00 / (37100416.0 * 64));
}

static void progress_is_held_against_its_table(void)
{
	g_autoptr(GPtrArray) all =
		told("Doing sm4-cbc for 3s on 1048576 size blocks: 11409 sm4-cbc's in 3.00s\n"
		     "Doing sm4-cbc for 3s on 10240 size blocks: 2196 sm4-cbc's in 3.00s\n"
		     "type 102400 bytes 1048576 bytes\n"
		     "sm4-cbc 389427.20k 395313.15k\n");

	told_expect(all, 1, "sm4-cbc encrypt", 1 / 395313150.0);
	told_doubted(all, 2, "the run's table says 395313.15 1000 bytes/s");
	told_doubted(all, 3, "no column of 10240 bytes");
}

static void times_are_held_against_what_was_asked_for(void)
{
	g_autoptr(GPtrArray) all =
		told("Doing 256 bits  ecdh's for 3s: 55540 256-bits ECDH ops in 4103.00s\n"
		     "                              op      op/s\n"
		     " 256 bits ecdh (nistp256)   0.0739s     13.5\n"
		     "Doing aes-128-cbc for 3s on 16 size blocks: 1000 aes-128-cbc's in 0.10s\n"
		     "Doing rsa15360 keygen ops for 1s: 1 rsa15360 KEM keygen ops in 110.15s\n"
		     "Doing md5 for 3s on 16 size blocks: 0 md5's in 0.00s\n");

	/* The table is computed from the wrong time, and as wrong. */
	told_doubted(all, 0, "took 4103.00 seconds instead of 3");
	told_doubted(all, 1, "0.10 of 3 seconds are accounted for");
	told_expect(all, 2, "rsa-15360 keygen", 110.15); /* one operation may take its time */
	told_doubted(all, 3, "zero");
}

static void commands_tell_engine_jobs_and_direction(void)
{
	g_autoptr(GPtrArray) all =
		told("# openssl speed -elapsed -evp aes-128-cbc -async_jobs 4 -engine kae\n"
		     "You have chosen to measure elapsed time instead of user CPU time.\n"
		     "type 16 bytes 64 bytes\n"
		     "aes-128-cbc 106304.94k 375636.25k\n"
		     "$ openssl speed -decrypt -evp aes-128-cbc\n"
		     "type 16 bytes 64 bytes\n"
		     "evp 106304.94k 375636.25k\n");

	g_assert_cmpstr(told_fact(all, "timing"), ==, "elapsed");
	const struct import_record *first = told_expect(all, 0, "aes-128-cbc encrypt", 1 / 106304940.0);
	g_assert_cmpstr(first->labels.v[LABEL_ENGINE], ==, "kae");
	g_assert_cmpstr(first->labels.v[LABEL_ASYNC], ==, "4");
	g_assert_cmpuint(told_count(all, IMPORT_BREAK), ==, 1);
	const struct import_record *second = told_expect(all, 2, "aes-128-cbc decrypt", 1 / 106304940.0);
	g_assert_cmpstr(second->labels.v[LABEL_ENGINE], ==, NULL);
}

static void one_line_may_hold_a_whole_run(void)
{
	g_autoptr(GPtrArray) all =
		told("engine \"kae\" set. You have chosen to measure elapsed time instead of user CPU time. "
		     "Doing aes-128-cbc for 3s "
		     "on 51200 size blocks: 219553 aes-128-cbc's in 3.00s .... type 51200 bytes 102400 bytes "
		     "aes-128-cbc "
		     "3747037.87k 3996774.40k\n"
		     ".... sign verify sign/s verify/s rsa 2048 bits 0.000018s 0.000009s 54384.1 105317.0\n");

	g_assert_cmpuint(told_count(all, IMPORT_FIGURE), ==, 4);
	told_expect(all, 0, "aes-128-cbc encrypt", 1 / 3747037870.0);
	told_expect(all, 2, "rsa-2048 sign", 1 / 54384.1);
	g_assert_cmpstr(told_fact(all, "engine"), ==, "kae");
}

static void machine_lines_are_read(void)
{
	g_autoptr(GPtrArray) all = told("+DT:md5:1:16\n"
					"+R:4137705:md5:1.000000\n"
					"+H:16:64\n"
					"+F:2:md5:66203280.00:193222464.00\n"
					"+DTP:2048:private:rsa:10\n"
					"+R1:7000:2048:10.00\n"
					"+F2:3:2048:700.000000:25000.000000\n");

	/* 4137705 * 16 in a second is 66203280: the +F line says it again. */
	told_expect(all, 0, "md5 hash", 1 / 66203280.0);
	g_assert_cmpstr(told_at(all, IMPORT_FIGURE, 1)->labels.v[LABEL_BLOCK], ==, "64");
	/* 10 s / 7000 is 1 / 700: the value is a rate. */
	told_expect(all, 2, "rsa-2048 sign", 1 / 700.0);
	/* Of the verification nothing was told before. */
	told_doubted(all, 3, "does not say which version");
}

static void old_machine_lines_are_seconds(void)
{
	g_autoptr(GPtrArray) all = told("OpenSSL 1.0.2g 1 Mar 2016\n+F2:3:4096:0.050452:0.000695\n");

	told_expect(all, 0, "rsa-4096 sign", 0.050452);
}

static void children_are_no_figures(void)
{
	g_autoptr(GPtrArray) all = told("Forked child 0\nForked child 1\n"
					"Got: +H:16:64 from 0\n"
					"Got: +F:25:AES-128-GCM:109670672.00:390395456.00 from 0\n"
					"AES-128-GCM    219341.34k  780790.91k\n");

	told_doubted(all, 0, "one of 2 processes");
	const struct import_record *sum = told_expect(all, 2, "aes-128-gcm encrypt", 1 / 219341340.0);
	g_assert_cmpstr(sum->labels.v[LABEL_THREADS], ==, "2");
	g_assert_cmpstr(sum->labels.v[LABEL_BLOCK], ==, "16");
}

static void torn_lines_are_told(void)
{
	g_autoptr(GPtrArray) all = told("Doing chacha20 for 3s on 16 size blocks: Doing sha512 for 3s on 16 "
					"size blocks: 4960252 sha512's in 3.00s\n"
					"Doing ML-KEM-1024 keygen ops for 1s: 4627 ML-KE\n"
					"rsa  3072 bits 0.004274s 0.000074s    234.0\n"
					"Got: +F:25:AES-128-CBC:3[73644.545401] audit: type=1701\n");

	/* Of two lines in one, the one that is whole is read. */
	g_assert_cmpuint(told_count(all, IMPORT_UNREAD), ==, 4);
	g_assert_cmpuint(told_count(all, IMPORT_FIGURE), ==, 1);
	told_expect(all, 0, "sha-512 hash", 3.00 / (4960252.0 * 16));
}

#define TEST(name) g_test_add_func("/import_openssl/" #name, name)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	TEST(a_table_has_a_figure_per_block_size);
	TEST(headers_may_run_into_each_other);
	TEST(without_a_header_blocks_are_unknown);
	TEST(a_cell_without_k_is_bytes);
	TEST(key_tables_have_times_and_rates);
	TEST(columns_are_what_the_header_says);
	TEST(times_and_rates_that_disagree_by_little_are_noted);
	TEST(a_table_says_again_what_ran);
	TEST(seconds_are_of_the_processor_unless_said);
	TEST(what_no_table_says_again_is_told_at_the_end);
	TEST(progress_is_held_against_its_table);
	TEST(times_are_held_against_what_was_asked_for);
	TEST(commands_tell_engine_jobs_and_direction);
	TEST(one_line_may_hold_a_whole_run);
	TEST(machine_lines_are_read);
	TEST(old_machine_lines_are_seconds);
	TEST(children_are_no_figures);
	TEST(torn_lines_are_told);
	return g_test_run();
}
