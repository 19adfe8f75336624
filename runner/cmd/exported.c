#include "exported.h"

#include <stdio.h>

char *exported_figures(size_t n)
{
	return g_strdup_printf("%zu figure%s", n, n == 1 ? "" : "s");
}

void exported_tell_left_out(
	const struct export_set *set, const struct exporter *exporter, const struct export_count *count)
{
	if (set->emulated > 0)
		fprintf(stderr,
			"left out: %u of emulated time, which says nothing about speed (environment=emulator "
			"asks "
			"for it)\n",
			set->emulated);
	if (count->left_out > 0)
		fprintf(stderr, "left out: %zu that the format %s cannot express (%s)\n", count->left_out,
			exporter->name, exporter->cannot);
}
