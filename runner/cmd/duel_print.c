#include "duel_print.h"

#include "compare.h"
#include "duel.h"
#include "print.h"
#include "tables.h"

#include <stdio.h>

bool duel_print(struct store *store, const struct matrix *matrix, const struct duel_view *view, GError **err)
{
	g_autofree char *before = NULL, *after = NULL, *run = g_strconcat("run=", view->run, NULL);
	struct comparison *comparison;
	struct table *table = NULL;

	duel_selectors(&before, &after, matrix);
	if (!comparison_make(&comparison, store, before, after, run, view->metric, err))
		return false;
	bool ok = table_of_comparison(&table, comparison, view->unit, err) &&
		  print_table(table, view->format, err);
	table_free(table);
	comparison_free(comparison);
	return ok;
}

void duel_print_again(const struct matrix *matrix, const char *run, const char *metric)
{
	g_autofree char *before = NULL, *after = NULL;

	duel_selectors(&before, &after, matrix);
	printf("\nagain: benchmatrix compare %s %s --where run=%.8s%s%s\n\n", before, after, run,
		metric != NULL ? " --metric " : "", metric != NULL ? metric : "");
}
