/* Key generation as the same work each time. The adapter's operation takes whatever numbers its random source
 * gives next, so that each key is other work; for RSA that is most of what its times differ by. */
#ifndef CORE_FIXED_H
#define CORE_FIXED_H

#include "adapter.h"

/* The operation "keygen-fixed" of the same algorithm, where schema/benchmarks.def has one: the adapter's,
 * begun anew with the same seed before each operation that is measured. NULL: it has none. There is one at a
 * time. */
const struct core_operation *fixed_of(const struct core_operation *op, const char *seed);

#endif
