#include "by_function.h"
#include "cmd.h"
#include "diag.h"
#include "print.h"
#include "tables.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* More rows than that are no table that a person reads: on a terminal those that changed are shown then. */
#define MANY_ROWS 60

static char *where, *metric, *unit, *format, *sort, *group, *style, *correction;
static gboolean changed, all, functions;

static const GOptionEntry options[] = {
	{"where", 0, 0, G_OPTION_ARG_FILENAME, &where, "a selector that both sides must meet", "SELECTOR"},
	{"metric", 0, 0, G_OPTION_ARG_FILENAME, &metric,
		"what to compare (list metrics); time where not given", "METRIC"},
	{"functions", 0, 0, G_OPTION_ARG_NONE, &functions,
		"where a difference of counts comes from: the functions that changed most; all of them with "
		"--all",
		NULL},
	{"unit", 0, 0, G_OPTION_ARG_FILENAME, &unit, "show values in this unit: MiB/s MB/s ops/s s ms us ns",
		"UNIT"},
	{"sort", 0, 0, G_OPTION_ARG_FILENAME, &sort,
		"worst or best ratio first, or name: as benchmarks are listed; name where not given",
		"ORDER"},
	{"group", 0, 0, G_OPTION_ARG_FILENAME, &group,
		"keep rows together that share this, with a mean of each: family, algorithm, operation, arch "
		"or a label",
		"KEY"},
	{"changed", 0, 0, G_OPTION_ARG_NONE, &changed,
		"only rows that changed; on a terminal also where there are more than 60", NULL},
	{"all", 0, 0, G_OPTION_ARG_NONE, &all, "all rows, however many there are", NULL},
	{"correction", 0, 0, G_OPTION_ARG_FILENAME, &correction,
		"how verdicts on sampled figures allow for there being many: holm, bh or none; holm where "
		"not given",
		"NAME"},
	{"style", 0, 0, G_OPTION_ARG_FILENAME, &style,
		"table, or brief: a line for each row, as in release notes", "STYLE"},
	{"format", 0, 0, G_OPTION_ARG_FILENAME, &format, "table, markdown, csv, json or html", "FORMAT"},
	{0},
};

/* The index of a name in a NULL-terminated list; NULL: the first. */
static bool choose(int *ret, const char *option, const char *name, const char *const *names, GError **err)
{
	g_autofree char *list = g_strjoinv(", ", (char **)names);

	for (*ret = 0; names[*ret] != NULL; (*ret)++)
		if (name == NULL || strcmp(names[*ret], name) == 0)
			return true;
	return diag_set(err, DIAG_USAGE, "%s %s: it is one of %s", option, name, list);
}

struct wanted {
	int sort, correction, style;
	bool people; /* the format is one that a terminal shows */
};
enum { STYLE_TABLE, STYLE_BRIEF };

static bool read_options(struct wanted *ret, GError **err)
{
	static const char *const styles[] = {"table", "brief", NULL};
	bool markdown = g_strcmp0(format, "markdown") == 0;

	ret->people = format == NULL || strcmp(format, "table") == 0;
	if (!choose(&ret->sort, "--sort", sort, arrange_sort_names, err) ||
		!choose(&ret->correction, "--correction", correction, correction_names, err) ||
		!choose(&ret->style, "--style", style, styles, err))
		return false;
	if (functions && metric != NULL && strcmp(metric, metric_infos[METRIC_INSTRUCTIONS].name) != 0)
		return diag_set(err, DIAG_USAGE,
			"--functions: only instructions are counted by function, not %s", metric);
	if (functions && ret->style == STYLE_BRIEF)
		return diag_set(err, DIAG_USAGE, "--functions has no --style brief");
	if (changed && all)
		return diag_set(err, DIAG_USAGE, "--changed and --all: one of the two");
	if (ret->style == STYLE_BRIEF && !ret->people && !markdown)
		return diag_set(err, DIAG_USAGE,
			"--style brief: the format %s has none; table and markdown do", format);
	return true;
}

static bool print_comparison(struct comparison *comparison, const struct wanted *wanted, GError **err)
{
	bool many = wanted->people && isatty(STDOUT_FILENO) && comparison->rows->len > MANY_ROWS;
	const struct comparison_view view = {.unit = unit,
		.arrangement = {.sort = wanted->sort, .group = group, .changed = changed || (many && !all)}};
	g_autofree char *brief = NULL;
	struct table *table = NULL;

	comparison_correct(comparison, wanted->correction);
	if (wanted->style == STYLE_BRIEF) {
		if (!brief_of_comparison(&brief, comparison, &view, wanted->people ? "" : "- ", err))
			return false;
		fputs(brief, stdout);
		return true;
	}
	bool ok = table_of_comparison_view(&table, comparison, &view, err) && print_table(table, format, err);
	table_free(table);
	return ok;
}

static bool print_functions(const struct comparison *comparison, struct store *store, GError **err)
{
	g_autoptr(GPtrArray) rows = NULL;
	struct table *table;
	guint without;

	if (!functions_of_comparison(&rows, &without, comparison, store, err))
		return false;
	table_of_functions(&table, comparison, rows, without, all);
	bool ok = print_table(table, format, err);
	table_free(table);
	return ok;
}

/* A table without a row answers nothing. */
static bool check_rows(const struct comparison *comparison, GError **err)
{
	return comparison->unmet == NULL || diag_set(err, DIAG_USAGE, "%s", comparison->unmet);
}

static int run(const struct paths *paths, char **arguments, GError **err)
{
	struct wanted wanted;
	struct comparison *comparison = NULL;

	if (!read_options(&wanted, err))
		return 1;
	struct store *store = store_open(paths->db, STORE_READ, err);
	if (store == NULL)
		return 1;
	const char *of = functions ? metric_infos[METRIC_INSTRUCTIONS].name : metric;
	bool ok = comparison_make(&comparison, store, arguments[0], arguments[1], where, of, err) &&
		  check_rows(comparison, err) &&
		  (functions ? print_functions(comparison, store, err)
			     : print_comparison(comparison, &wanted, err));
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
		       "A ratio above 1 is better. Exact metrics (instructions) compare exactly. A sampled "
		       "figure is faster or slower where the medians of its processes (invocations) differ "
		       "by a rank test, corrected for the number of rows, and by 1 % or more; a row with too "
		       "few invocations for any verdict says how many would do. Time "
		       "measured under an emulator says nothing about speed and is not compared: use "
		       "--metric instructions.\n\n"
		       "Ours and the library's own benchmark, measured side by side by a matrix with "
		       "\"instruments\": [\"bench-core\", \"own\"]: `benchmatrix compare "
		       "instrument=bench-core instrument=wolfcrypt-benchmark`. After `run --functions`, "
		       "--functions shows which functions a difference of counts comes from.",
	.options = options,
	.min = 2,
	.max = 2,
	.run = run,
};
