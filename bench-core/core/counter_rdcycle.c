/* RISC-V's count of the core's cycles. Linux forbids it to programs from 6.6 on. */
#include "counter.h"

#if defined(__riscv)

static bool start(void)
{
	return true;
}

#if __riscv_xlen == 64

static uint64_t read_cycles(void)
{
	uint64_t cycles;

	__asm__ __volatile__("rdcycle %0" : "=r"(cycles) : : "memory");
	return cycles;
}

#else

/* The halves are of one moment where the upper one stood still. */
static uint64_t read_cycles(void)
{
	uint32_t high, low, again;

	do {
		__asm__ __volatile__("rdcycleh %0\n\trdcycle %1\n\trdcycleh %2"
				     : "=&r"(high), "=&r"(low), "=&r"(again)
				     :
				     : "memory");
	} while (high != again);
	return (uint64_t)high << 32 | low;
}

#endif

const struct counter counter_rdcycle = {"rdcycle", "cycles", 64, start, read_cycles, NULL};

#else

const struct counter counter_rdcycle = {.name = "rdcycle"};

#endif
