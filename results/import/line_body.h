/* A line without what stands around it. */
#ifndef BM_LINE_BODY_H
#define BM_LINE_BODY_H

/* Terminal control sequences taken out; new. */
char *line_without_colours(const char *text);

/* The body of a line (struct import_line); new. */
char *line_body(const char *text);

#endif
