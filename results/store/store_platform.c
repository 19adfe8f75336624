#include "store_private.h"

#include "diag.h"

#include <string.h>

struct known_platform {
	int64_t id; /* 0: there is none of the name */
	enum environment environment;
};

static enum environment environment_of(const char *name)
{
	for (int i = 0; i < ENVIRONMENT_COUNT; i++)
		if (strcmp(environment_names[i], name) == 0)
			return (enum environment)i;
	return ENVIRONMENT_UNKNOWN;
}

static bool look_up(struct store *store, struct known_platform *ret, const char *name, GError **err)
{
	struct sql_query query;

	*ret = (struct known_platform){0};
	if (!sql_query(&query, store->sql, "SELECT id, environment FROM platform WHERE name = :name",
		    SQL_ARGS(SQL_TEXT(":name", name)), err))
		return false;
	if (sql_next(&query)) {
		ret->id = sql_int(&query, 0);
		ret->environment = environment_of(sql_text(&query, 1));
	}
	return sql_done(&query, err);
}

/* The platform of that name; *ret_id 0 where there is none. What was unknown of it may become known. */
static bool find_platform(
	struct store *store, int64_t *ret_id, const char *name, enum environment environment, GError **err)
{
	struct known_platform known;

	if (!look_up(store, &known, name, err))
		return false;
	*ret_id = known.id;
	if (known.id == 0 || known.environment == environment || environment == ENVIRONMENT_UNKNOWN)
		return true;
	if (known.environment != ENVIRONMENT_UNKNOWN)
		return diag_set(err, DIAG_INPUT,
			"%s: platform \"%s\" is known as %s, and now it is %s; give one of the two another "
			"name",
			store->file, name, environment_names[known.environment],
			environment_names[environment]);
	return sql_run(store->sql, "UPDATE platform SET environment = :environment WHERE id = :id",
		SQL_ARGS(SQL_TEXT(":environment", environment_names[environment]), SQL_INT(":id", known.id)),
		err);
}

static bool insert_platform(struct store *store, int64_t *ret_id, const char *uuid, const char *name,
	enum environment environment, GError **err)
{
	if (!sql_run(store->sql,
		    "INSERT INTO platform (uuid, name, environment, created_at)"
		    " VALUES (:uuid, :name, :environment, :now)",
		    SQL_ARGS(SQL_TEXT(":uuid", uuid), SQL_TEXT(":name", name),
			    SQL_TEXT(":environment", environment_names[environment]),
			    SQL_INT(":now", store_now())),
		    err))
		return false;
	*ret_id = sql_last_id(store->sql);
	return true;
}

/* What it said last, by key. */
static GHashTable *last_facts(struct store *store, int64_t id, GError **err)
{
	g_autoptr(GHashTable) facts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	struct sql_query query;

	/* A column beside max() is of the row that has the maximum. */
	if (!sql_query(&query, store->sql,
		    "SELECT key, value, max(seen_at) FROM platform_fact WHERE platform_id = :id GROUP BY key",
		    SQL_ARGS(SQL_INT(":id", id)), err))
		return NULL;
	while (sql_next(&query))
		if (sql_text(&query, 1))
			g_hash_table_insert(
				facts, g_strdup(sql_text(&query, 0)), g_strdup(sql_text(&query, 1)));
	return sql_done(&query, err) ? g_steal_pointer(&facts) : NULL;
}

static bool add_fact(struct store *store, int64_t id, const char *key, const char *value, GError **err)
{
	return sql_run(store->sql,
		"INSERT INTO platform_fact (platform_id, key, seen_at, value)"
		" VALUES (:id, :key, :now, :value)"
		" ON CONFLICT (platform_id, key, seen_at) DO UPDATE SET value = excluded.value",
		SQL_ARGS(SQL_INT(":id", id), SQL_TEXT(":key", key), SQL_INT(":now", store_now()),
			SQL_TEXT(":value", value)),
		err);
}

/* Older results keep the facts of their time. */
static bool put_facts(struct store *store, int64_t id, GHashTable *facts, GError **err)
{
	g_autoptr(GHashTable) last = last_facts(store, id, err);
	GHashTableIter iter;
	const char *key, *value;

	if (!last)
		return false;
	g_hash_table_iter_init(&iter, facts);
	while (g_hash_table_iter_next(&iter, (gpointer *)&key, (gpointer *)&value))
		if (g_strcmp0(g_hash_table_lookup(last, key), value) != 0 &&
			!add_fact(store, id, key, value, err))
			return false;
	g_hash_table_iter_init(&iter, last);
	while (g_hash_table_iter_next(&iter, (gpointer *)&key, NULL))
		if (!g_hash_table_contains(facts, key) && !add_fact(store, id, key, NULL, err))
			return false;
	return true;
}

static bool put_platform(struct store *store, int64_t *ret_id, const char *name, enum environment environment,
	GHashTable *facts, GError **err)
{
	g_autofree char *uuid = g_uuid_string_random();

	if (!find_platform(store, ret_id, name, environment, err))
		return false;
	if (*ret_id == 0 && !insert_platform(store, ret_id, uuid, name, environment, err))
		return false;
	return !facts || put_facts(store, *ret_id, facts, err);
}

bool store_platform_put(struct store *store, int64_t *ret_id, const char *name, enum environment environment,
	GHashTable *facts, GError **err)
{
	return store_begin(store, err) &&
	       store_end(store, put_platform(store, ret_id, name, environment, facts, err), err);
}

/* --- of documents --- */

/* What a document says of a machine never stands against what the machine said of itself. */
static bool add_new_facts(struct store *store, int64_t id, const char *const *facts, GError **err)
{
	g_autoptr(GHashTable) last = last_facts(store, id, err);

	if (!last)
		return false;
	for (; facts && facts[0]; facts += 2)
		if (!g_hash_table_contains(last, facts[0]) && !add_fact(store, id, facts[0], facts[1], err))
			return false;
	return true;
}

bool store_document_platform(
	struct store *store, int64_t *ret_id, const char *name, const struct document *document, GError **err)
{
	const struct document_source *source = &document->source;
	g_autoptr(GByteArray) said = g_byte_array_new();

	*ret_id = 0;
	if (!name)
		return true;
	if (!find_platform(store, ret_id, name, source->environment, err))
		return false;
	/* Of a publication the reference tells which machine of the name is meant, else only the text does.
	 */
	if (source->reference)
		g_byte_array_append(
			said, (const guint8 *)source->reference, (guint)strlen(source->reference));
	else
		g_byte_array_append(said, document->sha256, sizeof document->sha256);
	g_byte_array_append(said, (const guint8 *)name, (guint)strlen(name));
	g_autofree char *uuid = store_derived_uuid("platform", said->data, said->len, 0);
	if (*ret_id == 0 && !insert_platform(store, ret_id, uuid, name, source->environment, err))
		return false;
	return add_new_facts(store, *ret_id, source->platform_facts, err);
}
