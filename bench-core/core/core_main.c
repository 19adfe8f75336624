#include "bench.h"
#include "core_sizes.h"
#include "emit.h"
#include "footprint.h"
#include "items.h"
#include "port.h"
#include "wire.h"

#include <stdio.h>

#define CORE_VERSION "0.2.0"
#define FEATURES_MAX 32

/* What a reader of the figures must be told of their counter; NULL where there is nothing. */
static const char *remark_of(const struct counter *counter, const struct counter_rates *rates)
{
	static struct core_why remark;

	if (counter == NULL || !counter_rates_differ(rates))
		return NULL;
	core_refuse(&remark, "counter %s: %.0f ticks per second by the clock, %.0f as the machine states it",
		counter->name, (double)rates->measured, (double)rates->stated);
	return remark.text;
}

static void emit_counter(const struct counter *counter, const struct counter_rates *rates)
{
	const char *remark = remark_of(counter, rates);

	emit_text("counter", counter != NULL ? counter->name : "none");
	if (counter == NULL)
		return;
	emit_text("counter_metric", counter->metric);
	if (rates->measured > 0)
		emit_number("counter_hz", rates->measured);
	if (rates->stated > 0)
		emit_number("counter_stated_hz", rates->stated);
	if (remark != NULL)
		emit_texts("remarks", &remark, 1);
}

static bool emit_header(const struct bench_session *s, const struct counter_rates *rates)
{
	static const char *features[FEATURES_MAX];
	const union {
		unsigned number;
		unsigned char first;
	} order = {1};
	static const char *const modes[] = {
		[CORE_TIME] = "time", [CORE_COUNT] = "count", [CORE_PROBE] = "probe"};
	const struct core_options *o = s->options;

	emit_begin("header");
	emit_number("wire", WIRE_VERSION);
	emit_text("core", CORE_VERSION);
	emit_text("mode", modes[o->mode]);
	emit_number("invocation", o->invocation);
	if (o->build != NULL)
		emit_text("build", o->build);
	emit_text("library", core_adapter.library);
	emit_text("library_version", core_adapter.version());
	emit_text("math", core_adapter.math());
	emit_texts("cpu_features", features, port_cpu_features(features, FEATURES_MAX));
	emit_number("pointer_bits", 8 * sizeof(void *));
	emit_text("endian", order.first == 1 ? "little" : "big");
	if (port_page_size() > 0)
		emit_number("page_size", port_page_size());
	emit_text("clock", port_clock_name());
	if (s->plan.resolution_ns > 0)
		emit_number("clock_resolution_ns", s->plan.resolution_ns);
	emit_counter(s->plan.counter, rates);
	if (CORE_CHECKED)
		emit_text("check", "crc-32");
	emit_text("seed", o->seed);
	return emit_end();
}

/* How the work ended, as an exit status of it. */
enum end { END_DONE, END_UNWRITTEN, END_ALONE, END_TIMELESS };

struct one {
	struct bench_session *session;
	struct item item;
};

/* Lines written; 0: one could not be. */
static uint64_t run_one(void *argument)
{
	const struct one *one = argument;
	uint64_t before = emit_records();

	return bench_run(one->session, one->item.op, one->item.block) ? emit_records() - before : 0;
}

/* What --one leaves is for the next process. */
static void note_next(struct bench_session *s, struct items *items)
{
	s->left = s->options->one && items_next(items, &s->next);
}

static enum end run_here(struct bench_session *s, struct items *items)
{
	struct one one = {.session = s};

	while (items_next(items, &one.item)) {
		s->region++;
		if (run_one(&one) == 0)
			return END_UNWRITTEN;
		if (s->options->one)
			break;
	}
	note_next(s, items);
	return END_DONE;
}

/* Calls that are under way, the oldest first. */
struct queue {
	struct port_child children[PORT_APART_MAX];
	unsigned first, length;
	uint64_t records; /* lines written, up to the last call that has ended */
};

static void drop_all(struct queue *q)
{
	for (; q->length > 0; q->length--)
		port_apart_drop(&q->children[q->first++ % PORT_APART_MAX]);
}

static enum end await_first(struct queue *q)
{
	struct port_child *child = &q->children[q->first++ % PORT_APART_MAX];
	uint64_t records;
	bool told = port_apart_end(child, &records);

	q->length--;
	if (child->signal != 0) {
		drop_all(q);
		port_die_of(child->signal);
	}
	if (!told)
		return END_ALONE;
	/* A call in place may have counted its lines already. */
	q->records += records;
	emit_resume(q->records);
	return records == 0 ? END_UNWRITTEN : END_DONE;
}

static enum end begin_last(struct queue *q, struct one *one)
{
	if (!port_apart_begin(&q->children[(q->first + q->length) % PORT_APART_MAX], run_one, one))
		return END_ALONE;
	q->length++;
	return END_DONE;
}

/* Each item of a count finds the process as it was after its start, whatever comes before it or beside it:
 * else it would find the heap as the others left it, and its count with it. */
static enum end run_apart(struct bench_session *s, struct items *items)
{
	struct one one = {.session = s};
	struct queue q = {.records = emit_records()};
	unsigned room = port_apart_room();
	enum end end = END_DONE;

	while (end == END_DONE && !(s->options->one && s->region > 0) && items_next(items, &one.item)) {
		s->region++;
		if (q.length == room)
			end = await_first(&q);
		if (end == END_DONE)
			end = begin_last(&q, &one);
	}
	while (end == END_DONE && q.length > 0)
		end = await_first(&q);
	drop_all(&q);
	note_next(s, items);
	return end;
}

static enum end run_items(struct bench_session *s)
{
	struct items items;

	items_begin(&items, s->options);
	return s->options->mode == CORE_COUNT && !s->options->in_process ? run_apart(s, &items)
									 : run_here(s, &items);
}

/* Nothing reads a counter while an emulator counts. */
static void choose_counter(struct measure_plan *plan, struct counter_rates *rates)
{
	plan->counter = counter_choose();
	plan->counter_span_ns = UINT64_MAX;
	if (plan->counter == NULL)
		return;
	*rates = counter_rates_of(plan->counter);
	if (plan->counter->bits < 64 && rates->measured > 0)
		plan->counter_span_ns = (uint64_t)((double)(UINT64_C(1) << plan->counter->bits) * 1e9 /
						   (double)rates->measured);
}

/* As --from takes it. */
static void emit_next(const struct item *next)
{
	static struct core_why text;

	if (next->block > 0)
		core_refuse(&text, "%s %lu", bench_name(next->op->id), (unsigned long)next->block);
	else
		core_refuse(&text, "%s", bench_name(next->op->id));
	emit_text("next", text.text);
}

static enum end run_all(struct bench_session *s)
{
	struct counter_rates rates = {0, 0};
	struct core_why why;
	enum end end;

	s->plan.budget_ns = s->options->budget_ns;
	s->plan.iterations = s->options->iterations;
	s->plan.resolution_ns = port_clock_resolution();
	if (s->options->mode == CORE_TIME && s->plan.resolution_ns == 0)
		return END_TIMELESS;
	if (s->options->mode != CORE_COUNT)
		choose_counter(&s->plan, &rates);
	if (!core_adapter.start(&why))
		s->untrusted = why.text;
	if (!emit_header(s, &rates))
		return END_UNWRITTEN;
	end = s->options->mode == CORE_PROBE ? END_DONE : run_items(s);
	if (end != END_DONE)
		return end;
	if (s->options->mode != CORE_PROBE && !footprint_emit())
		return END_UNWRITTEN;
	emit_begin("end");
	emit_number("records", emit_records());
	if (s->left)
		emit_next(&s->next);
	return emit_end() ? END_DONE : END_UNWRITTEN;
}

static bool list(const struct core_options *options)
{
	bool ok = true;

	for (size_t i = 0; i < items_places(); i++) {
		const struct core_operation *op = items_operation(options, i);
		if (op == NULL)
			continue;
		bool slow = items_leave_out(options, bench_name(op->id));
		ok = printf("%s\t%s%s\n", bench_name(op->id),
			     op->unavailable != NULL ? "unavailable: "
			     : slow		     ? "available, but slow"
						     : "available",
			     op->unavailable == NULL ? "" : op->unavailable) > 0 &&
		     ok;
	}
	return fflush(stdout) == 0 && ok;
}

static int work(void *argument)
{
	struct bench_session session = {.options = argument};

	return (int)run_all(&session);
}

static bool check(const struct core_options *o, struct core_why *why)
{
	return o->mode > CORE_COUNT || items_check(o, why);
}

int main(int argc, char **argv)
{
	static struct core_options options;
	static char buffer[CORE_LINE_MAX];
	static const char *const stopped[] = {[END_UNWRITTEN] = "its output could not be written",
		[END_ALONE] = "the process of a benchmark could not be made, or ended before its time",
		[END_TIMELESS] = "there is no clock to time with; --count needs none"};
	struct core_why why;
	int status;

	port_start();
	if (!options_read(&options, argc, argv, &why) || !check(&options, &why)) {
		fprintf(stderr, "bench-core: %s\n", why.text);
		return 2;
	}
	if (options.mode == CORE_HELP)
		return fputs(options_help, stdout) < 0 || fflush(stdout) != 0;
	if (options.mode == CORE_LIST)
		return list(&options) ? 0 : 1;
	/* A buffer from the heap would have the size that the kind of output suggests. */
	setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
	status = port_on_stack(work, &options);
	if (status != 0)
		fprintf(stderr, "bench-core: stopped: %s\n",
			status < 0 ? "no stack of its own" : stopped[status]);
	return status == 0 ? 0 : 1;
}
