#include "counter.h"

#include "port.h"

#include <stddef.h>

static const struct counter *const counters[] = {&counter_perf, &counter_tsc, &counter_cntvct};

/* A counter that stands still is none. */
static bool advances(const struct counter *c)
{
	uint64_t before, until;

	if (!c->start())
		return false;
	before = c->read();
	until = port_clock() + 100000;
	while (port_clock() < until && c->read() == before)
		;
	return c->read() > before;
}

static const struct counter *candidate;

static bool try_candidate(void)
{
	return advances(candidate);
}

const struct counter *counter_choose(void)
{
	for (size_t i = 0; i < sizeof(counters) / sizeof(counters[0]); i++) {
		candidate = counters[i];
		if (port_survives(try_candidate) && advances(candidate))
			return candidate;
	}
	return NULL;
}
