#include "stack_paint.h"

#include "core_sizes.h"
#include "port.h"

/* What no frame is likely to hold. */
#define PAINT ((uintptr_t)0x5aa5c33cu)

static struct {
	uintptr_t *words;
	size_t first, count; /* words that may be touched */
} stack;

/* Indices: where the stack ends, and the frame that painted; 0: none did. */
static size_t last, painter;

/* On PA-RISC stacks grow upwards. */
#if defined(__hppa__)
#define UPWARDS true
#else
#define UPWARDS false
#endif

void stack_is(uintptr_t *words, size_t first, size_t count)
{
	stack.words = words;
	stack.first = first;
	stack.count = count;
}

/* Words, and whether they are known. */
static CORE_KEPT size_t deepest;
static CORE_KEPT bool filled;

void stack_fill(void)
{
	for (size_t i = stack.first; i < stack.count; i++)
		stack.words[i] = PAINT;
	filled = true;
}

/* What is painted once more would not show any longer. */
static void note_depth(void)
{
	size_t words = stack.count - stack.first, i = 0;

	while (i < words && stack.words[UPWARDS ? stack.count - 1 - i : stack.first + i] == PAINT)
		i++;
	deepest = words - i > deepest ? words - i : deepest;
}

size_t stack_deepest(void)
{
	if (!filled)
		return 0;
	note_depth();
	return deepest * sizeof(*stack.words);
}

static size_t deeper(size_t word, size_t by)
{
	return UPWARDS ? word + by : word - by;
}

/* Its frame lies where those of its caller's callees do. The words next to it may be in use. */
#if defined(__GNUC__)
__attribute__((noinline))
#endif
void port_stack_paint(void)
{
	volatile uintptr_t here = 0;
	size_t word = ((uintptr_t)&here - (uintptr_t)stack.words) / sizeof(here);
	volatile uintptr_t *words = stack.words;
	size_t least;

	painter = 0;
	if (word >= stack.count)
		return;
	if (filled)
		note_depth();
	painter = word;
	last = UPWARDS ? stack.count - 1 : stack.first;
	least = deeper(painter, PORT_STACK_LEAST / sizeof(here));
	for (size_t i = last; i != least; i = UPWARDS ? i - 1 : i + 1)
		words[i] = PAINT;
}

bool port_stack_used(size_t *ret)
{
	volatile uintptr_t *words = stack.words;
	size_t i = last;

	if (painter == 0)
		return false;
	while (i != painter && words[i] == PAINT)
		i = UPWARDS ? i - 1 : i + 1;
	*ret = (UPWARDS ? i - painter : painter - i) * sizeof(*words);
	if (*ret < PORT_STACK_LEAST)
		*ret = PORT_STACK_LEAST;
	return true;
}
