#include "hash_drbg.h"

#include "sha256.h"

#include <string.h>

/* Hash_df of section 10.3.1 over up to three parts, of which the first is one byte. */
static void derive(unsigned char out[HASH_DRBG_STATE], int first, const unsigned char *second,
	size_t second_size, const unsigned char *third, size_t third_size)
{
	static const unsigned char bits[4] = {0, 0, HASH_DRBG_STATE * 8 >> 8, HASH_DRBG_STATE * 8 & 0xff};
	unsigned char digest[SHA256_SIZE], octet = (unsigned char)first;
	size_t done = 0;

	for (unsigned char counter = 1; done < HASH_DRBG_STATE; counter++) {
		size_t take = HASH_DRBG_STATE - done < SHA256_SIZE ? HASH_DRBG_STATE - done : SHA256_SIZE;
		struct sha256 s;
		sha256_init(&s);
		sha256_update(&s, &counter, 1);
		sha256_update(&s, bits, sizeof(bits));
		sha256_update(&s, &octet, first >= 0 ? 1 : 0);
		sha256_update(&s, second, second_size);
		sha256_update(&s, third, third_size);
		sha256_final(&s, digest);
		memcpy(out + done, digest, take);
		done += take;
	}
}

static void begin(struct hash_drbg *drbg)
{
	derive(drbg->c, 0, drbg->v, sizeof(drbg->v), drbg->v, 0);
	drbg->requests = 1;
}

void hash_drbg_instantiate(struct hash_drbg *ret, const unsigned char *seed, size_t size)
{
	derive(ret->v, -1, seed, size, seed, 0);
	begin(ret);
}

void hash_drbg_reseed(struct hash_drbg *drbg, const unsigned char *seed, size_t size)
{
	unsigned char v[HASH_DRBG_STATE];

	derive(v, 1, drbg->v, sizeof(drbg->v), seed, size);
	memcpy(drbg->v, v, sizeof(v));
	begin(drbg);
}

/* Big-endian numbers, modulo 2^440. */
static void add(unsigned char v[HASH_DRBG_STATE], const unsigned char *other, size_t size)
{
	unsigned carry = 0;

	for (size_t i = 1; i <= HASH_DRBG_STATE; i++) {
		carry += v[HASH_DRBG_STATE - i] + (i <= size ? other[size - i] : 0u);
		v[HASH_DRBG_STATE - i] = (unsigned char)carry;
		carry >>= 8;
	}
}

static void hash(unsigned char out[SHA256_SIZE], const unsigned char *prefix, size_t prefix_size,
	const unsigned char v[HASH_DRBG_STATE])
{
	struct sha256 s;

	sha256_init(&s);
	sha256_update(&s, prefix, prefix_size);
	sha256_update(&s, v, HASH_DRBG_STATE);
	sha256_final(&s, out);
}

void hash_drbg_generate(struct hash_drbg *drbg, unsigned char *out, size_t size)
{
	static const unsigned char three = 3, one = 1;
	unsigned char digest[SHA256_SIZE], data[HASH_DRBG_STATE], counter[8];

	memcpy(data, drbg->v, sizeof(data));
	for (size_t done = 0; out != NULL && done < size; done += SHA256_SIZE) {
		hash(digest, &three, 0, data);
		memcpy(out + done, digest, size - done < SHA256_SIZE ? size - done : SHA256_SIZE);
		add(data, &one, 1);
	}
	hash(digest, &three, 1, drbg->v);
	add(drbg->v, digest, sizeof(digest));
	add(drbg->v, drbg->c, sizeof(drbg->c));
	for (size_t i = 0; i < sizeof(counter); i++)
		counter[i] = (unsigned char)(drbg->requests >> (56 - 8 * i));
	add(drbg->v, counter, sizeof(counter));
	drbg->requests++;
}
