#include "patterns.h"

#include <string.h>

struct compiled {
	GRegex *regex;
	/* What a text that matches begins with, as far as it is plain: most lines are told apart by it, which
	 * costs a fiftieth of a match. */
	char *prefix;
	size_t length;
};

static bool has_alternatives(const char *pattern)
{
	int depth = 0;
	bool set = false;

	for (const char *c = pattern; *c; c++) {
		if (*c == '\\' && c[1]) {
			c++;
			continue;
		}
		set = set ? *c != ']' : *c == '[';
		if (*c == '|' && !set && depth == 0)
			return true;
		depth += set ? 0 : (*c == '(') - (*c == ')');
	}
	return false;
}

/* The plain characters behind the ^ that the pattern begins with; nothing where it has alternatives. New. */
static char *prefix_of(const char *pattern)
{
	size_t n = 1;

	if (*pattern != '^' || has_alternatives(pattern))
		return g_strdup("");
	while (g_ascii_isalnum(pattern[n]) || (pattern[n] && strchr(" :-_,=<>#/\"'", pattern[n])))
		n++;
	/* The last one may not be there. */
	if (n > 1 && pattern[n] && strchr("*?{", pattern[n]))
		n--;
	return g_strndup(pattern + 1, n - 1);
}

static const struct compiled *compile(const char *pattern)
{
	static GHashTable *known;

	if (!known)
		known = g_hash_table_new(NULL, NULL);
	struct compiled *compiled = g_hash_table_lookup(known, pattern);
	if (compiled)
		return compiled;
	compiled = g_new(struct compiled, 1);
	compiled->regex = g_regex_new(pattern, G_REGEX_OPTIMIZE, 0, NULL);
	g_assert(compiled->regex); /* patterns are our own literals */
	compiled->prefix = prefix_of(pattern);
	compiled->length = strlen(compiled->prefix);
	g_hash_table_insert(known, (gpointer)pattern, compiled);
	return compiled;
}

bool pattern_match(GMatchInfo **ret, const char *pattern, const char *text)
{
	const struct compiled *compiled = compile(pattern);

	if (ret)
		*ret = NULL;
	if (strncmp(text, compiled->prefix, compiled->length) != 0)
		return false;
	return g_regex_match(compiled->regex, text, 0, ret);
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
	char *replaced = g_regex_replace(compile(pattern)->regex, text, -1, 0, with, 0, NULL);

	return replaced ? replaced : g_strdup(text);
}
