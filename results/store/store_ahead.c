/* Reading ahead: a disk answers many at once nearly as quickly as one. */
#include "store_pick.h"

#define READERS	 16
#define FEWEST	 64 /* ids that are worth it */
#define TRIED	 8  /* ids that tell whether the file is in memory */
#define QUICK_US 50 /* an id from memory takes less */

struct share {
	const char *file, *text;
	const int64_t *ids;
	guint n;
};

static void read_rows(sqlite3_stmt *statement, const int64_t *ids, guint n)
{
	for (guint i = 0; i < n; i++) {
		sqlite3_bind_int64(statement, 1, ids[i]);
		while (sqlite3_step(statement) == SQLITE_ROW)
			;
		sqlite3_reset(statement);
	}
}

/* What goes wrong here goes wrong again where it is told. */
static gpointer read_share(gpointer data)
{
	const struct share *share = data;
	sqlite3 *handle = NULL;
	sqlite3_stmt *statement = NULL;

	if (sqlite3_open_v2(share->file, &handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL) ==
			SQLITE_OK &&
		sqlite3_prepare_v2(handle, share->text, -1, &statement, NULL) == SQLITE_OK)
		read_rows(statement, share->ids, share->n);
	sqlite3_finalize(statement);
	sqlite3_close(handle);
	return NULL;
}

static bool in_memory(struct store *store, const char *text, const int64_t *ids)
{
	sqlite3_stmt *statement = NULL;
	gint64 start;

	if (sqlite3_prepare_v2(sql_handle(store->sql), text, -1, &statement, NULL) != SQLITE_OK)
		return true;
	start = g_get_monotonic_time();
	read_rows(statement, ids, TRIED);
	sqlite3_finalize(statement);
	return g_get_monotonic_time() - start < TRIED * QUICK_US;
}

void store_read_ahead(struct store *store, const char *text, const GArray *ids)
{
	const int64_t *all = (const int64_t *)ids->data;
	const char *file = sqlite3_db_filename(sql_handle(store->sql), "main");
	struct share shares[READERS];
	GThread *threads[READERS];
	guint done = TRIED;

	if (ids->len < FEWEST || !file || in_memory(store, text, all))
		return;
	for (guint i = 0; i < READERS; i++) {
		guint n = (ids->len - done) / (READERS - i);
		shares[i] = (struct share){file, text, all + done, n};
		done += n;
		threads[i] = g_thread_try_new("ahead", read_share, &shares[i], NULL);
	}
	for (guint i = 0; i < READERS; i++)
		if (threads[i])
			g_thread_join(threads[i]);
}
