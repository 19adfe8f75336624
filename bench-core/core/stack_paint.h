/* How deep a stack gets: port_stack_paint() and port_stack_used() of port.h, for all ports. */
#ifndef CORE_STACK_PAINT_H
#define CORE_STACK_PAINT_H

#include <stddef.h>
#include <stdint.h>

/* The port tells its stack: so many words, of which those below `first` must not be touched. */
void stack_is(uintptr_t *words, size_t first, size_t count);

/* Marks all of it as free, before anyone is on it. */
void stack_fill(void);
/* The most bytes of it that were ever in use since; 0: it was not filled. */
size_t stack_deepest(void);

#endif
