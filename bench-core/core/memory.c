#include "memory.h"

#include "port.h"

int memory_watch(struct memory_use *ret, const struct core_operation *op, struct core_work *work)
{
	int error;

	heap_begin();
	port_stack_paint();
	error = op->run(work);
	ret->stack_known = port_stack_used(&ret->stack_peak);
	ret->heap = heap_end();
	return error;
}
