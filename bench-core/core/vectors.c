#include "vectors.h"

#include <stddef.h>

static struct core_vectors filled;
const struct core_vectors *const vectors = &filled;

static unsigned digit(char c)
{
	return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
}

static void decode(unsigned char *out, size_t size, const char *hex)
{
	for (size_t i = 0; i < size; i++)
		out[i] = (unsigned char)(digit(hex[2 * i]) << 4 | digit(hex[2 * i + 1]));
}

void vectors_init(void)
{
#define VECTOR(name, bytes, hex) decode(filled.name, bytes, hex);
#include "vectors.def"
#undef VECTOR
}
