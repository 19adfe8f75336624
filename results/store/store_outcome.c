/* Outcomes: one list for all attempts that have the same, schema/0005_latest.sql. */
#include "store_private.h"

#include <string.h>

static gint compare_outcomes(gconstpointer a, gconstpointer b)
{
	const struct outcome *const *x = a, *const *y = b;
	int order = strcmp((*x)->benchmark, (*y)->benchmark);

	return order != 0 ? order : g_strcmp0((*x)->block, (*y)->block);
}

/* As SQLite's quote(), of what the database will hold. */
static void append_quoted(GString *text, const char *value)
{
	g_autofree char *valid = value ? g_utf8_make_valid(value, -1) : NULL;

	if (!valid) {
		g_string_append(text, "NULL");
		return;
	}
	g_string_append_c(text, '\'');
	for (const char *c = valid; *c; c++) {
		if (*c == '\'')
			g_string_append_c(text, '\'');
		g_string_append_c(text, *c);
	}
	g_string_append_c(text, '\'');
}

static GString *text_of(const GPtrArray *outcomes)
{
	GString *text = g_string_sized_new(outcomes->len * 128);

	for (guint i = 0; i < outcomes->len; i++) {
		const struct outcome *outcome = outcomes->pdata[i];
		append_quoted(text, outcome->benchmark);
		append_quoted(text, outcome->block ? outcome->block : "");
		append_quoted(text, outcome_states[outcome->state].name);
		append_quoted(text, outcome->reason);
		append_quoted(text, outcome->digest);
		append_quoted(text, outcome->proof);
	}
	return text;
}

static bool insert_line(struct store *store, int64_t list, const struct outcome *outcome, GError **err)
{
	return sql_run(store->sql,
		"INSERT INTO outcome_line (list_id, benchmark, block, state, reason, digest, proof)"
		" VALUES (:list, :benchmark, :block, :state, :reason, :digest, :proof)",
		SQL_ARGS(SQL_INT(":list", list), SQL_TEXT(":benchmark", outcome->benchmark),
			SQL_TEXT(":block", outcome->block ? outcome->block : ""),
			SQL_TEXT(":state", outcome_states[outcome->state].name),
			SQL_TEXT(":reason", outcome->reason), SQL_TEXT(":digest", outcome->digest),
			SQL_TEXT(":proof", outcome->proof)),
		err);
}

/* The list of these outcomes, made where it is not there yet. */
static bool find_list(struct store *store, int64_t *ret_id, const GPtrArray *outcomes, GError **err)
{
	GString *text = text_of(outcomes);
	g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
	guint8 hash[32];
	gsize size = sizeof hash;

	g_checksum_update(checksum, (const guchar *)text->str, (gssize)text->len);
	g_checksum_get_digest(checksum, hash, &size);
	g_string_free(text, TRUE);
	const struct sql_arg *args = SQL_ARGS(SQL_BLOB(":sha256", hash, size));
	if (!sql_number(store->sql, ret_id, "SELECT id FROM outcome_list WHERE sha256 = :sha256", args, err))
		return false;
	if (*ret_id)
		return true;
	if (!sql_run(store->sql, "INSERT INTO outcome_list (sha256) VALUES (:sha256)", args, err))
		return false;
	*ret_id = sql_last_id(store->sql);
	for (guint i = 0; i < outcomes->len; i++)
		if (!insert_line(store, *ret_id, outcomes->pdata[i], err))
			return false;
	return true;
}

bool store_insert_outcomes(struct store *store, int64_t attempt, const GPtrArray *outcomes, GError **err)
{
	g_autoptr(GPtrArray) sorted = g_ptr_array_new();
	int64_t list;

	if (outcomes->len == 0)
		return true;
	g_ptr_array_extend(sorted, (GPtrArray *)outcomes, NULL, NULL);
	g_ptr_array_sort(sorted, compare_outcomes);
	return find_list(store, &list, sorted, err) &&
	       sql_run(store->sql, "UPDATE attempt SET outcome_list_id = :list WHERE id = :attempt",
		       SQL_ARGS(SQL_INT(":list", list), SQL_INT(":attempt", attempt)), err);
}
