#include "emit.h"

#include "core_sizes.h"

#include <stdio.h>
#include <string.h>

static char line[CORE_LINE_MAX];
static size_t used;
static bool too_long;
static uint64_t records;

static void put(const char *text)
{
	size_t length = strlen(text);

	if (length >= sizeof(line) - used) {
		too_long = true;
		return;
	}
	memcpy(line + used, text, length);
	used += length;
}

static void put_number(uint64_t value)
{
	char text[24], *digit = text + sizeof(text) - 1;

	/* Small C libraries print no numbers of 64 bits. */
	*digit = 0;
	do {
		*--digit = (char)('0' + value % 10);
		value /= 10;
	} while (value > 0);
	put(digit);
}

static void put_quoted(const char *text)
{
	put("\"");
	for (; *text != 0; text++) {
		/* A library's own words may hold line ends; anything else than ASCII could break the line. */
		bool plain = *text >= 0x20 && *text < 0x7f;
		char c[3] = {'\\', plain ? *text : ' ', 0};
		put(*text == '"' || *text == '\\' ? c : c + 1);
	}
	put("\"");
}

/* CRC-32 as zlib has it. */
static uint32_t check_of(const char *text, size_t length)
{
	uint32_t crc = 0xffffffffu;

	for (size_t i = 0; i < length; i++) {
		crc ^= (unsigned char)text[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
	}
	return ~crc;
}

static void put_check(void)
{
	uint32_t check = check_of(line, used);
	char text[9] = "";

	for (int i = 0; i < 8; i++)
		text[i] = "0123456789abcdef"[check >> (28 - 4 * i) & 15];
	emit_text("crc", text);
}

static void put_key(const char *key)
{
	put(",");
	put_quoted(key);
	put(":");
}

void emit_begin(const char *record)
{
	used = 0;
	put("{\"r\":");
	put_quoted(record);
}

void emit_text(const char *key, const char *value)
{
	put_key(key);
	put_quoted(value);
}

void emit_texts(const char *key, const char *const *values, size_t count)
{
	put_key(key);
	put("[");
	for (size_t i = 0; i < count; i++) {
		put(i > 0 ? "," : "");
		put_quoted(values[i]);
	}
	put("]");
}

void emit_number(const char *key, uint64_t value)
{
	put_key(key);
	put_number(value);
}

void emit_numbers(const char *key, const uint64_t *values, size_t count)
{
	put_key(key);
	put("[");
	for (size_t i = 0; i < count; i++) {
		put(i > 0 ? "," : "");
		put_number(values[i]);
	}
	put("]");
}

bool emit_end(void)
{
	if (CORE_CHECKED)
		put_check();
	put("}\n");
	if (too_long || fwrite(line, 1, used, stdout) != used || fflush(stdout) != 0)
		return false;
	records++;
	return true;
}

uint64_t emit_records(void)
{
	return records;
}

void emit_resume(uint64_t so_far)
{
	records = so_far;
}
