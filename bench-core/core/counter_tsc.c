#include "counter.h"

#if defined(__x86_64__) || defined(__i386__)

#include <cpuid.h>

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

/* Leaf 0x15: the rate of the crystal, and the ratio to it. Intel, Software Developer's Manual, volume 3,
 * "Determining the Processor Base Frequency". */
static uint64_t rate(void)
{
	unsigned divisor = 0, factor = 0, crystal = 0, ignored;

	if (!__get_cpuid(0x15, &divisor, &factor, &crystal, &ignored) || divisor == 0)
		return 0;
	return (uint64_t)crystal * factor / divisor;
}

const struct counter counter_tsc = {"tsc", "reference-cycles", 64, start, read_ticks, rate};

#else

const struct counter counter_tsc = {.name = "tsc"};

#endif
