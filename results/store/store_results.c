#include "store_private.h"

#include "diag.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

#define ORIGINS (SOURCE_COUNT * ENVIRONMENT_COUNT * KIND_COUNT)

/* The latest figure so far of one origin of the series in hand. */
struct latest {
	const struct result *attempt; /* NULL: none yet */
	int64_t measurement;
};

struct picking {
	struct store *store;
	const struct selector *selector;
	struct selector by_series;	 /* those of its terms that a series alone decides */
	GHashTable *attempts;		 /* int64_t -> struct result: what the figures of an attempt share */
	GArray *results;		 /* struct result */
	const struct series_row *series; /* in hand; NULL: none, or one that the selector does not take */
	int64_t series_id;
	struct latest latest[ORIGINS];
};

/* --- attempts --- */

static bool read_notes(struct store *store, struct result *shared, GError **err)
{
	static const char *const none[] = {NULL};
	g_autoptr(GPtrArray) notes = g_ptr_array_new();
	struct sql_query query;

	/* Doubts about a carried figure are those of the attempt that measured it, too. */
	if (!sql_query(&query, store->sql,
		    "SELECT DISTINCT n.note FROM attempt AS a"
		    " JOIN attempt_note AS n ON n.attempt_id IN (a.id, a.carried_from) WHERE a.id = :attempt"
		    " ORDER BY n.note",
		    SQL_ARGS(SQL_INT(":attempt", shared->attempt)), err))
		return false;
	while (sql_next(&query))
		g_ptr_array_add(notes, (gpointer)store_intern(store, sql_text(&query, 0)));
	shared->notes = none;
	if (notes->len > 0) {
		g_ptr_array_add(notes, NULL);
		shared->notes = (const char *const *)g_ptr_array_steal(notes, NULL);
		g_ptr_array_add(store->owned, (gpointer)shared->notes);
	}
	return sql_done(&query, err);
}

static void fill_shared(struct store *store, struct result *shared, struct sql_query *query)
{
	shared->cell = sql_int(query, 0);
	shared->started_at = sql_int(query, 1);
	shared->carried = sql_int(query, 2) != 0;
	shared->run = sql_int(query, 3);
	shared->build = sql_int(query, 4);
	shared->what.arch = store_intern(store, sql_text(query, 5));
	shared->what.revision = store_intern(store, sql_text(query, 6));
	shared->compiler = store_intern(store, sql_text(query, 7));
	shared->optimisation_effective = store_intern(store, sql_text(query, 8));
	shared->math = store_intern(store, sql_text(query, 9));
	shared->run_uuid = store_intern(store, sql_text(query, 10));
	shared->run_label = store_intern(store, sql_text(query, 11));
	shared->emulator = store_intern(store, sql_text(query, 12));
	shared->environment_note = store_intern(store, sql_text(query, 13));
	shared->document = store_intern(store, sql_text(query, 14));
	shared->reference = store_intern(store, sql_text(query, 15));
}

/* What the platform said when the attempt was made. It is asked before the cell is, which in turn is before
 * the attempt. */
#define PLATFORM_FACT(key)                                                                                   \
	" (SELECT f.value FROM platform_fact AS f WHERE f.platform_id = c.platform_id AND f.key = '" key     \
	"' AND f.seen_at <= max(a.started_at, c.created_at) ORDER BY f.seen_at DESC LIMIT 1)"

static struct result *load_attempt(struct store *store, int64_t attempt, GError **err)
{
	g_autofree struct result *shared = g_new0(struct result, 1);
	struct sql_query query;

	shared->attempt = attempt;
	if (!sql_query(&query, store->sql,
		    "SELECT a.cell_id, a.started_at, a.carried_from IS NOT NULL, c.run_id, c.build_id, "
		    "b.arch, b.revision,"
		    " b.compiler, b.optimisation_effective,"
		    " coalesce(b.math, nullif(json_extract(a.facts, '$.math'), 'unknown')), r.uuid, "
		    "r.label," PLATFORM_FACT(
			    "emulator") ", CASE p.environment WHEN 'hardware' THEN"
					"  p.name || ': frequency governor ' ||"
					"  nullif(" PLATFORM_FACT(
						"governor") ", 'performance') END, d.name, d.reference"
							    " FROM attempt AS a JOIN cell AS c ON c.id = "
							    "a.cell_id JOIN build AS b ON b.id = "
							    "c.build_id"
							    " JOIN run AS r ON r.id = c.run_id LEFT JOIN "
							    "platform AS p ON p.id = c.platform_id"
							    " LEFT JOIN document AS d ON d.run_id = "
							    "r.id"
							    " WHERE a.id = :attempt",
		    SQL_ARGS(SQL_INT(":attempt", attempt)), err))
		return NULL;
	bool found = sql_next(&query);
	if (found)
		fill_shared(store, shared, &query);
	if (!sql_done(&query, err))
		return NULL;
	if (!found) {
		diag_set(err, DIAG_FAILED,
			"%s: attempt %" PRId64 " is not whole; `benchmatrix db check` says more", store->file,
			attempt);
		return NULL;
	}
	return read_notes(store, shared, err) ? g_steal_pointer(&shared) : NULL;
}

static const struct result *attempt_of(struct picking *picking, int64_t id, GError **err)
{
	struct result *shared = g_hash_table_lookup(picking->attempts, &id);

	if (!shared) {
		shared = load_attempt(picking->store, id, err);
		if (shared)
			g_hash_table_insert(picking->attempts, g_memdup2(&id, sizeof id), shared);
	}
	return shared;
}

/* --- picking --- */

static bool is_later(const struct result *a, const struct result *b)
{
	return a->started_at != b->started_at ? a->started_at > b->started_at : a->attempt > b->attempt;
}

/* The row: measurement, attempt, source, environment, kind. */
static bool consider(struct picking *picking, struct sql_query *row, GError **err)
{
	int source = (int)sql_int(row, 2), environment = (int)sql_int(row, 3), kind = (int)sql_int(row, 4);
	const struct result *attempt = attempt_of(picking, sql_int(row, 1), err);

	if (!attempt)
		return false;
	struct latest *latest =
		&picking->latest[(source * ENVIRONMENT_COUNT + environment) * KIND_COUNT + kind];
	struct selectable what = {picking->series->labels, attempt->what.arch, attempt->what.revision, source,
		environment, kind};
	if ((!latest->attempt || is_later(attempt, latest->attempt)) &&
		selector_matches(picking->selector, &what)) {
		latest->attempt = attempt;
		latest->measurement = sql_int(row, 0);
	}
	return true;
}

struct figure store_read_figure(struct sql_query *row, int column)
{
	struct figure figure = {sql_int(row, column), sql_real(row, column + 1), sql_real(row, column + 2),
		sql_real(row, column + 3), sql_real(row, column + 4), sql_real(row, column + 5),
		sql_real(row, column + 6), sql_real(row, column + 7)};

	if (figure.n == 1)
		figure.min = figure.max = figure.mean = figure.median;
	return figure;
}

static bool add_result(struct picking *picking, const struct latest *latest, GError **err)
{
	struct result result = *latest->attempt;
	struct sql_query query;

	result.measurement = latest->measurement;
	result.series = picking->series->id;
	result.what.labels = picking->series->labels;
	int metric =
		metric_find(result.what.labels.v[LABEL_METRIC] ? result.what.labels.v[LABEL_METRIC] : "");
	/* A metric of a newer benchmatrix cannot be shown: neither its unit nor what is better is known. */
	if (metric < 0)
		return true;
	result.metric = (enum metric)metric;
	if (!sql_query(&query, picking->store->sql,
		    "SELECT source, environment, kind, n, minimum, quartile_1, median, quartile_3, maximum, "
		    "mean, sd FROM "
		    "measurement WHERE id = :id",
		    SQL_ARGS(SQL_INT(":id", latest->measurement)), err))
		return false;
	if (sql_next(&query)) {
		result.what.source = (int)sql_int(&query, 0);
		result.what.environment = (int)sql_int(&query, 1);
		result.what.kind = (int)sql_int(&query, 2);
		result.figure = store_read_figure(&query, 3);
		g_array_append_val(picking->results, result);
	}
	return sql_done(&query, err);
}

/* The series in hand is done: its latest figures become results. */
static bool finish_series(struct picking *picking, GError **err)
{
	for (int i = 0; picking->series && i < ORIGINS; i++)
		if (picking->latest[i].attempt && !add_result(picking, &picking->latest[i], err))
			return false;
	memset(picking->latest, 0, sizeof picking->latest);
	picking->series = NULL;
	return true;
}

static bool takes_series(const struct picking *picking, const struct series_row *series)
{
	struct selectable what = {.labels = series->labels, .source = -1, .environment = -1, .kind = -1};

	return selector_matches(&picking->by_series, &what);
}

static bool pick_series(struct picking *picking, const struct series_row *series, GError **err)
{
	struct sql_query query;
	bool ok = true;

	if (!sql_query(&query, picking->store->sql,
		    "SELECT id, id >> 20, source, environment, kind FROM measurement WHERE series_id = "
		    ":series",
		    SQL_ARGS(SQL_INT(":series", series->id)), err))
		return false;
	picking->series = series;
	while (ok && sql_next(&query))
		ok = consider(picking, &query, err);
	return sql_done(&query, ok ? err : NULL) && ok && finish_series(picking, err);
}

static bool pick_latest(struct picking *picking, GError **err)
{
	const GArray *series = picking->store->series;

	for (guint i = 0; i < series->len; i++) {
		const struct series_row *row = &g_array_index(series, struct series_row, i);
		if (takes_series(picking, row) && !pick_series(picking, row, err))
			return false;
	}
	return true;
}

/* Rows come sorted by series. */
static bool consider_of_run(struct picking *picking, struct sql_query *row, GError **err)
{
	int64_t id = sql_int(row, 5);

	if (id != picking->series_id) {
		if (!finish_series(picking, err))
			return false;
		picking->series_id = id;
		picking->series = store_series_row(picking->store, id);
		if (picking->series && !takes_series(picking, picking->series))
			picking->series = NULL;
	}
	return !picking->series || consider(picking, row, err);
}

static bool pick_run(struct picking *picking, const char *name, GError **err)
{
	struct sql_query query;
	int64_t run;
	bool ok = true;

	if (!store_run_find(picking->store, &run, name, err) ||
		!sql_query(&query, picking->store->sql,
			"SELECT m.id, a.id, m.source, m.environment, m.kind, m.series_id"
			" FROM cell AS c JOIN attempt AS a ON a.cell_id = c.id CROSS JOIN measurement AS m "
			"ON" STORE_OF_ATTEMPT("m", "a.id") " WHERE c.run_id = :run ORDER BY m.series_id",
			SQL_ARGS(SQL_INT(":run", run)), err))
		return false;
	while (ok && sql_next(&query))
		ok = consider_of_run(picking, &query, err);
	return sql_done(&query, ok ? err : NULL) && ok && finish_series(picking, err);
}

/* --- order --- */

/* `ranks`: interned value -> its place in the list and 1, as far as it was looked up. */
static int known_index(GHashTable *ranks, enum label label, const char *value)
{
	int rank = GPOINTER_TO_INT(g_hash_table_lookup(ranks, value));

	if (rank == 0) {
		int index = label == LABEL_BENCHMARK ? benchmark_find(value) : metric_find(value);
		rank = index < 0 ? INT_MAX : index + 1;
		g_hash_table_insert(ranks, (gpointer)value, GINT_TO_POINTER(rank));
	}
	return rank;
}

/* Benchmarks and metrics as listed, others with their numbers in order of size ("64" before "1024"); absent
 * ones first. */
static int compare_label(GHashTable *ranks, enum label label, const char *a, const char *b)
{
	if (a == b)
		return 0;
	if (!a || !b)
		return a ? 1 : -1;
	if (label == LABEL_BENCHMARK || label == LABEL_METRIC) {
		int x = known_index(ranks, label, a), y = known_index(ranks, label, b);
		if (x != y)
			return x < y ? -1 : 1;
	}
	return strverscmp(a, b);
}

static gint compare_results(gconstpointer a, gconstpointer b, gpointer ranks)
{
	const struct result *x = a, *y = b;

	for (int i = 0; i < LABEL_COUNT; i++) {
		int order = compare_label(ranks, (enum label)i, x->what.labels.v[i], y->what.labels.v[i]);
		if (order != 0)
			return order;
	}
	if (x->what.source != y->what.source)
		return x->what.source - y->what.source;
	if (x->what.environment != y->what.environment)
		return x->what.environment - y->what.environment;
	return x->what.kind - y->what.kind;
}

/* --- the whole --- */

/* Terms whose key is neither of the build, nor of the origin, nor `run`. The copies lend their strings. */
static GArray *terms_of_series(const struct selector *selector)
{
	GArray *terms = g_array_new(FALSE, FALSE, sizeof(struct selector_term));

	for (guint i = 0; i < selector->terms->len; i++) {
		struct selector_term term = g_array_index(selector->terms, struct selector_term, i);
		if (term.key != SELECT_ARCH && term.key != SELECT_REVISION)
			g_array_append_val(terms, term);
	}
	return terms;
}

static bool pick(struct picking *picking, GError **err)
{
	const struct selector_term *run = selector_term(picking->selector, SELECT_RUN);

	if (!store_load_series(picking->store, err))
		return false;
	return run ? pick_run(picking, run->pattern, err) : pick_latest(picking, err);
}

bool store_results(struct store *store, GArray **ret, const struct selector *selector, GError **err)
{
	g_autoptr(GArray) results = g_array_new(FALSE, FALSE, sizeof(struct result));
	struct picking picking = {.store = store, .selector = selector, .results = results};

	if (!store_begin_reading(store, err))
		return false;
	picking.by_series.terms = terms_of_series(selector);
	picking.attempts = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
	bool ok = pick(&picking, err);
	g_hash_table_unref(picking.attempts);
	g_array_unref(picking.by_series.terms);
	store_end_reading(store);
	if (!ok)
		return false;
	g_autoptr(GHashTable) ranks = g_hash_table_new(NULL, NULL);
	g_array_sort_with_data(results, compare_results, ranks);
	*ret = g_steal_pointer(&results);
	return true;
}
