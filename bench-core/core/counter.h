/* Cycle counters: one const table each, of which the first that works here is chosen. */
#ifndef CORE_COUNTER_H
#define CORE_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

struct counter {
	const char *name;   /* as in the header record */
	const char *metric; /* of schema/metrics.def */
	/* Makes it ready and reads it. False, or a crash: not here. */
	bool (*start)(void);
	uint64_t (*read)(void);
};

extern const struct counter counter_perf, counter_tsc, counter_cntvct;

/* The counter that works, started, or NULL. Each is first tried in a child process: an instruction may be
 * forbidden. */
const struct counter *counter_choose(void);

#endif
