#include "store_pick.h"

#include <string.h>

#define ORIGINS (SOURCE_COUNT * ENVIRONMENT_COUNT * KIND_COUNT)

/* A figure that may become a result. */
struct candidate {
	int64_t measurement;
	const struct series_row *series;
	int source, environment, kind;
};

struct picking {
	struct store *store;
	const struct selector *selector;
	struct selector by_series; /* those of its terms that a series alone decides */
	GHashTable *shared;	   /* store_shared() */
	GPtrArray *series;	   /* keeps those that the candidates are of; NULL */
	GHashTable
		*slots;	 /* int64_t, a series with an origin -> its candidate, in hand or still without one */
	GArray *results; /* struct result */
};

static int64_t slot_of(const struct candidate *candidate)
{
	return candidate->series->id * ORIGINS +
	       (candidate->source * ENVIRONMENT_COUNT + candidate->environment) * KIND_COUNT +
	       candidate->kind;
}

/* Five columns from `column` on: measurement, series (as `series`), source, environment, kind. */
static struct candidate read_candidate(struct sql_query *row, const struct series_row *series)
{
	return (struct candidate){
		sql_int(row, 0), series, (int)sql_int(row, 2), (int)sql_int(row, 3), (int)sql_int(row, 4)};
}

static struct candidate *held(struct picking *picking, const struct candidate *candidate)
{
	int64_t slot = slot_of(candidate);

	return g_hash_table_lookup(picking->slots, &slot);
}

static void hold(struct picking *picking, const struct candidate *candidate)
{
	int64_t slot = slot_of(candidate);

	g_hash_table_insert(
		picking->slots, g_memdup2(&slot, sizeof slot), g_memdup2(candidate, sizeof *candidate));
}

static bool takes(struct picking *picking, bool *ret, const struct candidate *candidate, GError **err)
{
	const struct result *shared =
		store_shared(picking->store, picking->shared, candidate->measurement >> 20, err);

	if (!shared)
		return false;
	struct selectable what = {candidate->series->labels, shared->what.arch, shared->what.revision,
		candidate->source, candidate->environment, candidate->kind};
	*ret = selector_matches(picking->selector, &what);
	return true;
}

/* --- a run --- */

static bool is_later(struct picking *picking, int64_t a, int64_t b)
{
	const struct result *x = store_shared(picking->store, picking->shared, a >> 20, NULL);
	const struct result *y = store_shared(picking->store, picking->shared, b >> 20, NULL);

	return x->started_at != y->started_at ? x->started_at > y->started_at : a > b;
}

static bool consider_of_run(struct picking *picking, struct sql_query *row, GError **err)
{
	const struct series_row *series = store_series_row(picking->store, sql_int(row, 1));
	bool taken;

	if (!series)
		return true;
	struct candidate candidate = read_candidate(row, series), *older;
	if (!takes(picking, &taken, &candidate, err))
		return false;
	if (!taken)
		return true;
	older = held(picking, &candidate);
	if (!older)
		hold(picking, &candidate);
	else if (is_later(picking, candidate.measurement, older->measurement))
		*older = candidate;
	return true;
}

static bool pick_run(struct picking *picking, const char *name, GError **err)
{
	struct sql_query query;
	int64_t run;
	bool ok = true;

	if (!store_run_find(picking->store, &run, name, err) || !store_load_series(picking->store, err) ||
		!sql_query(&query, picking->store->sql,
			"SELECT m.id, m.series_id, m.source, m.environment, m.kind"
			" FROM cell AS c JOIN attempt AS a ON a.cell_id = c.id CROSS JOIN measurement AS m "
			"ON" STORE_OF_ATTEMPT("m", "a.id") " WHERE c.run_id = :run",
			SQL_ARGS(SQL_INT(":run", run)), err))
		return false;
	while (ok && sql_next(&query))
		ok = consider_of_run(picking, &query, err);
	return sql_done(&query, ok ? err : NULL) && ok;
}

/* --- the latest --- */

/* The table is in the order of series, as `series` is. */
static bool read_latest(struct picking *picking, GArray *latest, const GPtrArray *series, GError **err)
{
	const struct series_row *first = series->len ? series->pdata[0] : NULL;
	const struct series_row *last = series->len ? series->pdata[series->len - 1] : NULL;
	struct sql_query query;
	guint at = 0;

	if (!first)
		return true;
	if (!sql_query(&query, picking->store->sql,
		    "SELECT measurement_id, series_id, source, environment, kind FROM latest"
		    " WHERE series_id BETWEEN :first AND :last ORDER BY series_id",
		    SQL_ARGS(SQL_INT(":first", first->id), SQL_INT(":last", last->id)), err))
		return false;
	while (sql_next(&query)) {
		int64_t id = sql_int(&query, 1);
		while (((const struct series_row *)series->pdata[at])->id < id)
			at++;
		if (((const struct series_row *)series->pdata[at])->id != id)
			continue;
		struct candidate candidate = read_candidate(&query, series->pdata[at]);
		g_array_append_val(latest, candidate);
	}
	return sql_done(&query, err);
}

static gint compare_candidates(gconstpointer a, gconstpointer b)
{
	const struct candidate *x = a, *y = b;

	return (x->measurement > y->measurement) - (x->measurement < y->measurement);
}

/* The build labels alone, in the order of enum label. */
static char *build_key(const struct labels *labels)
{
	static const enum label of_build[] = {LABEL_LIBRARY, LABEL_VERSION, LABEL_CONFIG, LABEL_PROFILE,
		LABEL_OPTIMISATION, LABEL_TOOLCHAIN};
	GString *key = g_string_new(NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(of_build); i++) {
		const char *value = labels->v[of_build[i]];
		g_string_append_printf(key, "%s%s\x1f", value ? "+" : "-", value ? value : "");
	}
	return g_string_free(key, FALSE);
}

/* The builds that the terms of the selector on builds take: their attempts, the latest first. What figures
 * they may have is told by their labels (`keys`). */
struct old_builds {
	GArray *ids;
	GHashTable *keys;
};

static bool find_old_builds(struct picking *picking, struct old_builds *builds, GError **err)
{
	const struct selector_term *arch = selector_term(picking->selector, SELECT_ARCH);
	const struct selector_term *revision = selector_term(picking->selector, SELECT_REVISION);
	struct sql_query query;
	bool ok = true;

	if (!sql_query(&query, picking->store->sql, "SELECT id, arch, revision FROM build", NULL, err))
		return false;
	while (ok && sql_next(&query)) {
		int64_t id = sql_int(&query, 0);
		struct labels labels = {0};
		if ((arch && !selector_glob(arch->pattern, sql_text(&query, 1))) ||
			(revision && !selector_glob(revision->pattern, sql_text(&query, 2))))
			continue;
		g_array_append_val(builds->ids, id);
		ok = store_build_labels(picking->store, &labels, id, err);
		g_hash_table_add(builds->keys, build_key(&labels));
	}
	return sql_done(&query, ok ? err : NULL) && ok;
}

struct old_attempt {
	int64_t id, started_at;
};

static gint compare_old_attempts(gconstpointer a, gconstpointer b)
{
	const struct old_attempt *x = a, *y = b;

	if (x->started_at != y->started_at)
		return x->started_at < y->started_at ? 1 : -1;
	return (x->id < y->id) - (x->id > y->id);
}

static bool read_old_attempts(
	struct picking *picking, GArray *attempts, const struct old_builds *builds, GError **err)
{
	for (guint i = 0; i < builds->ids->len; i++) {
		struct sql_query query;
		if (!sql_query(&query, picking->store->sql,
			    "SELECT a.id, a.started_at FROM cell AS c JOIN attempt AS a ON a.cell_id = c.id"
			    " WHERE c.build_id = :build",
			    SQL_ARGS(SQL_INT(":build", g_array_index(builds->ids, int64_t, i))), err))
			return false;
		while (sql_next(&query)) {
			struct old_attempt attempt = {sql_int(&query, 0), sql_int(&query, 1)};
			g_array_append_val(attempts, attempt);
		}
		if (!sql_done(&query, err))
			return false;
	}
	g_array_sort(attempts, compare_old_attempts);
	return true;
}

/* Fills the slots that the attempt has a figure for; *open is how many are left. */
static bool fill_from(struct picking *picking, int64_t attempt, guint *open, GError **err)
{
	struct sql_query query;

	if (!sql_query(&query, picking->store->sql,
		    "SELECT m.id, m.series_id, m.source, m.environment, m.kind FROM measurement AS m "
		    "WHERE" STORE_OF_ATTEMPT("m", ":attempt"),
		    SQL_ARGS(SQL_INT(":attempt", attempt)), err))
		return false;
	while (sql_next(&query)) {
		struct series_row series = {.id = sql_int(&query, 1)};
		struct candidate candidate = read_candidate(&query, &series);
		struct candidate *slot = held(picking, &candidate);
		if (!slot || slot->measurement != 0)
			continue;
		slot->measurement = candidate.measurement;
		(*open)--;
	}
	return sql_done(&query, err);
}

/* For those whose latest figure is of a build that the selector does not take: the latest that is. */
static bool look_back(struct picking *picking, const GArray *others, GError **err)
{
	g_autoptr(GArray) ids = g_array_new(FALSE, FALSE, sizeof(int64_t));
	g_autoptr(GArray) attempts = g_array_new(FALSE, FALSE, sizeof(struct old_attempt));
	g_autoptr(GHashTable) keys = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	struct old_builds builds = {ids, keys};
	guint open = 0;

	if (others->len == 0)
		return true;
	if (!find_old_builds(picking, &builds, err))
		return false;
	for (guint i = 0; i < others->len; i++) {
		struct candidate candidate = g_array_index(others, struct candidate, i);
		g_autofree char *key = build_key(&candidate.series->labels);
		if (!g_hash_table_contains(keys, key))
			continue;
		candidate.measurement = 0;
		hold(picking, &candidate);
		open++;
	}
	if (open > 0 && !read_old_attempts(picking, attempts, &builds, err))
		return false;
	for (guint i = 0; i < attempts->len && open > 0; i++)
		if (!fill_from(picking, g_array_index(attempts, struct old_attempt, i).id, &open, err))
			return false;
	return true;
}

static bool pick_latest(struct picking *picking, GError **err)
{
	g_autoptr(GArray) latest = g_array_new(FALSE, FALSE, sizeof(struct candidate));
	g_autoptr(GArray) others = g_array_new(FALSE, FALSE, sizeof(struct candidate));

	if (!store_select_series(picking->store, &picking->series, &picking->by_series, err) ||
		!read_latest(picking, latest, picking->series, err))
		return false;
	g_array_sort(latest, compare_candidates);
	for (guint i = 0; i < latest->len; i++) {
		const struct candidate *candidate = &g_array_index(latest, struct candidate, i);
		struct selectable what = {candidate->series->labels, NULL, NULL, candidate->source,
			candidate->environment, candidate->kind};
		bool taken;
		if (!selector_matches(&picking->by_series, &what))
			continue;
		if (!takes(picking, &taken, candidate, err))
			return false;
		if (taken)
			hold(picking, candidate);
		else
			g_array_append_val(others, *candidate);
	}
	return look_back(picking, others, err);
}

/* --- the whole --- */

struct figure store_read_figure(struct sql_query *row, int column)
{
	struct figure figure = {sql_int(row, column), sql_real(row, column + 1), sql_real(row, column + 2),
		sql_real(row, column + 3), sql_real(row, column + 4), sql_real(row, column + 5),
		sql_real(row, column + 6), sql_real(row, column + 7)};

	if (figure.n == 1)
		figure.min = figure.max = figure.mean = figure.median;
	return figure;
}

static bool add_result(struct picking *picking, const struct candidate *candidate, GError **err)
{
	const struct result *shared =
		store_shared(picking->store, picking->shared, candidate->measurement >> 20, err);
	struct sql_query query;

	if (!shared)
		return false;
	struct result result = *shared;
	if (!store_fill_result(&result, candidate->series))
		return true;
	result.measurement = candidate->measurement;
	result.what.source = candidate->source;
	result.what.environment = candidate->environment;
	result.what.kind = candidate->kind;
	if (!sql_query(&query, picking->store->sql,
		    "SELECT n, minimum, quartile_1, median, quartile_3, maximum, mean, sd FROM measurement"
		    " WHERE id = :id",
		    SQL_ARGS(SQL_INT(":id", candidate->measurement)), err))
		return false;
	if (sql_next(&query)) {
		result.figure = store_read_figure(&query, 0);
		g_array_append_val(picking->results, result);
	}
	return sql_done(&query, err);
}

/* In the order in which they lie in the file. */
static bool add_results(struct picking *picking, GError **err)
{
	g_autoptr(GArray) order = g_array_new(FALSE, FALSE, sizeof(struct candidate));
	GHashTableIter iter;
	gpointer candidate;

	g_hash_table_iter_init(&iter, picking->slots);
	while (g_hash_table_iter_next(&iter, NULL, &candidate))
		if (((struct candidate *)candidate)->measurement != 0)
			g_array_append_vals(order, candidate, 1);
	g_array_sort(order, compare_candidates);
	/* Room for all at once. */
	g_array_set_size(picking->results, order->len);
	g_array_set_size(picking->results, 0);
	for (guint i = 0; i < order->len; i++)
		if (!add_result(picking, &g_array_index(order, struct candidate, i), err))
			return false;
	return true;
}

bool store_results(struct store *store, GArray **ret, const struct selector *selector, GError **err)
{
	static const enum selector_key of_builds[] = {
		SELECT_ARCH, SELECT_REVISION, SELECT_RUN, SELECTOR_KEY_COUNT};
	const struct selector_term *run = selector_term(selector, SELECT_RUN);
	g_autoptr(GArray) results = g_array_new(FALSE, FALSE, sizeof(struct result));
	struct picking picking = {.store = store, .selector = selector, .results = results};

	if (!store_begin_reading(store, err))
		return false;
	picking.by_series = store_terms_without(selector, of_builds);
	picking.shared = store_shared_new();
	picking.slots = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
	bool ok = run ? pick_run(&picking, run->pattern, err) : pick_latest(&picking, err);
	ok = ok && add_results(&picking, err);
	g_hash_table_unref(picking.slots);
	g_clear_pointer(&picking.series, g_ptr_array_unref);
	g_hash_table_unref(picking.shared);
	g_array_unref(picking.by_series.terms);
	store_end_reading(store);
	if (!ok)
		return false;
	store_sort_results(results);
	*ret = g_steal_pointer(&results);
	return true;
}
