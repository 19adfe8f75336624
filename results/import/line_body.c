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
static const char *const prefixes[] = {
	"^\\s+",
	"^>\\s?",									/* quotation */
	"^\\d{1,4}\\. ",								/* a numbered list */
	"^[*-] (?=\\S)",								/* a list */
	"^`+",										/* code */
	"^[IWEDV] \\(\\d+\\) [\\w.-]+: ?",						/* ESP-IDF */
	"^\\[ *\\d+\\.\\d+\\](?:\\[\\w+\\])* ?",					/* kernel, greentea */
	"^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z ",						/* GitHub Actions */
	"^\\[?\\d\\d:\\d\\d:\\d\\d[.,]\\d+\\]? (?:-> )?",				/* serial monitors */
	"^[VDIWEF]/[\\w.-]+ *\\( *\\d+\\): ?",						/* logcat */
	"^\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d+ +\\d+ +\\d+ [VDIWEF] [\\w.-]+ *: ", /* logcat -v
											   threadtime */
	"^INFO +> ?",
};
/* They nest, but not deeper. */
#define MOST_PREFIXES 8

static size_t prefix_length(const char *text)
{
	for (size_t i = 0; i < G_N_ELEMENTS(prefixes); i++) {
		g_autoptr(GMatchInfo) match = NULL;
		int start, end;
		if (pattern_match(&match, prefixes[i], text) &&
			g_match_info_fetch_pos(match, 0, &start, &end))
			return (size_t)end;
	}
	return 0;
}

/* The text without links in numbers, and with plain blanks; new. */
static char *plain_text(const char *text)
{
	/* Pages of build services make links of digits that look like steps. */
	g_autofree char *unlinked =
		strstr(text, "](http") ? pattern_replace("\\[(\\d+)\\]\\(https?://[^\\s)]*\\)", text, "\\1")
				       : NULL;
	const char *from = unlinked ? unlinked : text;

	/* Pages keep columns apart with blanks that do not break. */
	if (g_str_is_ascii(from))
		return g_strdup(from);
	return pattern_replace("[\\x{a0}\\x{2007}\\x{2009}\\x{202f}\\x{3000}]", from, " ");
}

char *line_body(const char *text)
{
	g_autofree char *whole = plain_text(text);
	const char *body = whole;
	size_t skipped;

	for (int i = 0; i < MOST_PREFIXES && (skipped = prefix_length(body)) > 0; i++)
		body += skipped;
	size_t length = strlen(body);
	while (length > 0 && (g_ascii_isspace(body[length - 1]) || body[length - 1] == '`'))
		length--;
	return g_strndup(body, length);
}
