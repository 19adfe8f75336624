/* Readings to measurements, and what follows from them. */
#include "document_build.h"

#include <math.h>
#include <string.h>

static struct figure figure_unknown(void)
{
	const double unknown = (double)NAN;

	return (struct figure){0, unknown, unknown, unknown, unknown, unknown, unknown, unknown};
}

/* Sets what the reading is of the distribution. */
static void add_statistic(struct figure *figure, const struct document_reading *reading)
{
	double *const values[IMPORT_STATISTIC_COUNT] = {
		[IMPORT_MEAN] = &figure->mean,
		[IMPORT_BEST] = &figure->min,
		[IMPORT_MEDIAN] = &figure->median,
		[IMPORT_WORST] = &figure->max,
	};

	if (reading->figure)
		*figure = *reading->figure;
	else
		*values[reading->statistic] = reading->value;
}

bool document_measurement_of(struct measurement *ret, const struct document_reading *reading,
	enum source source, enum environment environment)
{
	if (reading->problem || !reading->labels.v[LABEL_BENCHMARK] || isnan(reading->value))
		return false;
	*ret = (struct measurement){
		.benchmark = reading->labels.v[LABEL_BENCHMARK],
		.block = reading->labels.v[LABEL_BLOCK],
		.metric = reading->metric,
		.source = source,
		.environment = environment,
		.kind = reading->kind,
		.figure = figure_unknown(),
		.samples = reading->samples,
		.n_samples = reading->n_samples,
	};
	add_statistic(&ret->figure, reading);
	return true;
}

/* The part's labels, and over them the reading's. */
static struct labels whole_labels(
	const struct document_part *part, const struct labels *own, enum metric metric)
{
	struct labels labels = part->labels;

	for (int i = 0; i < LABEL_METRIC; i++)
		if (own->v[i])
			labels.v[i] = own->v[i];
	labels.v[LABEL_METRIC] = metric_infos[metric].name;
	return labels;
}

static int add_measurement(
	struct document_part *part, const struct measurement *measurement, const struct labels *labels)
{
	g_array_append_val(part->measurements, *measurement);
	g_array_append_val(part->labels_of, *labels);
	return (int)part->measurements->len - 1;
}

/* Readings of one series are one measurement: its best, its mean, its worst. */
static void measure_readings(struct document *document, struct document_part *part)
{
	g_autoptr(GHashTable) indices = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (guint i = 0; i < part->readings->len; i++) {
		struct document_reading *reading = &g_array_index(part->readings, struct document_reading, i);
		struct measurement measurement;
		gpointer index;
		if (!document_measurement_of(
			    &measurement, reading, document->source.source, reading->environment))
			continue;
		g_autofree char *key = document_series_key(reading);
		if (g_hash_table_lookup_extended(indices, key, NULL, &index)) {
			reading->measurement = GPOINTER_TO_INT(index);
			add_statistic(&g_array_index(part->measurements, struct measurement,
					      (guint)reading->measurement)
					       .figure,
				reading);
			continue;
		}
		struct labels labels = whole_labels(part, &reading->labels, reading->metric);
		reading->measurement = add_measurement(part, &measurement, &labels);
		g_hash_table_insert(indices, g_steal_pointer(&key), GINT_TO_POINTER(reading->measurement));
	}
}

static bool equal_labels(const struct labels *a, const struct labels *b)
{
	for (int i = 0; i < LABEL_METRIC; i++)
		if (g_strcmp0(a->v[i], b->v[i]) != 0)
			return false;
	return true;
}

/* Whether the text has cycles or ticks of the same series, usable or not. */
static bool has_cycles(const struct document_part *part, const struct labels *labels)
{
	for (guint i = 0; i < part->readings->len; i++) {
		const struct document_reading *reading =
			&g_array_index(part->readings, struct document_reading, i);
		struct labels whole = whole_labels(part, &reading->labels, reading->metric);
		if ((reading->metric == METRIC_CYCLES || reading->metric == METRIC_REFERENCE_CYCLES) &&
			equal_labels(&whole, labels))
			return true;
	}
	return false;
}

/* The measurement with every value times the factor, as one that follows from it. */
static struct measurement scaled(const struct measurement *from, enum metric metric, double factor)
{
	struct measurement ret = *from;
	double *const values[] = {&ret.figure.min, &ret.figure.q1, &ret.figure.median, &ret.figure.q3,
		&ret.figure.max, &ret.figure.mean, &ret.figure.sd};

	for (size_t i = 0; i < G_N_ELEMENTS(values); i++)
		*values[i] *= factor;
	ret.metric = metric;
	ret.kind = KIND_DERIVED;
	ret.samples = NULL;
	ret.n_samples = 0;
	return ret;
}

/* Cycles of what was timed, where the text has none: time * clock. Our own formats tell all that there is,
 * with n. */
static void derive_cycles(struct document_part *part, double clock)
{
	guint n = part->measurements->len;

	for (guint i = 0; i < n && !isnan(clock); i++) {
		const struct measurement *time = &g_array_index(part->measurements, struct measurement, i);
		struct labels labels = g_array_index(part->labels_of, struct labels, i);
		if (time->metric != METRIC_TIME || time->kind != KIND_SAMPLED || time->figure.n > 0 ||
			has_cycles(part, &labels))
			continue;
		labels.v[LABEL_METRIC] = metric_infos[METRIC_CYCLES].name;
		struct measurement cycles = scaled(time, METRIC_CYCLES, clock);
		add_measurement(part, &cycles, &labels);
	}
}

/* The time that the ratio was stated of; -1. */
static int time_beside(const struct document_part *part, guint ratio)
{
	const struct labels *labels = &g_array_index(part->labels_of, struct labels, ratio);

	for (guint i = 0; i < part->measurements->len; i++) {
		const struct measurement *time = &g_array_index(part->measurements, struct measurement, i);
		if (time->metric == METRIC_TIME && time->kind == KIND_SAMPLED &&
			equal_labels(&g_array_index(part->labels_of, struct labels, i), labels))
			return (int)i;
	}
	return -1;
}

/* What a stated ratio was held against: time * ratio, under the labels of before. */
static void derive_before(struct document_part *part, const struct labels *before)
{
	guint n = part->measurements->len;
	bool told = false;

	for (int i = 0; i < LABEL_METRIC; i++)
		told |= before->v[i] != NULL;
	for (guint i = 0; told && i < n; i++) {
		const struct measurement *ratio = &g_array_index(part->measurements, struct measurement, i);
		int beside = ratio->kind == KIND_STATED && ratio->metric == METRIC_SPEEDUP
				     ? time_beside(part, i)
				     : -1;
		if (beside < 0)
			continue;
		struct labels labels = g_array_index(part->labels_of, struct labels, (guint)beside);
		for (int k = 0; k < LABEL_METRIC; k++)
			if (before->v[k])
				labels.v[k] = before->v[k];
		struct measurement time =
			scaled(&g_array_index(part->measurements, struct measurement, (guint)beside),
				METRIC_TIME, figure_value(&ratio->figure));
		add_measurement(part, &time, &labels);
	}
}

void document_measure(struct document *document, struct document_part *part, double clock)
{
	measure_readings(document, part);
	derive_cycles(part, clock);
	derive_before(part, &document->source.before);
}
