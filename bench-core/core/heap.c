#include "heap.h"

#include "core_sizes.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define BLOCKS CORE_HEAP_BLOCKS

/* By address, each at the first free place behind the one that its address gives. */
static struct {
	void *block;
	size_t size;
} blocks[BLOCKS];
static size_t held; /* places taken */

static bool hooked, watching;
static void (*switch_hook)(bool on);
static struct heap_use use;

void heap_hooked(void (*hook)(bool on))
{
	hooked = true;
	switch_hook = hook;
}

static size_t home(const void *block)
{
	/* Blocks lie 16 bytes apart, or 8. */
	return (size_t)(((uintptr_t)block >> 3) * 2654435761u) % BLOCKS;
}

/* Its place, or the free one where it would be. */
static size_t place(const void *block)
{
	size_t i = home(block);

	while (blocks[i].block != NULL && blocks[i].block != block)
		i = (i + 1) % BLOCKS;
	return i;
}

static void add(void *block, size_t size)
{
	size_t i;

	if (block == NULL)
		return;
	/* One place stays free, so that every search ends. */
	if (held == BLOCKS - 1) {
		use.known = false;
		return;
	}
	i = place(block);
	blocks[i].block = block;
	blocks[i].size = size;
	held++;
	use.now += size;
	if (use.now > use.peak)
		use.peak = use.now;
}

/* Its size; 0 where it is not followed. */
static size_t take_out(const void *block)
{
	size_t hole = place(block), size = blocks[hole].size, i = hole;

	if (block == NULL || blocks[hole].block == NULL)
		return 0;
	/* Whatever lies behind it must still be found from its home. */
	for (;;) {
		i = (i + 1) % BLOCKS;
		if (blocks[i].block == NULL)
			break;
		if ((i - home(blocks[i].block)) % BLOCKS < (i - hole) % BLOCKS)
			continue;
		blocks[hole] = blocks[i];
		hole = i;
	}
	blocks[hole].block = NULL;
	held--;
	use.now -= size;
	return size;
}

void *heap_malloc(size_t size)
{
	void *block = malloc(size);

	if (watching) {
		use.allocations++;
		add(block, size);
	}
	return block;
}

void heap_free(void *block)
{
	if (watching)
		take_out(block);
	free(block);
}

void *heap_realloc(void *block, size_t size)
{
	size_t before = watching ? take_out(block) : 0;
	void *moved = realloc(block, size);

	if (!watching)
		return moved;
	use.allocations += size > before;
	/* One that fails leaves the block as it was. */
	if (moved == NULL && size > 0 && before > 0)
		add(block, before);
	else
		add(moved, size);
	return moved;
}

void heap_begin(void)
{
	memset(blocks, 0, sizeof(blocks));
	held = 0;
	use = (struct heap_use){hooked, 0, 0, 0};
	if (switch_hook != NULL)
		switch_hook(true);
	watching = true;
}

struct heap_use heap_end(void)
{
	watching = false;
	if (switch_hook != NULL)
		switch_hook(false);
	return use;
}
