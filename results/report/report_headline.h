/* The few benchmarks that are shown first, and who is best at them. */
#ifndef BM_REPORT_HEADLINE_H
#define BM_REPORT_HEADLINE_H

#include "report_model.h"

#define HEADLINES 6

struct headline {
	const char *benchmark, *block; /* block NULL: of an operation */
};
/* Benchmarks that most users ask for first, of those that there are results of, each at its largest block;
 * returns how many. */
size_t headlines_find(struct headline ret[HEADLINES], const struct report_model *model);

/* What a toolchain's builds are judged by: time where hardware measured it, else instructions. */
enum metric headline_metric(const struct report_model *model, const char *toolchain);

/* The own results of one benchmark on one toolchain and by one metric (const struct result *), one of each
 * kind of build (report_same_build()): the best. Times are of the platform that has most of them,
 * since different machines are not held against each other. Free with g_ptr_array_unref(). */
GPtrArray *headline_results(const struct report_model *model, const struct headline *headline,
	const char *toolchain, enum metric metric);
/* Of these: the best; and the one with no flags ("default") of the same library and version as `of` (NULL:
 * any). NULL where there is none. */
const struct result *headline_best(const GPtrArray *results);
const struct result *headline_default(const GPtrArray *results, const struct result *of);

/* Toolchains of own builds (const char *), in order. */
GPtrArray *headline_toolchains(const struct report_model *model);

/* "flags.html#toolchain=aarch64-gcc&benchmark=..." to what is shown of it there. Free with g_free(). */
char *headline_link(
	const char *page, const struct headline *headline, const char *toolchain, enum metric metric);

#endif
