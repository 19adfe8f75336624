/* Printed names to benchmarks, by schema/aliases.def. */
#ifndef BM_NAMES_H
#define BM_NAMES_H

#include "rows.h"

#include <glib.h>

/* The benchmark that an importer's tool prints under that name: an index of benchmark_infos, or -1. */
int name_benchmark(const char *importer, const char *printed);

/* Puts the name of n bytes in the place of the text, as name_plain() has it. */
void name_put(GString *text, const char *printed, size_t n);

/* The name with each run of blanks one and none inside of square brackets. New. */
char *name_plain(const char *printed);

/* The name as aliases.def writes it: plain and in lower case. New. */
char *name_tidy(const char *printed);

struct alias {
	const char *importer, *name, *benchmark;
};
extern const struct alias aliases[]; /* the rows of aliases.def; the last one is empty */

#endif
