#include "answers.h"
#include "core_options.h"
#include "expected.h"
#include "measure.h"
#include "prove.h"
#include "room.h"
#include "vectors.h"

#include <glib.h>
#include <stdbool.h>
#include <string.h>

/* The digests of the hash can be had from another implementation here; expected.py --check sees to the
 * others. */
static void expects_what_another_implementation_gives(void)
{
	static unsigned char text[EXPECTED_BLOCK_MAX];
	uint64_t expected;

	expected_pattern(text, sizeof(text));
	g_assert_cmpuint(expected_block_count, ==, 11);
	for (size_t i = 0; i < expected_block_count; i++) {
		g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
		guchar digest[32];
		gsize size = sizeof(digest);
		g_checksum_update(sum, text, (gssize)expected_blocks[i]);
		g_checksum_get_digest(sum, digest, &size);
		g_autofree char *twice = g_compute_checksum_for_data(G_CHECKSUM_SHA256, digest, size);
		twice[16] = 0;
		g_assert_true(expected_digest(&expected, CORE_SHA_256_HASH, expected_blocks[i]));
		g_assert_cmpuint(expected, ==, g_ascii_strtoull(twice, NULL, 16));
		g_assert_true(expected_digest(&expected, CORE_AES_128_GCM_DECRYPT, expected_blocks[i]));
	}
	g_assert_false(expected_digest(&expected, CORE_SHA_256_HASH, 17));
	g_assert_false(expected_digest(&expected, CORE_SHA_256_HASH, 0));
	/* Of "Everyone gets Friday off." */
	g_assert_true(expected_digest(&expected, CORE_RSA_2048_PUBLIC, 0));
	g_autofree char *friday =
		g_compute_checksum_for_string(G_CHECKSUM_SHA256, "Everyone gets Friday off.", -1);
	friday[16] = 0;
	g_assert_cmpuint(expected, ==, g_ascii_strtoull(friday, NULL, 16));
}

static void is_what_the_script_writes(void)
{
	const char *argv[] = {"python3", BM_SOURCE "/bench-core/expected.py", "--check-short", NULL};
	const char *probe[] = {"python3", "-c", "import cryptography.hazmat.primitives.ciphers.aead", NULL};
	int status = 0;

	if (!g_spawn_sync(NULL, (char **)probe, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL, NULL,
		    NULL, NULL, NULL, &status, NULL) ||
		status != 0) {
		g_test_skip("python3-cryptography is not installed");
		return;
	}
	g_assert_true(g_spawn_sync(
		NULL, (char **)argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, &status, NULL));
	g_assert_cmpint(status, ==, 0);
}

static void decodes_the_vectors(void)
{
	const struct core_published *hash = vectors_published("sha-256", 0),
				    *gcm = vectors_published("aes-128-gcm", 0);
	const unsigned char *bytes;
	size_t size;

	vectors_reset();
	bytes = vectors_bytes(hash->in, &size);
	g_assert_cmpmem(bytes, size, "abc", 3);
	bytes = vectors_bytes(gcm->iv, &size);
	g_assert_cmpmem(bytes, size, "\xca\xfe\xba\xbe\xfa\xce\xdb\xad\xde\xca\xf8\x88", 12);
	g_assert_null(vectors_bytes("", &size));
	g_assert_null(vectors_bytes(NULL, &size));
	g_assert_cmpuint(size, ==, 0);
	g_assert_null(vectors_published("sha-256", 2));
	g_assert_null(vectors_published("sha-257", 0));
	g_assert_true(vectors_keys("ec-p256") == vectors_keys("ecdh-p256"));
	g_assert_true(vectors_keys("ecdsa-p256") != vectors_keys("ecdh-p256"));
	g_assert_null(vectors_keys("ec-p257"));
}

/* All of a row at once, as an operation takes it. */
static void has_room_for_the_bytes_of_each_row(void)
{
	static const char *const algorithms[] = {"rsa-1024", "rsa-2048", "rsa-2056", "rsa-3072", "rsa-4096",
		"dh-2048", "dh-3072", "dh-4096", "ecdh-p521", "ecdsa-p521", "x448", "ed448"};

	for (size_t i = 0; i < G_N_ELEMENTS(algorithms); i++) {
		const struct core_keys *k = vectors_keys(algorithms[i]);
		const char *const texts[] = {k->prime, k->own_private, k->own_public, k->peer_private,
			k->peer_public, k->plain, k->cipher, k->message, k->signature};
		vectors_reset();
		for (size_t n = 0; n < G_N_ELEMENTS(texts); n++) {
			size_t size;
			vectors_bytes(texts[n], &size);
			g_assert_cmpuint(size, ==, vectors_size(texts[n]));
		}
	}
}

/* What measure.c calls before it measures. */
void prove_forget(struct core_work *work)
{
	work->out_size = 0;
}

static uint64_t ticks, step;

static bool begin_ticking(void)
{
	return true;
}

static uint64_t tick(void)
{
	return ticks += step;
}

static int nothing(struct core_work *work)
{
	(void)work;
	return 0;
}

static bool gives_ticks(uint64_t each, uint64_t span_ns)
{
	static const struct counter counter = {"perf", "cycles", 64, begin_ticking, tick, NULL};
	const struct measure_plan plan = {
		.budget_ns = 1000000, .resolution_ns = 1, .counter = &counter, .counter_span_ns = span_ns};
	const struct core_operation op = {.run = nothing};
	static struct samples samples;
	struct core_work work = {.out_size = 0};

	ticks = 0;
	step = each;
	g_assert_cmpint(measure_samples(&samples, &op, &work, &plan), ==, 0);
	g_assert_cmpuint(samples.count, >=, 3);
	g_assert_cmpuint(samples.ns[0], >, 0);
	return samples.ticked;
}

static void a_counter_that_fails_gives_no_figure(void)
{
	g_assert_true(gives_ticks(1000, UINT64_MAX));
	g_assert_false(gives_ticks(0, UINT64_MAX));
	g_assert_false(gives_ticks((UINT64_C(1) << 53) + 1, UINT64_MAX));
	/* It was taken away: later readings are below the earlier ones. */
	g_assert_false(gives_ticks(UINT64_MAX, UINT64_MAX));
	/* A sample spans 50 us at least, in which this one may begin anew. */
	g_assert_false(gives_ticks(1000, 1000));
}

/* A signature is good for texts that begin with one of these. */
static const char *taken;

static int verify_first_byte(
	const struct core_work *work, const unsigned char *signature, size_t size, const unsigned char *bytes)
{
	g_assert_cmpmem(signature, size, "sig", 3);
	g_assert_cmpmem(bytes + 1, work->in_size - 1, "ext", 3);
	return strchr(taken, bytes[0]) != NULL ? 0 : -229;
}

/* 't' and 'u' differ in one bit. */
static void a_signature_must_be_of_its_hash_alone(void)
{
	const struct core_work work = {.in = (const unsigned char *)"text", .in_size = 4};
	const unsigned char *sig = (const unsigned char *)"sig";
	struct core_why why;

	taken = "abc";
	g_assert_false(answer_verifies(verify_first_byte, &work, sig, 3, &why));
	g_assert_cmpstr(why.text, ==, "the signature does not verify (error -229)");
	taken = "t";
	g_assert_true(answer_verifies(verify_first_byte, &work, sig, 3, &why));
	taken = "tu";
	g_assert_false(answer_verifies(verify_first_byte, &work, sig, 3, &why));
	g_assert_cmpstr(why.text, ==, "the signature verifies for another hash too");
}

static void a_secret_must_be_the_same_on_both_sides(void)
{
	static const unsigned char one[] = "abcd", other[] = "abce";
	struct core_why why;

	g_assert_true(answer_same_secret(one, 4, one, 4, &why));
	g_assert_false(answer_same_secret(one, 4, other, 4, &why));
	g_assert_false(answer_same_secret(one, 4, one, 3, &why));
	/* Nothing agrees with nothing. */
	g_assert_false(answer_same_secret(one, 0, other, 0, &why));
}

static bool read_line(struct core_options *o, struct core_why *why, const char *line)
{
	g_auto(GStrv) argv = g_strsplit(line, " ", -1);
	/* The options lend from argv, which the checks here look at no more. */
	bool ok = options_read(o, (int)g_strv_length(argv), argv, why);

	o->benchmarks = o->build = o->seed = NULL;
	return ok;
}

static void reads_every_option(void)
{
	struct core_options o;
	struct core_why why;

	g_assert_true(read_line(&o, &why,
		"bench-core --count --block 16,1048576 --invocation 3 --budget-ms 250 --iterations 9 "
		"--in-process --from a --skip b,c"));
	g_assert_true(o.in_process);
	g_assert_cmpint(o.mode, ==, CORE_COUNT);
	g_assert_cmpuint(o.block_count, ==, 2);
	g_assert_cmpuint(o.blocks[0], ==, 16);
	g_assert_cmpuint(o.blocks[1], ==, 1048576);
	g_assert_cmpuint(o.invocation, ==, 3);
	g_assert_cmpuint(o.budget_ns, ==, 250000000);
	g_assert_cmpuint(o.iterations, ==, 9);
	g_assert_true(read_line(&o, &why, "bench-core --time"));
	g_assert_false(o.in_process);
	g_assert_null(o.from);
	g_assert_null(o.skip);
	g_assert_cmpint(o.mode, ==, CORE_TIME);
	g_assert_cmpuint(o.block_count, ==, 1);
	g_assert_cmpuint(o.blocks[0], ==, 16384);
	g_assert_cmpuint(o.iterations, ==, 0);
}

/* 2 x 1 MiB and 256 KiB are 2.25 MiB. */
static void says_how_much_memory_is_missing(void)
{
	const uint64_t kib = 1024, mib = 1024 * kib;
	struct core_why why = {.text = "none"};

	g_assert_true(room_for(mib, 0, 2 * mib + 256 * kib, &why));
	g_assert_true(room_for(mib, 0, 0, &why));   /* unknown */
	g_assert_true(room_for(mib, mib, 1, &why)); /* what it needs, it has already */
	g_assert_cmpstr(why.text, ==, "none");
	g_assert_false(room_for(mib, mib - 1, 600 * kib + 1000, &why));
	g_assert_cmpstr(why.text, ==, "it needs about 2.2 MiB for blocks of 1 MiB, and 600 KiB are free");
	g_assert_false(room_for(16 * kib, 0, 200 * kib, &why));
	g_assert_cmpstr(why.text, ==, "it needs about 288 KiB for blocks of 16 KiB, and 200 KiB are free");
	room_tell(&why, 0);
	room_tell(&why, 3 * mib);
	g_assert_true(g_str_has_suffix(why.text, "200 KiB are free; 3 MiB are free"));
}

static void refuses_what_it_cannot_read(void)
{
	static const char *const cases[][2] = {
		{"bench-core", "expected --time, --count"},
		{"bench-core --time --count", "--count: only one of"},
		{"bench-core --time --fast", "--fast: no such option"},
		{"bench-core --time --block", "--block: its value is missing"},
		{"bench-core --time --block 1000",
			"of 16, 64, 256, 1024, 4096, 8192, 16384, 65536, 262144, 1048576, 8388608"},
		{"bench-core --time --block 16,", "--block 16,: expected sizes"},
		{"bench-core --time --block 16,16", "each once"},
		{"bench-core --time --block 16x", "--block 16x: expected sizes"},
		{"bench-core --time --block -16", "--block -16: expected sizes"},
		{"bench-core --time --budget-ms 0", "--budget-ms 0: expected a number from 1 to 3600000"},
		{"bench-core --time --budget-ms 3600001", "expected a number"},
		{"bench-core --time --iterations 99999999999999999999", "expected a number"},
		{"bench-core --time --invocation 1,2", "--invocation 1,2: expected a number"},
		{"bench-core --time --build a\nb", "--build: expected printable ASCII"},
		{"bench-core --time --seed \xc3\xa4", "--seed: expected printable ASCII"},
	};
	struct core_options o;
	struct core_why why;

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_test_message("%s", cases[i][0]);
		g_assert_false(read_line(&o, &why, cases[i][0]));
		g_assert_nonnull(strstr(why.text, cases[i][1]));
	}
}

static void matches_globs(void)
{
	static const struct {
		const char *globs, *name;
		bool want;
	} cases[] = {
		{NULL, "sha-256 hash", true},
		{"sha-256 hash", "sha-256 hash", true},
		{"sha-256", "sha-256 hash", false},
		{"sha*", "sha-256 hash", true},
		{"*", "null operation", true},
		{"*-p256 *", "ecdh-p256 agree", true},
		{"aes-1?8-c?c *crypt", "aes-128-cbc decrypt", true},
		{"aes-1?-cbc *", "aes-128-cbc decrypt", false},
		{"rsa*,aes*gcm*", "aes-128-gcm encrypt", true},
		{"rsa*,aes*gcm*", "aes-128-cbc encrypt", false},
		{"*a*a*b", "aaab", true},
		{"", "aaab", false},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct core_options o = {.benchmarks = cases[i].globs};
		g_test_message("%s: %s", cases[i].globs, cases[i].name);
		g_assert_true(options_want(&o, cases[i].name) == cases[i].want);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/core_expected/expects_what_another_implementation_gives",
		expects_what_another_implementation_gives);
	g_test_add_func("/core_expected/is_what_the_script_writes", is_what_the_script_writes);
	g_test_add_func("/core_vectors/decodes_the_vectors", decodes_the_vectors);
	g_test_add_func(
		"/core_vectors/has_room_for_the_bytes_of_each_row", has_room_for_the_bytes_of_each_row);
	g_test_add_func(
		"/core_measure/a_counter_that_fails_gives_no_figure", a_counter_that_fails_gives_no_figure);
	g_test_add_func(
		"/core_answers/a_signature_must_be_of_its_hash_alone", a_signature_must_be_of_its_hash_alone);
	g_test_add_func("/core_answers/a_secret_must_be_the_same_on_both_sides",
		a_secret_must_be_the_same_on_both_sides);
	g_test_add_func("/core_options/reads_every_option", reads_every_option);
	g_test_add_func("/core_options/refuses_what_it_cannot_read", refuses_what_it_cannot_read);
	g_test_add_func("/core_room/says_how_much_memory_is_missing", says_how_much_memory_is_missing);
	g_test_add_func("/core_options/matches_globs", matches_globs);
	return g_test_run();
}
