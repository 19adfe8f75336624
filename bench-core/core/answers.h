/* Proofs that adapters share. */
#ifndef CORE_ANSWERS_H
#define CORE_ANSWERS_H

#include "adapter.h"

/* Whether a fresh key and the fixed peer's came to the same secret, each from its side. */
bool answer_same_secret(const unsigned char *ours, size_t ours_size, const unsigned char *theirs,
	size_t theirs_size, struct core_why *why);

/* Gives 0 where the signature is of these bytes, as many as work->in_size, else an error. */
typedef int (*answer_verify)(const struct core_work *work, const unsigned char *signature, size_t size,
	const unsigned char *bytes);

/* Whether the signature verifies for work->in, and does not for other bytes. */
bool answer_verifies(answer_verify verify, const struct core_work *work, const unsigned char *signature,
	size_t size, struct core_why *why);

#endif
