#include "expected.h"
#include "hash_drbg.h"
#include "seed_stream.h"
#include "sha256.h"
#include "sha512.h"

#include <glib.h>
#include <string.h>

static unsigned digit_at(const char *hex, size_t i)
{
	return (unsigned)g_ascii_xdigit_value(hex[2 * i]) << 4 |
	       (unsigned)g_ascii_xdigit_value(hex[2 * i + 1]);
}

/* FIPS 180-2, B.1 to B.3, and the well-known digest of nothing. */
static void sha256_is_as_published(void)
{
	char hex[SHA256_HEX_SIZE];
	g_autofree char *million = g_strnfill(1000000, 'a');

	sha256_hex(hex, "", 0);
	g_assert_cmpstr(hex, ==, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	sha256_hex(hex, "abc", 3);
	g_assert_cmpstr(hex, ==, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	sha256_hex(hex, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56);
	g_assert_cmpstr(hex, ==, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
	sha256_hex(hex, million, 1000000);
	g_assert_cmpstr(hex, ==, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

/* A hash of ours, over a text in two parts. */
static void sha256_of(unsigned char *digest, const unsigned char *text, size_t length, size_t cut)
{
	struct sha256 s;

	sha256_init(&s);
	sha256_update(&s, text, cut);
	sha256_update(&s, text + cut, length - cut);
	sha256_final(&s, digest);
}

static void sha512_of(unsigned char *digest, const unsigned char *text, size_t length, size_t cut)
{
	struct sha512 s;

	sha512_init(&s);
	sha512_update(&s, text, cut);
	sha512_update(&s, text + cut, length - cut);
	sha512_final(&s, digest);
}

static void agree_with_another_implementation_at_every_length_and_cut(void)
{
	static const struct {
		void (*of)(unsigned char *digest, const unsigned char *text, size_t length, size_t cut);
		GChecksumType other;
	} rows[] = {{sha256_of, G_CHECKSUM_SHA256}, {sha512_of, G_CHECKSUM_SHA512}};
	unsigned char text[600];

	expected_pattern(text, sizeof(text));
	for (size_t row = 0; row < G_N_ELEMENTS(rows); row++)
		for (size_t length = 0; length <= sizeof(text); length++) {
			unsigned char ours[64], other[64];
			gsize size = sizeof(other);
			g_autoptr(GChecksum) sum = g_checksum_new(rows[row].other);

			g_checksum_update(sum, text, (gssize)length);
			g_checksum_get_digest(sum, other, &size);
			rows[row].of(ours, text, length, length * 2 / 3);
			g_assert_cmpmem(ours, size, other, size);
		}
}

/* The first 40 bytes are block 0 and a quarter of block 1 of SHA-256(SHA-256(text) || counter). */
static void follows_from_its_text_alone(void)
{
	unsigned char got[40], again[40], block[32 + 8], expected[64];
	gsize size = 32;

	memset(block, 0, sizeof(block));
	for (unsigned char i = 0; i < 2; i++) {
		g_autoptr(GChecksum) key = g_checksum_new(G_CHECKSUM_SHA256),
				     out = g_checksum_new(G_CHECKSUM_SHA256);
		g_checksum_update(key, (const guchar *)"seed", 4);
		g_checksum_get_digest(key, block, &size);
		block[39] = i;
		g_checksum_update(out, block, sizeof(block));
		g_checksum_get_digest(out, expected + 32 * i, &size);
	}
	seed_restart("seed");
	seed_bytes(got, sizeof(got));
	g_assert_cmpmem(got, sizeof(got), expected, sizeof(got));
	seed_restart("other");
	seed_bytes(again, sizeof(again));
	g_assert_true(memcmp(got, again, sizeof(got)) != 0);
	seed_restart("seed");
	seed_bytes(again, sizeof(again));
	g_assert_cmpmem(got, sizeof(got), again, sizeof(again));
}

/* The second request of `seed` must give `answer`, both in hexadecimal digits. */
static void second_request_gives(const struct hash_drbg_hash *hash, const char *seed_hex, const char *answer)
{
	size_t size = strlen(seed_hex) / 2, out_size = strlen(answer) / 2;
	unsigned char seed[48], out[256];
	struct hash_drbg drbg, other;

	for (size_t i = 0; i < size; i++)
		seed[i] = (unsigned char)digit_at(seed_hex, i);
	hash_drbg_instantiate(&drbg, hash, seed, size);
	hash_drbg_generate(&drbg, NULL, out_size);
	hash_drbg_generate(&drbg, out, out_size);
	for (size_t i = 0; i < out_size; i++)
		g_assert_cmpuint(out[i], ==, digit_at(answer, i));
	other = drbg;
	hash_drbg_reseed(&other, seed, size);
	g_assert_cmpuint(other.requests, ==, 1);
	g_assert_cmpuint(drbg.requests, ==, 3);
	g_assert_true(memcmp(other.v, drbg.v, hash->state) != 0);
}

/* NIST, CAVP drbgvectors_no_reseed, Hash_DRBG, no additional input, count 0: entropy input and nonce, and
 * what the second request gives. */
static void gives_the_published_random_bytes(void)
{
	second_request_gives(&hash_drbg_sha256,
		"a65ad0f345db4e0effe875c3a2e71f42c7129d620ff5c119a9ef55f05185e0fb8581f9317517276e06e9607ddbcb"
		"cc2e",
		"d3e160c35b99f340b2628264d1751060e0045da383ff57a57d73a673d2b8d80daaf6a6c35a91bb4579d73fd0c8fe"
		"d111"
		"b0391306828adfed528f018121b3febdc343e797b87dbb63db1333ded9d1ece177cfa6b71fe8ab1da46624ed6415"
		"e51c"
		"cde2c7ca86e283990eeaeb91120415528b2295910281b02dd431f4c9f70427df");
	second_request_gives(&hash_drbg_sha512,
		"6b50a7d8f8a55d7a3df8bb40bcc3b722d8708de67fda010b03c4c84d72096f8c3ec649cc6256d9fa31db7a2904aa"
		"f025",
		"95b7f17e9802d3577392c6a9c08083b67dd1292265b5f42d237f1c55bb9b10bfcfd82c77a378b8266a0099143b3c"
		"2d64"
		"611eeeb69acdc055957c139e8b190c7a06955f2c797c2778de940396a501f40e91396acf8d7e45ebdbb53bbf8c97"
		"5230"
		"d2f0ff9106c76119ae498e7fbc03d90f8e4c51627aed5c8d4263d5d2b978873a0de596ee6dc7f7c29e37eee8b34c"
		"90dd"
		"1cf6a9ddb22b4cbd086b14b35de93da2d5cb1806698cbd7bbb67bfe3d31fd2d1dbd2a1e058a3eb99d7e51f1a938e"
		"ed5e"
		"1c1de23a6b4345d3191409f92f39b3670d8dbfb635d8e6a36932d81033d1448d63b403ddf88e121b6e819ac38122"
		"6c13"
		"21e4b08644f6727c368c5a9f7a4b3ee2");
}

/* FIPS 180-4's examples of one and of two blocks, by NIST. */
static void sha512_is_as_published(void)
{
	static const struct {
		const char *text, *digest;
	} rows[] = {
		{"abc", "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
			"2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"},
		{"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqr"
		 "lmnopqrsmnopqrstnopqrstu",
			"8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018"
			"501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909"},
	};

	for (size_t row = 0; row < G_N_ELEMENTS(rows); row++) {
		unsigned char digest[SHA512_SIZE];
		struct sha512 s;

		sha512_init(&s);
		sha512_update(&s, rows[row].text, strlen(rows[row].text));
		sha512_final(&s, digest);
		for (size_t i = 0; i < sizeof(digest); i++)
			g_assert_cmpuint(digest[i], ==, digit_at(rows[row].digest, i));
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/core_digests/sha256_is_as_published", sha256_is_as_published);
	g_test_add_func("/core_digests/sha512_is_as_published", sha512_is_as_published);
	g_test_add_func("/core_digests/agree_with_another_implementation_at_every_length_and_cut",
		agree_with_another_implementation_at_every_length_and_cut);
	g_test_add_func("/core_seed/follows_from_its_text_alone", follows_from_its_text_alone);
	g_test_add_func("/core_drbg/gives_the_published_random_bytes", gives_the_published_random_bytes);
	return g_test_run();
}
