#include "rate_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t rate_cell(const char *path)
{
	unsigned char bytes[9];
	uint64_t value = 0;
	FILE *file = fopen(path, "rb");
	size_t size = 0;

	if (file != NULL) {
		size = fread(bytes, 1, sizeof(bytes), file);
		fclose(file);
	}
	for (size_t i = 0; (size == 4 || size == 8) && i < size; i++)
		value = value << 8 | bytes[i];
	return value;
}

/* The number behind the key and its colon. */
static uint64_t number_of(const char *line, const char *key)
{
	size_t length = strlen(key);

	if (strncmp(line, key, length) != 0)
		return 0;
	line += length;
	line += strspn(line, " \t");
	return *line == ':' ? strtoull(line + 1, NULL, 10) : 0;
}

uint64_t rate_line(const char *path, const char *key)
{
	char line[256];
	uint64_t value = 0;
	FILE *file = fopen(path, "r");

	while (file != NULL && value == 0 && fgets(line, sizeof(line), file) != NULL)
		value = number_of(line, key);
	if (file != NULL)
		fclose(file);
	return value;
}
