#include "print.h"

#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

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

int print_width(void)
{
	struct winsize size;

	return isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

char *print_size(int64_t bytes)
{
	static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
	double value = (double)MAX(bytes, 0);
	size_t i = 0;

	for (; value >= 1024 && i + 1 < G_N_ELEMENTS(units); i++)
		value /= 1024;
	return g_strdup_printf(i ? "%.1f %s" : "%.0f %s", value, units[i]);
}
