/* Where results come from, in one line. */
#ifndef BM_PROVENANCE_H
#define BM_PROVENANCE_H

#include "rows.h"

#include <glib.h>

/* "run 1a2b3c4d (nightly), 2026-11-03 UTC; compiler gcc 12.2.0; own, hardware, sampled; n 20" of results
 * (const struct result *, at least one). Free with g_free(). */
char *provenance_text(const GPtrArray *results);

/* "library=wolfssl version=5.5.4" of the labels that are not NULL; "" where there are none. Benchmark, block
 * and metric are left out: titles and rows say them. Free with g_free(). */
char *provenance_labels(const struct labels *labels);

/* The same of the labels in `chosen`, each with all its values among the results: "config=default
 * toolchain=a, b". */
char *provenance_varying(const GPtrArray *results, const bool *chosen);

#endif
