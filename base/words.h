/* Words in the files that users write: which names are safe, and what to say about one that nothing knows. */
#ifndef BM_WORDS_H
#define BM_WORDS_H

#include "jsonx.h"

#include <glib.h>
#include <stdbool.h>

/* Whether a name may become part of file names, labels and selectors: 1 to 64 letters, digits and . _ + - of
 * ASCII, the first a letter or a digit. */
bool word_safe(const char *word);

/* The member `key` of an object, a string that is word_safe(); `kind` says what it names: "flag". Lent. */
bool word_string(const char **ret, struct jx at, const char *key, const char *kind, GError **err);

/* Fails at `at` with `unknown flag "fastmat"; did you mean "fastmath"?`, or with the list of all where none
 * is near. `known` is NULL-terminated. Returns false. */
bool word_unknown(struct jx at, const char *kind, const char *word, const char *const *known, GError **err);

/* Whether a NULL-terminated list has the word. */
bool word_among(const char *const *list, const char *word);

/* The list `key` of an object, which must have at least one element and no string twice. */
bool word_list(struct jx *ret, struct jx at, const char *key, const char *kind, GError **err);

/* Fails at the element of the array `list` that repeats an earlier one. Elements that are not strings are
 * passed over. */
bool word_once(struct jx list, const char *kind, GError **err);

/* Fails at `at` where a path that is joined to a folder does not stay within it; `key` names the member. */
bool word_within(struct jx at, const char *key, const char *path, GError **err);
bool words_within(struct jx at, const char *key, char **paths, GError **err);

/* The list "defines" of an object (empty where it has none): "NAME", "NAME=VALUE" or "!NAME", where a name is
 * one of C's. *ret is new: g_strfreev(). */
bool words_defines(char ***ret, struct jx at, GError **err);

#endif
