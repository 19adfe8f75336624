/* The interval timer of PA-RISC: its rate is the implementation's. */
#include "counter.h"

#if defined(__hppa__)

static bool start(void)
{
	return true;
}

static uint64_t read_ticks(void)
{
	uint32_t ticks;

	__asm__ __volatile__("mfctl %%cr16, %0" : "=r"(ticks) : : "memory");
	return ticks;
}

const struct counter counter_cr16 = {"cr16", "reference-cycles", 32, start, read_ticks, NULL};

#else

const struct counter counter_cr16 = {.name = "cr16"};

#endif
