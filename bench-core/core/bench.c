#include "bench.h"

#include "emit.h"
#include "footprint.h"
#include "memory.h"
#include "port.h"
#include "prove.h"
#include "room.h"
#include "seed_stream.h"
#include "wire.h"

/* What became of a benchmark, and its figures, which count only if it is ok. */
struct outcome {
	const char *state;
	struct core_why why;
	char digest[SHA256_HEX_SIZE];
	struct samples samples;
	unsigned region;
	uint64_t iterations, ns;
	struct memory_use memory;
};

struct benchmark_row {
	const char *name, *algorithm, *operation;
	bool bulk;
};

#define OPERATION false
#define BULK	  true
static const struct benchmark_row rows[] = {
#define BENCHMARK(ID, name, algorithm, operation, work) {name, algorithm, operation, work},
#include "benchmarks.def"
#undef BENCHMARK
};
#undef OPERATION
#undef BULK

const char *bench_name(enum core_id id)
{
	return rows[id].name;
}

const char *bench_algorithm(enum core_id id)
{
	return rows[id].algorithm;
}

const char *bench_operation(enum core_id id)
{
	return rows[id].operation;
}

bool bench_is_bulk(enum core_id id)
{
	return rows[id].bulk;
}

static int null_setup(const struct core_work *work)
{
	(void)work;
	return 0;
}

static int null_run(struct core_work *work)
{
	(void)work;
	return 0;
}

static void null_done(void)
{
}

const struct core_operation bench_null = {
	CORE_NULL_OPERATION, NULL, CORE_PROOF_NONE, null_setup, null_run, NULL, null_done, NULL, false};

/* 64 KiB in all, so that short blocks do not drown in the cost of the markers, and never less than two. */
static uint64_t region_iterations(const struct core_options *options, size_t block)
{
	uint64_t n = block > 0 ? 65536 / block : 2;

	if (options->iterations > 0)
		return options->iterations;
	return n < 2 ? 2 : n;
}

/* Once the reason is there. */
static bool refused(struct outcome *o)
{
	int error = o->why.error;

	o->state = "wrong-answer";
	if (error != 0 && error == core_adapter.not_compiled_in)
		o->state = "unavailable";
	if (error != 0 && error == core_adapter.no_memory) {
		o->state = "skipped";
		room_tell(&o->why, port_memory_free());
	}
	return false;
}

static bool failed(struct outcome *o, int error, const char *what)
{
	prove_error(error, what, &o->why);
	return refused(o);
}

static int measure(struct bench_session *s, struct outcome *o, const struct core_operation *op,
	struct core_work *work, size_t block)
{
	int error;

	if (s->options->mode == CORE_TIME)
		return measure_samples(&o->samples, op, work, &s->plan);
	o->region = s->region;
	o->iterations = region_iterations(s->options, block);
	error = measure_ready(op, work, &o->iterations);
	return error != 0 ? error : measure_region(&o->ns, op, work, o->region, o->iterations);
}

/* From the warm-up operation to the proof of the timed output. */
static bool measured(struct bench_session *s, struct outcome *o, const struct core_operation *op,
	struct core_work *work, size_t block)
{
	uint64_t one = 1;
	int error = measure_ready(op, work, &one);

	prove_forget(work);
	if (error == 0)
		error = op->run(work);
	if (error != 0)
		return failed(o, error, "the first operation");
	/* A bulk benchmark has stood its published vector; for the others this is it. */
	if (block == 0 && !prove_output(op, work, block, o->digest, &o->why))
		return refused(o);
	error = measure(s, o, op, work, block);
	if (error != 0)
		return failed(o, error, "a timed operation");
	return prove_output(op, work, block, o->digest, &o->why) || refused(o);
}

/* One operation more, behind those that were measured, so that nothing of it disturbs them. It finds what the
 * first one found, so that it does not matter how many there were. */
static void watch_memory(const struct bench_session *s, struct outcome *o, const struct core_operation *op,
	struct core_work *work)
{
	uint64_t one = 1;
	int error;

	op->done();
	seed_restart(s->options->seed);
	error = op->setup(work);
	if (error == 0)
		error = measure_ready(op, work, &one);
	if (error == 0)
		error = memory_watch(&o->memory, op, work);
	if (error != 0)
		failed(o, error, "the operation whose memory is measured");
	else
		footprint_note(&o->memory);
}

/* A count is taken below an emulator, whose machine is not the one that it shows. */
static bool finds_room(struct bench_session *s, struct outcome *o, size_t block)
{
	if (s->options->mode != CORE_TIME || block <= s->touched)
		return true;
	if (!room_for(block, s->touched, port_memory_free(), &o->why))
		return false;
	s->touched = block;
	return true;
}

static void examine(struct bench_session *s, struct outcome *o, const struct core_operation *op, size_t block)
{
	struct core_work work;
	int error;

	o->state = "ok";
	if (s->untrusted != NULL) {
		core_refuse(&o->why, "%s", s->untrusted);
		refused(o);
		return;
	}
	if (op->unavailable != NULL) {
		core_refuse(&o->why, "%s", op->unavailable);
		o->state = "unavailable";
		return;
	}
	if (!finds_room(s, o, block)) {
		o->state = "skipped";
		return;
	}
	seed_restart(s->options->seed);
	if (!prove_published(op, &o->why)) {
		refused(o);
		return;
	}
	seed_restart(s->options->seed);
	prove_inputs(&work, op->id, block);
	error = op->setup(&work);
	if (error != 0)
		failed(o, error, "its setup");
	else if (measured(s, o, op, &work, block))
		watch_memory(s, o, op, &work);
	op->done();
}

static void emit_name(const char *record, const struct core_operation *op, size_t block)
{
	emit_begin(record);
	emit_text("name", bench_name(op->id));
	if (block > 0)
		emit_number("block", block);
}

static bool emit_samples(const struct core_operation *op, size_t block, const char *metric,
	uint64_t iterations, const uint64_t *values, size_t count)
{
	emit_name("samples", op, block);
	emit_text("metric", metric);
	emit_number("iterations", iterations);
	emit_numbers("values", values, count);
	return emit_end();
}

static bool emit_value(const struct core_operation *op, size_t block, const char *metric, uint64_t value)
{
	emit_name("value", op, block);
	emit_text("metric", metric);
	emit_number("value", value);
	return emit_end();
}

static bool emit_memory(const struct memory_use *use, const struct core_operation *op, size_t block)
{
	const struct heap_use *heap = &use->heap;

	if (heap->known && (!emit_value(op, block, "heap-peak", heap->peak) ||
				   !emit_value(op, block, "heap-allocations", heap->allocations)))
		return false;
	if (heap->known && op->holds && !emit_value(op, block, "heap-idle", heap->now))
		return false;
	return !use->stack_known || emit_value(op, block, "stack-peak", use->stack_peak);
}

static bool emit_figures(
	const struct bench_session *s, const struct outcome *o, const struct core_operation *op, size_t block)
{
	const struct samples *t = &o->samples;

	if (s->options->mode == CORE_TIME)
		return emit_samples(op, block, "time", t->iterations, t->ns, t->count) &&
		       (!t->ticked || emit_samples(op, block, s->plan.counter->metric, t->iterations,
					      t->ticks, t->count));
	emit_begin("region");
	emit_number("region", o->region);
	emit_text("name", bench_name(op->id));
	if (block > 0)
		emit_number("block", block);
	emit_number("iterations", o->iterations);
	if (s->plan.resolution_ns > 0)
		emit_number("ns", o->ns);
	return emit_end();
}

static bool emit_outcome(const struct outcome *o, const struct core_operation *op, size_t block, bool ok)
{
	static const char *const proofs[] = {"", "digest", "round-trip", "verify"};

	emit_name("benchmark", op, block);
	emit_text("state", o->state);
	if (!ok)
		emit_text("reason", o->why.text);
	if (ok && o->digest[0] != 0)
		emit_text("digest", o->digest);
	if (ok && op->proof != CORE_PROOF_NONE)
		emit_text("proof", proofs[op->proof]);
	return emit_end();
}

bool bench_run(struct bench_session *session, const struct core_operation *op, size_t block)
{
	static struct outcome o;
	bool ok;

	emit_name("start", op, block);
	if (!emit_end())
		return false;
	o.digest[0] = 0;
	examine(session, &o, op, block);
	ok = o.state[0] == 'o';
	if (ok && (!emit_figures(session, &o, op, block) || !emit_memory(&o.memory, op, block)))
		return false;
	return emit_outcome(&o, op, block, ok);
}
