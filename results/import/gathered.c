#include "gathered.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define NS_PER_S 1e9

static void clear_told(gpointer data)
{
	struct told *told = data;

	g_free(told->reason);
	g_free(told->digest);
	g_free(told->proof);
}

static void clear_set(gpointer data)
{
	g_free((gpointer)((struct sample_set *)data)->values);
}

static GArray *new_sets(void)
{
	GArray *sets = g_array_new(FALSE, FALSE, sizeof(struct sample_set));

	g_array_set_clear_func(sets, clear_set);
	return sets;
}

/* Sets the fault or the units. */
static void judge(struct gathered *gathered)
{
	int known = benchmark_find(gathered->name);

	if (known < 0)
		gathered->fault = g_strdup("no such benchmark is known");
	else if (benchmark_infos[known].work == WORK_BULK && !gathered->block)
		gathered->fault = g_strdup("a bulk benchmark without its block");
	else if (benchmark_infos[known].work == WORK_OPERATION && gathered->block)
		gathered->fault = g_strdup("a block where the benchmark is per operation");
	else if (gathered->block)
		gathered->units = g_ascii_strtod(gathered->block, NULL);
}

struct gathered *gathered_new(const char *name, const char *block)
{
	struct gathered *gathered = g_new0(struct gathered, 1);

	gathered->name = g_strdup(name);
	gathered->block = g_strdup(block);
	gathered->units = 1;
	gathered->told = g_array_new(FALSE, FALSE, sizeof(struct told));
	g_array_set_clear_func(gathered->told, clear_told);
	for (int i = 0; i < METRIC_COUNT; i++) {
		gathered->samples[i] = new_sets();
		gathered->values[i] = g_array_new(FALSE, FALSE, sizeof(double));
	}
	gathered->region_times = new_sets();
	gathered->counts = g_array_new(FALSE, FALSE, sizeof(double));
	judge(gathered);
	return gathered;
}

void gathered_free(gpointer data)
{
	struct gathered *gathered = data;

	g_free(gathered->name);
	g_free(gathered->block);
	g_free(gathered->fault);
	g_array_unref(gathered->told);
	for (int i = 0; i < METRIC_COUNT; i++) {
		g_array_unref(gathered->samples[i]);
		g_array_unref(gathered->values[i]);
	}
	g_array_unref(gathered->region_times);
	g_array_unref(gathered->counts);
	g_free(gathered);
}

static void add_set(GArray *sets, const struct gathered *gathered, int64_t invocation, uint64_t iterations,
	const double *values, size_t n, double scale)
{
	double *converted = g_new(double, n);
	struct sample_set set = {(uint32_t)invocation, iterations, converted, n};

	for (size_t i = 0; i < n; i++)
		converted[i] = values[i] / scale / (double)iterations / gathered->units;
	g_array_append_val(sets, set);
}

void gathered_add_samples(struct gathered *gathered, enum metric metric, int64_t invocation,
	uint64_t iterations, const double *values, size_t n)
{
	if (gathered->fault)
		return;
	add_set(gathered->samples[metric], gathered, invocation, iterations, values, n,
		metric == METRIC_TIME ? NS_PER_S : 1);
}

void gathered_add_value(struct gathered *gathered, enum metric metric, int64_t value)
{
	double told = (double)value;

	if (!gathered->fault)
		g_array_append_val(gathered->values[metric], told);
}

void gathered_add_region(
	struct gathered *gathered, int64_t invocation, uint64_t iterations, int64_t instructions, int64_t ns)
{
	if (gathered->fault)
		return;
	if (instructions >= 0) {
		double value = (double)instructions / (double)iterations / gathered->units;
		g_array_append_val(gathered->counts, value);
	}
	if (ns >= 1) {
		double value = (double)ns;
		add_set(gathered->region_times, gathered, invocation, iterations, &value, 1, NS_PER_S);
	}
}

bool gathered_has_told(const struct gathered *gathered, int64_t process)
{
	const GArray *told = gathered->told;

	return told->len > 0 && g_array_index(told, struct told, told->len - 1).process == process;
}

bool gathered_settle(struct gathered *gathered, int64_t process)
{
	bool did = gathered_has_told(gathered, process);

	for (int i = 0; i < METRIC_COUNT; i++) {
		if (!did) {
			g_array_set_size(gathered->samples[i], gathered->settled[i]);
			g_array_set_size(gathered->values[i], gathered->settled_values[i]);
		}
		gathered->settled[i] = gathered->samples[i]->len;
		gathered->settled_values[i] = gathered->values[i]->len;
	}
	return did;
}

/* --- outcome --- */

/* "crashed (signal 11 (SIGSEGV))", with its invocation where that says more. */
static char *told_text(const struct told *told, bool apart)
{
	g_autofree char *where =
		apart ? g_strdup_printf(" in invocation %" PRId64, told->invocation) : g_strdup("");

	if (!told->reason)
		return g_strconcat(outcome_states[told->state].name, where, NULL);
	return g_strconcat(outcome_states[told->state].name, where, " (", told->reason, ")", NULL);
}

/* "crashed (signal 11 (SIGSEGV)), then ok" */
static char *told_both(const struct told *first, const struct told *other)
{
	bool apart = first->invocation != other->invocation;
	g_autofree char *a = told_text(first, apart), *b = told_text(other, apart);

	return g_strconcat(a, ", then ", b, NULL);
}

/* "the timed output differs between invocations 0 and 1" */
static char *differing_output(const struct told *first, const struct told *other)
{
	if (first->invocation == other->invocation)
		return g_strdup_printf("the timed output differs between processes of invocation %" PRId64,
			first->invocation);
	return g_strdup_printf("the timed output differs between invocations %" PRId64 " and %" PRId64,
		first->invocation, other->invocation);
}

/* Why what was told does not agree, as new text; NULL where it does. */
static char *disagreement(const struct gathered *gathered)
{
	const struct told *first = &g_array_index(gathered->told, struct told, 0);

	for (guint i = 1; i < gathered->told->len; i++) {
		const struct told *other = &g_array_index(gathered->told, struct told, i);
		if (other->state != first->state)
			return told_both(first, other);
		if (first->state == OUTCOME_OK && g_strcmp0(other->digest, first->digest) != 0)
			return differing_output(first, other);
	}
	for (guint i = 1; first->state == OUTCOME_OK && i < gathered->counts->len; i++) {
		double a = g_array_index(gathered->counts, double, 0),
		       b = g_array_index(gathered->counts, double, i);
		if (a != b)
			return g_strdup_printf("counts differ: %.17g and %.17g instructions per %s", a, b,
				gathered->block ? "byte" : "operation");
	}
	return NULL;
}

struct outcome *gathered_outcome(const struct gathered *gathered)
{
	if (gathered->told->len == 0)
		return NULL;

	const struct told *first = &g_array_index(gathered->told, struct told, 0);
	struct outcome *outcome = g_new0(struct outcome, 1);
	char *differs = disagreement(gathered);

	outcome->benchmark = g_strdup(gathered->name);
	outcome->block = g_strdup(gathered->block);
	outcome->state = differs ? OUTCOME_FLAKY : first->state;
	outcome->reason = differs ? differs : g_strdup(first->reason);
	outcome->digest = differs ? NULL : g_strdup(first->digest);
	outcome->proof = differs ? NULL : g_strdup(first->proof);
	return outcome;
}

void outcome_free(gpointer data)
{
	struct outcome *outcome = data;

	g_free((gpointer)outcome->benchmark);
	g_free((gpointer)outcome->block);
	g_free((gpointer)outcome->reason);
	g_free((gpointer)outcome->digest);
	g_free((gpointer)outcome->proof);
	g_free(outcome);
}

/* --- measurements --- */

static struct measurement *new_measurement(
	const struct gathered *gathered, enum metric metric, enum environment environment, enum kind kind)
{
	struct measurement *measurement = g_new0(struct measurement, 1);

	measurement->benchmark = g_strdup(gathered->name);
	measurement->block = g_strdup(gathered->block);
	measurement->metric = metric;
	measurement->source = SOURCE_OWN;
	measurement->environment = environment;
	measurement->kind = kind;
	return measurement;
}

/* All invocations' values make the figure; the sets move into the measurement. */
static struct measurement *sampled(
	const struct gathered *gathered, enum metric metric, enum environment environment, GArray *sets)
{
	struct measurement *measurement = new_measurement(gathered, metric, environment, KIND_SAMPLED);
	g_autoptr(GArray) pooled = g_array_new(FALSE, FALSE, sizeof(double));
	gsize n;

	for (guint i = 0; i < sets->len; i++) {
		const struct sample_set *set = &g_array_index(sets, struct sample_set, i);
		g_array_append_vals(pooled, set->values, (guint)set->n);
	}
	measurement->figure = figure_of((const double *)(void *)pooled->data, pooled->len);
	measurement->samples = g_array_steal(sets, &n);
	measurement->n_samples = n;
	return measurement;
}

static struct measurement *counted(const struct gathered *gathered, enum environment environment)
{
	struct measurement *measurement =
		new_measurement(gathered, METRIC_INSTRUCTIONS, environment, KIND_EXACT);

	measurement->figure = figure_of(&g_array_index(gathered->counts, double, 0), 1);
	return measurement;
}

/* What is enough for each of the processes is the largest of what they told. */
static struct measurement *valued(
	const struct gathered *gathered, enum metric metric, enum environment environment)
{
	struct measurement *measurement = new_measurement(gathered, metric, environment, KIND_EXACT);
	const GArray *values = gathered->values[metric];
	double largest = g_array_index(values, double, 0);

	for (guint i = 1; i < values->len; i++)
		largest = fmax(largest, g_array_index(values, double, i));
	measurement->figure = figure_of(&largest, 1);
	return measurement;
}

void gathered_measurements(struct gathered *gathered, enum environment environment, GPtrArray *measurements)
{
	for (int metric = 0; metric < METRIC_COUNT; metric++) {
		GArray *sets = gathered->samples[metric];
		if (sets->len > 0)
			g_ptr_array_add(
				measurements, sampled(gathered, (enum metric)metric, environment, sets));
	}
	for (int metric = 0; metric < METRIC_COUNT; metric++)
		if (gathered->values[metric]->len > 0)
			g_ptr_array_add(measurements, valued(gathered, (enum metric)metric, environment));
	/* A region's elapsed time says something only where nothing better was measured. */
	if (gathered->region_times->len > 0 && gathered->settled[METRIC_TIME] == 0)
		g_ptr_array_add(measurements,
			sampled(gathered, METRIC_TIME, ENVIRONMENT_EMULATOR, gathered->region_times));
	if (gathered->counts->len > 0)
		g_ptr_array_add(measurements, counted(gathered, environment));
}

void measurement_free(gpointer data)
{
	struct measurement *measurement = data;

	for (size_t i = 0; i < measurement->n_samples; i++)
		g_free((gpointer)measurement->samples[i].values);
	g_free((gpointer)measurement->samples);
	g_free((gpointer)measurement->benchmark);
	g_free((gpointer)measurement->block);
	g_free(measurement);
}
