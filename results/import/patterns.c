#include "patterns.h"

#include <string.h>

struct compiled {
	GRegex *regex;
	/* What a text that matches begins with, as far as it is plain, and what it has in it, whichever
	 * alternative it is: most lines are told apart by these, which costs a fiftieth of a match. */
	char *prefix;
	size_t length;
	GPtrArray *needles; /* char *, one for each alternative; NULL where one has none */
};

/* The end of the class that begins there: a ] at its beginning belongs to it. */
static const char *end_of_class(const char *at)
{
	at += at[1] == '^' ? 2 : 1;
	at += *at == ']';
	while (*at && *at != ']')
		at += *at == '\\' && at[1] ? 2 : 1;
	return at + (*at == ']');
}

/* The end of the class, group, escape, number of times or character that begins there. */
static const char *end_of(const char *at)
{
	const char *times = *at == '{' ? strchr(at, '}') : NULL;
	int depth = 0;

	if (times)
		return times + 1;
	do {
		if (*at == '[') {
			at = end_of_class(at);
		} else if (*at == '\\' && at[1]) {
			at += 2;
		} else {
			depth += (*at == '(') - (*at == ')');
			at++;
		}
	} while (*at && depth > 0);
	return at;
}

static bool has_alternatives(const char *pattern)
{
	for (; *pattern; pattern = end_of(pattern))
		if (*pattern == '|')
			return true;
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

/* The character that the piece up to `end` stands for, and nothing else; 0 where it may be several. */
static char plain_of(const char *at, const char *end)
{
	if (*end && strchr("*?{", *end))
		return '\0';
	if (*at == '\\')
		return g_ascii_isalnum(at[1]) ? '\0' : at[1];
	return g_ascii_isprint(*at) && end == at + 1 && !strchr("^$.|?*+{}()[]", *at) ? *at : '\0';
}

static void keep_longest(GString *longest, GString *run)
{
	if (run->len > longest->len)
		g_string_assign(longest, run->str);
	g_string_truncate(run, 0);
}

/* Of each alternative the longest run of plain characters that stands outside of groups; NULL where one has
 * none, or where the pattern says how letters count. */
static GPtrArray *needles_of(const char *pattern)
{
	g_autoptr(GPtrArray) needles = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GString) run = g_string_new(NULL);
	g_autoptr(GString) longest = g_string_new(NULL);

	if (strstr(pattern, "(?i"))
		return NULL;
	for (const char *at = pattern;; at = end_of(at)) {
		/* Of other escapes, more may belong to them. */
		if (*at == '\\' && g_ascii_isalnum(at[1]) && !strchr("dDsSwWbBnrt", at[1]))
			return NULL;
		char plain = *at ? plain_of(at, end_of(at)) : '\0';
		if (plain) {
			g_string_append_c(run, plain);
			continue;
		}
		keep_longest(longest, run);
		if (*at && *at != '|')
			continue;
		if (longest->len == 0)
			return NULL;
		g_ptr_array_add(needles, g_strdup(longest->str));
		g_string_truncate(longest, 0);
		if (!*at)
			return g_steal_pointer(&needles);
	}
}

static bool may_match(const struct compiled *compiled, const char *text)
{
	if (strncmp(text, compiled->prefix, compiled->length) != 0)
		return false;
	for (guint i = 0; compiled->needles && i < compiled->needles->len; i++)
		if (strstr(text, compiled->needles->pdata[i]))
			return true;
	return !compiled->needles;
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
	compiled->needles = needles_of(pattern);
	g_hash_table_insert(known, (gpointer)pattern, compiled);
	return compiled;
}

bool pattern_match(GMatchInfo **ret, const char *pattern, const char *text)
{
	const struct compiled *compiled = compile(pattern);

	if (ret)
		*ret = NULL;
	return may_match(compiled, text) && g_regex_match(compiled->regex, text, 0, ret);
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
