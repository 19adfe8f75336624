#include "store_private.h"

bool store_attempt_output(struct store *store, char **ret, size_t *ret_length, int64_t attempt, GError **err)
{
	int64_t id;

	return sql_number(store->sql, &id, "SELECT out_raw_id FROM attempt WHERE id = :attempt",
		       SQL_ARGS(SQL_INT(":attempt", attempt)), err) &&
	       store_raw_get(store, ret, ret_length, id, err);
}
