#include "vectors.h"

#include <stdbool.h>
#include <string.h>

static const struct core_published published[] = {
#define PUBLISHED(algorithm, key, iv, aad, in, out, tag, source)                                             \
	{algorithm, key, iv, aad, in, out, tag, source},
#include "published.def"
#undef PUBLISHED
};

static const struct core_keys keys[] = {
#define KEYS(name, ...) {.algorithm = name, __VA_ARGS__},
#include "keys.def"
#undef KEYS
};

/* Decoded where it is asked for: of all rows at once a small device would have no room. */
static unsigned char room[VECTORS_ROOM];
static size_t used;

const struct core_published *vectors_published(const char *algorithm, size_t n)
{
	for (size_t i = 0; i < sizeof(published) / sizeof(published[0]); i++)
		if (strcmp(published[i].algorithm, algorithm) == 0 && n-- == 0)
			return &published[i];
	return NULL;
}

static bool is_of(const struct core_keys *row, const char *algorithm)
{
	if (strncmp(algorithm, "ec-", 3) == 0)
		return strncmp(row->algorithm, "ecdh-", 5) == 0 &&
		       strcmp(row->algorithm + 5, algorithm + 3) == 0;
	return strcmp(row->algorithm, algorithm) == 0;
}

const struct core_keys *vectors_keys(const char *algorithm)
{
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (is_of(&keys[i], algorithm))
			return &keys[i];
	return NULL;
}

size_t vectors_size(const char *hex)
{
	return hex != NULL ? strlen(hex) / 2 : 0;
}

static unsigned digit(char c)
{
	return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
}

void vectors_reset(void)
{
	used = 0;
}

const unsigned char *vectors_bytes(const char *hex, size_t *size)
{
	unsigned char *out = room + used;

	*size = vectors_size(hex);
	if (*size == 0 || *size > VECTORS_ROOM - used) {
		*size = 0;
		return NULL;
	}
	for (size_t i = 0; i < *size; i++)
		out[i] = (unsigned char)(digit(hex[2 * i]) << 4 | digit(hex[2 * i + 1]));
	used += *size;
	return out;
}
