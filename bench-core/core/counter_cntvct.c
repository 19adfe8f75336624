#include "counter.h"

#if defined(__aarch64__)

static bool start(void)
{
	return true;
}

static uint64_t read_ticks(void)
{
	uint64_t ticks;

	__asm__ __volatile__("isb\n\tmrs %0, cntvct_el0" : "=r"(ticks) : : "memory");
	return ticks;
}

#else

static bool start(void)
{
	return false;
}

static uint64_t read_ticks(void)
{
	return 0;
}

#endif

const struct counter counter_cntvct = {"cntvct", "reference-cycles", start, read_ticks};
