/* The fixed inputs and published answers: rows of published.def and keys.def, in hexadecimal. */
#ifndef CORE_VECTORS_H
#define CORE_VECTORS_H

#include <stddef.h>

/* A published answer; "" where the algorithm has no such thing. An encryption's is its decryption's too. */
struct core_published {
	const char *algorithm, *key, *iv, *aad, *in, *out, *tag, *source;
};

/* What a public-key benchmark works on; NULL where its algorithm has no such thing. */
struct core_keys {
	const char *algorithm;
	const char *group; /* a name, and no hexadecimal */
	const char *prime, *own_private, *own_public, *peer_private, *peer_public;
	const char *plain, *cipher; /* of RSA */
	const char *message, *signature;
};

/* The nth (from 0) published answer of the algorithm, or NULL. */
const struct core_published *vectors_published(const char *algorithm, size_t n);

/* The keys of the algorithm, or NULL. ec-CURVE has those of ecdh-CURVE. */
const struct core_keys *vectors_keys(const char *algorithm);

/* Bytes that the hexadecimal text, which may be NULL, stands for. */
size_t vectors_size(const char *hex);

/* Room for the bytes of one row of either kind. */
#define VECTORS_ROOM 8192

/* Forgets what vectors_bytes() gave. */
void vectors_reset(void);
/* Its bytes, which stay until vectors_reset(). NULL for no bytes at all, and where there is no room. */
const unsigned char *vectors_bytes(const char *hex, size_t *size);

#endif
