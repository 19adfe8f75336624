/* Where one run of a tool ends in a document and the next begins. */
#ifndef BM_RUNS_H
#define BM_RUNS_H

#include "importer.h"

struct run {
	char *first;	   /* name of its first figure; NULL before it */
	guint figures;	   /* told since it began */
	GHashTable *names; /* of them, as set; NULL before the first */
};

/* A banner, a command: a new run where figures were told since the last break. Tells the break. */
void run_heading(struct run *run, const struct import_sink *sink, const struct import_line *line);

/* A figure of that name comes. Where a run of several names starts over with its first one, a break is told:
 * documents put runs one behind the other without a word. */
void run_figure(
	struct run *run, const struct import_sink *sink, const struct import_line *line, const char *name);

/* A line that tells a fact: its group "value" under the key. */
struct fact_rule {
	const char *pattern; /* literal; NULL ends a list */
	const char *key;
	bool heading; /* a new run begins with it */
};
/* Tells the fact of the first rule that the line's body matches; false where none does. */
bool run_fact(struct run *run, const struct fact_rule *rules, const struct import_sink *sink,
	const struct import_line *line);

void run_done(struct run *run);

#endif
