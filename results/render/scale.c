#include "tables.h"

#include "diag.h"

#include <math.h>
#include <string.h>

/* What people can ask time to be shown in. */
static const struct unit {
	const char *name;
	bool rate;     /* work per time, else time per work */
	int work;      /* of rates: enum work that it fits */
	double factor; /* to the unit from seconds, or from work per second */
} units[] = {
	{"s", false, 0, 1},
	{"ms", false, 0, 1e3},
	{"us", false, 0, 1e6},
	{"ns", false, 0, 1e9},
	{"MiB/s", true, WORK_BULK, 1.0 / 1048576},
	{"MB/s", true, WORK_BULK, 1e-6},
	{"ops/s", true, WORK_OPERATION, 1},
};

static char *fixed(double value, const char *format)
{
	char buffer[512]; /* the longest double has 309 digits before the point */

	return g_strdup(g_ascii_formatd(buffer, sizeof(buffer), format, value));
}

/* "29556537" -> "29,556,537" */
static char *grouped(double value)
{
	g_autofree char *digits = fixed(fabs(value), "%.0f");
	GString *text = g_string_new(value < 0 ? "-" : NULL);
	size_t n = strlen(digits);

	for (size_t i = 0; i < n; i++) {
		if (i > 0 && (n - i) % 3 == 0)
			g_string_append_c(text, ',');
		g_string_append_c(text, digits[i]);
	}
	return g_string_free(text, FALSE);
}

static char *number_text(double value, bool exact)
{
	double size = fabs(value);

	if (size >= 1e15)
		return fixed(value, "%.4g");
	if ((exact && value == floor(value)) || size >= 999.95)
		return grouped(value);
	/* The limits are where rounding would make a fifth digit. */
	if (size >= 99.995)
		return fixed(value, "%.1f");
	if (size >= 9.9995)
		return fixed(value, "%.2f");
	if (size >= 0.99995)
		return fixed(value, "%.3f");
	return size > 0 ? fixed(value, "%#.4g") : g_strdup("0");
}

static char *with_unit(double value, bool exact, const char *unit, const char *per)
{
	g_autofree char *number = number_text(value, exact);

	return g_strconcat(number, " ", unit, per, NULL);
}

static bool time_unit(const struct unit **ret, const char *name, enum work work, GError **err)
{
	if (!name)
		name = work == WORK_BULK ? "MiB/s" : "ops/s";
	for (size_t i = 0; i < G_N_ELEMENTS(units); i++) {
		if (strcmp(units[i].name, name) != 0)
			continue;
		if (units[i].rate && units[i].work != (int)work)
			return diag_set(err, DIAG_USAGE,
				"the unit %s does not fit benchmarks whose time is per %s; use s, ms, us, ns "
				"or %s",
				name, work == WORK_BULK ? "byte" : "operation",
				work == WORK_BULK ? "MiB/s" : "ops/s");
		*ret = &units[i];
		return true;
	}
	return diag_set(err, DIAG_USAGE,
		"the unit \"%s\" does not fit the metric time; use s, ms, us, ns, MiB/s, MB/s or ops/s",
		name);
}

static bool scale_time(char **ret, double value, enum work work, const char *name, GError **err)
{
	const struct unit *unit = NULL;

	if (!time_unit(&unit, name, work, err))
		return false;
	/* No rate follows from a time of zero or next to it. */
	if (unit->rate && (value <= 0 || isinf(unit->factor / value)))
		unit = &units[0];
	if (unit->rate)
		*ret = with_unit(unit->factor / value, false, unit->name, "");
	else
		*ret = with_unit(value * unit->factor, false, unit->name, work == WORK_BULK ? "/B" : "/op");
	return true;
}

const char *scale_per(enum metric metric, enum work work)
{
	if (strcmp(metric_infos[metric].unit, "B") == 0)
		return "";
	return work == WORK_BULK ? "/B" : "/op";
}

bool scale_text(char **ret, double value, enum metric metric, enum work work, const char *unit, GError **err)
{
	const struct metric_info *info = &metric_infos[metric];
	g_autofree char *text = NULL;

	if (metric == METRIC_TIME && !scale_time(&text, value, work, unit, err))
		return false;
	if (*scale_per(metric, work) == '\0' && g_strcmp0(unit, "KiB") == 0)
		text = with_unit(value / 1024, false, unit, "");
	else if (metric != METRIC_TIME && unit && strcmp(unit, info->unit) != 0)
		return diag_set(err, DIAG_USAGE,
			"the unit \"%s\" does not fit the metric %s; leave it out, it is %s", unit,
			info->name, info->unit);
	if (!text)
		text = with_unit(value, info->assume == ASSUME_EXACT, info->unit, scale_per(metric, work));
	*ret = isfinite(value) ? g_steal_pointer(&text) : NULL;
	return true;
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
