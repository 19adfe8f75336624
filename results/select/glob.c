#include "selector.h"

#include <string.h>

static const char *next_character(const char *text)
{
	for (text++; ((unsigned char)*text & 0xc0) == 0x80;)
		text++;
	return text;
}

/* Takes one character of the text by one place of the pattern; false where they differ or either is at its
 * end. */
static bool take_one(const char **pattern, const char **text)
{
	const char *p = *pattern;

	if (*p == '\0' || **text == '\0')
		return false;
	if (*p == '?') {
		*pattern = p + 1;
		*text = next_character(*text);
		return true;
	}
	if (*p == '\\' && p[1] != '\0')
		p++;
	if (*p != **text)
		return false;
	*pattern = p + 1;
	(*text)++;
	return true;
}

/* Going back to the latest star alone is enough, so the time is the product of the lengths at worst. */
bool selector_glob(const char *pattern, const char *text)
{
	const char *after_star = NULL, *retry = NULL;

	if (!text)
		return strcmp(pattern, "-") == 0;
	for (;;) {
		if (*pattern == '*') {
			after_star = ++pattern;
			retry = text;
		} else if (*pattern == '\0' && *text == '\0') {
			return true;
		} else if (!take_one(&pattern, &text)) {
			if (!after_star || *retry == '\0')
				return false;
			retry = next_character(retry);
			text = retry;
			pattern = after_star;
		}
	}
}
