/* The %tick register of SPARC V9: cycles on the first UltraSPARCs, a rate of its own on later ones. */
#include "counter.h"

#if defined(__sparc__) && defined(__arch64__)

static bool start(void)
{
	return true;
}

/* The highest bit forbids it to programs. */
static uint64_t read_ticks(void)
{
	uint64_t ticks;

	__asm__ __volatile__("rd %%tick, %0" : "=r"(ticks) : : "memory");
	return ticks & (UINT64_MAX >> 1);
}

const struct counter counter_tick = {"tick", "reference-cycles", 63, start, read_ticks, NULL};

#else

const struct counter counter_tick = {.name = "tick"};

#endif
