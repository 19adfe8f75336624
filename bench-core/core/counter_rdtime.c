/* RISC-V's clock. */
#include "counter.h"

#if defined(__riscv)

#include "rate_file.h"

static bool start(void)
{
	return true;
}

#if __riscv_xlen == 64

static uint64_t read_ticks(void)
{
	uint64_t ticks;

	__asm__ __volatile__("rdtime %0" : "=r"(ticks) : : "memory");
	return ticks;
}

#else

/* The halves are of one moment where the upper one stood still. */
static uint64_t read_ticks(void)
{
	uint32_t high, low, again;

	do {
		__asm__ __volatile__("rdtimeh %0\n\trdtime %1\n\trdtimeh %2"
				     : "=&r"(high), "=&r"(low), "=&r"(again)
				     :
				     : "memory");
	} while (high != again);
	return (uint64_t)high << 32 | low;
}

#endif

/* The device tree of machines that have one. */
static uint64_t rate(void)
{
	return rate_cell("/proc/device-tree/cpus/timebase-frequency");
}

const struct counter counter_rdtime = {"rdtime", "reference-cycles", 64, start, read_ticks, rate};

#else

const struct counter counter_rdtime = {.name = "rdtime"};

#endif
