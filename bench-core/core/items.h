/* What there is to do, in order: the null operation, then the adapter's, those of fixed.h each behind the one
 * that it is made of; a bulk benchmark once for each block. */
#ifndef CORE_ITEMS_H
#define CORE_ITEMS_H

#include "core_options.h"

struct item {
	const struct core_operation *op;
	size_t block; /* bytes; 0 where it is per operation */
};

/* A walk through what the options ask for. */
struct items {
	const struct core_options *options;
	size_t place, block; /* indices of the next one */
	bool from_seen;
};
void items_begin(struct items *ret, const struct core_options *options);
/* False: that was the last one. */
bool items_next(struct items *items, struct item *ret);

/* All operations in order: behind each of the adapter's is a place for the one of fixed.h. NULL: there is
 * none. */
size_t items_places(void);
const struct core_operation *items_operation(const struct core_options *options, size_t place);

/* Whether it is one of the slow ones, which run only with --slow or where --benchmarks has their full names.
 */
bool items_leave_out(const struct core_options *options, const char *name);

/* Whether --benchmarks asks for anything, and whether what --from and --skip name is among it: a slip there
 * would measure less, or more, than was meant. False with what is wrong in words. */
bool items_check(const struct core_options *options, struct core_why *why);

#endif
