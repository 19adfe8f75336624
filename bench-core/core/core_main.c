#include "bench.h"
#include "emit.h"
#include "port.h"
#include "vectors.h"
#include "wire.h"

#include <stdio.h>

#define CORE_VERSION "0.1.0"
#define FEATURES_MAX 32

static bool emit_header(const struct bench_session *s)
{
	static const char *features[FEATURES_MAX];
	const union {
		unsigned number;
		unsigned char first;
	} order = {1};
	const struct core_options *o = s->options;

	emit_begin("header");
	emit_number("wire", WIRE_VERSION);
	emit_text("core", CORE_VERSION);
	emit_text("mode", o->mode == CORE_TIME ? "time" : "count");
	emit_number("invocation", o->invocation);
	if (o->build != NULL)
		emit_text("build", o->build);
	emit_text("library", core_adapter.library);
	emit_text("library_version", core_adapter.version());
	emit_text("math", core_adapter.math());
	emit_texts("cpu_features", features, port_cpu_features(features, FEATURES_MAX));
	emit_number("pointer_bits", 8 * sizeof(void *));
	emit_text("endian", order.first == 1 ? "little" : "big");
	emit_text("clock", port_clock_name());
	if (s->plan.resolution_ns > 0)
		emit_number("clock_resolution_ns", s->plan.resolution_ns);
	emit_text("counter", s->plan.counter != NULL ? s->plan.counter->name : "none");
	emit_text("seed", o->seed);
	return emit_end();
}

static bool run_one(struct bench_session *s, const struct core_operation *op)
{
	if (!options_want(s->options, bench_name(op->id)))
		return true;
	if (!bench_is_bulk(op->id))
		return bench_run(s, op, 0);
	for (size_t i = 0; i < s->options->block_count; i++)
		if (!bench_run(s, op, s->options->blocks[i]))
			return false;
	return true;
}

static bool run_all(struct bench_session *s)
{
	struct core_why why;

	s->plan.budget_ns = s->options->budget_ns;
	s->plan.iterations = s->options->iterations;
	s->plan.resolution_ns = port_clock_resolution();
	/* Nothing reads it while an emulator counts. */
	s->plan.counter = s->options->mode == CORE_TIME ? counter_choose() : NULL;
	if (!core_adapter.start(&why))
		s->untrusted = why.text;
	if (!emit_header(s) || !run_one(s, &bench_null))
		return false;
	for (size_t i = 0; i < core_adapter.count; i++)
		if (!run_one(s, &core_adapter.operations[i]))
			return false;
	emit_begin("end");
	emit_number("records", emit_records());
	return emit_end();
}

static bool list(void)
{
	bool ok = printf("%s\tavailable\n", bench_name(bench_null.id)) > 0;

	for (size_t i = 0; i < core_adapter.count; i++) {
		const struct core_operation *op = &core_adapter.operations[i];
		ok = printf("%s\t%s%s\n", bench_name(op->id),
			     op->unavailable == NULL ? "available" : "unavailable: ",
			     op->unavailable == NULL ? "" : op->unavailable) > 0 &&
		     ok;
	}
	return fflush(stdout) == 0 && ok;
}

/* A glob that fits nothing is a slip that would measure less than was meant. */
static bool wants_something(const struct core_options *o)
{
	bool any = options_want(o, bench_name(bench_null.id));

	for (size_t i = 0; i < core_adapter.count; i++)
		any = any || options_want(o, bench_name(core_adapter.operations[i].id));
	return any;
}

static int work(void *argument)
{
	struct bench_session session = {.options = argument};

	return run_all(&session) ? 0 : 1;
}

int main(int argc, char **argv)
{
	static struct core_options options;
	struct core_why why;
	int status;

	port_start();
	vectors_init();
	if (!options_read(&options, argc, argv, &why)) {
		fprintf(stderr, "bench-core: %s\n", why.text);
		return 2;
	}
	if (options.mode == CORE_HELP)
		return fputs(options_help, stdout) < 0 || fflush(stdout) != 0;
	if (options.mode == CORE_LIST)
		return list() ? 0 : 1;
	if (!wants_something(&options)) {
		fprintf(stderr, "bench-core: --benchmarks %s: fits no benchmark; --list prints them\n",
			options.benchmarks);
		return 2;
	}
	status = port_on_stack(work, &options);
	if (status != 0)
		fprintf(stderr, "bench-core: stopped: %s\n",
			status < 0 ? "no stack of its own" : "its output could not be written");
	return status == 0 ? 0 : 1;
}
