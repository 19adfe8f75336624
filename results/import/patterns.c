#include "patterns.h"

static GRegex *compiled(const char *pattern)
{
	static GHashTable *known;

	if (!known)
		known = g_hash_table_new(NULL, NULL);
	GRegex *regex = g_hash_table_lookup(known, pattern);
	if (regex)
		return regex;
	regex = g_regex_new(pattern, G_REGEX_OPTIMIZE, 0, NULL);
	g_assert(regex); /* patterns are our own literals */
	g_hash_table_insert(known, (gpointer)pattern, regex);
	return regex;
}

bool pattern_match(GMatchInfo **ret, const char *pattern, const char *text)
{
	return g_regex_match(compiled(pattern), text, 0, ret);
}

char *pattern_text(const GMatchInfo *match, const char *group)
{
	char *text = g_match_info_fetch_named(match, group);

	if (text && *text)
		return text;
	g_free(text);
	return NULL;
}

bool pattern_number(struct number *ret, const GMatchInfo *match, const char *group, enum number_comma comma)
{
	g_autofree char *text = pattern_text(match, group);

	return text && number_read(ret, text, comma) && text[ret->length] == '\0';
}

char *pattern_replace(const char *pattern, const char *text, const char *with)
{
	char *replaced = g_regex_replace(compiled(pattern), text, -1, 0, with, 0, NULL);

	return replaced ? replaced : g_strdup(text);
}
