/* The memory that one operation takes. */
#ifndef CORE_MEMORY_H
#define CORE_MEMORY_H

#include "adapter.h"
#include "heap.h"

struct memory_use {
	struct heap_use heap;
	bool stack_known;
	size_t stack_peak; /* bytes, as port_stack_used() has them */
};

/* Runs the operation once and watches it. 0, or the library's error. */
int memory_watch(struct memory_use *ret, const struct core_operation *op, struct core_work *work);

#endif
