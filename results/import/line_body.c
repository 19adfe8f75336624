#include "line_body.h"

#include "patterns.h"

#include <string.h>

char *line_without_colours(const char *text)
{
	/* CSI and OSC sequences, then the escapes of one character. */
	if (!strchr(text, '\033'))
		return g_strdup(text);
	return pattern_replace(
		"\033\\[[0-?]*[ -/]*[@-~]|\033\\][^\007\033]*(?:\007|\033\\\\)|\033[ -/]*[0-~]", text, "");
}

/* What is put before lines, each seen in real documents. */
static const struct {
	const char *pattern;
	/* Of the prefixes that begin so, as far as they are ASCII; NULL: anything. Nearly all lines have
	 * none: they are spared the expressions. */
	const char *first, *second;
} prefixes[] = {
	{"^\\s+", "", NULL},						  /* blanks beyond those of ASCII */
	{"^>\\s?", ">", NULL},						  /* quotation */
	{"^\\d{1,4}\\. ", "0123456789", "0123456789."},			  /* a numbered list */
	{"^[*-] (?=\\S)", "*-", " "},					  /* a list */
	{"^`+", "`", NULL},						  /* code */
	{"^[IWEDV] \\(\\d+\\) [\\w.-]+: ?", "IWEDV", " "},		  /* ESP-IDF */
	{"^\\[ *\\d+\\.\\d+\\](?:\\[\\w+\\])* ?", "[", NULL},		  /* kernel, greentea */
	{"^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z ", "0123456789", "0123456789"}, /* GitHub Actions */
	{"^\\[?\\d\\d:\\d\\d:\\d\\d[.,]\\d+\\]? (?:-> )?", "[0123456789", "0123456789"}, /* serial monitors */
	{"^[VDIWEF]/[\\w.-]+ *\\( *\\d+\\): ?", "VDIWEF", "/"},				 /* logcat */
	{"^\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d+ +\\d+ +\\d+ [VDIWEF] [\\w.-]+ *: ", "0123456789",
		"0123456789"}, /* logcat -v threadtime */
	{"^INFO +> ?", "I", "N"},
};
/* They nest, but not deeper. */
#define MOST_PREFIXES 8

static bool may_be(char c, const char *those)
{
	return !g_ascii_isprint(c) || !those || strchr(those, c);
}

static size_t prefix_length(const char *text)
{
	size_t blanks = strspn(text, " \t");

	if (blanks > 0)
		return blanks;
	for (size_t i = 0; *text && i < G_N_ELEMENTS(prefixes); i++) {
		g_autoptr(GMatchInfo) match = NULL;
		int start, end;
		if (may_be(text[0], prefixes[i].first) && may_be(text[1], prefixes[i].second) &&
			pattern_match(&match, prefixes[i].pattern, text) &&
			g_match_info_fetch_pos(match, 0, &start, &end))
			return (size_t)end;
	}
	return 0;
}

/* The text without links in numbers, and with plain blanks; new. NULL where it is so. */
static char *plain_text(const char *text)
{
	/* Pages of build services make links of digits that look like steps. */
	g_autofree char *unlinked =
		strstr(text, "](http") ? pattern_replace("\\[(\\d+)\\]\\(https?://[^\\s)]*\\)", text, "\\1")
				       : NULL;
	const char *from = unlinked ? unlinked : text;

	/* Pages keep columns apart with blanks that do not break. */
	if (g_str_is_ascii(from))
		return g_steal_pointer(&unlinked);
	return pattern_replace("[\\x{a0}\\x{2007}\\x{2009}\\x{202f}\\x{3000}]", from, " ");
}

const char *line_body(const char *text, GString *room)
{
	g_autofree char *plain = plain_text(text);
	const char *whole = plain ? plain : text, *body = whole;
	size_t skipped;

	for (int i = 0; i < MOST_PREFIXES && (skipped = prefix_length(body)) > 0; i++)
		body += skipped;
	size_t length = strlen(body), before = length;
	while (length > 0 && (g_ascii_isspace(body[length - 1]) || body[length - 1] == '`'))
		length--;
	if (!plain && length == before)
		return body;
	g_string_truncate(room, 0);
	return g_string_append_len(room, body, (gssize)length)->str;
}
