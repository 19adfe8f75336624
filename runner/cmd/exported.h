/* What export and publish share. */
#ifndef BM_EXPORTED_H
#define BM_EXPORTED_H

#include "export.h"

/* "1 figure", "12 figures". Free with g_free(). */
char *exported_figures(size_t n);
/* Says on standard error what was left out, and how to get it. */
void exported_tell_left_out(
	const struct export_set *set, const struct exporter *exporter, const struct export_count *count);

#endif
