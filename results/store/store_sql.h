/* A thin layer over SQLite: statements by text, parameters by name, rows by a cursor, errors in words. */
#ifndef BM_STORE_SQL_H
#define BM_STORE_SQL_H

#include <glib.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

struct sql; /* a connection */

/* `flags` are sqlite3_open_v2's. Beside SQLite's own there is a function sha256(text). */
struct sql *sql_open(const char *file, int flags, GError **err);
void sql_close(struct sql *sql); /* takes NULL */
const char *sql_file(const struct sql *sql);
sqlite3 *sql_handle(struct sql *sql);

/* A parameter. NULL text or bytes, NAN and id 0 are NULL in the database. Text that is not UTF-8 is made so.
 */
struct sql_arg {
	const char *name; /* ":name", a literal */
	enum { SQL_ARG_INT, SQL_ARG_ID, SQL_ARG_REAL, SQL_ARG_TEXT, SQL_ARG_BLOB } type;
	int64_t number;
	double real;
	const void *bytes;
	size_t length;
};
#define SQL_INT(n, v)                                                                                        \
	{                                                                                                    \
		.name = n, .type = SQL_ARG_INT, .number = v                                                  \
	}
#define SQL_ID(n, v)                                                                                         \
	{                                                                                                    \
		.name = n, .type = SQL_ARG_ID, .number = v                                                   \
	}
#define SQL_REAL(n, v)                                                                                       \
	{                                                                                                    \
		.name = n, .type = SQL_ARG_REAL, .real = v                                                   \
	}
#define SQL_TEXT(n, v)                                                                                       \
	{                                                                                                    \
		.name = n, .type = SQL_ARG_TEXT, .bytes = v                                                  \
	}
#define SQL_BLOB(n, v, l)                                                                                    \
	{                                                                                                    \
		.name = n, .type = SQL_ARG_BLOB, .bytes = v, .length = l                                     \
	}
/* The arguments of a call: SQL_ARGS(SQL_INT(":id", id), SQL_TEXT(":name", name)). */
#define SQL_ARGS(...) ((const struct sql_arg[]){__VA_ARGS__, {.name = NULL}})

/* A script of any number of statements without parameters. */
bool sql_script(struct sql *sql, const char *text, GError **err);
/* One statement that yields no rows. */
bool sql_run(struct sql *sql, const char *text, const struct sql_arg *args, GError **err);
int64_t sql_last_id(struct sql *sql);

/* BEGIN IMMEDIATE; then COMMIT, or ROLLBACK where `ok` is false. sql_end() returns whether it was committed.
 */
bool sql_begin(struct sql *sql, GError **err);
bool sql_end(struct sql *sql, bool ok, GError **err);

/* Rows, as a cursor:
 *     struct sql_query q;
 *     if (!sql_query(&q, sql, "SELECT ...", args, err))
 *             return false;
 *     while (sql_next(&q))
 *             ... sql_int(&q, 0) ...
 *     return sql_done(&q, err);
 * sql_done() must be called, and fails where reading stopped for an error. Texts and bytes are lent until the
 * next row. */
struct sql_query {
	struct sql *sql;
	struct sql_statement *statement;
	int code; /* SQLite's, of the last step */
};
bool sql_query(
	struct sql_query *ret, struct sql *sql, const char *text, const struct sql_arg *args, GError **err);
bool sql_next(struct sql_query *query);
bool sql_done(struct sql_query *query, GError **err);
int64_t sql_int(struct sql_query *query, int column);	   /* NULL: 0 */
double sql_real(struct sql_query *query, int column);	   /* NULL: NAN */
const char *sql_text(struct sql_query *query, int column); /* NULL: NULL */
const void *sql_blob(struct sql_query *query, int column, size_t *ret_length);
int sql_columns(struct sql_query *query);
const char *sql_column_name(struct sql_query *query, int column);

/* The first column of the first row; 0 where there is no row. */
bool sql_number(struct sql *sql, int64_t *ret, const char *text, const struct sql_arg *args, GError **err);

/* Sets *err from the connection's last error; returns false. */
bool sql_fail(struct sql *sql, GError **err);

#endif
