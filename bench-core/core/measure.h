/* The one loop that everything is measured with. */
#ifndef CORE_MEASURE_H
#define CORE_MEASURE_H

#include "adapter.h"
#include "counter.h"

#define MEASURE_SAMPLES_MAX 200

struct samples {
	uint64_t iterations; /* operations that each sample spans */
	size_t count;
	uint64_t ns[MEASURE_SAMPLES_MAX];    /* for all of them together, in the order taken */
	uint64_t ticks[MEASURE_SAMPLES_MAX]; /* of the counter */
	bool ticked; /* it gave a figure each time: there is one, it went on and did not overflow */
};

/* How to measure. */
struct measure_plan {
	uint64_t budget_ns;	       /* for the samples; at least 3 are taken, however long they last */
	uint64_t resolution_ns;	       /* of the clock */
	uint64_t iterations;	       /* the least per sample; 0: 1 */
	const struct counter *counter; /* started; NULL: none */
	uint64_t counter_span_ns;      /* after which the counter may have begun anew unseen */
};

/* Runs the operation n times. 0, or the last error of the library. Not static, so that a profiler can tell it
 * by name. */
int core_loop(const struct core_operation *op, struct core_work *work, uint64_t n);

/* Has the operation make ready what the next *n will use up, and lowers *n to what there is room for. 0, or
 * the library's error. */
int measure_ready(const struct core_operation *op, struct core_work *work, uint64_t *n);

/* Chooses how many operations a sample spans: at least 1000 steps of the clock and a twentieth of the budget,
 * and one operation where that is longer. Then takes samples until the budget is spent. 0, or the library's
 * error. */
int measure_samples(struct samples *ret, const struct core_operation *op, struct core_work *work,
	const struct measure_plan *plan);

/* Runs n operations, which were made ready, between the markers of a region. ret_ns: elapsed time. 0, or the
 * library's error. */
int measure_region(uint64_t *ret_ns, const struct core_operation *op, struct core_work *work, unsigned region,
	uint64_t n);

#endif
