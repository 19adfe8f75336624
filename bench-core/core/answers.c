#include "answers.h"

#include "vectors.h"

#include <string.h>

bool answer_same_secret(const unsigned char *ours, size_t ours_size, const unsigned char *theirs,
	size_t theirs_size, struct core_why *why)
{
	if (ours_size > 0 && ours_size == theirs_size && memcmp(ours, theirs, ours_size) == 0)
		return true;
	return core_refuse(why, "the fresh key and the fixed peer's key do not agree on a secret");
}

bool answer_verifies(int (*verify)(const unsigned char *signature, size_t size, const unsigned char *hash),
	const unsigned char *signature, size_t size, struct core_why *why)
{
	unsigned char other[sizeof(vectors->ecdsa_hash)];
	int error = verify(signature, size, vectors->ecdsa_hash);

	if (error != 0)
		return core_refuse(why, "the signature does not verify (error %d)", error);
	memcpy(other, vectors->ecdsa_hash, sizeof(other));
	other[sizeof(other) - 1] ^= 1;
	return verify(signature, size, other) != 0 ||
	       core_refuse(why, "the signature verifies for another hash too");
}
