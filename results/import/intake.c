#include "footprints.h"
#include "gathered.h"
#include "regions.h"
#include "wire_reader.h"

#include "diag.h"

#include <inttypes.h>
#include <string.h>

/* The process whose stream is coming in. */
struct process {
	bool open;	/* began and has not ended */
	bool begun;	/* a byte came */
	bool header;	/* its header came, and it is of the right build */
	bool ended;	/* its end record came */
	bool lost;	/* nobody saw its end: its last line may be cut anywhere */
	char *fault;	/* why nothing more is taken from it; NULL where well */
	int64_t number; /* in the order of arrival */
	int64_t invocation;
	int64_t lines; /* that it wrote before its end record, as far as they could be read */
	int64_t said;  /* what the end record says of that */
	struct regions *regions;
	struct gathered *in_hand; /* begun and not finished */
};

/* How the last process of an invocation left it. */
struct invocation {
	int64_t number;
	char *lacks; /* why it is not complete; NULL where it is */
};

struct intake_builder {
	enum environment environment;
	char *build;
	struct wire_reader *reader;
	size_t line_base;  /* lines of the processes before */
	size_t lines;	   /* of the present one */
	int64_t processes; /* begun so far */
	struct process now;
	GArray *invocations; /* struct invocation, in the order in which they came up */
	GPtrArray *gathered; /* struct gathered, in the order in which they came up */
	GHashTable *by_name; /* "name\nblock" -> struct gathered */
	struct footprint footprint;
	struct intake *intake;
};

static void clear_process(struct process *now)
{
	regions_free(now->regions);
	g_free(now->fault);
	memset(now, 0, sizeof *now);
}

static void clear_invocation(gpointer invocation)
{
	g_free(((struct invocation *)invocation)->lacks);
}

struct intake_builder *intake_builder_new(enum environment environment, const char *build)
{
	struct intake_builder *builder = g_new0(struct intake_builder, 1);

	builder->environment = environment;
	builder->build = g_strdup(build);
	builder->reader = wire_reader_new();
	builder->invocations = g_array_new(FALSE, FALSE, sizeof(struct invocation));
	g_array_set_clear_func(builder->invocations, clear_invocation);
	builder->gathered = g_ptr_array_new_with_free_func(gathered_free);
	builder->by_name = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	builder->intake = g_new0(struct intake, 1);
	builder->intake->remarks = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_add(builder->intake->remarks, NULL);
	builder->intake->outcomes = g_ptr_array_new_with_free_func(outcome_free);
	builder->intake->measurements = g_ptr_array_new_with_free_func(measurement_free);
	return builder;
}

static void add_problem(struct intake_builder *builder, size_t line, const char *problem)
{
	struct intake *intake = builder->intake;

	if (intake->problems++ == 0)
		intake->first_problem = g_strdup_printf("line %zu: %s", builder->line_base + line, problem);
}

static struct gathered *gather(struct intake_builder *builder, const struct wire_record *record)
{
	g_autofree char *key = g_strdup_printf("%s\n%s", record->name, record->block ? record->block : "");
	struct gathered *gathered = g_hash_table_lookup(builder->by_name, key);

	if (!gathered) {
		gathered = gathered_new(record->name, record->block);
		g_ptr_array_add(builder->gathered, gathered);
		g_hash_table_insert(builder->by_name, g_steal_pointer(&key), gathered);
	}
	if (gathered->fault) {
		g_autofree char *name = diag_printable(record->name, -1);
		g_autofree char *problem = g_strdup_printf("\"%s\": %s", name, gathered->fault);
		add_problem(builder, record->line, problem);
	}
	return gathered;
}

static char *full_name(const struct gathered *gathered)
{
	return gathered->block ? g_strdup_printf("%s %s", gathered->name, gathered->block)
			       : g_strdup(gathered->name);
}

/* --- the end of a process --- */

/* Whether each benchmark told its outcome decides whether its samples stay; the regions of those that did are
 * joined. */
static void settle(struct intake_builder *builder)
{
	struct process *now = &builder->now;

	for (guint i = 0; i < builder->gathered->len; i++)
		gathered_settle(builder->gathered->pdata[i], now->number);
	for (guint i = 0; i < regions_count(now->regions); i++) {
		const struct region *region = regions_at(now->regions, i);
		if (region->gathered && gathered_settle(region->gathered, now->number))
			gathered_add_region(region->gathered, now->invocation, region->iterations,
				region->value, region->ns);
		/* In a stream that was cut it is expected to be missing. A count alone is of a benchmark that
		 * gave no figure. */
		if (now->ended && region->gathered && region->value < 0)
			add_problem(builder, region->line, "a counted region without its count");
	}
}

/* Why the process's stream is not whole, as new text; NULL where it is. */
static char *lacks(const struct process *now, const char *reason)
{
	const char *what = NULL;

	if (now->fault)
		return g_strdup(now->fault);
	if (!now->begun)
		what = "no output";
	else if (!now->header)
		what = "no header record";
	else if (!now->ended)
		what = "no end record";
	if (what)
		return g_strdup_printf("invocation %" PRId64 ": %s%s%s", now->invocation, what,
			reason ? "; " : "", reason ? reason : "");
	if (now->lines != now->said)
		return g_strdup_printf("invocation %" PRId64 ": the end record says %" PRId64
				       " lines, %" PRId64 " could be read",
			now->invocation, now->said, now->lines);
	return NULL;
}

static void judge_completeness(struct intake_builder *builder, const char *reason)
{
	struct invocation judged = {builder->now.invocation, lacks(&builder->now, reason)};

	for (guint i = 0; i < builder->invocations->len; i++) {
		struct invocation *known = &g_array_index(builder->invocations, struct invocation, i);
		if (known->number != judged.number)
			continue;
		g_free(known->lacks);
		known->lacks = judged.lacks;
		return;
	}
	g_array_append_val(builder->invocations, judged);
}

static void tell(struct intake_builder *builder, struct gathered *gathered, enum outcome_state state,
	const char *reason, const char *digest, const char *proof)
{
	struct told told = {builder->now.number, builder->now.invocation, state, g_strdup(reason),
		g_strdup(digest), g_strdup(proof)};

	g_array_append_val(gathered->told, told);
}

/* --- records --- */

/* Keeps the list NULL-terminated. */
static void take_remarks(GPtrArray *all, const char *const *remarks)
{
	for (; *remarks; remarks++) {
		bool known = false;
		for (guint i = 0; i + 1 < all->len; i++)
			known |= strcmp(all->pdata[i], *remarks) == 0;
		if (!known)
			g_ptr_array_insert(all, (int)all->len - 1, diag_printable(*remarks, -1));
	}
}

static void take_header(struct intake_builder *builder, const struct wire_record *record)
{
	struct process *now = &builder->now;

	if (now->header) {
		add_problem(builder, record->line, "a second header within one process");
		now->fault = g_strdup_printf(
			"invocation %" PRId64 ": a second header within one process", now->invocation);
		return;
	}
	if (builder->build && g_strcmp0(builder->build, record->build) != 0) {
		g_autofree char *shown = diag_printable(record->build ? record->build : "", -1);
		add_problem(builder, record->line,
			"the program is of another build than the one that was started");
		now->fault = g_strdup_printf("the program says that it is build \"%s\"; \"%s\" was started",
			shown, builder->build);
		return;
	}
	now->header = true;
	take_remarks(builder->intake->remarks, record->remarks);
	if (!builder->intake->header) {
		builder->intake->header = g_strdup(record->text);
		builder->intake->library_version = g_strdup(record->library_version);
	}
}

static void take_benchmark(struct intake_builder *builder, const struct wire_record *record)
{
	struct gathered *gathered = gather(builder, record);

	if (builder->now.in_hand == gathered)
		builder->now.in_hand = NULL;
	if (gathered_has_told(gathered, builder->now.number)) {
		add_problem(builder, record->line, "a second outcome of the same benchmark");
		return;
	}
	tell(builder, gathered, record->state, record->reason, record->digest, record->proof);
}

static void take_region(struct intake_builder *builder, const struct wire_record *record)
{
	struct region *region = regions_find(builder->now.regions, record->region, record->line);

	if (region->gathered) {
		add_problem(builder, record->line, "a second region of the same number");
		return;
	}
	region->gathered = gather(builder, record);
	region->iterations = record->iterations;
	region->ns = record->ns;
}

static void take_count(struct intake_builder *builder, const struct wire_record *record)
{
	struct region *region = regions_find(builder->now.regions, record->region, record->line);

	if (region->value >= 0)
		add_problem(builder, record->line, "a second count of the same region");
	else
		region->value = record->value;
}

static void take_record(struct intake_builder *builder, const struct wire_record *record)
{
	struct process *now = &builder->now;

	now->lines++;
	switch (record->kind) {
	case WIRE_HEADER:
		break;
	case WIRE_START:
		now->in_hand = gather(builder, record);
		break;
	case WIRE_BENCHMARK:
		take_benchmark(builder, record);
		break;
	case WIRE_SAMPLES:
		gathered_add_samples(gather(builder, record), record->metric, now->invocation,
			record->iterations, record->values, record->n_values);
		break;
	case WIRE_REGION:
		take_region(builder, record);
		break;
	case WIRE_COUNT:
		now->lines--;
		take_count(builder, record);
		break;
	case WIRE_FUNCTIONS:
		/* Kept with the text, and read there. */
		now->lines--;
		break;
	case WIRE_VALUE:
		gathered_add_value(gather(builder, record), record->metric, record->value);
		break;
	case WIRE_FOOTPRINT:
		footprint_take(&builder->footprint, record);
		break;
	case WIRE_END:
		now->lines--;
		now->ended = true;
		now->said = record->records;
		break;
	case WIRE_PROBLEM:
		break;
	}
}

static void take(struct intake_builder *builder, const struct wire_record *record)
{
	struct process *now = &builder->now;

	if (now->fault)
		return;
	if (record->kind == WIRE_PROBLEM) {
		if (!now->lost)
			add_problem(builder, record->line, record->problem);
		return;
	}
	if (record->kind == WIRE_HEADER)
		take_header(builder, record);
	else if (!now->header)
		add_problem(builder, record->line, "a record that no header went before");
	else if (now->ended && !wire_is_counter(record->kind))
		add_problem(builder, record->line, "a record after the end record");
	if (now->header && (!now->ended || wire_is_counter(record->kind)))
		take_record(builder, record);
}

/* --- the builder --- */

static void drain(struct intake_builder *builder)
{
	struct wire_record record;

	while (wire_reader_next(builder->reader, &record)) {
		builder->lines = record.line;
		take(builder, &record);
	}
}

void intake_builder_process_began(struct intake_builder *builder, int64_t invocation)
{
	struct process *now = &builder->now;

	if (now->open)
		intake_builder_process_ended(builder, OUTCOME_OK, NULL);
	now->open = true;
	now->number = builder->processes++;
	now->invocation = invocation;
	now->regions = regions_new();
}

void intake_builder_push(struct intake_builder *builder, const char *bytes, size_t length)
{
	if (length == 0)
		return;
	if (!builder->now.open)
		intake_builder_process_began(builder, builder->invocations->len);
	builder->now.begun = true;
	wire_reader_push(builder->reader, bytes, length);
	drain(builder);
}

void intake_builder_process_ended(
	struct intake_builder *builder, enum outcome_state blame, const char *reason)
{
	struct process *now = &builder->now;

	now->lost = reason && blame == OUTCOME_OK;
	wire_reader_finish(builder->reader);
	drain(builder);
	judge_completeness(builder, reason);
	g_free(builder->intake->last_started);
	builder->intake->last_started = now->in_hand ? full_name(now->in_hand) : NULL;
	if (now->in_hand && reason && !now->lost)
		tell(builder, now->in_hand, blame, reason, NULL, NULL);
	settle(builder);
	clear_process(now);
	wire_reader_free(builder->reader);
	builder->reader = wire_reader_new();
	builder->line_base += builder->lines;
	builder->lines = 0;
}

static void conclude(struct intake_builder *builder)
{
	for (guint i = 0; i < builder->invocations->len && !builder->intake->incomplete_reason; i++)
		builder->intake->incomplete_reason =
			g_strdup(g_array_index(builder->invocations, struct invocation, i).lacks);
	builder->intake->complete = !builder->intake->incomplete_reason;
}

struct intake *intake_builder_finish(struct intake_builder *builder)
{
	struct intake *intake = builder->intake;

	if (!builder->now.open && builder->processes == 0)
		intake_builder_process_began(builder, 0);
	if (builder->now.open)
		intake_builder_process_ended(builder, OUTCOME_OK, NULL);
	conclude(builder);
	for (guint i = 0; i < builder->gathered->len; i++) {
		struct gathered *gathered = builder->gathered->pdata[i];
		struct outcome *outcome = gathered_outcome(gathered);
		if (!outcome)
			continue;
		g_ptr_array_add(intake->outcomes, outcome);
		if (outcome->state == OUTCOME_OK && !gathered->fault)
			gathered_measurements(gathered, builder->environment, intake->measurements);
	}

	footprint_tell(&builder->footprint, builder->environment, intake);
	g_array_unref(builder->invocations);
	wire_reader_free(builder->reader);
	g_ptr_array_unref(builder->gathered);
	g_hash_table_unref(builder->by_name);
	g_free(builder->build);
	g_free(builder);
	return intake;
}

void intake_free(struct intake *intake)
{
	if (!intake)
		return;
	g_ptr_array_unref(intake->outcomes);
	g_ptr_array_unref(intake->measurements);
	g_ptr_array_unref(intake->remarks);
	g_free(intake->first_problem);
	g_free(intake->library_version);
	g_free(intake->header);
	g_free(intake->incomplete_reason);
	g_free(intake->last_started);
	g_free(intake);
}
