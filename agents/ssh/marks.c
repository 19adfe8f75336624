#include "marks.h"

#include <string.h>

struct marks {
	char *begin; /* what a mark begins with */
	size_t length;
	size_t matched; /* bytes of it that have come */
	GString *line;	/* of the mark that has begun */
	gboolean inside;
	void (*on_text)(const char *bytes, size_t length, void *user);
	void (*on_mark)(const char *line, void *user);
	void *user;
};

struct marks *marks_new(const char *word, void (*on_text)(const char *bytes, size_t length, void *user),
	void (*on_mark)(const char *line, void *user), void *user)
{
	struct marks *marks = g_new0(struct marks, 1);

	marks->begin = g_strdup_printf("\001%s ", word);
	marks->length = strlen(marks->begin);
	marks->line = g_string_new(NULL);
	marks->on_text = on_text;
	marks->on_mark = on_mark;
	marks->user = user;
	return marks;
}

void marks_free(struct marks *marks)
{
	if (!marks)
		return;
	g_free(marks->begin);
	g_string_free(marks->line, TRUE);
	g_free(marks);
}

void marks_end(struct marks *marks)
{
	if (marks->matched)
		marks->on_text(marks->begin, marks->matched, marks->user);
	marks->matched = 0;
}

/* Within a mark: its end hands it over. */
static void take_mark(struct marks *marks, char c)
{
	if (c != '\n') {
		if (c && marks->line->len < MARK_MAX)
			g_string_append_c(marks->line, c);
		return;
	}
	marks->on_mark(marks->line->str, marks->user);
	g_string_truncate(marks->line, 0);
	marks->inside = FALSE;
}

/* The byte 1 stands first in a mark and nowhere else in it, so a mark can only begin anew with it. True where
 * the byte belongs to one. */
static gboolean take_begin(struct marks *marks, char c)
{
	if (c != marks->begin[marks->matched]) {
		marks_end(marks);
		if (c != marks->begin[0])
			return FALSE;
	}
	if (++marks->matched < marks->length)
		return TRUE;
	marks->matched = 0;
	marks->inside = TRUE;
	return TRUE;
}

void marks_push(struct marks *marks, const char *bytes, size_t length)
{
	size_t text = 0; /* where what is not yet handed over begins */

	for (size_t i = 0; i < length; i++) {
		if (!marks->inside && !marks->matched && bytes[i] != marks->begin[0])
			continue;
		if (i > text)
			marks->on_text(bytes + text, i - text, marks->user);
		text = i + 1;
		if (marks->inside)
			take_mark(marks, bytes[i]);
		else if (!take_begin(marks, bytes[i]))
			text = i;
	}
	if (length > text)
		marks->on_text(bytes + text, length - text, marks->user);
}
