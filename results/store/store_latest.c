/* The table `latest`: schema/0005_latest.sql. */
#include "store_pick.h"

bool store_note_latest(struct store *store, int64_t attempt, GError **err)
{
	return sql_run(store->sql,
		"INSERT INTO latest (series_id, source, environment, kind, started_at, measurement_id)"
		" SELECT m.series_id, m.source, m.environment, m.kind, a.started_at, m.id FROM attempt AS a"
		" CROSS JOIN measurement AS m ON" STORE_OF_ATTEMPT("m",
			"a.id") " WHERE a.id = :attempt ON CONFLICT (series_id, source, environment, kind) "
				"DO UPDATE SET"
				" started_at = excluded.started_at, measurement_id = excluded.measurement_id"
				" WHERE (excluded.started_at, excluded.measurement_id) > (latest.started_at,"
				" latest.measurement_id)",
		SQL_ARGS(SQL_INT(":attempt", attempt)), err);
}

bool store_forget_latest(struct store *store, int64_t measurement, GError **err)
{
	const struct sql_arg *args = SQL_ARGS(SQL_INT(":id", measurement));

	/* What is left of its series and origin is few: only imported figures go away. */
	return sql_run(store->sql,
		       "DELETE FROM latest WHERE measurement_id = :id AND series_id = (SELECT series_id FROM"
		       " measurement WHERE id = :id)",
		       args, err) &&
	       sql_run(store->sql,
		       "INSERT INTO latest (series_id, source, environment, kind, started_at, measurement_id)"
		       " SELECT m.series_id, m.source, m.environment, m.kind, a.started_at, m.id"
		       " FROM measurement AS g JOIN measurement AS m ON m.series_id = g.series_id"
		       " AND m.source = g.source AND m.environment = g.environment AND m.kind = g.kind"
		       " AND m.id <> g.id JOIN attempt AS a ON a.id = m.id >> 20 WHERE g.id = :id"
		       " ORDER BY a.started_at DESC, m.id DESC LIMIT 1 ON CONFLICT DO NOTHING",
		       args, err);
}
