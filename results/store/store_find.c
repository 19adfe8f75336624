#include "store_private.h"

#include <string.h>

/* Rows of (id, name, name, ...), newest first: a thing is found by any of its names. */
static const char *const names[] = {
	[STORE_RUN] = "SELECT id, label, matrix, uuid FROM run ORDER BY started_at DESC, id DESC",
	[STORE_BUILD] = "SELECT b.id, ltrim(coalesce(w.toolchain, '') || coalesce(' ' || w.library, '') ||"
			" coalesce('-' || w.version, '') || coalesce(' ' || w.config, '') ||"
			" coalesce(' ' || w.profile, '') || coalesce(' ' || w.optimisation, '')),"
			" b.key_program, b.key_library, b.uuid"
			" FROM build AS b JOIN build_wide AS w ON w.build_id = b.id ORDER BY b.created_at "
			"DESC, b.id DESC",
	[STORE_ATTEMPT] = "SELECT a.id, c.name, a.uuid FROM attempt AS a JOIN cell AS c ON c.id = a.cell_id"
			  " ORDER BY a.started_at DESC, a.id DESC",
	[STORE_PLATFORM] = "SELECT id, name, uuid FROM platform ORDER BY created_at DESC, id DESC",
	[STORE_CELL] =
		"SELECT id, name FROM cell WHERE instrument <> 'build' ORDER BY created_at DESC, id DESC",
};

/* Shorter beginnings of a key or UUID are more likely a mistake, or a name. */
#define SHORTEST_BEGINNING 4

static bool is_hexadecimal(const char *text)
{
	return text[strspn(text, "0123456789abcdef-")] == '\0';
}

static bool is_named(struct sql_query *query, const char *pattern)
{
	bool beginning = strlen(pattern) >= SHORTEST_BEGINNING && is_hexadecimal(pattern);

	for (int i = 1; i < sql_columns(query); i++) {
		const char *name = sql_text(query, i);
		if (!name)
			continue;
		if (selector_glob(pattern, name) ||
			(beginning && is_hexadecimal(name) && g_str_has_prefix(name, pattern)))
			return true;
	}
	return false;
}

bool store_find(struct store *store, GArray **ret, enum store_thing thing, const char *pattern, GError **err)
{
	g_autoptr(GArray) ids = g_array_new(FALSE, FALSE, sizeof(int64_t));
	struct sql_query query;

	if (!sql_query(&query, store->sql, names[thing], NULL, err))
		return false;
	while (sql_next(&query)) {
		int64_t id = sql_int(&query, 0);
		if (is_named(&query, pattern))
			g_array_append_val(ids, id);
	}
	if (!sql_done(&query, err))
		return false;
	*ret = g_steal_pointer(&ids);
	return true;
}
