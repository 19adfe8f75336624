#include "quote.h"

#include <glib.h>

/* XCU 2.2.2: nothing but the single quote itself is special between single quotes. */
char *ssh_quote(const char *const *words)
{
	GString *line = g_string_new(NULL);

	for (; *words; words++) {
		g_string_append(line, line->len ? " '" : "'");
		for (const char *c = *words; *c; c++) {
			if (*c == '\'')
				g_string_append(line, "'\\''");
			else
				g_string_append_c(line, *c);
		}
		g_string_append_c(line, '\'');
	}
	return g_string_free(line, FALSE);
}
