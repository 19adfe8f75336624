#include "counter.h"

#include "port.h"

#define TRY_NS	     100000
#define MEASURE_NS   20000000
#define BRACKETS_MAX 8

static const struct counter *const counters[] = {&counter_perf, &counter_pmccntr, &counter_rdcycle,
	&counter_dwt, &counter_tsc, &counter_cntvct, &counter_rdtime, &counter_timebase, &counter_stckf,
	&counter_tick, &counter_rdhwr, &counter_cr16};

uint64_t counter_ticks(const struct counter *counter, uint64_t before, uint64_t after)
{
	uint64_t ticks = after - before;

	return counter->bits < 64 ? ticks & ((UINT64_C(1) << counter->bits) - 1) : ticks;
}

/* A counter that stands still is none. */
static bool advances(const struct counter *c)
{
	uint64_t before, until;

	if (!c->start())
		return false;
	before = c->read();
	until = port_clock() + TRY_NS;
	while (port_clock() < until && c->read() == before)
		;
	return c->read() != before;
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
		if (candidate->start != NULL && port_survives(try_candidate) && advances(candidate))
			return candidate;
	}
	return NULL;
}

/* One moment by clock and counter. */
struct moment {
	uint64_t ns, ticks;
};

/* The narrowest of some: whatever comes between the readings makes them wider. */
static struct moment take_moment(const struct counter *c)
{
	struct moment best = {0, 0};
	uint64_t narrowest = UINT64_MAX;

	for (int i = 0; i < BRACKETS_MAX; i++) {
		uint64_t before = port_clock(), ticks = c->read(), width = port_clock() - before;
		if (width >= narrowest)
			continue;
		narrowest = width;
		best.ns = before + width / 2;
		best.ticks = ticks;
	}
	return best;
}

struct counter_rates counter_rates_of(const struct counter *counter)
{
	struct counter_rates rates = {0, counter->rate != NULL ? counter->rate() : 0};
	struct moment begin = take_moment(counter), end;

	while (port_clock() - begin.ns < MEASURE_NS)
		;
	end = take_moment(counter);
	rates.measured = (uint64_t)((double)counter_ticks(counter, begin.ticks, end.ticks) * 1e9 /
				    (double)(end.ns - begin.ns));
	return rates;
}

bool counter_rates_differ(const struct counter_rates *rates)
{
	double difference = (double)rates->measured - (double)rates->stated;

	if (rates->measured == 0 || rates->stated == 0)
		return false;
	return difference > 0.01 * (double)rates->stated || difference < -0.01 * (double)rates->stated;
}
