#include "cmd.h"
#include "diag.h"
#include "print.h"
#include "tables.h"

static char *rows, *columns, *metric, *unit, *format;
static gboolean printed, spread, slope;
#define NOT_GIVEN G_MAXINT
static int width = NOT_GIVEN;

static const GOptionEntry options[] = {
	{"rows", 0, 0, G_OPTION_ARG_FILENAME, &rows,
		"what tells rows apart; benchmark,block where not given, and what --columns needs beside it",
		"KEYS"},
	{"columns", 0, 0, G_OPTION_ARG_FILENAME, &columns,
		"what tells columns apart; where not given all that differs", "KEYS"},
	{"metric", 0, 0, G_OPTION_ARG_FILENAME, &metric,
		"what to show (list metrics), several of one unit joined by commas; where not given the "
		"unit's, else time",
		"METRIC"},
	{"unit", 0, 0, G_OPTION_ARG_FILENAME, &unit,
		"show values in this unit: MiB/s MB/s KiB/s GiB/s kB/s ops/s s ms us ns ns/byte cycles/byte "
		"instructions/op KiB ...",
		"UNIT"},
	{"printed", 0, 0, G_OPTION_ARG_NONE, &printed,
		"show imported figures as they were printed; in csv and json beside their values", NULL},
	{"spread", 0, 0, G_OPTION_ARG_NONE, &spread,
		"a row for each figure: number of samples, best, median, mean, worst, standard deviation",
		NULL},
	{"slope", 0, 0, G_OPTION_ARG_NONE, &slope,
		"what a call costs and what a byte costs on top, from the figures at several block sizes, "
		"each with "
		"its interval",
		NULL},
	{"width", 0, 0, G_OPTION_ARG_INT, &width,
		"break a table that is wider; the terminal's where not given, 0 never", "N"},
	{"format", 0, 0, G_OPTION_ARG_FILENAME, &format, "table, markdown, csv, json or html", "FORMAT"},
	{0},
};

/* A unit that only one metric has asks for it; one that the selector names is seen to be another. */
static const char *asked_metric(void)
{
	enum metric of_unit;

	if (metric != NULL || unit == NULL || !scale_metric(&of_unit, unit))
		return metric;
	return of_unit == METRIC_TIME ? NULL : metric_infos[of_unit].name;
}

static bool check_views(GError **err)
{
	if (width < 0)
		return diag_set(
			err, DIAG_USAGE, "--width %d: it is a number of columns, 0 for no limit", width);
	if (printed + spread + slope > 1)
		return diag_set(err, DIAG_USAGE, "only one of --printed, --spread and --slope can be given");
	return !slope || !unit ||
	       diag_set(err, DIAG_USAGE, "--unit does not go with --slope, which shows times in ns");
}

static bool table_of(struct table **ret, const struct pivot *pivot, GError **err)
{
	if (slope)
		return table_of_slopes(ret, pivot, err);
	return spread ? table_of_spread(ret, pivot, unit, err) : table_of_pivot(ret, pivot, unit, err);
}

static bool make_table(struct table **ret, struct store *store, const char *selector, GError **err)
{
	struct pivot *pivot = NULL;
	bool ok = check_views(err) &&
		  pivot_make(&pivot, store, selector, asked_metric(), rows, columns, err) &&
		  (!printed || pivot_read_printed(pivot, store, err)) && table_of(ret, pivot, err);

	pivot_free(pivot);
	return ok;
}

static int run(const struct paths *paths, char **arguments, GError **err)
{
	struct store *store = store_open(paths->db, STORE_READ, err);
	struct table *table = NULL;

	if (store == NULL)
		return 1;
	bool ok = make_table(&table, store, arguments[0], err);
	if (ok) {
		table->width = width != NOT_GIVEN ? width : print_width();
		ok = print_table(table, format, err);
	}
	table_free(table);
	store_close(store);
	return ok ? 0 : 1;
}

const struct cmd cmd_query = {
	.name = "query",
	.arguments = "[SELECTOR]",
	.summary = "results side by side",
	.description =
		"Shows the results that the selector picks as a table of rows and columns: "
		"`benchmatrix query toolchain=aarch64-gcc --metric instructions --columns config`.\n\n"
		"KEYS are labels (list labels), source, environment, kind, arch, revision, run, algorithm "
		"and "
		"operation, comma-separated. Without --columns all that differs tells columns apart, as far "
		"as "
		"it is needed for that; with --columns alone, rows get what else is needed. Where there "
		"would "
		"be many columns beside fewer rows, they change places; where most cells would be empty, "
		"all keys tell rows apart. A table that is wider than the terminal "
		"is "
		"broken into parts, each with its rows' names.\n\n"
		"Each row has one unit: time of bulk benchmarks in MiB/s (KiB/s or B/s where one of the row "
		"would "
		"be below 1), others in ops/s; --unit asks for another. A unit of operations (`--unit "
		"ops/s`, "
		"`us/op`) "
		"shows bulk benchmarks by the call, each of one block. Cycles are a metric of their own: "
		"`--unit cycles/byte` shows those that were counted, printed or derived from a clock that "
		"was "
		"told, and computes none from an unknown one.\n\n"
		"--spread tells how the samples of each figure lie. --slope puts a straight line through the "
		"figures "
		"of each benchmark at several block sizes: what each call costs, as setting a key, and what "
		"each "
		"byte costs on top: `benchmatrix query toolchain=x86_64-gcc --slope`.\n\n"
		"Own, imported and published figures are not mixed unless the selector says so: `benchmatrix "
		"query 'source=*,algorithm=aes-128-cbc' --columns platform` marks each as what it is. "
		"Figures "
		"that are a mean or the best of several, and no median, are told below the table; --printed "
		"shows numbers and units as a document had them.",
	.options = options,
	.max = 1,
	.run = run,
};
