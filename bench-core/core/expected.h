/* The timed inputs, and what they must give (expected.def). */
#ifndef CORE_EXPECTED_H
#define CORE_EXPECTED_H

#include "adapter.h"

#define EXPECTED_BLOCK_MAX 8388608u

/* The block sizes that there are expected digests for, rising. */
extern const size_t expected_blocks[];
extern const size_t expected_block_count;
bool expected_has_block(size_t block);

/* Hexadecimal digest of the timed output of a benchmark (block 0 where it is per operation), or NULL where
 * there is none. */
const char *expected_digest(enum core_id id, size_t block);

/* Fills bytes with the varied pattern that the expected digests are of. */
void expected_pattern(unsigned char *bytes, size_t size);

/* The tag that belongs to the first `block` bytes of the pattern as an AES-128-GCM ciphertext under the bulk
 * key. */
void expected_tag(unsigned char tag[16], size_t block);

#endif
