#include "tables.h"

#include "diag.h"

#include <math.h>
#include <string.h>

enum { ANY_WORK = WORK_OPERATION + 1 };

/* What people can ask for; "/byte", "/B" or "/op" may stand behind those that are no rate. */
static const struct unit {
	const char *name;
	const char *of; /* the metrics' unit that it scales */
	bool rate;	/* work per time, else the metric per work */
	int work;	/* of rates: enum work that it fits */
	double factor;	/* to the unit from the metric's, or from work per second */
} units[] = {
	{"s", "s", false, 0, 1},
	{"ms", "s", false, 0, 1e3},
	{"us", "s", false, 0, 1e6},
	{"ns", "s", false, 0, 1e9},
	{"ps", "s", false, 0, 1e12},
	{"GiB/s", "s", true, WORK_BULK, 1.0 / 1073741824},
	{"MiB/s", "s", true, WORK_BULK, 1.0 / 1048576},
	{"KiB/s", "s", true, WORK_BULK, 1.0 / 1024},
	{"B/s", "s", true, WORK_BULK, 1},
	{"GB/s", "s", true, WORK_BULK, 1e-9},
	{"MB/s", "s", true, WORK_BULK, 1e-6},
	{"kB/s", "s", true, WORK_BULK, 1e-3},
	{"Gbit/s", "s", true, WORK_BULK, 8e-9},
	{"Mbit/s", "s", true, WORK_BULK, 8e-6},
	{"ops/s", "s", true, WORK_OPERATION, 1},
	{"cycles", "cycles", false, 0, 1},
	{"ticks", "ticks", false, 0, 1},
	{"instructions", "instructions", false, 0, 1},
	{"B", "B", false, 0, 1},
	{"KiB", "B", false, 0, 1.0 / 1024},
	{"MiB", "B", false, 0, 1.0 / 1048576},
	{"kB", "B", false, 0, 1e-3},
	{"allocations", "allocations", false, 0, 1},
	{"x", "x", false, 0, 1},
};

static char *fixed(double value, const char *format)
{
	char buffer[512]; /* the longest double has 309 digits before the point */

	return g_strdup(g_ascii_formatd(buffer, sizeof(buffer), format, value));
}

/* 29556537 as "29,556,537", or by another format with a fraction. */
static char *grouped(double value, const char *format)
{
	g_autofree char *digits = fixed(fabs(value), format);
	GString *text = g_string_new(value < 0 ? "-" : NULL);
	size_t whole = strcspn(digits, ".");

	for (size_t i = 0; i < whole; i++) {
		if (i > 0 && (whole - i) % 3 == 0)
			g_string_append_c(text, ',');
		g_string_append_c(text, digits[i]);
	}
	g_string_append(text, digits + whole);
	return g_string_free(text, FALSE);
}

typedef char *number_style(double value, bool exact);

static char *number_text(double value, bool exact)
{
	double size = fabs(value);

	if (size >= 1e15)
		return fixed(value, "%.4g");
	if ((exact && value == floor(value)) || size >= 999.95)
		return grouped(value, "%.0f");
	/* The limits are where rounding would make a fifth digit. */
	if (size >= 99.995)
		return fixed(value, "%.1f");
	if (size >= 9.9995)
		return fixed(value, "%.2f");
	if (size >= 0.99995)
		return fixed(value, "%.3f");
	return size > 0 ? fixed(value, "%#.4g") : g_strdup("0");
}

/* Two digits behind the point, unless they would hide the figure. */
static char *note_text(double value, bool exact)
{
	double size = fabs(value);

	if ((exact && value == floor(value)) || size < 0.995 || size >= 1e15)
		return number_text(value, exact);
	return grouped(value, "%.2f");
}

static char *with_unit(number_style *style, double value, bool exact, const char *unit, const char *per)
{
	g_autofree char *number = style(value, exact);

	return g_strconcat(number, " ", unit, per, NULL);
}

const char *scale_per(enum metric metric, enum work work)
{
	if (metric_is_whole(metric))
		return "";
	return work == WORK_BULK ? "/B" : "/op";
}

/* Nothing stands behind it: its values are of no byte and of no operation. */
static bool is_whole(const struct unit *unit)
{
	return strcmp(unit->of, "B") == 0 || strcmp(unit->of, "allocations") == 0 ||
	       strcmp(unit->of, "x") == 0;
}

/* What stands behind the unit's own name: -1 where that is something else, ANY_WORK for nothing. */
static int asked_work(const char *rest)
{
	if (*rest == '\0')
		return ANY_WORK;
	if (strcmp(rest, "/byte") == 0 || strcmp(rest, "/B") == 0)
		return WORK_BULK;
	return strcmp(rest, "/op") == 0 ? WORK_OPERATION : -1;
}

/* The unit of that name, and the work that it is asked for (ANY_WORK: any); NULL where there is none. */
static const struct unit *find_unit(const char *name, int *ret_work)
{
	for (size_t i = 0; i < G_N_ELEMENTS(units); i++) {
		if (strcmp(units[i].name, name) == 0) {
			*ret_work = units[i].rate ? units[i].work : ANY_WORK;
			return &units[i];
		}
		if (units[i].rate || !g_str_has_prefix(name, units[i].name))
			continue;
		*ret_work = asked_work(name + strlen(units[i].name));
		if (*ret_work >= 0 && !is_whole(&units[i]))
			return &units[i];
	}
	return NULL;
}

/* "s, ms, us, ns, MiB/s" of a metric's unit and (where it is not ANY_WORK) a work. */
static char *fitting(const char *of, int work)
{
	GString *list = g_string_new(NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(units); i++) {
		const struct unit *unit = &units[i];

		if (strcmp(unit->of, of) == 0 && (!unit->rate || work == ANY_WORK || unit->work == work))
			g_string_append_printf(list, "%s%s", list->len > 0 ? ", " : "", unit->name);
	}
	return g_string_free(list, FALSE);
}

static bool fail_metric(enum metric metric, const char *name, const struct unit *unit, GError **err)
{
	const struct metric_info *info = &metric_infos[metric];
	g_autofree char *list = fitting(info->unit, ANY_WORK);
	enum metric other;

	if (unit && scale_metric(&other, name))
		return diag_set(err, DIAG_USAGE,
			"the unit \"%s\" does not fit the metric %s; use %s, or ask for %s: --metric %s",
			name, info->name, list, unit->name, metric_infos[other].name);
	return diag_set(err, DIAG_USAGE, "the unit \"%s\" does not fit the metric %s; use %s", name,
		info->name, list);
}

static bool choose_unit(
	const struct unit **ret, enum metric metric, enum work work, const char *name, GError **err)
{
	const char *of = metric_infos[metric].unit;
	int asked = ANY_WORK;

	*ret = find_unit(name, &asked);
	if (!*ret || strcmp((*ret)->of, of) != 0)
		return fail_metric(metric, name, *ret, err);
	if (asked == ANY_WORK || asked == (int)work)
		return true;
	g_autofree char *list = fitting(of, work);
	return diag_set(err, DIAG_USAGE, "the unit %s does not fit benchmarks whose %s is per %s; use %s",
		name, metric_infos[metric].name, work == WORK_BULK ? "byte" : "operation", list);
}

bool scale_fits(enum metric metric, enum work work, const char *unit)
{
	const struct unit *chosen;

	return choose_unit(&chosen, metric, work, unit, NULL);
}

/* From large to small; the first is the usual one. */
static const char *const bulk_rates[] = {"MiB/s", "KiB/s", "B/s"};

static double rate_of(const char *name, double value)
{
	int work;
	const struct unit *unit = find_unit(name, &work);

	return unit->factor / value;
}

const char *scale_unit(const double *values, size_t n, enum metric metric, enum work work)
{
	double slowest = 0;
	size_t i = 0;

	if (metric != METRIC_TIME)
		return metric_infos[metric].unit;
	if (work == WORK_OPERATION)
		return "ops/s";
	for (size_t k = 0; k < n; k++)
		if (isfinite(values[k]))
			slowest = fmax(slowest, values[k]);
	/* A rate of 0.99996 reads as 1.000. */
	while (i + 1 < G_N_ELEMENTS(bulk_rates) && slowest > 0 && rate_of(bulk_rates[i], slowest) < 0.99995)
		i++;
	return bulk_rates[i];
}

bool scale_metric(enum metric *ret, const char *unit)
{
	int work, found = 0;
	const struct unit *known = find_unit(unit, &work);

	for (int i = 0; known && i < METRIC_COUNT; i++)
		if (strcmp(metric_infos[i].unit, known->of) == 0) {
			*ret = (enum metric)i;
			found++;
		}
	/* Several metrics are in bytes. */
	return found == 1;
}

static bool scale(char **ret, number_style *style, double value, enum metric metric, enum work work,
	const char *unit, GError **err)
{
	const char *per = scale_per(metric, work);
	const struct unit *chosen = NULL;

	if (!choose_unit(&chosen, metric, work, unit ? unit : scale_unit(&value, 1, metric, work), err))
		return false;
	if (!isfinite(value)) {
		*ret = NULL;
		return true;
	}
	/* No rate follows from a time of zero or next to it. */
	if (chosen->rate && (value <= 0 || isinf(chosen->factor / value)))
		chosen = &units[0];
	if (chosen->rate)
		*ret = with_unit(style, chosen->factor / value, false, chosen->name, "");
	else
		*ret = with_unit(style, value * chosen->factor,
			metric_infos[metric].assume == ASSUME_EXACT && chosen->factor == 1, chosen->name,
			per);
	return true;
}

bool scale_text(char **ret, double value, enum metric metric, enum work work, const char *unit, GError **err)
{
	return scale(ret, number_text, value, metric, work, unit, err);
}

bool scale_note_text(
	char **ret, double value, enum metric metric, enum work work, const char *unit, GError **err)
{
	return scale(ret, note_text, value, metric, work, unit, err);
}

char *ratio_text(double ratio, bool exact)
{
	g_autofree char *number = NULL;

	if (!isfinite(ratio))
		return g_strdup("-");
	/* "1.00x worse" would contradict itself. */
	if (exact && ratio != 1 && fabs(ratio - 1) < 0.005) {
		number = fixed(ratio, fabs(ratio - 1) < 1e-5 ? "%.9f" : "%.5f");
		return g_strconcat(number, "x", NULL);
	}
	if (ratio >= 0.9995 && ratio < 1e6)
		number = fixed(ratio, "%.2f");
	else
		number = fixed(ratio, ratio >= 0.1 && ratio < 1 ? "%.3f" : "%.3g");
	return g_strconcat(number, "x", NULL);
}
