/* In which order, and which of them, the rows of a comparison are shown. */
#ifndef BM_ARRANGE_H
#define BM_ARRANGE_H

#include "compare.h"

enum arrange_sort { ARRANGE_NAME, ARRANGE_WORST, ARRANGE_BEST, ARRANGE_SORT_COUNT };
extern const char *const arrange_sort_names[ARRANGE_SORT_COUNT + 1]; /* NULL-terminated */

struct arrangement {
	enum arrange_sort sort; /* by ratio, those without one last; ARRANGE_NAME: as they are */
	const char *group;	/* a key: rows that share its value stand together; NULL: none */
	bool changed;		/* only rows that changed, see below */
};

/* DIAG_USAGE where the key is none of: family, algorithm, operation, arch, a label. */
bool arrange_check_key(const char *key, GError **err);
/* What a row says for a key; the family of "aes-128-gcm encrypt" is "aes": its name up to the first part with
 * a digit in it. "-" where it says nothing. Free with g_free(). */
char *arrange_value(const struct comparison_row *row, const char *key);

/* The rows to show (const struct comparison_row *, lent). With `changed`, those that differ by their verdict,
 * and those without a verdict whose ratio is COMPARISON_FLOOR or more away from 1; *ret_left_out then says
 * how many of which sort are left out (g_free()), else and where none are it is NULL. */
GPtrArray *arrange_rows(
	const struct comparison *comparison, const struct arrangement *arrangement, char **ret_left_out);

/* The rows that have a ratio by the values of a key, in the order of their first rows. GPtrArray of struct
 * arrange_group with its own free function. */
struct arrange_group {
	char *name;
	guint n;
	double geomean;
};
GPtrArray *arrange_groups(const struct comparison *comparison, const char *key);

/* "3 faster, 1 unclear": how many rows have which verdict, those without one left out. Free with g_free(). */
char *arrange_tally(const GPtrArray *rows);
/* Whether a difference deserves attention: a sampled one that is proved, an exact one of
 * COMPARISON_EXACT_ALARM or more. */
bool arrange_alarms(const struct comparison_row *row);

#endif
