/* The Count register of MIPS, which most cores advance every second cycle. */
#include "counter.h"

#if defined(__mips__) && defined(__mips_isa_rev)
#if __mips_isa_rev >= 2
#define HAS_RDHWR
#endif
#endif

#ifdef HAS_RDHWR

static bool start(void)
{
	return true;
}

static uint64_t read_ticks(void)
{
	uint32_t ticks;

	__asm__ __volatile__("rdhwr %0, $2" : "=r"(ticks) : : "memory");
	return ticks;
}

const struct counter counter_rdhwr = {"rdhwr", "reference-cycles", 32, start, read_ticks, NULL};

#else

const struct counter counter_rdhwr = {.name = "rdhwr"};

#endif
