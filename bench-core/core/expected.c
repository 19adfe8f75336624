#include "expected.h"

#include <stdlib.h>
#include <string.h>

/* One pass over expected.def for each kind of row. */
#define BLOCKS(...)
#define EXPECTED(id, ...)
#define EXPECTED_ONE(id, digest)
#define TAGS(algorithm, ...)

#undef BLOCKS
#define BLOCKS(...) __VA_ARGS__
const size_t expected_blocks[] = {
#include "expected.def"
};
#undef BLOCKS
#define BLOCKS(...)
#define BLOCK_COUNT (sizeof(expected_blocks) / sizeof(expected_blocks[0]))
const size_t expected_block_count = BLOCK_COUNT;

#undef EXPECTED
#define EXPECTED(id, ...) {CORE_##id, {__VA_ARGS__}},
static const struct {
	enum core_id id;
	uint64_t digests[BLOCK_COUNT];
} bulk[] = {
#include "expected.def"
};
#undef EXPECTED
#define EXPECTED(id, ...)

#undef EXPECTED_ONE
#define EXPECTED_ONE(id, digest) {CORE_##id, digest},
static const struct {
	enum core_id id;
	uint64_t digest;
} single[] = {
#include "expected.def"
};
#undef EXPECTED_ONE
#define EXPECTED_ONE(id, digest)

#undef TAGS
#define TAGS(algorithm, ...) {algorithm, {__VA_ARGS__}},
static const struct {
	const char *algorithm;
	const char *tags[BLOCK_COUNT];
} tags[] = {
#include "expected.def"
};

/* BLOCK_COUNT where it is none of them. */
static size_t index_of(size_t block)
{
	size_t i = 0;

	while (i < BLOCK_COUNT && expected_blocks[i] != block)
		i++;
	return i;
}

bool expected_has_block(size_t block)
{
	return index_of(block) < BLOCK_COUNT && block <= EXPECTED_BLOCK_MAX;
}

bool expected_digest(uint64_t *ret, enum core_id id, size_t block)
{
	size_t at = index_of(block);

	for (size_t i = 0; block == 0 && i < sizeof(single) / sizeof(single[0]); i++) {
		if (single[i].id != id)
			continue;
		*ret = single[i].digest;
		return true;
	}
	for (size_t i = 0; at < BLOCK_COUNT && i < sizeof(bulk) / sizeof(bulk[0]); i++) {
		if (bulk[i].id != id)
			continue;
		*ret = bulk[i].digests[at];
		return true;
	}
	return false;
}

void expected_pattern(unsigned char *bytes, size_t size)
{
	uint32_t counter = 0;

	for (size_t i = 0; i < size; i++) {
		counter = counter * 1664525u + 1013904223u;
		bytes[i] = (unsigned char)(counter >> 24);
	}
}

bool expected_tag(unsigned char tag[EXPECTED_TAG_SIZE], const char *algorithm, size_t block)
{
	size_t at = index_of(block);

	for (size_t i = 0; at < BLOCK_COUNT && i < sizeof(tags) / sizeof(tags[0]); i++) {
		if (strcmp(tags[i].algorithm, algorithm) != 0)
			continue;
		for (size_t k = 0; k < EXPECTED_TAG_SIZE; k++) {
			char octet[3] = {tags[i].tags[at][2 * k], tags[i].tags[at][2 * k + 1], 0};
			tag[k] = (unsigned char)strtoul(octet, NULL, 16);
		}
		return true;
	}
	return false;
}
