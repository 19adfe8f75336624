#include "store_private.h"

#include "diag.h"

#include <inttypes.h>
#include <string.h>

/* Bytes before the values of a set: schema/0001_facts.sql. */
#define SET_HEAD 16

static uint32_t u32_at(const guint8 *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof value);
	return GUINT32_FROM_LE(value);
}

static uint64_t u64_at(const guint8 *at)
{
	uint64_t value;

	memcpy(&value, at, sizeof value);
	return GUINT64_FROM_LE(value);
}

/* False where the bytes are not whole. */
static bool unpack(struct sample_list *list, const guint8 *at, size_t length)
{
	const guint8 *end = at + length;
	double *value = list->values;

	while (at < end) {
		if (end - at < SET_HEAD)
			return false;
		struct sample_set set = {u32_at(at), u64_at(at + 8), value, u32_at(at + 4)};
		at += SET_HEAD;
		if ((uint64_t)(end - at) / sizeof *value < set.n)
			return false;
		for (size_t i = 0; i < set.n; i++, at += sizeof *value) {
			uint64_t bits = u64_at(at);
			memcpy(value++, &bits, sizeof bits);
		}
		g_array_append_val(list->sets, set);
	}
	return true;
}

bool store_sample_sets(struct store *store, struct sample_list **ret, int64_t measurement, GError **err)
{
	struct sample_list *list = g_new0(struct sample_list, 1);
	struct sql_query query;
	bool whole = true;

	list->sets = g_array_new(FALSE, FALSE, sizeof(struct sample_set));
	if (!sql_query(&query, store->sql, "SELECT packed FROM sample WHERE measurement_id = :id",
		    SQL_ARGS(SQL_INT(":id", measurement)), err)) {
		sample_list_free(list);
		return false;
	}
	if (sql_next(&query)) {
		size_t length;
		const void *packed = sql_blob(&query, 0, &length);
		list->values = g_new(double, length / sizeof(double) + 1);
		whole = unpack(list, packed, length);
	}
	bool ok = sql_done(&query, err);
	if (ok && !whole)
		ok = diag_set(err, DIAG_FAILED,
			"%s: the samples of measurement %" PRId64
			" are not whole; `benchmatrix db check` lists all such",
			store->file, measurement);
	if (!ok) {
		sample_list_free(list);
		return false;
	}
	*ret = list;
	return true;
}

void sample_list_free(struct sample_list *list)
{
	if (!list)
		return;
	g_array_unref(list->sets);
	g_free(list->values);
	g_free(list);
}
