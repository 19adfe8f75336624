/* SHA-256 of FIPS 180-4, our own: a library under test must not vouch for itself. */
#ifndef CORE_SHA256_H
#define CORE_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define SHA256_SIZE	32
#define SHA256_HEX_SIZE 65 /* with its terminating zero */

struct sha256 {
	uint32_t state[8];
	uint64_t length; /* bytes taken so far */
	unsigned char block[64];
};

void sha256_init(struct sha256 *s);
void sha256_update(struct sha256 *s, const void *bytes, size_t size);
void sha256_final(struct sha256 *s, unsigned char digest[SHA256_SIZE]);

/* The digest of bytes in lower-case hexadecimal. */
void sha256_hex(char hex[SHA256_HEX_SIZE], const void *bytes, size_t size);

#endif
