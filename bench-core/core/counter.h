/* Cycle counters: one const table each, of which the first that works here is chosen. */
#ifndef CORE_COUNTER_H
#define CORE_COUNTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct counter {
	const char *name; /* as in the header record */
	/* Of schema/metrics.def: cycles of the core, or reference-cycles, ticks at a rate of their own. What
	 * is not known to count cycles on each processor that has it is no cycle counter. */
	const char *metric;
	unsigned bits; /* it begins anew after 2 to the power of these; 64 at most */
	/* Makes it ready and reads it. False, or a crash: not here. NULL: this architecture has no such
	 * counter. */
	bool (*start)(void);
	uint64_t (*read)(void);
	/* Ticks per second as the machine states them; 0: it does not. NULL: nothing can state them. */
	uint64_t (*rate)(void);
};

/* Those that count cycles come first. */
extern const struct counter counter_perf, counter_pmccntr, counter_rdcycle, counter_dwt, counter_tsc,
	counter_cntvct, counter_rdtime, counter_timebase, counter_stckf, counter_tick, counter_rdhwr,
	counter_cr16;

/* The counter that works, started, or NULL. Each is first tried in a child process: an instruction may be
 * forbidden. */
const struct counter *counter_choose(void);

/* Ticks between two readings, past one new beginning. */
uint64_t counter_ticks(const struct counter *counter, uint64_t before, uint64_t after);

/* How fast a counter runs, in ticks per second; 0: unknown. */
struct counter_rates {
	uint64_t measured; /* against the clock of port.h, within some hundredths of a second */
	uint64_t stated;   /* by the machine */
};
struct counter_rates counter_rates_of(const struct counter *counter);
/* Whether they contradict each other: more than one percent apart. What is unknown contradicts nothing. */
bool counter_rates_differ(const struct counter_rates *rates);

#endif
