#include "store_history.h"

#include "diag.h"
#include "store_pick.h"

#include <inttypes.h>
#include <math.h>

struct reading {
	struct store *store;
	const struct selector *selector;
	int64_t since, until;
	GHashTable *attempts; /* int64_t -> struct history_row: what the figures of an attempt share */
	history_taker *take;
	void *user;
};

/* What the platform said when the attempt was made. */
#define FACT(key)                                                                                            \
	" (SELECT f.value FROM platform_fact AS f WHERE f.platform_id = c.platform_id AND f.key = '" key     \
	"' AND f.seen_at <= max(a.started_at, c.created_at) ORDER BY f.seen_at DESC LIMIT 1)"

static struct history_context *context_of(struct store *store, struct sql_query *query, int column)
{
	struct history_context *context = g_new0(struct history_context, 1);
	const char **texts[] = {&context->compiler, &context->key_library, &context->key_program,
		&context->code_sha256, &context->emulator, &context->plugin, &context->core};
	int n = G_N_ELEMENTS(texts);

	for (int i = 0; i < n; i++)
		*texts[i] = store_intern(store, sql_text(query, column + i));
	const char *cpu = sql_text(query, column + n), *kernel = sql_text(query, column + n + 1);
	g_autofree char *machine =
		cpu && kernel ? g_strconcat(cpu, ", ", kernel, NULL) : g_strdup(cpu ? cpu : kernel);
	context->machine = store_intern(store, machine);
	g_ptr_array_add(store->owned, context);
	return context;
}

static void fill(struct store *store, struct history_row *row, struct sql_query *query)
{
	row->run = sql_int(query, 0);
	row->started_at = sql_int(query, 1);
	row->run_uuid = store_intern(store, sql_text(query, 2));
	row->run_label = store_intern(store, sql_text(query, 3));
	row->carried = sql_int(query, 4) != 0;
	row->what.arch = store_intern(store, sql_text(query, 5));
	row->what.revision = store_intern(store, sql_text(query, 6));
	row->context = context_of(store, query, 7);
}

static bool load_attempt(struct store *store, struct history_row *row, int64_t attempt, GError **err)
{
	struct sql_query query;

	row->attempt = attempt;
	if (!sql_query(&query, store->sql,
		    "SELECT c.run_id, a.started_at, r.uuid, r.label, a.carried_from IS NOT NULL, b.arch, "
		    "b.revision, b.compiler, b.key_library, b.key_program, b.code_sha256,"
		    /* The kernel of an emulator's host runs none of the guest's code. */
		    FACT("emulator") "," FACT("plugin") ", json_extract(a.facts, '$.core')," FACT(
			    "cpu") ", CASE p.environment WHEN 'hardware' THEN" FACT("kernel") " END"
											      " FROM attempt "
											      "AS a JOIN "
											      "cell AS c ON "
											      "c.id = "
											      "a.cell_id "
											      "JOIN build AS "
											      "b ON b.id = "
											      "c.build_id "
											      "JOIN run AS r "
											      "ON r.id = "
											      "c.run_id LEFT "
											      "JOIN platform "
											      "AS p ON p.id "
											      "= "
											      "c.platform_id "
											      "WHERE a.id = "
											      ":attempt",
		    SQL_ARGS(SQL_INT(":attempt", attempt)), err))
		return false;
	bool found = sql_next(&query);
	if (found)
		fill(store, row, &query);
	if (!sql_done(&query, err))
		return false;
	return found || diag_set(err, DIAG_FAILED,
				"%s: attempt %" PRId64 " is not whole; `benchmatrix db check` says more",
				store->file, attempt);
}

static const struct history_row *attempt_of(struct reading *reading, int64_t id, GError **err)
{
	struct history_row *shared = g_hash_table_lookup(reading->attempts, &id);

	if (shared)
		return shared;
	shared = g_new0(struct history_row, 1);
	if (!load_attempt(reading->store, shared, id, err)) {
		g_free(shared);
		return NULL;
	}
	g_hash_table_insert(reading->attempts, g_memdup2(&id, sizeof id), shared);
	return shared;
}

/* The row: measurement, attempt, source, environment, kind, figure. */
static bool hand_over(
	struct reading *reading, const struct series_row *series, struct sql_query *query, GError **err)
{
	const struct history_row *shared = attempt_of(reading, sql_int(query, 1), err);

	if (!shared)
		return false;
	struct history_row row = *shared;
	struct figure figure = store_read_figure(query, 5);
	row.series = series->id;
	row.measurement = sql_int(query, 0);
	row.what.labels = series->labels;
	row.what.source = (int)sql_int(query, 2);
	row.what.environment = (int)sql_int(query, 3);
	row.what.kind = (int)sql_int(query, 4);
	row.metric = (enum metric)metric_find(series->labels.v[LABEL_METRIC]);
	row.value = figure_value(&figure);
	bool in_time =
		row.started_at >= reading->since && (reading->until == 0 || row.started_at < reading->until);
	if (in_time && !isnan(row.value) && selector_matches(reading->selector, &row.what))
		reading->take(&row, reading->user);
	return true;
}

/* What is read for each figure below: rows that lie a night apart. */
#define FIGURE_AND_CONTEXT                                                                                   \
	"SELECT m.sd, a.started_at, c.mode, b.code_sha256 FROM measurement AS m JOIN attempt AS a ON a.id "  \
	"= "                                                                                                 \
	"m.id >> 20 JOIN cell AS c ON c.id = a.cell_id JOIN build AS b ON b.id = c.build_id WHERE m.id = ?"

static bool read_series_ahead(struct store *store, const struct series_row *series, GError **err)
{
	g_autoptr(GArray) ids = g_array_new(FALSE, FALSE, sizeof(int64_t));
	struct sql_query query;

	if (!sql_query(&query, store->sql, "SELECT id FROM measurement WHERE series_id = :series ORDER BY id",
		    SQL_ARGS(SQL_INT(":series", series->id)), err))
		return false;
	while (sql_next(&query)) {
		int64_t id = sql_int(&query, 0);
		g_array_append_val(ids, id);
	}
	store_read_ahead(store, FIGURE_AND_CONTEXT, ids);
	return sql_done(&query, err);
}

static bool read_series(struct reading *reading, const struct series_row *series, GError **err)
{
	struct sql_query query;
	bool ok = true;

	if (!read_series_ahead(reading->store, series, err) ||
		!sql_query(&query, reading->store->sql,
			"SELECT id, id >> 20, source, environment, kind, n, minimum, quartile_1, median, "
			"quartile_3, maximum, mean, sd FROM measurement WHERE series_id = :series ORDER BY "
			"id",
			SQL_ARGS(SQL_INT(":series", series->id)), err))
		return false;
	while (ok && sql_next(&query))
		ok = hand_over(reading, series, &query, err);
	return sql_done(&query, ok ? err : NULL) && ok;
}

/* A metric of a newer benchmatrix cannot be shown: neither its unit nor what is better is known. */
static bool shows(const struct series_row *series)
{
	const char *metric = series->labels.v[LABEL_METRIC];

	return metric && metric_find(metric) >= 0;
}

/* What a build says comes with its attempts. */
static bool read_all(struct reading *reading, GError **err)
{
	static const enum selector_key of_builds[] = {
		SELECT_ARCH, SELECT_REVISION, SELECT_RUN, SELECTOR_KEY_COUNT};
	struct selector by_series = store_terms_without(reading->selector, of_builds);
	g_autoptr(GPtrArray) series = NULL;
	bool ok = store_select_series(reading->store, &series, &by_series, err);

	g_array_unref(by_series.terms);
	for (guint i = 0; ok && i < series->len; i++)
		if (shows(series->pdata[i]))
			ok = read_series(reading, series->pdata[i], err);
	return ok;
}

bool store_history(struct store *store, const struct selector *selector, int64_t since, int64_t until,
	history_taker *take, void *user, GError **err)
{
	struct reading reading = {store, selector, since, until, NULL, take, user};

	if (!store_begin_reading(store, err))
		return false;
	reading.attempts = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
	bool ok = read_all(&reading, err);
	g_hash_table_unref(reading.attempts);
	store_end_reading(store);
	return ok;
}
