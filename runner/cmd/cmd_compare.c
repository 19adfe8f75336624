#include "cmd.h"
#include "print.h"
#include "tables.h"

static char *where, *metric, *unit, *format;

static const GOptionEntry options[] = {
	{"where", 0, 0, G_OPTION_ARG_FILENAME, &where, "a selector that both sides must meet", "SELECTOR"},
	{"metric", 0, 0, G_OPTION_ARG_FILENAME, &metric,
		"what to compare (list metrics); time where not given", "METRIC"},
	{"unit", 0, 0, G_OPTION_ARG_FILENAME, &unit, "show values in this unit: MiB/s MB/s ops/s s ms us ns",
		"UNIT"},
	{"format", 0, 0, G_OPTION_ARG_FILENAME, &format, "table, markdown, csv or json", "FORMAT"},
	{0},
};

static int run(const struct paths *paths, char **arguments, GError **err)
{
	struct store *store = store_open(paths->db, STORE_READ, err);
	struct comparison *comparison = NULL;
	struct table *table = NULL;

	if (store == NULL)
		return 1;
	bool ok = comparison_make(&comparison, store, arguments[0], arguments[1], where, metric, err) &&
		  table_of_comparison(&table, comparison, unit, err) && print_table(table, format, err);
	table_free(table);
	comparison_free(comparison);
	store_close(store);
	return ok ? 0 : 1;
}

const struct cmd cmd_compare = {
	.name = "compare",
	.arguments = "BEFORE AFTER",
	.summary = "a before/after table of two selections of results",
	.description = "Compares the results that the selector BEFORE picks with those that AFTER picks, "
		       "joined on every label that neither names: "
		       "`benchmatrix compare config=default config=sp --where toolchain=x86_64-gcc`.\n\n"
		       "A ratio above 1 is better. Exact metrics (instructions) compare exactly; sampled "
		       "ones show medians and their spread. Time "
		       "measured under an emulator says nothing about speed and is not compared: use "
		       "--metric instructions.",
	.options = options,
	.min = 2,
	.max = 2,
	.run = run,
};
