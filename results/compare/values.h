/* What results say, in words: the helpers that comparison, pivot and tables share. */
#ifndef BM_VALUES_H
#define BM_VALUES_H

#include "rows.h"
#include "selector.h"
#include "store.h"

#include <glib.h>

/* "config", "arch". Static. */
const char *values_key_name(enum selector_key key);

/* "config", "arch", "flag:sp" (of a term). Free with g_free(). */
char *values_key_text(const struct selector_term *term);
/* "config=sp". Free with g_free(). */
char *values_term_text(const struct selector_term *term);

/* What a result says for a key; NULL where it is absent or unknown. SELECT_FLAG gives the configuration.
 * Lent. */
const char *values_of(const struct result *result, enum selector_key key);

/* Order of two values: benchmarks and their parts as in benchmarks.def, numbers within texts by their value
 * ("16" before "1024"), NULL first. */
int values_order(enum selector_key key, const char *a, const char *b);

/* The distinct values of a key among results (const struct result *), in order; "-" for an absent one.
 * Elements are lent. */
GPtrArray *values_distinct(const GPtrArray *results, enum selector_key key);

/* "default, sp, armasm", and "and 4 more" after the eighth. Free with g_free(). */
char *values_list(const GPtrArray *values);

/* "config (default, sp), source (own, published)": the keys by which results differ, of the labels, the
 * origin, the revision and the run; NULL where there are none. *ret_example gets a term such as
 * "config=default". Free both with g_free(). */
char *values_differing(const GPtrArray *results, char **ret_example);

/* "aes-128-cbc encrypt 1024". Free with g_free(). */
char *values_benchmark(const struct result *result);

/* Whether a value is per byte or per operation. A benchmark that benchmarks.def lacks is per byte where it
 * has a block. */
enum work values_work(const struct result *result);

/* Whether the metric is elapsed time or something that follows from it, so that an emulator's says nothing
 * about speed. */
bool values_time_like(enum metric metric);

/* The benchmark results of an array (struct result) as pointers into it. */
GPtrArray *values_pointers(const GArray *results);

#endif
