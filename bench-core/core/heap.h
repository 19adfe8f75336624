/* Heap memory that a library under test asks for. The adapter puts heap_malloc() and its like in the place of
 * the library's allocator, through whatever hook the library has for it. They keep no header before a block:
 * what was allocated before may be freed while they watch, and the other way round. */
#ifndef CORE_HEAP_H
#define CORE_HEAP_H

#include <stdbool.h>
#include <stddef.h>

/* As malloc(), free() and realloc(), and nothing more while nobody watches. */
void *heap_malloc(size_t size);
void heap_free(void *block);
void *heap_realloc(void *block, size_t size);

/* What was asked for since heap_begin(), in bytes; blocks that were there before count for nothing. */
struct heap_use {
	bool known;	    /* false: there is no hook, or more blocks than can be followed */
	size_t now, peak;   /* held, and the most that was held at once */
	size_t allocations; /* calls of heap_malloc(), and of heap_realloc() where it was for a larger block
			     */
};

/* Once, in the adapter's start: the hook is there. `hook` puts it in place and takes it away, so that nothing
 * is timed through it; NULL where a library only takes it once, at its start. */
void heap_hooked(void (*hook)(bool on));

void heap_begin(void);
struct heap_use heap_end(void);

#endif
