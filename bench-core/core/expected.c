#include "expected.h"

#include <stdint.h>
#include <stdlib.h>

struct digest_row {
	enum core_id id;
	size_t block;
	const char *digest;
};
struct tag_row {
	size_t block;
	const char *tag;
};

static const struct digest_row digests[] = {
#define EXPECTED(id, block, digest) {CORE_##id, block, digest},
#define TAG(block, tag)
#include "expected.def"
#undef EXPECTED
#undef TAG
};
static const struct tag_row tags[] = {
#define EXPECTED(id, block, digest)
#define TAG(block, tag) {block, tag},
#include "expected.def"
#undef EXPECTED
#undef TAG
};

const size_t expected_blocks[] = {
#define EXPECTED(id, block, digest)
#define TAG(block, tag) block,
#include "expected.def"
#undef EXPECTED
#undef TAG
};
const size_t expected_block_count = sizeof(expected_blocks) / sizeof(expected_blocks[0]);

bool expected_has_block(size_t block)
{
	for (size_t i = 0; i < expected_block_count; i++)
		if (expected_blocks[i] == block)
			return true;
	return false;
}

const char *expected_digest(enum core_id id, size_t block)
{
	for (size_t i = 0; i < sizeof(digests) / sizeof(digests[0]); i++)
		if (digests[i].id == id && digests[i].block == block)
			return digests[i].digest;
	return NULL;
}

void expected_pattern(unsigned char *bytes, size_t size)
{
	uint32_t counter = 0;

	for (size_t i = 0; i < size; i++) {
		counter = counter * 1664525u + 1013904223u;
		bytes[i] = (unsigned char)(counter >> 24);
	}
}

void expected_tag(unsigned char tag[16], size_t block)
{
	for (size_t i = 0; i < sizeof(tags) / sizeof(tags[0]); i++) {
		if (tags[i].block != block)
			continue;
		for (size_t k = 0; k < 16; k++) {
			char octet[3] = {tags[i].tag[2 * k], tags[i].tag[2 * k + 1], 0};
			tag[k] = (unsigned char)strtoul(octet, NULL, 16);
		}
	}
}
