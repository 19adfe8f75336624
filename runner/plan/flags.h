/* Sets of flags as bits: flag i of the library is bit i. Private to the plan; plan.h has what others see. */
#ifndef BM_FLAGS_H
#define BM_FLAGS_H

#include "plan.h"

#include <stdint.h>

/* The set of these names, all of which the library knows. A library has at most 64 flags. */
uint64_t flags_set(const struct library *library, const char *const *names);

/* The smallest set with `set` in it that is closed under what each flag implies. */
uint64_t flags_closed(const struct library *library, uint64_t set);

/* Its names in the library's order: a new vector of lent strings (g_free). */
const char **flags_names(const struct library *library, uint64_t set);

/* As flags_refused() of plan.h. */
char *flags_set_refused(
	const struct library *library, const char *version, const struct toolchain *toolchain, uint64_t set);

#endif
