#include "ranges.h"

#include "catalog.h"

#include <glib.h>
#include <string.h>

/* The number at *text, which is moved behind it and its dot; 0 where the numbers have ended. */
static guint64 next_part(const char **text)
{
	if (!g_ascii_isdigit(**text))
		return 0;
	char *end;
	guint64 number = g_ascii_strtoull(*text, &end, 10);
	*text = *end == '.' ? end + 1 : end;
	return number;
}

/* Below, at or above 0 as a is older than, equal to or newer than b: "5.0" equals "5", "4.6.0+p1" equals
 * "4.6". */
static int compare_versions(const char *a, const char *b)
{
	while (g_ascii_isdigit(*a) || g_ascii_isdigit(*b)) {
		guint64 left = next_part(&a), right = next_part(&b);
		if (left != right)
			return left < right ? -1 : 1;
	}
	return 0;
}

/* Splits ">=4.0" into what it accepts and "4.0", a place within `condition`. False where it is no condition.
 */
static bool read_condition(
	const char *condition, bool *below, bool *equal, bool *above, const char **ret_version)
{
	*below = condition[0] == '<';
	*above = condition[0] == '>';
	if (!*below && !*above && condition[0] != '=')
		return false;
	*equal = condition[0] == '=' || condition[1] == '=';
	*ret_version = condition + ((*below || *above) && *equal ? 2 : 1);
	const char *c = *ret_version;
	for (; *c; c++) {
		if (!g_ascii_isdigit(*c) && !(*c == '.' && g_ascii_isdigit(c[1])))
			return false;
	}
	return g_ascii_isdigit(**ret_version);
}

/* Calls for each condition of a range; stops at the first that cannot be read or, where a version is given,
 * fails. */
static bool all_conditions_hold(const char *version, const char *range)
{
	g_auto(GStrv) conditions = g_strsplit(range, " ", -1);
	for (char **c = conditions; *c; c++) {
		bool below, equal, above;
		const char *bound;
		if (!**c)
			continue;
		if (!read_condition(*c, &below, &equal, &above, &bound))
			return false;
		if (!version)
			continue;
		int order = compare_versions(version, bound);
		if (order < 0 ? !below : order > 0 ? !above : !equal)
			return false;
	}
	return true;
}

bool range_check(const char *range, struct jx at, GError **err)
{
	return (range[strspn(range, " ")] != '\0' && all_conditions_hold(NULL, range)) ||
	       jx_fail(at, err, "\"%s\" is no range of versions, such as \">=4.0 <5.0\"", range);
}

bool version_in_range(const char *version, const char *range)
{
	if (!range || !g_ascii_isdigit(version[0]))
		return true;
	return all_conditions_hold(version, range);
}
