#include "tool_intake.h"

#include "diag.h"
#include "gathered.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define NS_PER_S 1e9

struct tool_intake {
	const struct importer *importer;
	enum environment environment;
	struct import_sink sink;
	struct import_reader *reader; /* of the process under way; NULL: none is */
	int64_t invocation, processes;
	guint figures;	     /* of the process under way */
	GHashTable *lacks;   /* int64_t -> char *: invocations that are not whole, and why */
	GPtrArray *gathered; /* struct gathered, in the order in which they came up */
	GHashTable *by_name; /* "name\nblock" -> struct gathered */
	struct intake *intake;
};

struct tool_intake *tool_intake_new(const struct importer *importer, enum environment environment)
{
	struct tool_intake *tool = g_new0(struct tool_intake, 1);

	tool->importer = importer;
	tool->environment = environment;
	tool->lacks = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
	tool->gathered = g_ptr_array_new_with_free_func(gathered_free);
	tool->by_name = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	tool->intake = g_new0(struct intake, 1);
	tool->intake->remarks = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_add(tool->intake->remarks, NULL);
	tool->intake->outcomes = g_ptr_array_new_with_free_func(outcome_free);
	tool->intake->measurements = g_ptr_array_new_with_free_func(measurement_free);
	return tool;
}

static void add_problem(struct tool_intake *tool, const struct import_record *record, const char *problem)
{
	if (tool->intake->problems++ == 0)
		tool->intake->first_problem = g_strdup_printf(
			"process %" PRId64 ", line %zu: %s", tool->processes, record->line, problem);
}

static struct gathered *gather(struct tool_intake *tool, const char *name, const char *block)
{
	g_autofree char *key = g_strdup_printf("%s\n%s", name, block ? block : "");
	struct gathered *gathered = g_hash_table_lookup(tool->by_name, key);

	if (!gathered) {
		gathered = gathered_new(name, block);
		g_ptr_array_add(tool->gathered, gathered);
		g_hash_table_insert(tool->by_name, g_steal_pointer(&key), gathered);
	}
	return gathered;
}

static bool has_sample(const struct gathered *gathered, enum metric metric, int64_t invocation)
{
	const GArray *sets = gathered->samples[metric];

	return sets->len > 0 &&
	       g_array_index(sets, struct sample_set, sets->len - 1).invocation == (uint32_t)invocation;
}

/* Why a figure that is good in itself has no place here; NULL where it has. */
static const char *misplaced(const struct import_record *record)
{
	if (record->labels.v[LABEL_ENGINE] || record->labels.v[LABEL_THREADS] ||
		record->labels.v[LABEL_ASYNC])
		return "a figure of an engine, or of several threads";
	return record->statistic == IMPORT_MEAN && record->figure_kind == KIND_SAMPLED
		       ? NULL
		       : "a figure that is no measured mean";
}

static void take_figure(struct tool_intake *tool, const struct import_record *record)
{
	const char *benchmark = record->labels.v[LABEL_BENCHMARK], *problem = record->problem;
	struct gathered *gathered;

	/* What only the tool knows is in its text, which is kept. */
	if (!benchmark)
		return;
	problem = problem ? problem : misplaced(record);
	gathered = gather(tool, benchmark, record->work == WORK_BULK ? record->labels.v[LABEL_BLOCK] : NULL);
	if (!problem && has_sample(gathered, record->metric, tool->invocation))
		problem = "a second figure of the same benchmark";
	problem = problem ? problem : gathered->fault;
	if (problem) {
		add_problem(tool, record, problem);
		return;
	}

	double call = record->value * gathered->units * (record->metric == METRIC_TIME ? NS_PER_S : 1);
	gathered_add_samples(gathered, record->metric, tool->invocation, 1, &call, 1);
	if (!gathered_has_told(gathered, tool->processes)) {
		const struct told told = {
			.process = tool->processes, .invocation = tool->invocation, .state = OUTCOME_OK};
		g_array_append_val(gathered->told, told);
	}
	tool->figures++;
}

static void take_fact(struct tool_intake *tool, const struct import_record *record)
{
	if (strcmp(record->key, "version") == 0 && !tool->intake->library_version)
		tool->intake->library_version = g_strdup(record->fact);
}

static void take(const struct import_record *record, void *user)
{
	struct tool_intake *tool = user;

	if (record->kind == IMPORT_FIGURE)
		take_figure(tool, record);
	else if (record->kind == IMPORT_FACT)
		take_fact(tool, record);
	else if (record->kind == IMPORT_UNREAD)
		add_problem(tool, record, record->problem);
}

/* What an earlier process of the invocation, which was lost, had printed. */
static void forget(struct gathered *gathered, int64_t invocation)
{
	GArray *told = gathered->told;

	for (int metric = 0; metric < METRIC_COUNT; metric++)
		if (has_sample(gathered, (enum metric)metric, invocation))
			g_array_set_size(gathered->samples[metric], gathered->samples[metric]->len - 1);
	if (told->len > 0 && g_array_index(told, struct told, told->len - 1).invocation == invocation)
		g_array_set_size(told, told->len - 1);
}

void tool_intake_process_began(struct tool_intake *tool, int64_t invocation)
{
	if (tool->reader)
		tool_intake_process_ended(tool, "nobody saw its end");
	for (guint i = 0; i < tool->gathered->len; i++)
		forget(tool->gathered->pdata[i], invocation);
	tool->sink = (struct import_sink){.take = take, .user = tool, .clock = (double)NAN};
	tool->reader = import_reader_new(tool->importer, &tool->sink);
	tool->invocation = invocation;
	tool->processes++;
	tool->figures = 0;
}

void tool_intake_push(struct tool_intake *tool, const char *bytes, size_t length)
{
	if (tool->reader)
		import_reader_push(tool->reader, bytes, length);
}

void tool_intake_process_ended(struct tool_intake *tool, const char *reason)
{
	if (!tool->reader)
		return;
	import_reader_finish(g_steal_pointer(&tool->reader));
	if (!reason && tool->figures == 0)
		reason = "it printed no figure";
	if (reason)
		g_hash_table_replace(tool->lacks, g_memdup2(&tool->invocation, sizeof tool->invocation),
			g_strdup_printf("invocation %" PRId64 ": %s", tool->invocation, reason));
	else
		g_hash_table_remove(tool->lacks, &tool->invocation);
}

static void judge(struct tool_intake *tool)
{
	GHashTableIter iter;
	gpointer reason;

	g_hash_table_iter_init(&iter, tool->lacks);
	if (g_hash_table_iter_next(&iter, NULL, &reason))
		tool->intake->incomplete_reason = g_strdup(reason);
	else if (tool->processes == 0)
		tool->intake->incomplete_reason = g_strdup("no process was started");
	tool->intake->complete = tool->intake->incomplete_reason == NULL;
}

struct intake *tool_intake_finish(struct tool_intake *tool)
{
	struct intake *intake = tool->intake;

	if (tool->reader)
		tool_intake_process_ended(tool, "nobody saw its end");
	judge(tool);
	for (guint i = 0; i < tool->gathered->len; i++) {
		struct gathered *gathered = tool->gathered->pdata[i];
		struct outcome *outcome = gathered_outcome(gathered);
		if (!outcome)
			continue;
		g_ptr_array_add(intake->outcomes, outcome);
		gathered_measurements(gathered, tool->environment, intake->measurements);
	}
	g_hash_table_unref(tool->lacks);
	g_ptr_array_unref(tool->gathered);
	g_hash_table_unref(tool->by_name);
	g_free(tool);
	return intake;
}
