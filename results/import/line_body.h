/* A line without what stands around it. */
#ifndef BM_LINE_BODY_H
#define BM_LINE_BODY_H

#include <glib.h>

/* Terminal control sequences taken out; new. */
char *line_without_colours(const char *text);

/* The body of a line (struct import_line): a piece of the text, or of `room`, which is written over. */
const char *line_body(const char *text, GString *room);

#endif
