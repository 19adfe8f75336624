#include "store_pick.h"

#include "diag.h"

#include <inttypes.h>

/* What the key vouches for: a line that could not be read may have been a figure, and a benchmark that failed
 * is tried again. */
#define MAY_BE_CARRIED                                                                                       \
	" exact_key = :exact_key AND state = 'ok' AND carried_from IS NULL AND problems = 0"                 \
	" AND NOT EXISTS (SELECT 1 FROM outcome AS o WHERE o.attempt_id = attempt.id"                        \
	"  AND o.state NOT IN ('ok', 'unavailable', 'skipped'))"

bool store_exact_find(struct store *store, int64_t *ret_id, const char *exact_key, GError **err)
{
	return sql_number(store->sql, ret_id,
		"SELECT id FROM attempt WHERE" MAY_BE_CARRIED " ORDER BY started_at DESC, id DESC LIMIT 1",
		SQL_ARGS(SQL_TEXT(":exact_key", exact_key)), err);
}

static bool check_source(struct store *store, const struct attempt_row *attempt, int64_t from, GError **err)
{
	int64_t good;

	if (!sql_number(store->sql, &good, "SELECT count(*) FROM attempt WHERE id = :from AND" MAY_BE_CARRIED,
		    SQL_ARGS(SQL_INT(":from", from), SQL_TEXT(":exact_key", attempt->exact_key)), err))
		return false;
	return good == 1 ||
	       diag_set(err, DIAG_FAILED,
		       "%s: attempt %" PRId64
		       " cannot be carried forward: it is not a good, measured one with the same exact key",
		       store->file, from);
}

static bool copy_attempt(struct store *store, int64_t id, int64_t from, GError **err)
{
	return sql_run(store->sql,
		"UPDATE attempt SET carried_from = f.id, library_version = f.library_version, facts = "
		"f.facts,"
		" out_raw_id = f.out_raw_id, errors_raw_id = f.errors_raw_id, problems = f.problems,"
		" outcome_list_id = f.outcome_list_id FROM attempt AS f WHERE f.id = :from AND attempt.id = "
		":id",
		SQL_ARGS(SQL_INT(":id", id), SQL_INT(":from", from)), err);
}

struct carried_row {
	int64_t measurement, series;
};

/* Of what was counted, the exact figures; of what was timed, all. */
static bool read_carried(struct store *store, GArray *rows, int64_t from, GError **err)
{
	struct sql_query query;

	if (!sql_query(&query, store->sql,
		    "SELECT m.id, m.series_id FROM measurement AS m WHERE" STORE_OF_ATTEMPT(
			    "m", ":from") "AND (m.kind = :kind OR EXISTS (SELECT 1 FROM attempt AS a JOIN "
					  "cell AS c"
					  " ON c.id = a.cell_id WHERE a.id = :from AND c.mode = 'time'))",
		    SQL_ARGS(SQL_INT(":from", from), SQL_INT(":kind", KIND_EXACT)), err))
		return false;
	while (sql_next(&query)) {
		struct carried_row row = {sql_int(&query, 0), sql_int(&query, 1)};
		g_array_append_val(rows, row);
	}
	return sql_done(&query, err);
}

/* The series that the figure belongs to in the new cell: what the cell says, and of the old series what the
 * cell is silent on. */
static bool carried_series(
	struct store *store, int64_t *ret_id, const struct labels *cell, int64_t series, GError **err)
{
	const struct series_row *old = store_series_row(store, series);
	struct labels labels = *cell;

	if (!old)
		return diag_set(
			err, DIAG_FAILED, "%s: series %" PRId64 " has no labels", store->file, series);
	for (int i = LABEL_BENCHMARK; i < LABEL_COUNT; i++)
		labels.v[i] = old->labels.v[i];
	return store_series_id(store, ret_id, &labels, err);
}

static bool copy_measurement(
	struct store *store, int64_t id, int64_t series, int64_t measurement, GError **err)
{
	return sql_run(store->sql,
		       "INSERT INTO measurement (id, series_id, attempt_id, source, environment, kind, n, "
		       "minimum, "
		       "quartile_1, median, quartile_3, maximum, mean, sd) SELECT :id, :series, :id >> 20, "
		       "source, "
		       "environment, kind, n, minimum, quartile_1, median, quartile_3, maximum, mean, sd "
		       "FROM measurement WHERE id = :measurement",
		       SQL_ARGS(SQL_INT(":series", series), SQL_INT(":id", id),
			       SQL_INT(":measurement", measurement)),
		       err) &&
	       sql_run(store->sql,
		       "INSERT INTO sample (measurement_id, packed) SELECT :id, packed FROM sample "
		       "WHERE measurement_id = :measurement",
		       SQL_ARGS(SQL_INT(":id", id), SQL_INT(":measurement", measurement)), err);
}

static bool carry(struct store *store, const struct attempt_row *attempt, int64_t from, GError **err)
{
	g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(struct carried_row));
	struct labels cell;
	int64_t id;

	if (!sql_number(store->sql, &id, "SELECT id FROM attempt WHERE uuid = :uuid",
		    SQL_ARGS(SQL_TEXT(":uuid", attempt->uuid)), err))
		return false;
	if (id)
		return true;
	if (!check_source(store, attempt, from, err) ||
		!store_cell_labels(store, &cell, attempt->cell, err) ||
		!store_insert_attempt(store, &id, attempt, NULL, err) ||
		!copy_attempt(store, id, from, err) || !read_carried(store, rows, from, err) ||
		!store_load_series(store, err))
		return false;
	for (guint i = 0; i < rows->len; i++) {
		const struct carried_row *row = &g_array_index(rows, struct carried_row, i);
		int64_t series;
		if (!carried_series(store, &series, &cell, row->series, err) ||
			!copy_measurement(store, store_measurement_id(id, i), series, row->measurement, err))
			return false;
	}
	return store_note_latest(store, id, err);
}

bool store_attempt_carry(struct store *store, const struct attempt_row *attempt, int64_t from, GError **err)
{
	return store_begin(store, err) && store_end(store, carry(store, attempt, from, err), err);
}
