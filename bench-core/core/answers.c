#include "answers.h"

#include <string.h>

#define MESSAGE_MAX 64

bool answer_same_secret(const unsigned char *ours, size_t ours_size, const unsigned char *theirs,
	size_t theirs_size, struct core_why *why)
{
	if (ours_size > 0 && ours_size == theirs_size && memcmp(ours, theirs, ours_size) == 0)
		return true;
	return core_refuse(why, "the fresh key and the fixed peer's key do not agree on a secret");
}

bool answer_verifies(answer_verify verify, const struct core_work *work, const unsigned char *signature,
	size_t size, struct core_why *why)
{
	unsigned char other[MESSAGE_MAX];
	int error = verify(work, signature, size, work->in);

	if (error != 0)
		return core_refuse(why, "the signature does not verify (error %d)", error);
	if (work->in_size == 0 || work->in_size > sizeof(other))
		return core_refuse(why, "there is no other text to hold the signature against");
	memcpy(other, work->in, work->in_size);
	/* At its front: of a hash that is longer than the curve's order the end does not count. */
	other[0] ^= 1;
	return verify(work, signature, size, other) != 0 ||
	       core_refuse(why, "the signature verifies for another hash too");
}
