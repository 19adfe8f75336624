/* The cycle counter of ARMv7's performance monitors, where the kernel lets programs read it and has it
 * running.
 */
#include "counter.h"

#if defined(__arm__) && defined(__ARM_ARCH) && defined(__ARM_ARCH_PROFILE)
#if __ARM_ARCH >= 7 && __ARM_ARCH_PROFILE == 'A'
#define HAS_PMCCNTR
#endif
#endif

#ifdef HAS_PMCCNTR

#define DIVIDED_BY_64 (1u << 3)

static uint32_t control(void)
{
	uint32_t value;

	__asm__ __volatile__("mrc p15, 0, %0, c9, c12, 0" : "=r"(value));
	return value;
}

/* With PMCR.D set it counts every 64th cycle. */
static bool start(void)
{
	return (control() & DIVIDED_BY_64) == 0;
}

static uint64_t read_cycles(void)
{
	uint32_t cycles;

	__asm__ __volatile__("isb\n\tmrc p15, 0, %0, c9, c13, 0" : "=r"(cycles) : : "memory");
	return cycles;
}

const struct counter counter_pmccntr = {"pmccntr", "cycles", 32, start, read_cycles, NULL};

#else

const struct counter counter_pmccntr = {.name = "pmccntr"};

#endif
