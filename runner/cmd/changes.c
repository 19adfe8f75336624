#include "changes.h"

#include "compare.h"
#include "print.h"
#include "tables.h"
#include "trees.h"
#include "values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* As many are named in the line. */
#define MOST_NAMED 5

#define BEFORE "version=" TREES_BEFORE
#define AFTER  "version=" TREES_AFTER

/* Code that nobody calls, added to a library, moved counts of others by 2 to 4 in ten million: what is copied
 * and cleared elsewhere comes to lie otherwise. So does a change of a line's number. */
#define LAYOUT 1e-5

/* Exact and not equal. */
static bool differs(const struct comparison_row *row)
{
	return row->verdict == VERDICT_BETTER || row->verdict == VERDICT_WORSE;
}

static bool has_changed(const struct comparison_row *row, const void *user)
{
	(void)user;
	return differs(row) && !(fabs(row->ratio - 1) < LAYOUT);
}

/* --- the line --- */

static double percent_of(const struct comparison_row *row)
{
	double before = figure_value(&row->before->figure);

	return (figure_value(&row->after->figure) - before) / before * 100;
}

char *changes_percent(double percent)
{
	char buffer[G_ASCII_DTOSTR_BUF_SIZE];
	const char *format = percent >= 99.5 ? "%.0f" : percent >= 0.95 ? "%.1f" : "%.2g";

	return g_strdup(g_ascii_formatd(buffer, sizeof(buffer), format, percent));
}

static gint by_size(gconstpointer a, gconstpointer b)
{
	double x = fabs(percent_of(*(struct comparison_row *const *)a)),
	       y = fabs(percent_of(*(struct comparison_row *const *)b));

	return (x < y) - (x > y);
}

/* Whether rows of one benchmark have to be told apart by their blocks. */
static bool several_blocks(const struct comparison *comparison)
{
	const char *first = NULL;

	for (guint i = 0; i < comparison->rows->len; i++) {
		const struct comparison_row *row = comparison->rows->pdata[i];
		const char *block = row->labels.v[LABEL_BLOCK];
		if (first != NULL && block != NULL && strcmp(first, block) != 0)
			return true;
		first = block ? block : first;
	}
	return false;
}

static void add_name(GString *line, const struct comparison *comparison, const struct comparison_row *row)
{
	const char *block = row->labels.v[LABEL_BLOCK];

	for (int l = 0; l < LABEL_BENCHMARK; l++)
		if (comparison->shown[l] && row->labels.v[l] != NULL)
			g_string_append_printf(line, "%s ", row->labels.v[l]);
	g_string_append(line, row->labels.v[LABEL_BENCHMARK] ? row->labels.v[LABEL_BENCHMARK] : "-");
	if (block != NULL && several_blocks(comparison))
		g_string_append_printf(line, " %s", block);
}

static void add_change(GString *line, const struct comparison *comparison, const struct comparison_row *row)
{
	double percent = percent_of(row);
	g_autofree char *size = changes_percent(fabs(percent));

	add_name(line, comparison, row);
	if (isfinite(percent))
		g_string_append_printf(line, ": %s %% %s", size, percent > 0 ? "more" : "fewer");
	else
		g_string_append(line, ": none before");
}

static void add_changes(GString *line, const struct comparison *comparison, GPtrArray *changed)
{
	const char *name = metric_infos[comparison->metric].name;

	g_ptr_array_sort(changed, by_size);
	for (guint i = 0; i < changed->len && i < MOST_NAMED; i++) {
		if (i > 0)
			g_string_append(line, ", ");
		add_change(line, comparison, changed->pdata[i]);
		if (i == 0)
			g_string_append_printf(line, " %s", name);
	}
	if (changed->len > MOST_NAMED)
		g_string_append_printf(line, " and %u more", changed->len - MOST_NAMED);
}

/* What the line counts. */
struct tally {
	GPtrArray *changed; /* struct comparison_row * */
	guint compared, moved;
};

static struct tally tally_of(const struct comparison *comparison)
{
	struct tally tally = {.changed = g_ptr_array_new()};

	for (guint i = 0; i < comparison->rows->len; i++) {
		struct comparison_row *row = comparison->rows->pdata[i];
		tally.compared += row->verdict != VERDICT_NONE;
		if (has_changed(row, NULL))
			g_ptr_array_add(tally.changed, row);
		else
			tally.moved += differs(row);
	}
	return tally;
}

/* A benchmark that one side has no result of may have failed there: that is no "nothing changed". */
static void add_alone(GString *line, const GPtrArray *results, const char *side)
{
	g_autoptr(GPtrArray) names = values_distinct(results, (enum selector_key)LABEL_BENCHMARK);
	g_autofree char *list = values_list(names);

	if (results->len > 0)
		g_string_append_printf(line, "; no result %s: %s", side, list);
}

char *changes_line(const struct comparison *comparison)
{
	struct tally tally = tally_of(comparison);
	bool all = comparison->only_before->len + comparison->only_after->len == 0;
	guint equal = tally.compared - tally.changed->len - tally.moved;
	GString *line = g_string_new(NULL);

	if (tally.changed->len > 0) {
		add_changes(line, comparison, tally.changed);
		g_string_append_printf(line, "; %s (%u benchmark%s)",
			tally.changed->len < tally.compared ? "nothing else changed" : "that is all",
			tally.compared, tally.compared == 1 ? "" : "s");
	} else {
		g_string_append_printf(line, "%s%u benchmark%s equal%s", all ? "nothing changed: " : "",
			equal, equal == 1 ? "" : "s",
			comparison->metric == METRIC_INSTRUCTIONS ? " to the instruction" : "");
	}
	if (tally.moved > 0)
		g_string_append_printf(
			line, ", %u moved by less than 0.001 %%, as code layout alone does", tally.moved);
	add_alone(line, comparison->only_after, "before");
	add_alone(line, comparison->only_before, "after");
	g_ptr_array_unref(tally.changed);
	return g_string_free(line, FALSE);
}

/* --- the rows --- */

/* What a row is about, whatever measured it. */
static char *row_key(const struct comparison_row *row)
{
	GString *key = g_string_new(NULL);

	for (int l = 0; l < LABEL_COUNT; l++)
		if (l != LABEL_PLATFORM && l != LABEL_INSTRUMENT && l != LABEL_METRIC)
			g_string_append_printf(key, "%s\x1f", row->labels.v[l] ? row->labels.v[l] : "");
	return g_string_free(key, FALSE);
}

static bool is_among(const struct comparison_row *row, const void *keys)
{
	g_autofree char *key = row_key(row);

	return g_hash_table_contains((GHashTable *)keys, key);
}

static bool make(struct comparison **ret, const struct changes_spec *spec, const char *metric, GError **err)
{
	g_autofree char *where = g_strconcat("run=", spec->run, NULL);

	return comparison_make(ret, spec->store, BEFORE, AFTER, where, metric, err);
}

static bool print_rows(const struct comparison *comparison, const char *unit, GError **err)
{
	struct table *table = NULL;

	if (comparison->rows->len == 0)
		return true;
	putchar('\n');
	bool ok = table_of_comparison(&table, comparison, unit, err) && print_table(table, NULL, err);
	table_free(table);
	return ok;
}

/* The time of the rows that changed. That there is none has its reasons among the failures. */
static bool print_time(const struct changes_spec *spec, const GPtrArray *rows, GError **err)
{
	g_autoptr(GHashTable) keys = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	struct comparison *time;

	for (guint i = 0; i < rows->len; i++)
		g_hash_table_add(keys, row_key(rows->pdata[i]));
	if (!make(&time, spec, "time", NULL))
		return true;
	comparison_narrow(time, is_among, keys);
	bool ok = print_rows(time, spec->unit, err);
	comparison_free(time);
	return ok;
}

static bool print_exact(
	const struct changes_spec *spec, struct comparison *comparison, bool with_time, GError **err)
{
	g_autofree char *line = changes_line(comparison);

	printf("%s\n", line);
	comparison_narrow(comparison, has_changed, NULL);
	return print_rows(comparison, NULL, err) &&
	       (!with_time || comparison->rows->len == 0 || print_time(spec, comparison->rows, err));
}

/* A sampled metric alone proves nothing equal. */
static bool print_sampled(const struct changes_spec *spec, const struct comparison *comparison, GError **err)
{
	g_autofree char *ratio = ratio_text(comparison->geomean, false);

	printf("by %s alone: %s over %u benchmarks (geometric mean); counts tell what changed\n",
		metric_infos[comparison->metric].name, ratio, comparison->rows->len);
	return print_rows(comparison, spec->unit, err);
}

bool changes_print(const struct changes_spec *spec, GError **err)
{
	const char *metric = spec->metric ? spec->metric : spec->count ? "instructions" : "time";
	struct comparison *comparison;

	if (!make(&comparison, spec, metric, err))
		return false;
	bool exact = metric_infos[comparison->metric].assume == ASSUME_EXACT;
	bool ok = exact ? print_exact(spec, comparison, spec->metric == NULL && spec->time, err)
			: print_sampled(spec, comparison, err);
	comparison_free(comparison);
	if (ok)
		printf("\nall rows: benchmatrix compare " BEFORE " " AFTER
		       " --where run=%.8s --metric %s\n\n",
			spec->run, metric);
	return ok;
}
