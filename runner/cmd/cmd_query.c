#include "cmd.h"
#include "print.h"
#include "tables.h"

static char *rows, *columns, *metric, *unit, *format;

static const GOptionEntry options[] = {
	{"rows", 0, 0, G_OPTION_ARG_FILENAME, &rows,
		"labels that tell rows apart; benchmark,block where not given", "KEYS"},
	{"columns", 0, 0, G_OPTION_ARG_FILENAME, &columns,
		"labels that tell columns apart; all others that differ", "KEYS"},
	{"metric", 0, 0, G_OPTION_ARG_FILENAME, &metric, "what to show (list metrics); time where not given",
		"METRIC"},
	{"unit", 0, 0, G_OPTION_ARG_FILENAME, &unit, "show values in this unit: MiB/s MB/s ops/s s ms us ns",
		"UNIT"},
	{"format", 0, 0, G_OPTION_ARG_FILENAME, &format, "table, markdown, csv or json", "FORMAT"},
	{0},
};

static int run(const struct paths *paths, char **arguments, GError **err)
{
	struct store *store = store_open(paths->db, STORE_READ, err);
	struct pivot *pivot = NULL;
	struct table *table = NULL;

	if (store == NULL)
		return 1;
	bool ok = pivot_make(&pivot, store, arguments[0], metric, rows, columns, err) &&
		  table_of_pivot(&table, pivot, unit, err) && print_table(table, format, err);
	table_free(table);
	pivot_free(pivot);
	store_close(store);
	return ok ? 0 : 1;
}

const struct cmd cmd_query = {
	.name = "query",
	.arguments = "[SELECTOR]",
	.summary = "results side by side",
	.description = "Shows the results that the selector picks as a table of rows and columns: "
		       "`benchmatrix query toolchain=aarch64-gcc --metric instructions --columns config`.",
	.options = options,
	.max = 1,
	.run = run,
};
