/* Memory that an operation needs, and what a small machine has of it. */
#ifndef CORE_ROOM_H
#define CORE_ROOM_H

#include "adapter.h"

#include <stdint.h>

/* Whether an operation on blocks of this size finds the memory that no block before it has touched;
 * `touched`: the largest that has. `available`: bytes; 0: unknown, which is taken for enough. False: with
 * what it needs. */
bool room_for(size_t block, size_t touched, uint64_t available, struct core_why *why);

/* Adds what is free to a reason; nothing where it is unknown. */
void room_tell(struct core_why *why, uint64_t available);

#endif
