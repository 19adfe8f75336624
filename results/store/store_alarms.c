#include "store_alarms.h"

#include "store_private.h"

#include <math.h>
#include <string.h>

const char *const alarm_kind_names[ALARM_KIND_COUNT] = {
	"regression", "improvement", "instrument", "refuted", "unclear"};

/* --- nights --- */

bool store_night_begin(struct store *store, int64_t run, const char *baseline, GError **err)
{
	return sql_run(store->sql, "INSERT INTO night (run_id, baseline) VALUES (:run, :baseline)",
		SQL_ARGS(SQL_INT(":run", run), SQL_TEXT(":baseline", baseline)), err);
}

static void free_night(gpointer data)
{
	struct night_info *night = data;

	g_free(night->uuid);
	g_free(night->baseline);
	g_free(night->report);
	g_free(night);
}

bool store_nights(struct store *store, GPtrArray **ret, const char *matrix, GError **err)
{
	g_autoptr(GPtrArray) nights = g_ptr_array_new_with_free_func(free_night);
	struct sql_query query;

	if (!sql_query(&query, store->sql,
		    "SELECT n.run_id, r.uuid, n.baseline, n.report, r.started_at, n.settled_at, n.told_at"
		    " FROM night AS n JOIN run AS r ON r.id = n.run_id WHERE :matrix IS NULL OR r.matrix = "
		    ":matrix"
		    " ORDER BY r.started_at DESC, r.id DESC",
		    SQL_ARGS(SQL_TEXT(":matrix", matrix)), err))
		return false;
	while (sql_next(&query)) {
		struct night_info *night = g_new0(struct night_info, 1);
		night->run = sql_int(&query, 0);
		night->uuid = g_strdup(sql_text(&query, 1));
		night->baseline = g_strdup(sql_text(&query, 2));
		night->report = g_strdup(sql_text(&query, 3));
		night->started_at = sql_int(&query, 4);
		night->settled_at = sql_int(&query, 5);
		night->told_at = sql_int(&query, 6);
		g_ptr_array_add(nights, night);
	}
	if (!sql_done(&query, err))
		return false;
	*ret = g_steal_pointer(&nights);
	return true;
}

static bool insert_alarm(struct store *store, int64_t run, const struct alarm_row *alarm, GError **err)
{
	return sql_run(store->sql,
		"INSERT INTO alarm (run_id, series_id, kind, before, after, again, revision_before,"
		" revision_after, instrument, confirmed_run_id) VALUES (:run, :series, :kind, :before, "
		":after,"
		" :again, :revision_before, :revision_after, :instrument, :confirmed)",
		SQL_ARGS(SQL_INT(":run", run), SQL_INT(":series", alarm->series),
			SQL_TEXT(":kind", alarm_kind_names[alarm->kind]), SQL_REAL(":before", alarm->before),
			SQL_REAL(":after", alarm->after), SQL_REAL(":again", alarm->again),
			SQL_TEXT(":revision_before", alarm->revision_before),
			SQL_TEXT(":revision_after", alarm->revision_after),
			SQL_TEXT(":instrument", alarm->instrument),
			SQL_ID(":confirmed", alarm->confirmed_run)),
		err);
}

static bool settle(struct store *store, int64_t run, const char *report, const struct alarm_row *alarms,
	size_t n, GError **err)
{
	if (!sql_run(store->sql,
		    "UPDATE night SET report = :report, settled_at = :now WHERE run_id = :run AND report IS "
		    "NULL",
		    SQL_ARGS(SQL_TEXT(":report", report), SQL_INT(":now", store_now()), SQL_INT(":run", run)),
		    err))
		return false;
	if (sqlite3_changes(sql_handle(store->sql)) == 0)
		return true;
	for (size_t i = 0; i < n; i++)
		if (!insert_alarm(store, run, &alarms[i], err))
			return false;
	return true;
}

bool store_night_settle(struct store *store, int64_t run, const char *report, const struct alarm_row *alarms,
	size_t n, GError **err)
{
	return store_begin(store, err) && store_end(store, settle(store, run, report, alarms, n, err), err);
}

bool store_night_told(struct store *store, int64_t run, GError **err)
{
	return sql_run(store->sql,
		"UPDATE night SET told_at = :now WHERE run_id = :run AND report IS NOT NULL",
		SQL_ARGS(SQL_INT(":now", store_now()), SQL_INT(":run", run)), err);
}

/* --- alarms --- */

static enum alarm_kind kind_of(const char *name)
{
	for (int i = 0; i < ALARM_KIND_COUNT; i++)
		if (g_strcmp0(alarm_kind_names[i], name) == 0)
			return (enum alarm_kind)i;
	return ALARM_UNCLEAR;
}

bool store_alarms(struct store *store, GArray **ret, const char *matrix, GError **err)
{
	g_autoptr(GArray) alarms = g_array_new(FALSE, FALSE, sizeof(struct alarm_row));
	struct sql_query query;

	if (!sql_query(&query, store->sql,
		    "SELECT a.run_id, a.series_id, a.kind, a.before, a.after, a.again, a.revision_before,"
		    " a.revision_after, a.instrument, a.confirmed_run_id FROM alarm AS a"
		    " JOIN run AS r ON r.id = a.run_id WHERE r.matrix = :matrix"
		    " ORDER BY r.started_at DESC, r.id DESC, a.series_id",
		    SQL_ARGS(SQL_TEXT(":matrix", matrix)), err))
		return false;
	while (sql_next(&query)) {
		const struct alarm_row alarm = {
			.run = sql_int(&query, 0),
			.series = sql_int(&query, 1),
			.kind = kind_of(sql_text(&query, 2)),
			.before = sql_real(&query, 3),
			.after = sql_real(&query, 4),
			.again = sql_real(&query, 5),
			.revision_before = store_intern(store, sql_text(&query, 6)),
			.revision_after = store_intern(store, sql_text(&query, 7)),
			.instrument = store_intern(store, sql_text(&query, 8)),
			.confirmed_run = sql_int(&query, 9),
		};
		g_array_append_val(alarms, alarm);
	}
	if (!sql_done(&query, err))
		return false;
	*ret = g_steal_pointer(&alarms);
	return true;
}

/* --- what measured --- */

/* What the platform said when the attempt was made: it is asked before the cell is. */
#define PLATFORM_FACT(key)                                                                                   \
	" (SELECT f.value FROM platform_fact AS f WHERE f.platform_id = c.platform_id AND f.key = '" key     \
	"' AND f.seen_at <= max(a.started_at, c.created_at) ORDER BY f.seen_at DESC LIMIT 1)"

bool store_instrument(struct store *store, struct instrument *ret, int64_t attempt, GError **err)
{
	struct sql_query query;

	*ret = (struct instrument){0};
	if (!sql_query(&query, store->sql,
		    "SELECT b.compiler, b.key_library, b.key_program, " PLATFORM_FACT("emulator") "," PLATFORM_FACT(
			    "plugin") ", json_extract(a.facts, '$.core'),"
				      " CASE p.environment WHEN 'hardware' THEN " PLATFORM_FACT(
					      "cpu") " || ', ' || " PLATFORM_FACT("kernel") " END FROM "
											    "attempt AS a "
											    "JOIN cell AS c "
											    "ON c.id = "
											    "a.cell_id"
											    " JOIN build AS "
											    "b ON b.id = "
											    "c.build_id LEFT "
											    "JOIN platform "
											    "AS p ON p.id = "
											    "c.platform_id"
											    " WHERE a.id = "
											    ":attempt",
		    SQL_ARGS(SQL_INT(":attempt", attempt)), err))
		return false;
	if (sql_next(&query)) {
		ret->compiler = store_intern(store, sql_text(&query, 0));
		ret->key_library = store_intern(store, sql_text(&query, 1));
		ret->key_program = store_intern(store, sql_text(&query, 2));
		ret->emulator = store_intern(store, sql_text(&query, 3));
		ret->plugin = store_intern(store, sql_text(&query, 4));
		ret->core = store_intern(store, sql_text(&query, 5));
		ret->machine = store_intern(store, sql_text(&query, 6));
	}
	return sql_done(&query, err);
}

/* --- runs --- */

bool store_run_labelled(struct store *store, int64_t *ret_id, char **ret_uuid, bool *ret_ended,
	const char *matrix, const char *label, GError **err)
{
	struct sql_query query;

	*ret_id = 0;
	*ret_uuid = NULL;
	*ret_ended = false;
	if (!sql_query(&query, store->sql,
		    "SELECT id, uuid, ended_at IS NOT NULL FROM run WHERE matrix = :matrix AND label = :label"
		    " ORDER BY started_at DESC, id DESC LIMIT 1",
		    SQL_ARGS(SQL_TEXT(":matrix", matrix), SQL_TEXT(":label", label)), err))
		return false;
	if (sql_next(&query)) {
		*ret_id = sql_int(&query, 0);
		*ret_uuid = g_strdup(sql_text(&query, 1));
		*ret_ended = sql_int(&query, 2) != 0;
	}
	return sql_done(&query, err);
}

bool store_run_ended(struct store *store, bool *ret, int64_t run, GError **err)
{
	int64_t ended;

	if (!sql_number(store->sql, &ended, "SELECT ended_at IS NOT NULL FROM run WHERE id = :run",
		    SQL_ARGS(SQL_INT(":run", run)), err))
		return false;
	*ret = ended != 0;
	return true;
}
