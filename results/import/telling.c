#include "telling.h"

#include "names.h"

#include <math.h>
#include <string.h>

/* What rounding in binary may add to an interval. */
#define SLACK 1e-9
/* Numbers of one figure that lie no further apart than this share count all the same, with a note: somebody
 * copied them from two runs. */
#define LITTLE 0.01

static struct import_record record_of_line(const struct import_line *line, enum import_kind kind)
{
	return (struct import_record){.kind = kind, .line = line->number, .text = line->text};
}

void tell_other(const struct import_sink *sink, const struct import_line *line)
{
	struct import_record record = record_of_line(line, IMPORT_OTHER);

	sink->take(&record, sink->user);
}

void tell_unread(const struct import_sink *sink, const struct import_line *line, const char *problem)
{
	struct import_record record = record_of_line(line, IMPORT_UNREAD);

	record.problem = problem;
	sink->take(&record, sink->user);
}

void tell_fact(
	const struct import_sink *sink, const struct import_line *line, const char *key, const char *value)
{
	struct import_record record = record_of_line(line, IMPORT_FACT);

	record.key = key;
	record.fact = value;
	sink->take(&record, sink->user);
}

void tell_break(const struct import_sink *sink, const struct import_line *line)
{
	struct import_record record = record_of_line(line, IMPORT_BREAK);

	sink->take(&record, sink->user);
}

static struct reading reading_new(const struct number *number, const char *unit)
{
	struct reading reading = {.value = (double)NAN,
		.low = (double)NAN,
		.high = (double)NAN,
		.unit = unit,
		.problem = number->problem,
		.doubtful = number->doubtful};

	g_strlcpy(reading.printed, number->printed, sizeof reading.printed);
	return reading;
}

struct reading reading_of(const struct number *number, double scale, const char *unit)
{
	struct reading reading = reading_new(number, unit);

	reading.low = (number->value - number->error) * scale;
	reading.high = (number->value + number->error) * scale;
	if (!reading.problem)
		reading.value = number->value * scale;
	return reading;
}

struct reading reading_of_rate(const struct number *number, double scale, const char *unit)
{
	struct reading reading = reading_new(number, unit);
	double least = number->value - number->error;

	reading.low = 1 / ((number->value + number->error) * scale);
	reading.high = least <= 0 ? (double)INFINITY : 1 / (least * scale);
	if (!reading.problem)
		reading.value = 1 / (number->value * scale);
	return reading;
}

struct reading reading_of_share(const struct number *time, double scale, const struct number *amount,
	double amount_scale, const char *unit)
{
	struct reading reading = reading_new(time, unit);
	double least = amount->value - amount->error;

	if (!reading.problem && amount->problem)
		reading.problem = amount->value == 0 ? "no work was done" : amount->problem;
	reading.doubtful |= amount->doubtful;
	reading.low = (time->value - time->error) * scale / ((amount->value + amount->error) * amount_scale);
	reading.high =
		least <= 0 ? (double)INFINITY : (time->value + time->error) * scale / (least * amount_scale);
	if (!reading.problem)
		reading.value = time->value * scale / (amount->value * amount_scale);
	return reading;
}

bool readings_agree(const struct reading *a, const struct reading *b)
{
	return !(a->low > b->high * (1 + SLACK)) && !(b->low > a->high * (1 + SLACK));
}

struct import_record figure_of_line(
	const struct import_line *line, const char *importer, const char *name, enum work work)
{
	struct import_record figure = record_of_line(line, IMPORT_FIGURE);
	int benchmark = name_benchmark(importer, name);

	figure.name = name;
	figure.work = work;
	if (benchmark >= 0)
		figure.labels.v[LABEL_BENCHMARK] = benchmark_infos[benchmark].name;
	figure.metric = METRIC_TIME;
	figure.figure_kind = KIND_SAMPLED;
	figure.statistic = IMPORT_MEAN;
	return figure;
}

static double spread_of(const struct reading *reading)
{
	return (reading->high - reading->low) / reading->value;
}

/* The first that is doubtful, else the most precise; where none is usable, the first. */
static const struct reading *choose(const struct reading *readings, size_t n)
{
	const struct reading *best = &readings[0];

	for (size_t i = 0; i < n; i++)
		if (readings[i].doubtful)
			return &readings[i];
	for (size_t i = 1; i < n; i++)
		if (!readings[i].problem && (best->problem || spread_of(&readings[i]) < spread_of(best)))
			best = &readings[i];
	return best;
}

/* How far apart the intervals are, as a share; 0 where they touch. */
static double gap_of(const struct reading *a, const struct reading *b)
{
	if (readings_agree(a, b))
		return 0;
	return (a->low > b->high ? a->low / b->high : b->low / a->high) - 1;
}

/* The first two that are further apart than that share; NULL where none are. New. */
static char *disagreement_of(const struct reading *readings, size_t n, double share)
{
	for (size_t i = 0; i < n; i++) {
		for (size_t k = i + 1; k < n; k++) {
			if (!(gap_of(&readings[i], &readings[k]) > share))
				continue;
			return g_strdup_printf("%s %s and %s %s disagree: %.6g to %.6g against %.6g to %.6g",
				readings[i].printed, readings[i].unit, readings[k].printed, readings[k].unit,
				readings[i].low, readings[i].high, readings[k].low, readings[k].high);
		}
	}
	return NULL;
}

/* What a benchmark's values are per. Its name is a static string: the same one comes again and again. */
static enum work work_of(const char *benchmark)
{
	static GHashTable *known;
	gpointer found;

	if (!known)
		known = g_hash_table_new(NULL, NULL);
	if (!g_hash_table_lookup_extended(known, benchmark, NULL, &found)) {
		found = GINT_TO_POINTER(benchmark_find(benchmark));
		g_hash_table_insert(known, (gpointer)benchmark, found);
	}
	return benchmark_infos[GPOINTER_TO_INT(found)].work;
}

/* A benchmark's values are all per byte or all per operation. */
static char *work_doubt(const struct import_record *figure)
{
	static const char *const words[] = {[WORK_BULK] = "byte", [WORK_OPERATION] = "operation"};
	const char *benchmark = figure->labels.v[LABEL_BENCHMARK];

	if (!benchmark)
		return NULL;
	enum work work = work_of(benchmark);
	return work == figure->work ? NULL
				    : g_strdup_printf("%s is measured per %s, and this is per %s", benchmark,
					      words[work], words[figure->work]);
}

void tell_readings(const struct import_sink *sink, struct import_record *figure,
	const struct reading *readings, size_t n, const char *doubt)
{
	const struct reading *best = choose(readings, n);
	g_autofree char *work = work_doubt(figure);
	g_autofree char *disagreement = disagreement_of(readings, n, LITTLE);
	g_autofree char *little = disagreement ? NULL : disagreement_of(readings, n, 0);
	g_autofree char *number =
		best->problem ? g_strdup_printf("%s %s: %s", best->printed, best->unit, best->problem) : NULL;

	figure->problem = number ? number : disagreement ? disagreement : doubt ? doubt : work;
	figure->note = figure->problem ? NULL : little;
	figure->value = best->value;
	figure->error = isfinite(best->high) ? (best->high - best->low) / 2 : (double)NAN;
	figure->printed = best->printed;
	figure->unit = best->unit;
	sink->take(figure, sink->user);
	figure->problem = NULL;
	figure->note = NULL;
}

/* Clocks of processors, with room: from a slow microcontroller's to an overclocked desktop's. */
#define SLOWEST_HZ 1e5
#define FASTEST_HZ 1e10

double clock_told(const struct import_sink *sink, double text)
{
	return sink->clock > 0 ? sink->clock : text;
}

char *clock_doubt(const struct reading *cycles, const struct reading *time, double stated, double factor)
{
	double low = isnan(stated) ? SLOWEST_HZ : stated / factor;
	double high = isnan(stated) ? FASTEST_HZ : stated * factor;

	if (cycles->problem || time->problem)
		return NULL;
	if (cycles->high / time->low >= low && cycles->low / time->high <= high)
		return NULL;
	if (isnan(stated))
		return g_strdup_printf("%s %s in %s %s is a clock of %.4g MHz", cycles->printed, cycles->unit,
			time->printed, time->unit, cycles->value / time->value / 1e6);
	return g_strdup_printf("%s %s with %s %s is a clock of %.4g MHz, and %.4g MHz is stated",
		cycles->printed, cycles->unit, time->printed, time->unit, cycles->value / time->value / 1e6,
		stated / 1e6);
}
