/* The timed inputs, and what they must give (expected.def). */
#ifndef CORE_EXPECTED_H
#define CORE_EXPECTED_H

#include "adapter.h"
#include "core_sizes.h"

#include <stdint.h>

#define EXPECTED_TAG_SIZE 16

/* The block sizes that there are expected digests for, rising, those that there is no room for among them. */
extern const size_t expected_blocks[];
extern const size_t expected_block_count;
bool expected_has_block(size_t block);

/* The first eight bytes of the SHA-256 of the timed output of a benchmark (block 0 where it is per
 * operation), as a big-endian number. False: there is none. */
bool expected_digest(uint64_t *ret, enum core_id id, size_t block);

/* Fills bytes with the varied pattern that the expected digests are of. */
void expected_pattern(unsigned char *bytes, size_t size);

/* The tag that belongs to the first `block` bytes of the pattern as a ciphertext of the algorithm under the
 * bulk key. False: it has none. */
bool expected_tag(unsigned char tag[EXPECTED_TAG_SIZE], const char *algorithm, size_t block);

#endif
