#include "seed_stream.h"

#include "sha256.h"

#include <string.h>

static unsigned char key[SHA256_SIZE];
static uint64_t counter;

void seed_restart(const char *text)
{
	struct sha256 s;

	sha256_init(&s);
	sha256_update(&s, text, strlen(text));
	sha256_final(&s, key);
	counter = 0;
}

static void next_block(unsigned char block[SHA256_SIZE])
{
	unsigned char number[8];
	struct sha256 s;

	for (size_t i = 0; i < sizeof(number); i++)
		number[i] = (unsigned char)(counter >> (56 - 8 * i));
	counter++;
	sha256_init(&s);
	sha256_update(&s, key, sizeof(key));
	sha256_update(&s, number, sizeof(number));
	sha256_final(&s, block);
}

void seed_bytes(unsigned char *out, size_t size)
{
	unsigned char block[SHA256_SIZE];

	while (size > 0) {
		size_t take = size < sizeof(block) ? size : sizeof(block);
		next_block(block);
		memcpy(out, block, take);
		out += take;
		size -= take;
	}
}
