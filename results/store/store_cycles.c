/* Cycles that follow from a time and the clock that its document tells, where the time comes to count, or no
 * longer does, after the document was read. */
#include "store_pick.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

struct timed {
	int64_t attempt, series;
	double clock; /* Hz; NAN: unknown */
	struct measurement measurement;
};

/* Several are joined by semicolons; which of them it was then is not known. */
#define CLOCK                                                                                                \
	" AND instr(json_extract(a.facts, '$.clock'), ';') = 0"                                              \
	" THEN CAST(json_extract(a.facts, '$.clock') AS REAL) "

/* The time and its clock; *ret->clock is NAN where no cycles follow: the clock is unknown, samples were told,
 * or the text has cycles of its own. */
static bool read_timed(struct store *store, struct timed *ret, int64_t id, GError **err)
{
	struct sql_query query;

	*ret = (struct timed){.clock = (double)NAN};
	if (!sql_query(&query, store->sql,
		    "SELECT a.id, m.series_id, m.source, m.environment, CASE WHEN m.n IS NULL AND m.kind = "
		    ":sampled AND NOT EXISTS (SELECT 1 FROM reading AS x JOIN reading AS y ON y.attempt_id = "
		    "x.attempt_id AND y.benchmark = x.benchmark AND y.block IS x.block AND y.threads IS "
		    "x.threads AND y.engine IS x.engine AND y.async IS x.async WHERE x.measurement_id = m.id "
		    "AND y.metric IN (:cycles, :ticks))" CLOCK
		    "END, m.n, m.minimum, m.quartile_1, m.median, m.quartile_3, m.maximum, m.mean, m.sd"
		    " FROM measurement AS m JOIN attempt AS a ON a.id = m.id >> 20 WHERE m.id = :id",
		    SQL_ARGS(SQL_INT(":sampled", KIND_SAMPLED),
			    SQL_TEXT(":cycles", metric_infos[METRIC_CYCLES].name),
			    SQL_TEXT(":ticks", metric_infos[METRIC_REFERENCE_CYCLES].name),
			    SQL_INT(":id", id)),
		    err))
		return false;
	if (sql_next(&query)) {
		ret->attempt = sql_int(&query, 0);
		ret->series = sql_int(&query, 1);
		ret->clock = sql_real(&query, 4);
		ret->measurement = (struct measurement){.source = (enum source)sql_int(&query, 2),
			.environment = (enum environment)sql_int(&query, 3),
			.metric = METRIC_CYCLES,
			.kind = KIND_DERIVED,
			.figure = store_read_figure(&query, 5)};
	}
	return sql_done(&query, err);
}

/* The labels of the cycles of a series of time; false where it is none of time. */
static bool labels_of_cycles(struct labels *ret, const struct store *store, int64_t series)
{
	const struct series_row *row = store_series_row(store, series);

	if (!row || g_strcmp0(row->labels.v[LABEL_METRIC], metric_infos[METRIC_TIME].name) != 0)
		return false;
	*ret = row->labels;
	ret->v[LABEL_METRIC] = metric_infos[METRIC_CYCLES].name;
	return true;
}

bool store_derive_cycles(struct store *store, int64_t id, GError **err)
{
	struct labels labels;
	struct timed timed;
	int64_t series, place;

	if (!read_timed(store, &timed, id, err) || !store_load_series(store, err))
		return false;
	if (!(timed.clock > 0) || !labels_of_cycles(&labels, store, timed.series))
		return true;
	struct figure *figure = &timed.measurement.figure;
	double *const values[] = {&figure->min, &figure->q1, &figure->median, &figure->q3, &figure->max,
		&figure->mean, &figure->sd};
	for (size_t i = 0; i < G_N_ELEMENTS(values); i++)
		*values[i] *= timed.clock;
	return store_series_id(store, &series, &labels, err) &&
	       store_next_place(store, &place, timed.attempt, err) &&
	       store_insert_figure(store, place, series, &timed.measurement, err);
}

/* The attempt's figure that follows under these labels, or 0. */
static bool find_derived(
	struct store *store, int64_t *ret, int64_t attempt, const struct labels *labels, GError **err)
{
	struct sql_query query;

	*ret = 0;
	if (!sql_query(&query, store->sql,
		    "SELECT m.id, m.series_id FROM measurement AS m WHERE m.kind = :derived"
		    " AND" STORE_OF_ATTEMPT("m", ":attempt"),
		    SQL_ARGS(SQL_INT(":derived", KIND_DERIVED), SQL_INT(":attempt", attempt)), err))
		return false;
	while (sql_next(&query)) {
		const struct series_row *row = store_series_row(store, sql_int(&query, 1));
		bool same = row != NULL;
		for (int i = 0; same && i < LABEL_COUNT; i++)
			same = g_strcmp0(row->labels.v[i], labels->v[i]) == 0;
		if (same)
			*ret = sql_int(&query, 0);
	}
	return sql_done(&query, err);
}

bool store_drop_cycles(struct store *store, int64_t id, GError **err)
{
	struct labels labels;
	int64_t series, cycles;

	if (!sql_number(store->sql, &series, "SELECT series_id FROM measurement WHERE id = :id",
		    SQL_ARGS(SQL_INT(":id", id)), err) ||
		!store_load_series(store, err))
		return false;
	if (!labels_of_cycles(&labels, store, series))
		return true;
	if (!find_derived(store, &cycles, id >> 20, &labels, err))
		return false;
	return cycles == 0 || (store_forget_latest(store, cycles, err) &&
				      sql_run(store->sql, "DELETE FROM measurement WHERE id = :id",
					      SQL_ARGS(SQL_INT(":id", cycles)), err));
}
