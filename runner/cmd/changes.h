/* What differs between the two trees of a run: one line that says it, and the rows that show it. */
#ifndef BM_CHANGES_H
#define BM_CHANGES_H

#include <glib.h>
#include <stdbool.h>

struct comparison;
struct store;

/* "sha-256 hash: 3.2 % more instructions; nothing else changed (13 benchmarks)"; of an exact metric. */
char *changes_line(const struct comparison *comparison);

/* "3.2" of 3.2345: two digits that count, and never "0.0" of what is not. Free with g_free(). */
char *changes_percent(double percent);

struct changes_spec {
	struct store *store;
	const char *run;    /* the run's UUID */
	const char *metric; /* to compare by; NULL: instructions and time */
	bool count, time;   /* what was measured */
	const char *unit;   /* of time */
};
/* Prints the line, then the rows that changed, then how to see the others. Fails where there is nothing to
 * compare. */
bool changes_print(const struct changes_spec *spec, GError **err);

#endif
