#include "hash_drbg.h"

#include "sha256.h"
#include "sha512.h"

#include <string.h>

static void digest_sha256(unsigned char *out, const struct hash_drbg_part *parts, size_t count)
{
	struct sha256 s;

	sha256_init(&s);
	for (size_t i = 0; i < count; i++)
		sha256_update(&s, parts[i].bytes, parts[i].size);
	sha256_final(&s, out);
}

static void digest_sha512(unsigned char *out, const struct hash_drbg_part *parts, size_t count)
{
	struct sha512 s;

	sha512_init(&s);
	for (size_t i = 0; i < count; i++)
		sha512_update(&s, parts[i].bytes, parts[i].size);
	sha512_final(&s, out);
}

const struct hash_drbg_hash hash_drbg_sha256 = {440 / 8, SHA256_SIZE, digest_sha256};
const struct hash_drbg_hash hash_drbg_sha512 = {888 / 8, SHA512_SIZE, digest_sha512};

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Hash_df of section 10.3.1: as many bytes as the state has, from one byte (none where it is negative) and
 * two parts. */
static void derive(const struct hash_drbg *drbg, unsigned char *out, int first, struct hash_drbg_part second,
	struct hash_drbg_part third)
{
	size_t state = drbg->hash->state, size = drbg->hash->digest;
	const unsigned char bits[4] = {
		0, 0, (unsigned char)(state * 8 >> 8), (unsigned char)(state * 8 & 0xff)};
	unsigned char digest[HASH_DRBG_DIGEST_MAX], counter = 1, octet = (unsigned char)first;
	const struct hash_drbg_part parts[] = {
		{&counter, 1}, {bits, sizeof(bits)}, {&octet, first >= 0 ? 1 : 0}, second, third};

	for (size_t done = 0; done < state; done += size, counter++) {
		drbg->hash->digest_of(digest, parts, sizeof(parts) / sizeof(parts[0]));
		memcpy(out + done, digest, least(state - done, size));
	}
}

static struct hash_drbg_part state_of(const struct hash_drbg *drbg)
{
	return (struct hash_drbg_part){drbg->v, drbg->hash->state};
}

static void begin(struct hash_drbg *drbg)
{
	derive(drbg, drbg->c, 0, state_of(drbg), (struct hash_drbg_part){drbg->v, 0});
	drbg->requests = 1;
}

void hash_drbg_instantiate(
	struct hash_drbg *ret, const struct hash_drbg_hash *hash, const unsigned char *seed, size_t size)
{
	ret->hash = hash;
	derive(ret, ret->v, -1, (struct hash_drbg_part){seed, size}, (struct hash_drbg_part){seed, 0});
	begin(ret);
}

void hash_drbg_reseed(struct hash_drbg *drbg, const unsigned char *seed, size_t size)
{
	unsigned char v[HASH_DRBG_STATE_MAX];

	derive(drbg, v, 1, state_of(drbg), (struct hash_drbg_part){seed, size});
	memcpy(drbg->v, v, drbg->hash->state);
	begin(drbg);
}

/* Big-endian numbers, modulo 2 to the bits of the state. */
static void add(const struct hash_drbg *drbg, unsigned char *v, const unsigned char *other, size_t size)
{
	size_t state = drbg->hash->state;
	unsigned carry = 0;

	for (size_t i = 1; i <= state; i++) {
		carry += v[state - i] + (i <= size ? other[size - i] : 0u);
		v[state - i] = (unsigned char)carry;
		carry >>= 8;
	}
}

/* What a request leaves behind (section 10.1.1.4). */
static void next_state(struct hash_drbg *drbg)
{
	static const unsigned char three = 3;
	unsigned char digest[HASH_DRBG_DIGEST_MAX], counter[8];
	const struct hash_drbg_part parts[] = {{&three, 1}, state_of(drbg)};

	drbg->hash->digest_of(digest, parts, 2);
	add(drbg, drbg->v, digest, drbg->hash->digest);
	add(drbg, drbg->v, drbg->c, drbg->hash->state);
	for (size_t i = 0; i < sizeof(counter); i++)
		counter[i] = (unsigned char)(drbg->requests >> (56 - 8 * i));
	add(drbg, drbg->v, counter, sizeof(counter));
	drbg->requests++;
}

void hash_drbg_generate(struct hash_drbg *drbg, unsigned char *out, size_t size)
{
	static const unsigned char one = 1;
	unsigned char digest[HASH_DRBG_DIGEST_MAX], data[HASH_DRBG_STATE_MAX];
	const struct hash_drbg_part part = {data, drbg->hash->state};

	memcpy(data, drbg->v, part.size);
	for (size_t done = 0; out != NULL && done < size; done += drbg->hash->digest) {
		drbg->hash->digest_of(digest, &part, 1);
		memcpy(out + done, digest, least(size - done, drbg->hash->digest));
		add(drbg, data, &one, 1);
	}
	next_state(drbg);
}
