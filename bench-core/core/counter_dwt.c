/* The cycle counter of the debug unit of Arm's microcontrollers (ARMv7-M and later, DWT_CYCCNT). */
#include "counter.h"

#if defined(__arm__) && defined(__ARM_ARCH) && defined(__ARM_ARCH_PROFILE)
#if __ARM_ARCH >= 7 && __ARM_ARCH_PROFILE == 'M'
#define HAS_DWT
#endif
#endif

#ifdef HAS_DWT

#define DEMCR	     ((volatile uint32_t *)0xe000edfcu)
#define DEMCR_TRCENA (1u << 24)
#define DWT_CTRL     ((volatile uint32_t *)0xe0001000u)
#define DWT_CYCCNT   ((volatile uint32_t *)0xe0001004u)
#define NO_CYCCNT    (1u << 25)
#define CYCCNT_ON    1u

static bool start(void)
{
	*DEMCR |= DEMCR_TRCENA;
	if ((*DWT_CTRL & NO_CYCCNT) != 0)
		return false;
	*DWT_CTRL |= CYCCNT_ON;
	return true;
}

static uint64_t read_cycles(void)
{
	return *DWT_CYCCNT;
}

const struct counter counter_dwt = {"dwt", "cycles", 32, start, read_cycles, NULL};

#else

const struct counter counter_dwt = {.name = "dwt"};

#endif
