#include "print.h"

#include <stdio.h>

bool print_table(const struct table *table, const char *format, GError **err)
{
	const struct renderer *renderer = renderer_find(format ? format : "table", err);

	if (renderer == NULL)
		return false;

	g_autoptr(GString) out = g_string_new(NULL);
	renderer->render(out, table);
	fwrite(out->str, 1, out->len, stdout);
	return true;
}
