/* Hash_DRBG with SHA-256 of NIST SP 800-90A, to hold a library's generator against. Not for secrets. */
#ifndef CORE_HASH_DRBG_H
#define CORE_HASH_DRBG_H

#include <stddef.h>
#include <stdint.h>

#define HASH_DRBG_STATE 55

struct hash_drbg {
	unsigned char v[HASH_DRBG_STATE], c[HASH_DRBG_STATE];
	uint64_t requests; /* the counter of the standard: 1 behind a seed */
};

/* seed: entropy input, nonce and personalisation string one behind the other. */
void hash_drbg_instantiate(struct hash_drbg *ret, const unsigned char *seed, size_t size);
void hash_drbg_reseed(struct hash_drbg *drbg, const unsigned char *seed, size_t size);

/* One request, without additional input. out may be NULL: then only the state goes on. */
void hash_drbg_generate(struct hash_drbg *drbg, unsigned char *out, size_t size);

#endif
