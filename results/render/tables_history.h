/* Histories as tables. */
#ifndef BM_TABLES_HISTORY_H
#define BM_TABLES_HISTORY_H

#include "history.h"
#include "table.h"

struct history_view {
	bool changes;	  /* a row for each change, and none for series without one */
	bool plot;	  /* for a terminal: where each night of one series lies between its worst and best */
	const char *unit; /* as in tables.h; NULL */
};

/* A row for each series with its last change; of one series alone a row for each night. `unit` is used where
 * it fits. */
struct table *table_of_history(const struct history *history, const struct history_view *view);

#endif
