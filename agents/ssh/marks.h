/* What the script over there says, told apart from what programs print: a mark is a byte 1, a word that no
 * program over there knows, a space, and the rest of a line. For this folder only. */
#ifndef BM_SSH_MARKS_H
#define BM_SSH_MARKS_H

#include <glib.h>

struct marks;

/* `on_text` gets all that is no mark, in pieces as they come; `on_mark` the line behind the word. A mark that
 * is longer than MARK_MAX is cut there. */
#define MARK_MAX 4096
struct marks *marks_new(const char *word, void (*on_text)(const char *bytes, size_t length, void *user),
	void (*on_mark)(const char *line, void *user), void *user);
void marks_push(struct marks *marks, const char *bytes, size_t length);
/* What looked like the begin of a mark, and was none, goes out as text. */
void marks_end(struct marks *marks);
void marks_free(struct marks *marks); /* takes NULL */

#endif
