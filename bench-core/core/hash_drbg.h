/* Hash_DRBG of NIST SP 800-90A, to hold a library's generator against. Not for secrets. */
#ifndef CORE_HASH_DRBG_H
#define CORE_HASH_DRBG_H

#include <stddef.h>
#include <stdint.h>

#define HASH_DRBG_STATE_MAX  111
#define HASH_DRBG_DIGEST_MAX 64

struct hash_drbg_part {
	const unsigned char *bytes;
	size_t size;
};

/* What differs between hashes (table 2 of the standard). */
struct hash_drbg_hash {
	size_t state, digest; /* bytes of seedlen and of outlen */
	void (*digest_of)(unsigned char *out, const struct hash_drbg_part *parts, size_t count);
};
extern const struct hash_drbg_hash hash_drbg_sha256, hash_drbg_sha512;

struct hash_drbg {
	const struct hash_drbg_hash *hash;
	unsigned char v[HASH_DRBG_STATE_MAX], c[HASH_DRBG_STATE_MAX];
	uint64_t requests; /* the counter of the standard: 1 behind a seed */
};

/* seed: entropy input, nonce and personalisation string one behind the other. */
void hash_drbg_instantiate(
	struct hash_drbg *ret, const struct hash_drbg_hash *hash, const unsigned char *seed, size_t size);
void hash_drbg_reseed(struct hash_drbg *drbg, const unsigned char *seed, size_t size);

/* One request, without additional input. out may be NULL: then only the state goes on. */
void hash_drbg_generate(struct hash_drbg *drbg, unsigned char *out, size_t size);

#endif
