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

static int add_measurement(struct document_builder *builder, struct document_part *part,
	const struct measurement *measurement, const struct labels *labels)
{
	g_array_append_val(part->measurements, *measurement);
	g_ptr_array_add(part->labels_of, (gpointer)document_keep_labels(builder, labels));
	return (int)part->measurements->len - 1;
}

/* Readings of one series are one measurement: its best, its mean, its worst. */
static void measure_readings(struct document_builder *builder, struct document_part *part)
{
	g_autoptr(GHashTable) indices = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (guint i = 0; i < part->readings->len; i++) {
		struct document_reading *reading = &g_array_index(part->readings, struct document_reading, i);
		struct measurement measurement;
		gpointer index;
		if (!document_measurement_of(
			    &measurement, reading, builder->document->source.source, reading->environment))
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
		reading->measurement = add_measurement(builder, part, &measurement, &labels);
		g_hash_table_insert(indices, g_steal_pointer(&key), GINT_TO_POINTER(reading->measurement));
	}
}

/* Equal for equal labels but the metric. New. */
static char *labels_key(const struct labels *labels)
{
	GString *key = g_string_sized_new(128);

	for (int i = 0; i < LABEL_METRIC; i++) {
		if (labels->v[i])
			g_string_append(key, labels->v[i]);
		g_string_append_c(key, '\n');
	}
	return g_string_free(key, FALSE);
}

/* The keys of all series of which the text has cycles or ticks, usable or not. */
static GHashTable *with_cycles(const struct document_part *part)
{
	GHashTable *keys = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (guint i = 0; i < part->readings->len; i++) {
		const struct document_reading *reading =
			&g_array_index(part->readings, struct document_reading, i);
		if (reading->metric != METRIC_CYCLES && reading->metric != METRIC_REFERENCE_CYCLES)
			continue;
		struct labels whole = whole_labels(part, &reading->labels, reading->metric);
		g_hash_table_add(keys, labels_key(&whole));
	}
	return keys;
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

static bool is_timed(const struct measurement *measurement)
{
	return measurement->metric == METRIC_TIME && measurement->kind == KIND_SAMPLED;
}

/* Cycles of what was timed, where the text has none: time * clock. Our own formats tell all that there is,
 * with n. */
static void derive_cycles(struct document_builder *builder, struct document_part *part, double clock)
{
	if (isnan(clock))
		return;
	g_autoptr(GHashTable) printed = with_cycles(part);
	guint n = part->measurements->len;
	for (guint i = 0; i < n; i++) {
		const struct measurement *time = &g_array_index(part->measurements, struct measurement, i);
		struct labels labels = *(const struct labels *)part->labels_of->pdata[i];
		g_autofree char *key = labels_key(&labels);
		if (!is_timed(time) || time->figure.n > 0 || g_hash_table_contains(printed, key))
			continue;
		labels.v[LABEL_METRIC] = metric_infos[METRIC_CYCLES].name;
		struct measurement cycles = scaled(time, METRIC_CYCLES, clock);
		add_measurement(builder, part, &cycles, &labels);
	}
}

/* The indices, and 1, of what was timed, by their keys. */
static GHashTable *timed(const struct document_part *part)
{
	GHashTable *indices = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (guint i = 0; i < part->measurements->len; i++)
		if (is_timed(&g_array_index(part->measurements, struct measurement, i)))
			g_hash_table_insert(
				indices, labels_key(part->labels_of->pdata[i]), GUINT_TO_POINTER(i + 1));
	return indices;
}

/* What the ratio was held against: the time that it was stated of, times the ratio, under the labels of
 * before. */
static void add_before(struct document_builder *builder, struct document_part *part, guint time, double ratio)
{
	struct labels labels = *(const struct labels *)part->labels_of->pdata[time];
	const struct labels *before = &builder->document->source.before;

	for (int i = 0; i < LABEL_METRIC; i++)
		if (before->v[i])
			labels.v[i] = before->v[i];
	struct measurement slower =
		scaled(&g_array_index(part->measurements, struct measurement, time), METRIC_TIME, ratio);
	add_measurement(builder, part, &slower, &labels);
}

static void derive_before(struct document_builder *builder, struct document_part *part)
{
	const struct labels *before = &builder->document->source.before;
	guint n = part->measurements->len;
	bool told = false;

	for (int i = 0; i < LABEL_METRIC; i++)
		told |= before->v[i] != NULL;
	if (!told)
		return;
	g_autoptr(GHashTable) times = timed(part);
	for (guint i = 0; i < n; i++) {
		const struct measurement *ratio = &g_array_index(part->measurements, struct measurement, i);
		g_autofree char *key = labels_key(part->labels_of->pdata[i]);
		guint time = GPOINTER_TO_UINT(g_hash_table_lookup(times, key));
		if (time > 0 && ratio->kind == KIND_STATED && ratio->metric == METRIC_SPEEDUP)
			add_before(builder, part, time - 1, figure_value(&ratio->figure));
	}
}

void document_measure(struct document_builder *builder, struct document_part *part, double clock)
{
	measure_readings(builder, part);
	derive_cycles(builder, part, clock);
	derive_before(builder, part);
}
