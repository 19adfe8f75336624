/* The state of importers that need little: what the lines before said. */
#ifndef BM_CONTEXT_H
#define BM_CONTEXT_H

#include "importer.h"
#include "patterns.h"
#include "runs.h"
#include "telling.h"

struct context {
	struct run run;
	char *group;		  /* heading that the next lines are of; NULL: none */
	char **columns;		  /* of the table in hand; NULL: none */
	double clock;		  /* Hz, as stated; NAN */
	struct number numbers[4]; /* an importer's own: numbers of lines before */
	enum number_comma comma;  /* what commas are, as far as the document has proved it */
};

void *context_begin(void);
void context_finish(void *context, const struct import_sink *sink);

/* Takes the group's text as the group in hand; frees nothing of the match. */
void context_group(struct context *context, const GMatchInfo *match, const char *group);

/* Keeps a stated clock: the groups "value" and "unit" (GHz, MHz, kHz, Hz, in any case; missing: MHz), and
 * tells it. */
void context_clock(struct context *context, const struct import_line *line, const struct import_sink *sink,
	const GMatchInfo *match);

#endif
