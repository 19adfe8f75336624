/* The virtual count of Arm's generic timer. */
#include "counter.h"

#if defined(__aarch64__)

static uint64_t read_ticks(void)
{
	uint64_t ticks;

	__asm__ __volatile__("isb\n\tmrs %0, cntvct_el0" : "=r"(ticks) : : "memory");
	return ticks;
}

static uint64_t rate(void)
{
	uint64_t hz;

	__asm__("mrs %0, cntfrq_el0" : "=r"(hz));
	return hz;
}

#define HAS_CNTVCT

#elif defined(__arm__) && defined(__ARM_ARCH) && defined(__ARM_ARCH_PROFILE)
#if __ARM_ARCH >= 7 && __ARM_ARCH_PROFILE == 'A'

static uint64_t read_ticks(void)
{
	uint32_t low, high;

	__asm__ __volatile__("isb\n\tmrrc p15, 1, %0, %1, c14" : "=r"(low), "=r"(high) : : "memory");
	return (uint64_t)high << 32 | low;
}

static uint64_t rate(void)
{
	uint32_t hz;

	__asm__("mrc p15, 0, %0, c14, c0, 0" : "=r"(hz));
	return hz;
}

#define HAS_CNTVCT
#endif
#endif

#ifdef HAS_CNTVCT

/* The rate is read here too, so that a machine that forbids it is one without. */
static bool start(void)
{
	(void)rate();
	return true;
}

const struct counter counter_cntvct = {"cntvct", "reference-cycles", 64, start, read_ticks, rate};

#else

const struct counter counter_cntvct = {.name = "cntvct"};

#endif
