#include "counter.h"

#if defined(__x86_64__) || defined(__i386__)

static bool start(void)
{
	return true;
}

static uint64_t read_ticks(void)
{
	uint32_t low, high;

	__asm__ __volatile__("rdtsc" : "=a"(low), "=d"(high));
	return (uint64_t)high << 32 | low;
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

const struct counter counter_tsc = {"tsc", "reference-cycles", start, read_ticks};
