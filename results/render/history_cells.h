/* What the tables of histories share. */
#ifndef BM_HISTORY_CELLS_H
#define BM_HISTORY_CELLS_H

#include "history.h"
#include "table.h"

const struct history_point *history_point_at(const struct history_series *series, guint i);
const struct history_segment *history_segment_at(const struct history_series *series, guint i);
const struct history_change *history_change_at(const struct history_series *series, guint i);

/* A result that has nothing but what the series says of all its points. */
struct result history_result(const struct history_series *series);
/* The unit for all values of a series side by side: the one that is asked for where it fits. */
const char *history_unit(const struct history_series *series, const char *unit);
void history_put_value(
	struct table_cell *cell, const struct history_series *series, double value, const char *unit);
/* A segment's centre, with half the distance between its quartiles in percent of it where it varies. */
void history_put_level(struct table_cell *cell, const struct history_series *series,
	const struct history_segment *segment, const char *unit);

/* "0.93x slower"; "better" and "worse" where exact. */
void history_put_ratio(
	struct table_cell *cell, const struct history_series *series, const struct history_change *change);
/* "0.0004", "exact". */
void history_put_p(
	struct table_cell *cell, const struct history_series *series, const struct history_change *change);
/* "2026-11-30"; ISO 8601 with the time of day in CSV and JSON. */
void history_put_date(struct table_cell *cell, int64_t ns);
/* "3.2 %" */
char *history_percent(double share);

#endif
