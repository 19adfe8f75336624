#include "pivot_keys.h"

#include "diag.h"
#include "values.h"

#include <string.h>

/* All that a table can be told apart by; those that say least come first, since they are left out first where
 * others say the same. */
static const enum selector_key usual[] = {
	(enum selector_key)LABEL_ASYNC,
	(enum selector_key)LABEL_ENGINE,
	(enum selector_key)LABEL_THREADS,
	(enum selector_key)LABEL_INSTRUMENT,
	(enum selector_key)LABEL_PROFILE,
	(enum selector_key)LABEL_OPTIMISATION,
	SELECT_KIND,
	SELECT_ENVIRONMENT,
	SELECT_SOURCE,
	(enum selector_key)LABEL_PLATFORM,
	(enum selector_key)LABEL_LIBRARY,
	(enum selector_key)LABEL_VERSION,
	(enum selector_key)LABEL_TOOLCHAIN,
	(enum selector_key)LABEL_CONFIG,
};

static bool has_key(const struct pivot_keys *keys, enum selector_key key)
{
	for (size_t i = 0; i < keys->n; i++)
		if (keys->keys[i] == key)
			return true;
	return false;
}

static void add_key(struct pivot_keys *keys, enum selector_key key)
{
	keys->keys[keys->n++] = key;
}

static void join_keys(struct pivot_keys *ret, const struct pivot_keys *more)
{
	for (size_t i = 0; i < more->n; i++)
		add_key(ret, more->keys[i]);
}

/* In the order of labels, origins last. */
static int compare_keys(const void *a, const void *b)
{
	return (int)*(const enum selector_key *)a - (int)*(const enum selector_key *)b;
}

static void without(struct pivot_keys *ret, const struct pivot_keys *keys, enum selector_key key)
{
	struct pivot_keys rest = {.n = 0};

	for (size_t i = 0; i < keys->n; i++)
		if (keys->keys[i] != key)
			add_key(&rest, keys->keys[i]);
	*ret = rest;
}

/* --- what is asked --- */

static bool parse_key(enum selector_key *ret, const char *word, const char *option, GError **err)
{
	const char *names[SELECTOR_KEY_COUNT + 1] = {NULL}, *nearest;
	g_autofree char *list = NULL;
	int n = 0;

	for (int key = 0; key < SELECT_FLAG; key++) {
		names[n++] = values_key_name((enum selector_key)key);
		if (strcmp(names[n - 1], word) != 0)
			continue;
		*ret = (enum selector_key)key;
		return true;
	}
	nearest = diag_nearest(word, names);
	list = g_strjoinv(", ", (char **)names);
	return diag_set(err, DIAG_USAGE, "%s: unknown label \"%s\"%s%s%s; it is one of %s", option, word,
		nearest ? "; did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "", list);
}

/* Reads "config,toolchain"; `others` are the keys that are taken already. */
static bool parse_keys(struct pivot_keys *ret, const char *text, const char *option,
	const struct pivot_keys *others, GError **err)
{
	g_auto(GStrv) words = g_strsplit(text, ",", -1);

	for (char **word = words; *word; word++) {
		enum selector_key key = SELECT_FLAG;

		if (!parse_key(&key, g_strstrip(*word), option, err))
			return false;
		if (has_key(ret, key) || has_key(others, key))
			return diag_set(err, DIAG_USAGE, "%s: %s stands more than once", option,
				values_key_name(key));
		add_key(ret, key);
	}
	return true;
}

/* --- what results tell --- */

char **pivot_keys_values(const struct result *result, const struct pivot_keys *keys)
{
	char **values = g_new0(char *, keys->n + 1);

	for (size_t i = 0; i < keys->n; i++) {
		const char *value = values_of(result, keys->keys[i]);

		values[i] = g_strdup(value ? value : "-");
	}
	return values;
}

static char *joined(const struct result *result, const struct pivot_keys *keys)
{
	g_auto(GStrv) values = pivot_keys_values(result, keys);

	return g_strjoinv("\x1f", values);
}

static guint count_distinct(const GPtrArray *results, const struct pivot_keys *keys)
{
	g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (guint i = 0; i < results->len; i++)
		g_hash_table_add(seen, joined(results->pdata[i], keys));
	return g_hash_table_size(seen);
}

static bool differs(const GPtrArray *results, enum selector_key key)
{
	g_autoptr(GPtrArray) values = values_distinct(results, key);

	return values->len > 1;
}

/* Whether any two results that agree in `keys` differ in `key`. */
static bool differs_within(const GPtrArray *results, const struct pivot_keys *keys, enum selector_key key)
{
	struct pivot_keys more = *keys;

	add_key(&more, key);
	return count_distinct(results, &more) > count_distinct(results, keys);
}

/* --- what is usual --- */

/* Benchmark and block, but for what the columns take. */
static void default_rows(struct pivot_keys *ret, const struct pivot_keys *columns)
{
	enum selector_key benchmark = (enum selector_key)LABEL_BENCHMARK;
	enum selector_key block = (enum selector_key)LABEL_BLOCK;

	if (has_key(columns, SELECT_ALGORITHM) && !has_key(columns, SELECT_OPERATION))
		add_key(ret, SELECT_OPERATION);
	else if (has_key(columns, SELECT_OPERATION) && !has_key(columns, SELECT_ALGORITHM))
		add_key(ret, SELECT_ALGORITHM);
	else if (!has_key(columns, benchmark) && !has_key(columns, SELECT_ALGORITHM))
		add_key(ret, benchmark);
	if (!has_key(columns, block))
		add_key(ret, block);
}

/* Adds to the rows each key without which two results would fall into one cell. */
static void complete_rows(struct pivot_keys *rows, const struct pivot_keys *columns, const GPtrArray *results)
{
	struct pivot_keys both = *rows, needed;
	size_t fixed = rows->n;

	join_keys(&both, columns);
	for (size_t i = 0; i < G_N_ELEMENTS(usual); i++)
		if (!has_key(&both, usual[i]) && differs_within(results, &both, usual[i]))
			add_key(rows, usual[i]);
	needed = both;
	for (size_t i = fixed; i < rows->n; i++)
		add_key(&needed, rows->keys[i]);
	guint all = count_distinct(results, &needed);
	for (size_t i = 0; i < G_N_ELEMENTS(usual); i++) {
		struct pivot_keys fewer;

		without(&fewer, &needed, usual[i]);
		if (has_key(&both, usual[i]) || fewer.n == needed.n || count_distinct(results, &fewer) < all)
			continue;
		needed = fewer;
		without(rows, rows, usual[i]);
	}
	qsort(rows->keys + fixed, rows->n - fixed, sizeof(*rows->keys), compare_keys);
}

/* Of a key that tells no column apart that others do not; origins are marked anyway. */
static void note_left_out(GPtrArray *notes, const GPtrArray *results, enum selector_key key)
{
	if ((int)key >= LABEL_COUNT)
		return;

	g_autoptr(GPtrArray) values = values_distinct(results, key);
	g_autofree char *list = values_list(values);

	g_ptr_array_add(notes, g_strdup_printf("columns also differ in %s: %s", values_key_name(key), list));
}

static void default_columns(
	struct pivot_keys *ret, const struct pivot_keys *rows, const GPtrArray *results, GPtrArray *notes)
{
	for (size_t i = 0; i < G_N_ELEMENTS(usual); i++)
		if (!has_key(rows, usual[i]) && differs(results, usual[i]))
			add_key(ret, usual[i]);
	guint all = count_distinct(results, ret);
	for (size_t i = 0; i < G_N_ELEMENTS(usual); i++) {
		struct pivot_keys fewer;

		without(&fewer, ret, usual[i]);
		if (fewer.n == ret->n || count_distinct(results, &fewer) < all)
			continue;
		*ret = fewer;
		note_left_out(notes, results, usual[i]);
	}
	qsort(ret->keys, ret->n, sizeof(*ret->keys), compare_keys);
}

/* Of what figures of one row differ in, and neither its key nor a column's tells: its reader would take them
 * for alike. */
static void note_untold(GPtrArray *notes, const GPtrArray *results, const struct pivot_keys *rows,
	const struct pivot_keys *columns, enum selector_key key)
{
	if ((int)key >= LABEL_COUNT || has_key(rows, key) || has_key(columns, key) ||
		!differs_within(results, rows, key))
		return;

	g_autoptr(GPtrArray) values = values_distinct(results, key);
	g_autofree char *list = values_list(values);

	g_ptr_array_add(notes,
		g_strdup_printf("figures of one row also differ in %s: %s", values_key_name(key), list));
}

/* More columns than this are too many beside fewer rows, or where most cells would be empty. */
#define MANY_COLUMNS 6

static void tame_columns(struct pivot_keys *rows, struct pivot_keys *columns, const GPtrArray *results)
{
	guint n_rows = count_distinct(results, rows), n_columns = count_distinct(results, columns);
	struct pivot_keys both = *rows, was = *columns;

	if (n_columns <= MANY_COLUMNS)
		return;
	join_keys(&both, columns);
	if (2 * count_distinct(results, &both) < n_rows * n_columns) {
		*rows = both;
		columns->n = 0;
	} else if (n_columns > n_rows) {
		*columns = *rows;
		*rows = was;
	}
}

bool pivot_keys_find(struct pivot_keys *ret_rows, struct pivot_keys *ret_columns,
	const struct pivot_request *request, const GPtrArray *results, GPtrArray *notes, GError **err)
{
	if (request->columns && !parse_keys(ret_columns, request->columns, "--columns", ret_rows, err))
		return false;
	if (request->rows && !parse_keys(ret_rows, request->rows, "--rows", ret_columns, err))
		return false;
	if (!request->rows)
		default_rows(ret_rows, ret_columns);
	if (!request->columns)
		default_columns(ret_columns, ret_rows, results, notes);
	else if (!request->rows)
		complete_rows(ret_rows, ret_columns, results);
	if (!request->rows && !request->columns)
		tame_columns(ret_rows, ret_columns, results);
	note_untold(notes, results, ret_rows, ret_columns, (enum selector_key)LABEL_BLOCK);
	for (size_t i = 0; request->rows && request->columns && i < G_N_ELEMENTS(usual); i++)
		note_untold(notes, results, ret_rows, ret_columns, usual[i]);
	return true;
}
