/* The time-of-day clock of z/Architecture: bit 51 is a microsecond, whatever the processor (Principles of
 * Operation, "TOD Clock"). */
#include "counter.h"

#if defined(__s390x__)

static bool start(void)
{
	return true;
}

static uint64_t read_ticks(void)
{
	uint64_t ticks;

	/* STCKF; older assemblers know it only where the machine was named. */
	__asm__ __volatile__(".insn s,0xb27c0000,%0" : "=Q"(ticks) : : "memory", "cc");
	return ticks;
}

static uint64_t rate(void)
{
	return UINT64_C(4096000000);
}

const struct counter counter_stckf = {"stckf", "reference-cycles", 64, start, read_ticks, rate};

#else

const struct counter counter_stckf = {.name = "stckf"};

#endif
