#include "store_context.h"

#include "diag.h"
#include "store_private.h"

#include <inttypes.h>

static bool read_facts(struct store *store, struct attempt_context *context, int64_t attempt, GError **err)
{
	struct sql_query query;

	/* The platform is asked before the cell is made, which in turn is before the attempt. */
	if (!sql_query(&query, store->sql,
		    "SELECT f.key, f.value FROM attempt AS a JOIN cell AS c ON c.id = a.cell_id"
		    " JOIN platform_fact AS f ON f.platform_id = c.platform_id"
		    " WHERE a.id = :attempt AND f.value IS NOT NULL AND f.seen_at ="
		    " (SELECT max(g.seen_at) FROM platform_fact AS g WHERE g.platform_id = f.platform_id"
		    " AND g.key = f.key AND g.seen_at <= max(a.started_at, c.created_at)) ORDER BY f.key",
		    SQL_ARGS(SQL_INT(":attempt", attempt)), err))
		return false;
	while (sql_next(&query)) {
		g_ptr_array_add(context->platform_facts, g_strdup(sql_text(&query, 0)));
		g_ptr_array_add(context->platform_facts, g_strdup(sql_text(&query, 1)));
	}
	return sql_done(&query, err);
}

static void fill(struct attempt_context *context, struct sql_query *query)
{
	char **columns[] = {&context->uuid, &context->matrix, &context->parent, &context->configure_line,
		&context->code_sha256, &context->library_version, &context->facts, &context->platform_uuid,
		&context->platform_environment, &context->document, &context->importer, &context->reference};

	for (size_t i = 0; i < G_N_ELEMENTS(columns); i++)
		*columns[i] = g_strdup(sql_text(query, (int)i));
}

static bool read_attempt(struct store *store, struct attempt_context *context, int64_t attempt, GError **err)
{
	struct sql_query query;

	if (!sql_query(&query, store->sql,
		    "SELECT a.uuid, r.matrix, b.parent, b.configure_line, b.code_sha256, a.library_version, "
		    "a.facts,"
		    " p.uuid, p.environment, d.name, d.importer, d.reference"
		    " FROM attempt AS a JOIN cell AS c ON c.id = a.cell_id JOIN build AS b ON b.id = "
		    "c.build_id"
		    " JOIN run AS r ON r.id = c.run_id LEFT JOIN platform AS p ON p.id = c.platform_id"
		    " LEFT JOIN document AS d ON d.run_id = r.id WHERE a.id = :attempt",
		    SQL_ARGS(SQL_INT(":attempt", attempt)), err))
		return false;
	bool found = sql_next(&query);
	if (found)
		fill(context, &query);
	if (!sql_done(&query, err))
		return false;
	return found || diag_set(err, DIAG_FAILED,
				"%s: attempt %" PRId64 " is not whole; `benchmatrix db check` says more",
				store->file, attempt);
}

bool store_attempt_context(
	struct store *store, struct attempt_context **ret, int64_t attempt, int64_t cell, GError **err)
{
	struct attempt_context *context = g_new0(struct attempt_context, 1);

	context->platform_facts = g_ptr_array_new_with_free_func(g_free);
	if (!read_attempt(store, context, attempt, err) || !read_facts(store, context, attempt, err) ||
		!store_cell_labels(store, &context->labels, cell, err)) {
		attempt_context_free(context);
		return false;
	}
	*ret = context;
	return true;
}

void attempt_context_free(struct attempt_context *context)
{
	if (!context)
		return;
	g_free(context->uuid);
	g_free(context->matrix);
	g_free(context->parent);
	g_free(context->configure_line);
	g_free(context->code_sha256);
	g_free(context->library_version);
	g_free(context->facts);
	g_free(context->platform_uuid);
	g_free(context->platform_environment);
	g_free(context->document);
	g_free(context->importer);
	g_free(context->reference);
	g_ptr_array_unref(context->platform_facts);
	g_free(context);
}

static void printing_free(gpointer data)
{
	struct printing *printing = data;

	g_free(printing->statistic);
	g_free(printing->text);
	g_free(printing->unit);
	g_free(printing->name);
	g_free(printing);
}

bool store_printings(struct store *store, GPtrArray **ret, int64_t measurement, GError **err)
{
	g_autoptr(GPtrArray) printings = g_ptr_array_new_with_free_func(printing_free);
	struct sql_query query;

	if (!sql_query(&query, store->sql,
		    "SELECT statistic, printed, unit, name, line FROM reading"
		    " WHERE measurement_id = :id ORDER BY line, id",
		    SQL_ARGS(SQL_INT(":id", measurement)), err))
		return false;
	while (sql_next(&query)) {
		struct printing *printing = g_new0(struct printing, 1);
		printing->statistic = g_strdup(sql_text(&query, 0));
		printing->text = g_strdup(sql_text(&query, 1));
		printing->unit = g_strdup(sql_text(&query, 2));
		printing->name = g_strdup(sql_text(&query, 3));
		printing->line = sql_int(&query, 4);
		g_ptr_array_add(printings, printing);
	}
	if (!sql_done(&query, err))
		return false;
	*ret = g_steal_pointer(&printings);
	return true;
}
