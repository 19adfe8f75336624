/* What a duel found, on standard output. */
#ifndef BM_DUEL_PRINT_H
#define BM_DUEL_PRINT_H

#include <glib.h>
#include <stdbool.h>

struct matrix;
struct store;

struct duel_view {
	const char *run;		    /* its UUID */
	const char *metric, *unit, *format; /* as of compare; NULL: the usual ones */
};

/* The table of a run of a duel's matrix. Fails where there is nothing to compare. */
bool duel_print(struct store *store, const struct matrix *matrix, const struct duel_view *view, GError **err);
/* A line that says how to see the same table again. */
void duel_print_again(const struct matrix *matrix, const char *run, const char *metric);

#endif
