/* Proofs that adapters share. */
#ifndef CORE_ANSWERS_H
#define CORE_ANSWERS_H

#include "adapter.h"

/* Whether a fresh key and the fixed peer's came to the same secret, each from its side. */
bool answer_same_secret(const unsigned char *ours, size_t ours_size, const unsigned char *theirs,
	size_t theirs_size, struct core_why *why);

/* Whether the signature verifies for the hash of vectors.def, and does not for another. `verify` gives 0
 * where the signature is of the hash, else an error. */
bool answer_verifies(int (*verify)(const unsigned char *signature, size_t size, const unsigned char *hash),
	const unsigned char *signature, size_t size, struct core_why *why);

#endif
