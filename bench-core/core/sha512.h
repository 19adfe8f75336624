/* SHA-512 of FIPS 180-4, our own: a library under test must not vouch for itself. */
#ifndef CORE_SHA512_H
#define CORE_SHA512_H

#include <stddef.h>
#include <stdint.h>

#define SHA512_SIZE 64

struct sha512 {
	uint64_t state[8];
	uint64_t length; /* bytes taken so far */
	unsigned char block[128];
};

void sha512_init(struct sha512 *s);
void sha512_update(struct sha512 *s, const void *bytes, size_t size);
void sha512_final(struct sha512 *s, unsigned char digest[SHA512_SIZE]);

#endif
