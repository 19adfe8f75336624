/* PowerPC's time base. */
#include "counter.h"

#if defined(__powerpc__)

#include "rate_file.h"

static bool start(void)
{
	return true;
}

#if defined(__powerpc64__)

static uint64_t read_ticks(void)
{
	uint64_t ticks;

	__asm__ __volatile__("mfspr %0, 268" : "=r"(ticks) : : "memory");
	return ticks;
}

#else

/* The halves are of one moment where the upper one stood still. */
static uint64_t read_ticks(void)
{
	uint32_t high, low, again;

	do {
		__asm__ __volatile__("mftbu %0\n\tmftb %1\n\tmftbu %2"
				     : "=&r"(high), "=&r"(low), "=&r"(again)
				     :
				     : "memory");
	} while (high != again);
	return (uint64_t)high << 32 | low;
}

#endif

static uint64_t rate(void)
{
	return rate_line("/proc/cpuinfo", "timebase");
}

const struct counter counter_timebase = {"timebase", "reference-cycles", 64, start, read_ticks, rate};

#else

const struct counter counter_timebase = {.name = "timebase"};

#endif
