/* Regular expressions for importers: compiled once each, with the numbers that they find. */
#ifndef BM_PATTERNS_H
#define BM_PATTERNS_H

#include "numbers.h"

#include <glib.h>

/* Whether the pattern (a literal: it is kept by its address) is found in the text. *ret (may be NULL) is new
 * or NULL where it is not: g_match_info_unref(). The text must outlive it. */
bool pattern_match(GMatchInfo **ret, const char *pattern, const char *text);

/* The number that the group of that name matched; false where the group is missing or begins with no number,
 * or not all of it is one. */
bool pattern_number(struct number *ret, const GMatchInfo *match, const char *group, enum number_comma comma);

/* The text of the group, new; NULL where it is missing or empty. */
char *pattern_text(const GMatchInfo *match, const char *group);

/* The text with all that the pattern finds replaced; \1 in `with` is its first group. New. */
char *pattern_replace(const char *pattern, const char *text, const char *with);

#endif
