#include "store_pick.h"

#include "diag.h"

#include <inttypes.h>

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

GHashTable *store_shared_new(void)
{
	return g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
}

const struct result *store_shared(struct store *store, GHashTable *shared, int64_t attempt, GError **err)
{
	struct result *result = g_hash_table_lookup(shared, &attempt);

	if (!result) {
		result = load_attempt(store, attempt, err);
		if (result)
			g_hash_table_insert(shared, g_memdup2(&attempt, sizeof attempt), result);
	}
	return result;
}

bool store_fill_result(struct result *result, const struct series_row *series)
{
	const char *name = series->labels.v[LABEL_METRIC];
	int metric = metric_find(name ? name : "");

	if (metric < 0)
		return false;
	result->metric = (enum metric)metric;
	result->series = series->id;
	result->what.labels = series->labels;
	return true;
}

static bool stands_in(const enum selector_key *keys, enum selector_key key)
{
	for (; *keys != SELECTOR_KEY_COUNT; keys++)
		if (*keys == key)
			return true;
	return false;
}

struct selector store_terms_without(const struct selector *selector, const enum selector_key *without)
{
	struct selector terms = {.terms = g_array_new(FALSE, FALSE, sizeof(struct selector_term))};

	for (guint i = 0; i < selector->terms->len; i++) {
		struct selector_term term = g_array_index(selector->terms, struct selector_term, i);
		if (!stands_in(without, term.key))
			g_array_append_val(terms.terms, term);
	}
	return terms;
}

bool store_takes_labels(const struct selector *terms, const struct labels *labels)
{
	struct selectable what = {.labels = *labels, .source = -1, .environment = -1, .kind = -1};

	return selector_matches(terms, &what);
}
