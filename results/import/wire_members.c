#include "wire_members.h"

#include "diag.h"

#include <inttypes.h>
#include <string.h>

/* Beyond it not every whole number has a binary64 of its own. */
#define LARGEST INT64_C(9007199254740992)

bool wire_fail(struct wire_reader *reader, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	g_string_vprintf(reader->problem, format, arguments);
	va_end(arguments);
	return false;
}

/* A text without NUL (jansson refuses them) and not empty. A missing one is NULL. */
bool wire_get_text(struct wire_reader *reader, const char **ret, const char *key, enum presence presence)
{
	const json_t *value = json_object_get(reader->root, key);

	if (!value && presence == OPTIONAL)
		return true;
	if (!value)
		return wire_fail(reader, "\"%s\" is missing", key);
	if (!json_is_string(value) || json_string_length(value) == 0)
		return wire_fail(reader, "\"%s\" is not a text", key);
	*ret = json_string_value(value);
	return true;
}

bool wire_is_within(const json_t *value, int64_t low)
{
	return json_is_integer(value) && json_integer_value(value) >= low &&
	       json_integer_value(value) <= LARGEST;
}

/* A whole number of at least `low`. A missing one leaves *ret. */
bool wire_get_number(
	struct wire_reader *reader, int64_t *ret, const char *key, int64_t low, enum presence presence)
{
	const json_t *value = json_object_get(reader->root, key);

	if (!value && presence == OPTIONAL)
		return true;
	if (!value)
		return wire_fail(reader, "\"%s\" is missing", key);
	if (!wire_is_within(value, low))
		return wire_fail(reader, "\"%s\" is not a whole number from %" PRId64 " to 2^53", key, low);
	*ret = json_integer_value(value);
	return true;
}

/* A text out of a list; *ret is its index. */
bool wire_get_word(struct wire_reader *reader, int *ret, const char *key, const char *const *words)
{
	const char *text = NULL;

	if (!wire_get_text(reader, &text, key, REQUIRED))
		return false;
	for (*ret = 0; words[*ret]; (*ret)++)
		if (strcmp(words[*ret], text) == 0)
			return true;
	g_autofree char *shown = diag_printable(text, -1);
	return wire_fail(reader, "unknown %s \"%s\"", key, shown);
}
