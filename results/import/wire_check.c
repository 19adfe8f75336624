#include "wire_check.h"

#include <glib.h>
#include <stdbool.h>
#include <string.h>
#include <zlib.h>

#define RECORD	   "{\"r\":"
#define KEY	   ",\"crc\":\""
#define DIGITS	   8
#define CHECK_SIZE (sizeof KEY - 1 + DIGITS + 2) /* with the quote and the brace behind */

/* A line of nothing but begins of records would take long. */
#define TRIES_MAX 16

/* -1: it carries none. */
static int64_t check_of(const char *line, size_t length)
{
	if (length < CHECK_SIZE)
		return -1;

	const char *check = line + length - CHECK_SIZE, *digits = check + sizeof KEY - 1;
	if (memcmp(check, KEY, sizeof KEY - 1) != 0 || strspn(digits, "0123456789abcdef") != DIGITS ||
		memcmp(digits + DIGITS, "\"}", 2) != 0)
		return -1;
	return (int64_t)g_ascii_strtoull(digits, NULL, 16);
}

static bool fits(int64_t check, const char *line, size_t length)
{
	return check == (int64_t)crc32(0, (const Bytef *)line, (uInt)(length - CHECK_SIZE));
}

enum wire_check wire_check(const char *line, size_t length)
{
	int64_t check = check_of(line, length);

	if (check < 0)
		return WIRE_CHECK_NONE;
	return fits(check, line, length) ? WIRE_CHECK_FITS : WIRE_CHECK_BROKEN;
}

const char *wire_check_within(const char *line, size_t length)
{
	int64_t check = check_of(line, length);

	if (check < 0 || fits(check, line, length))
		return NULL;
	for (size_t i = length - CHECK_SIZE, tries = 0; i > 0 && tries < TRIES_MAX; i--) {
		if (memcmp(line + i, RECORD, sizeof RECORD - 1) != 0)
			continue;
		if (fits(check, line + i, length - i))
			return line + i;
		tries++;
	}
	return NULL;
}
