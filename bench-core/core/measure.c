#include "measure.h"

#include "port.h"
#include "prove.h"
#include "wire.h"

#define SAMPLES_MIN    3
#define ITERATIONS_MAX 1000000000u
#define TICKS_MAX      (UINT64_C(1) << 53) /* the largest number of schema/wire.md */

/* Inlined into its callers there would be several of it. */
#if defined(__GNUC__)
__attribute__((noinline))
#endif
int core_loop(const struct core_operation *op, struct core_work *work, uint64_t n)
{
	int error = 0;

	for (uint64_t i = 0; i < n; i++) {
		int status = op->run(work);
		if (status != 0)
			error = status;
	}
	return error;
}

int measure_ready(const struct core_operation *op, struct core_work *work, uint64_t *n)
{
	return op->prepare != NULL ? op->prepare(work, n) : 0;
}

static int take(uint64_t *ns, uint64_t *ticks, const struct core_operation *op, struct core_work *work,
	uint64_t *n, const struct counter *counter)
{
	uint64_t start, begin = 0;
	int error = measure_ready(op, work, n);

	if (error != 0)
		return error;
	start = port_clock();
	if (counter != NULL)
		begin = counter->read();
	error = core_loop(op, work, *n);
	if (counter != NULL)
		*ticks = counter_ticks(counter, begin, counter->read());
	*ns = port_clock() - start;
	return error;
}

/* As long as the system may keep a process waiting. A first measurement that a wait made long enough would
 * let samples span too little; where the operation itself is longer, another one costs more than it tells. */
#define WAIT_NS 50000000

/* How long n operations take, the better of two where that may differ from the first. 0, or the library's
 * error. */
static int try_span(
	uint64_t *ns, const struct core_operation *op, struct core_work *work, uint64_t *n, uint64_t target)
{
	uint64_t again, ignored;
	int error = take(ns, &ignored, op, work, n, NULL);

	if (error != 0 || *ns < target || *ns >= target + WAIT_NS)
		return error;
	error = take(&again, &ignored, op, work, n, NULL);
	*ns = again < *ns ? again : *ns;
	return error;
}

/* This also warms caches and branch predictors up. */
static int calibrate(uint64_t *ret_n, const struct core_operation *op, struct core_work *work,
	const struct measure_plan *plan)
{
	uint64_t target = 1000 * plan->resolution_ns, n = plan->iterations > 0 ? plan->iterations : 1;
	uint64_t ns = 0;

	if (plan->budget_ns / 20 > target)
		target = plan->budget_ns / 20;
	for (;;) {
		uint64_t asked = n;
		int error = try_span(&ns, op, work, &n, target);
		if (error != 0)
			return error;
		if (ns >= target || n >= ITERATIONS_MAX || n < asked)
			break;
		/* Short measurements are rough: no great leaps from them. */
		n = ns < target / 16 ? 2 * n : (uint64_t)((double)n * (double)target / (double)ns) + 1;
	}
	*ret_n = n;
	return 0;
}

int measure_samples(struct samples *ret, const struct core_operation *op, struct core_work *work,
	const struct measure_plan *plan)
{
	uint64_t spent = 0;
	int error;

	ret->count = 0;
	ret->ticked = plan->counter != NULL;
	error = calibrate(&ret->iterations, op, work, plan);
	prove_forget(work);
	while (error == 0 && ret->count < MEASURE_SAMPLES_MAX &&
		(ret->count < SAMPLES_MIN || spent < plan->budget_ns)) {
		size_t i = ret->count++;
		error = take(&ret->ns[i], &ret->ticks[i], op, work, &ret->iterations, plan->counter);
		spent += ret->ns[i];
		/* One that stopped, or that the kernel took away, reads as nothing. */
		ret->ticked = ret->ticked && ret->ticks[i] > 0 && ret->ticks[i] <= TICKS_MAX &&
			      ret->ns[i] < plan->counter_span_ns;
	}
	return error;
}

int measure_region(uint64_t *ret_ns, const struct core_operation *op, struct core_work *work, unsigned region,
	uint64_t n)
{
	uint64_t start;
	int error;

	prove_forget(work);
	start = port_clock();
	port_marker(WIRE_MARKER_BEGIN(region));
	error = core_loop(op, work, n);
	port_marker(WIRE_MARKER_END(region));
	*ret_ns = port_clock() - start;
	return error;
}
