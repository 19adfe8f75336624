#include "store_private.h"

#include "diag.h"

#include <inttypes.h>
#include <string.h>
#include <zlib.h>

#define SHA256_BYTES 32
/* From so many bytes on, half the time counts for more than a fifth of the room. */
#define LARGE	     (1024 * 1024)
#define LARGE_EFFORT 3

static void hash_bytes(guint8 *ret, const void *bytes, size_t length)
{
	g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
	gsize size = SHA256_BYTES;

	g_checksum_update(checksum, bytes, (gssize)length);
	g_checksum_get_digest(checksum, ret, &size);
}

/* The bytes made smaller, or NULL where they would not be. */
static Bytef *deflate_bytes(const void *bytes, size_t length, size_t *ret_length)
{
	uLongf size = compressBound(length);
	Bytef *small = g_malloc(size);
	int effort = length < LARGE ? Z_DEFAULT_COMPRESSION : LARGE_EFFORT;

	if (compress2(small, &size, bytes, length, effort) == Z_OK && size < length) {
		*ret_length = size;
		return small;
	}
	g_free(small);
	return NULL;
}

/* When its bytes were given up, ns since 1970; 0: they were not. */
static bool pruned_at(struct store *store, int64_t *ret_at, int64_t id, GError **err)
{
	return sql_number(store->sql, ret_at, "SELECT pruned_at FROM pruned WHERE raw_id = :id",
		SQL_ARGS(SQL_INT(":id", id)), err);
}

/* `statement` inserts or updates a row. */
static bool write_bytes(struct store *store, const char *statement, const guint8 *hash, const void *bytes,
	size_t length, GError **err)
{
	size_t small_length = 0;
	g_autofree Bytef *small = deflate_bytes(bytes, length, &small_length);

	return sql_run(store->sql, statement,
		SQL_ARGS(SQL_BLOB(":sha256", hash, SHA256_BYTES), SQL_INT(":size", (int64_t)length),
			SQL_TEXT(":codec", small ? "zlib" : "none"),
			SQL_BLOB(":bytes", small ? small : bytes, small ? small_length : length)),
		err);
}

static bool bring_back(
	struct store *store, int64_t id, const guint8 *hash, const void *bytes, size_t length, GError **err)
{
	int64_t pruned;

	if (!pruned_at(store, &pruned, id, err))
		return false;
	return pruned == 0 || (write_bytes(store,
				       "UPDATE raw SET codec = :codec, bytes = :bytes WHERE sha256 = :sha256 "
				       "AND size = :size",
				       hash, bytes, length, err) &&
				      sql_run(store->sql, "DELETE FROM pruned WHERE raw_id = :id",
					      SQL_ARGS(SQL_INT(":id", id)), err));
}

bool store_raw_put(struct store *store, int64_t *ret_id, const void *bytes, size_t length, GError **err)
{
	guint8 hash[SHA256_BYTES];
	int64_t id;

	*ret_id = 0;
	if (!bytes)
		return true;
	hash_bytes(hash, bytes, length);
	if (!sql_number(store->sql, &id, "SELECT id FROM raw WHERE sha256 = :sha256",
		    SQL_ARGS(SQL_BLOB(":sha256", hash, sizeof hash)), err))
		return false;
	*ret_id = id;
	if (id)
		return bring_back(store, id, hash, bytes, length, err);
	if (!write_bytes(store,
		    "INSERT INTO raw (sha256, size, codec, bytes) VALUES (:sha256, :size, :codec, :bytes)",
		    hash, bytes, length, err))
		return false;
	*ret_id = sql_last_id(store->sql);
	return true;
}

/* New bytes with a NUL after them, or NULL where the row does not hold what it says. */
static char *unpack(struct sql_query *query)
{
	size_t length, stored_length, hash_length;
	int64_t size = sql_int(query, 1);
	const void *stored = sql_blob(query, 3, &stored_length);
	const void *hash = sql_blob(query, 0, &hash_length);
	guint8 actual[SHA256_BYTES];

	/* deflate makes nothing smaller than a thousandth, so a larger size is a lie that must not be
	 * allocated. */
	if (size < 0 || (uint64_t)size > stored_length * 1100 + 64)
		return NULL;
	length = (size_t)size;
	g_autofree char *bytes = g_malloc0(length + 1);
	uLongf got = length;
	if (strcmp(sql_text(query, 2), "zlib") == 0) {
		if (uncompress((Bytef *)bytes, &got, stored, stored_length) != Z_OK || got != length)
			return NULL;
	} else if (stored_length != length) {
		return NULL;
	} else if (length > 0) {
		memcpy(bytes, stored, length);
	}
	hash_bytes(actual, bytes, length);
	if (hash_length != sizeof actual || memcmp(actual, hash, sizeof actual) != 0)
		return NULL;
	return g_steal_pointer(&bytes);
}

bool store_raw_get(struct store *store, char **ret, size_t *ret_length, int64_t id, GError **err)
{
	struct sql_query query;
	char *bytes = NULL;
	bool found = false;
	int64_t pruned = 0;

	*ret = NULL;
	*ret_length = 0;
	if (id == 0)
		return true;
	if (!pruned_at(store, &pruned, id, err))
		return false;
	if (pruned)
		return true;
	if (!sql_query(&query, store->sql, "SELECT sha256, size, codec, bytes FROM raw WHERE id = :id",
		    SQL_ARGS(SQL_INT(":id", id)), err))
		return false;
	if (sql_next(&query)) {
		found = true;
		bytes = unpack(&query);
		*ret_length = (size_t)sql_int(&query, 1);
	}
	if (!sql_done(&query, err)) {
		g_free(bytes);
		return false;
	}
	if (!bytes)
		return diag_set(err, DIAG_FAILED, "%s: raw text %" PRId64 " %s", store->file, id,
			found ? "is not what its hash says; `benchmatrix db check` lists all such"
			      : "is missing");
	*ret = bytes;
	return true;
}
