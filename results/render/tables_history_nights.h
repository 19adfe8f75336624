/* One series, night by night. */
#ifndef BM_TABLES_HISTORY_NIGHTS_H
#define BM_TABLES_HISTORY_NIGHTS_H

#include "tables_history.h"

struct table *table_of_nights(const struct history_series *series, const struct history_view *view);

/* How to read levels, p and noise, to the footer. */
void history_add_notes(struct table *table, bool sampled);

#endif
