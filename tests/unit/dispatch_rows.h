/* What the database holds after a run of dispatch_world.h, and the second benchmark of its streams. */
#ifndef BM_DISPATCH_ROWS_H
#define BM_DISPATCH_ROWS_H

#include "dispatch_world.h"

#define AES_NAME    "aes-128-cbc encrypt 16384"
#define RSA_NAME    "rsa-2048 private"
#define RSA	    "\"name\":\"rsa-2048 private\""
#define RSA_SAMPLES "out {\"r\":\"samples\"," RSA ",\"metric\":\"time\",\"iterations\":1,\"values\":[5000]}\n"
#define RSA_OK	    "out {\"r\":\"benchmark\"," RSA ",\"state\":\"ok\"}\n"
#define AES_ALL	    START SAMPLES OK
#define RSA_ALL	    RSA_START RSA_SAMPLES RSA_OK

/* What SQLite itself says: the rows of a statement, "a|b\n". */
static inline char *ask(const struct world *w, const char *sql)
{
	GString *text = g_string_new(NULL);
	sqlite3 *db;
	sqlite3_stmt *statement;

	g_assert_cmpint(sqlite3_open_v2(w->store.file, &db, SQLITE_OPEN_READONLY, NULL), ==, SQLITE_OK);
	g_assert_cmpint(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), ==, SQLITE_OK);
	while (sqlite3_step(statement) == SQLITE_ROW)
		for (int i = 0; i < sqlite3_column_count(statement); i++) {
			const char *value = (const char *)sqlite3_column_text(statement, i);
			g_string_append(text, value ? value : "-");
			g_string_append_c(text, i + 1 < sqlite3_column_count(statement) ? '|' : '\n');
		}
	sqlite3_finalize(statement);
	sqlite3_close(db);
	return g_string_free(text, FALSE);
}

static inline void check_rows(const struct world *w, const char *sql, const char *expected)
{
	g_autofree char *rows = ask(w, sql);

	g_assert_cmpstr(rows, ==, expected);
}

#define OUTCOMES "SELECT benchmark, state, reason FROM outcome ORDER BY benchmark"
#define SAMPLES_OF                                                                                           \
	"SELECT w.benchmark, m.n, m.median FROM measurement AS m JOIN series_wide AS w ON w.series_id = "    \
	"m.series_id ORDER BY w.benchmark"
#define PROCESSES                                                                                            \
	"SELECT number, invocation, ended, substr(argv, nullif(instr(argv, '\"--from'), 0)) FROM process "   \
	"ORDER BY attempt_id, number"

#endif
