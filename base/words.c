#include "words.h"

#include "diag.h"

#include <string.h>

enum { NAME_LENGTH = 64 };

bool word_safe(const char *word)
{
	size_t length = strlen(word);
	if (length == 0 || length > NAME_LENGTH || !g_ascii_isalnum(word[0]))
		return false;
	for (const char *c = word; *c; c++) {
		if (!g_ascii_isalnum(*c) && !strchr("._+-", *c))
			return false;
	}
	return true;
}

bool word_string(const char **ret, struct jx at, const char *key, const char *kind, GError **err)
{
	struct jx place;
	if (!jx_string(ret, at, key, err) || !jx_get(&place, at, key, err))
		return false;
	if (word_safe(*ret))
		return true;
	g_autofree char *shown = diag_printable(*ret, -1);
	return jx_fail(place, err,
		"\"%s\" cannot name a %s: use 1 to %d letters, digits and . _ + -, a letter or digit first",
		shown, kind, NAME_LENGTH);
}

bool word_unknown(struct jx at, const char *kind, const char *word, const char *const *known, GError **err)
{
	g_autofree char *shown = diag_printable(word, -1);
	const char *nearest = diag_nearest(word, known);
	if (nearest)
		return jx_fail(at, err, "unknown %s \"%s\"; did you mean \"%s\"?", kind, shown, nearest);
	if (!known[0])
		return jx_fail(at, err, "unknown %s \"%s\"; there is none", kind, shown);
	g_autofree char *all = g_strjoinv(", ", (char **)known);
	return jx_fail(at, err, "unknown %s \"%s\"; known are: %s", kind, shown, all);
}

bool word_among(const char *const *list, const char *word)
{
	return g_strv_contains(list, word);
}

bool word_once(struct jx list, const char *kind, GError **err)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	for (size_t i = 0; i < jx_size(list); i++) {
		struct jx at = jx_at(list, i);
		const char *word = json_string_value(at.json);
		if (word && !g_hash_table_add(seen, (char *)word))
			return jx_fail(at, err, "%s \"%s\" is named twice", kind, word);
	}
	return true;
}

bool word_list(struct jx *ret, struct jx at, const char *key, const char *kind, GError **err)
{
	if (!jx_array(ret, at, key, err))
		return false;
	if (jx_size(*ret) == 0)
		return jx_fail(*ret, err, "name at least one %s", kind);
	return word_once(*ret, kind, err);
}

/* The length of the C name that a text begins with. */
static size_t name_length(const char *text)
{
	return g_ascii_isdigit(*text)
		       ? 0
		       : strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789");
}

bool words_defines(char ***ret, struct jx at, GError **err)
{
	struct jx list;
	if (!jx_strings_or_empty(ret, at, "defines", err))
		return false;
	for (size_t i = 0; (*ret)[i]; i++) {
		const char *word = (*ret)[i], *name = word + (*word == '!');
		size_t length = name_length(name);
		bool ends = !name[length] || (name == word && name[length] == '=');
		if (length > 0 && ends && !strchr(word, '\n'))
			continue;
		return jx_array(&list, at, "defines", err) &&
		       jx_fail(jx_at(list, i), err,
			       "\"%s\" is none of \"NAME\", \"NAME=VALUE\" and \"!NAME\"", word);
	}
	return true;
}

bool word_within(struct jx at, const char *key, const char *path, GError **err)
{
	g_auto(GStrv) parts = g_strsplit(path, "/", -1);
	if (path[0] == '\0' || path[0] == '/' || word_among((const char *const *)parts, ".."))
		return jx_fail(at, err, "%s is \"%s\"; it must be a path within the build folder", key, path);
	return true;
}

bool words_within(struct jx at, const char *key, char **paths, GError **err)
{
	for (; *paths; paths++)
		if (!word_within(at, key, *paths, err))
			return false;
	return true;
}
