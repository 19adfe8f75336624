#include "store_pick.h"

#include "diag.h"

#include <inttypes.h>
#include <string.h>

static void remember(GHashTable *table, const char *key, int64_t id)
{
	g_hash_table_insert(table, g_strdup(key), g_memdup2(&id, sizeof id));
}

bool store_label_id(struct store *store, int64_t *ret_id, enum label label, const char *value, GError **err)
{
	g_autofree char *pair = g_strdup_printf("%s=%s", label_keys[label], value);
	const int64_t *known = g_hash_table_lookup(store->label_ids, pair);
	int64_t id;

	if (known) {
		*ret_id = *known;
		return true;
	}
	const struct sql_arg *args = SQL_ARGS(SQL_TEXT(":key", label_keys[label]), SQL_TEXT(":value", value));
	if (!sql_run(store->sql,
		    "INSERT INTO label (key, value) VALUES (:key, :value) ON CONFLICT DO NOTHING", args,
		    err) ||
		!sql_number(store->sql, &id, "SELECT id FROM label WHERE key = :key AND value = :value", args,
			err))
		return false;
	remember(store->label_ids, pair, id);
	*ret_id = id;
	return true;
}

static GChecksum *checksum_of(const struct labels *labels)
{
	GChecksum *checksum = g_checksum_new(G_CHECKSUM_SHA256);

	for (int i = 0; i < LABEL_COUNT; i++) {
		if (!labels->v[i])
			continue;
		g_autofree char *line = g_strdup_printf("%s=%s\n", label_keys[i], labels->v[i]);
		g_checksum_update(checksum, (const guchar *)line, -1);
	}
	return checksum;
}

char *store_labels_hash(const struct labels *labels)
{
	g_autoptr(GChecksum) checksum = checksum_of(labels);

	return g_strdup(g_checksum_get_string(checksum));
}

static bool insert_series(struct store *store, int64_t *ret_id, const struct labels *labels, GError **err)
{
	g_autoptr(GChecksum) checksum = checksum_of(labels);
	guint8 hash[32];
	gsize size = sizeof hash;

	g_checksum_get_digest(checksum, hash, &size);
	const struct sql_arg *args = SQL_ARGS(SQL_BLOB(":sha256", hash, size));
	if (!sql_number(store->sql, ret_id, "SELECT id FROM series WHERE sha256 = :sha256", args, err))
		return false;
	if (*ret_id)
		return true;
	if (!sql_run(store->sql, "INSERT INTO series (sha256) VALUES (:sha256)", args, err))
		return false;
	*ret_id = sql_last_id(store->sql);
	for (int i = 0; i < LABEL_COUNT; i++) {
		int64_t label;
		if (!labels->v[i])
			continue;
		if (!store_label_id(store, &label, (enum label)i, labels->v[i], err) ||
			!sql_run(store->sql,
				"INSERT INTO series_label (series_id, label_id) VALUES (:series, :label)",
				SQL_ARGS(SQL_INT(":series", *ret_id), SQL_INT(":label", label)), err))
			return false;
	}
	return true;
}

/* The values with their lengths, in bytes that are not 0: cheaper than SHA-256 for every figure that is
 * stored. */
static char *series_key(const struct labels *labels)
{
	GString *key = g_string_sized_new(256);

	for (int i = 0; i < LABEL_COUNT; i++) {
		size_t length = labels->v[i] ? strlen(labels->v[i]) : 0;
		if (!labels->v[i]) {
			g_string_append_c(key, '-');
			continue;
		}
		for (size_t rest = length; rest > 0; rest >>= 7)
			g_string_append_c(key, (char)(0x80 | (rest & 0x7f)));
		g_string_append_c(key, ':');
		g_string_append_len(key, labels->v[i], (gssize)length);
	}
	return g_string_free(key, FALSE);
}

bool store_series_id(struct store *store, int64_t *ret_id, const struct labels *labels, GError **err)
{
	g_autofree char *key = series_key(labels);
	const int64_t *known = g_hash_table_lookup(store->series_ids, key);
	int64_t id;

	if (!known) {
		if (!insert_series(store, &id, labels, err))
			return false;
		remember(store->series_ids, key, id);
	}
	*ret_id = known ? *known : id;
	return true;
}

/* Rows of (key, value); keys that this program does not know are of a dimension that it cannot show. */
static bool read_labels(
	struct store *store, struct labels *ret, const char *text, const struct sql_arg *args, GError **err)
{
	struct sql_query query;

	if (!sql_query(&query, store->sql, text, args, err))
		return false;
	while (sql_next(&query)) {
		int label = label_find(sql_text(&query, 0));
		if (label >= 0)
			ret->v[label] = store_intern(store, sql_text(&query, 1));
	}
	return sql_done(&query, err);
}

bool store_build_labels(struct store *store, struct labels *ret, int64_t build, GError **err)
{
	return read_labels(store, ret,
		"SELECT l.key, l.value FROM build_label AS b JOIN label AS l ON l.id = b.label_id"
		" WHERE b.build_id = :build",
		SQL_ARGS(SQL_INT(":build", build)), err);
}

bool store_cell_labels(struct store *store, struct labels *ret, int64_t cell, GError **err)
{
	struct sql_query query;
	int64_t build = 0;

	if (!sql_query(&query, store->sql,
		    "SELECT c.build_id, c.instrument, p.name FROM cell AS c"
		    " LEFT JOIN platform AS p ON p.id = c.platform_id WHERE c.id = :cell",
		    SQL_ARGS(SQL_INT(":cell", cell)), err))
		return false;
	*ret = (struct labels){0};
	if (sql_next(&query)) {
		build = sql_int(&query, 0);
		ret->v[LABEL_INSTRUMENT] = store_intern(store, sql_text(&query, 1));
		ret->v[LABEL_PLATFORM] = store_intern(store, sql_text(&query, 2));
	}
	if (!sql_done(&query, err))
		return false;
	if (!build)
		return diag_set(err, DIAG_FAILED, "%s: there is no cell %" PRId64, store->file, cell);
	return store_build_labels(store, ret, build, err);
}

/* --- all series --- */

struct label_value {
	int label; /* -1: not known to this program */
	const char *value;
};

/* By id; ids without a row are of no known label. */
static bool load_labels(struct store *store, GArray *labels, GError **err)
{
	struct sql_query query;

	if (!sql_query(&query, store->sql, "SELECT id, key, value FROM label ORDER BY id", NULL, err))
		return false;
	while (sql_next(&query)) {
		struct label_value none = {-1, NULL};
		struct label_value row = {
			label_find(sql_text(&query, 1)), store_intern(store, sql_text(&query, 2))};
		while ((int64_t)labels->len < sql_int(&query, 0))
			g_array_append_val(labels, none);
		g_array_append_val(labels, row);
	}
	return sql_done(&query, err);
}

bool store_load_series(struct store *store, GError **err)
{
	g_autoptr(GArray) labels = g_array_new(FALSE, FALSE, sizeof(struct label_value));
	guint n = store->series->len;
	int64_t last = n ? g_array_index(store->series, struct series_row, n - 1).id : 0, newest;
	struct sql_query query;

	if (!sql_number(store->sql, &newest, "SELECT coalesce(max(id), 0) FROM series", NULL, err))
		return false;
	if (newest == last)
		return true;
	if (!load_labels(store, labels, err) || !sql_query(&query, store->sql,
							"SELECT series_id, label_id FROM series_label WHERE "
							"series_id > :last ORDER BY series_id",
							SQL_ARGS(SQL_INT(":last", last)), err))
		return false;
	while (sql_next(&query)) {
		struct series_row row = {.id = sql_int(&query, 0)};
		int64_t id = sql_int(&query, 1);
		if (row.id != last)
			g_array_append_val(store->series, row);
		last = row.id;
		if (id >= (int64_t)labels->len)
			continue;
		const struct label_value *label = &g_array_index(labels, struct label_value, id);
		if (label->label >= 0)
			g_array_index(store->series, struct series_row, store->series->len - 1)
				.labels.v[label->label] = label->value;
	}
	return sql_done(&query, err);
}

static int compare_series(const void *key, const void *row)
{
	int64_t a = *(const int64_t *)key, b = ((const struct series_row *)row)->id;

	return (a > b) - (a < b);
}

const struct series_row *store_series_row(const struct store *store, int64_t id)
{
	return bsearch(
		&id, store->series->data, store->series->len, sizeof(struct series_row), compare_series);
}

/* --- those of a selection --- */

/* Beyond so many, reading all is as quick. */
#define FEW_SERIES 4096

/* The value that alone matches the pattern, or NULL where others may. */
static char *only_value(const char *pattern)
{
	return strpbrk(pattern, "*?\\") || strcmp(pattern, "-") == 0 ? NULL : g_strdup(pattern);
}

/* The id of the label that the fewest series have among those that the terms name by whole values, and of how
 * many: *ret_n is 0 where no series can match, and FEW_SERIES where no term tells. */
static bool rarest_label(
	struct store *store, int64_t *ret, int64_t *ret_n, const struct selector *terms, GError **err)
{
	*ret = 0;
	*ret_n = FEW_SERIES;
	for (guint i = 0; i < terms->terms->len; i++) {
		const struct selector_term *term = &g_array_index(terms->terms, struct selector_term, i);
		g_autofree char *value = (int)term->key < LABEL_COUNT ? only_value(term->pattern) : NULL;
		int64_t label, n;

		if (!value)
			continue;
		if (!sql_number(store->sql, &label,
			    "SELECT id FROM label WHERE key = :key AND value = :value",
			    SQL_ARGS(SQL_TEXT(":key", label_keys[term->key]), SQL_TEXT(":value", value)),
			    err) ||
			!sql_number(store->sql, &n,
				"SELECT count(*) FROM (SELECT 1 FROM series_label WHERE label_id = :label "
				"LIMIT :most)",
				SQL_ARGS(SQL_INT(":label", label), SQL_INT(":most", FEW_SERIES)), err))
			return false;
		if (n < *ret_n) {
			*ret = label;
			*ret_n = n;
		}
	}
	return true;
}

static bool read_series_of(struct store *store, GPtrArray *rows, int64_t label, GError **err)
{
	struct sql_query query;
	struct series_row *row = NULL;

	if (!sql_query(&query, store->sql,
		    "SELECT s.series_id, l.key, l.value FROM series_label AS i CROSS JOIN series_label AS s"
		    " ON s.series_id = i.series_id CROSS JOIN label AS l ON l.id = s.label_id"
		    " WHERE i.label_id = :label ORDER BY i.series_id",
		    SQL_ARGS(SQL_INT(":label", label)), err))
		return false;
	while (sql_next(&query)) {
		int key = label_find(sql_text(&query, 1));
		if (!row || row->id != sql_int(&query, 0)) {
			row = g_new0(struct series_row, 1);
			row->id = sql_int(&query, 0);
			g_ptr_array_add(rows, row);
		}
		if (key >= 0)
			row->labels.v[key] = store_intern(store, sql_text(&query, 2));
	}
	return sql_done(&query, err);
}

static void keep_taken(GPtrArray *rows, const struct selector *terms)
{
	for (guint i = rows->len; i-- > 0;)
		if (!store_takes_labels(terms, &((const struct series_row *)rows->pdata[i])->labels))
			g_ptr_array_remove_index(rows, i);
}

bool store_select_series(struct store *store, GPtrArray **ret, const struct selector *terms, GError **err)
{
	g_autoptr(GPtrArray) rows = NULL;
	int64_t label, n;

	if (!rarest_label(store, &label, &n, terms, err))
		return false;
	if (n < FEW_SERIES) {
		rows = g_ptr_array_new_with_free_func(g_free);
		if (n > 0 && !read_series_of(store, rows, label, err))
			return false;
		keep_taken(rows, terms);
		*ret = g_steal_pointer(&rows);
		return true;
	}
	if (!store_load_series(store, err))
		return false;
	rows = g_ptr_array_new();
	for (guint i = 0; i < store->series->len; i++) {
		struct series_row *row = &g_array_index(store->series, struct series_row, i);
		if (store_takes_labels(terms, &row->labels))
			g_ptr_array_add(rows, row);
	}
	*ret = g_steal_pointer(&rows);
	return true;
}
