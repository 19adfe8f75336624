#include "store_sql.h"

#include "diag.h"

#include <math.h>
#include <string.h>

#define BUSY_TIMEOUT_MS 30000
/* Statements that are found by where their text stands. */
#define QUICK 256
/* Parameters whose places are remembered. */
#define PLACES 24

struct sql_statement {
	sqlite3_stmt *handle;
	const char *text; /* SQLite's copy */
	bool busy;
	struct sql_statement *next; /* of the same text, where a query is nested in itself; NULL */
	/* Names are literals, so that where one stands tells which it is. */
	const char *names[PLACES];
	int places[PLACES];
};

struct sql {
	sqlite3 *handle;
	char *file;
	GHashTable *statements; /* their text -> struct sql_statement */
	/* By the address of the text that was asked for: to hash half a kilobyte of SQL for each row takes
	 * as long as to insert it. */
	struct {
		const char *asked;
		struct sql_statement *statement;
	} quick[QUICK];
};

static void finalize(gpointer data)
{
	struct sql_statement *statement = data;

	while (statement) {
		struct sql_statement *next = statement->next;
		sqlite3_finalize(statement->handle);
		g_free(statement);
		statement = next;
	}
}

bool sql_fail(struct sql *sql, GError **err)
{
	const char *file = sql->file, *what = sqlite3_errmsg(sql->handle);
	int system = sqlite3_system_errno(sql->handle);

	switch (sqlite3_errcode(sql->handle)) {
	case SQLITE_NOTADB:
		return diag_set(err, DIAG_INPUT,
			"%s: is not a SQLite database; name another file with --db, or move it away", file);
	case SQLITE_CORRUPT:
		return diag_set(err, DIAG_INPUT,
			"%s: the database is damaged (%s); `benchmatrix db check` says more, a backup may "
			"lie beside it",
			file, what);
	case SQLITE_FULL:
		return diag_set(err, DIAG_FAILED,
			"%s: the disk is full; free some space and try again, what was stored before is "
			"whole",
			file);
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return diag_set(err, DIAG_FAILED,
			"%s: another process has held it for %d s; try again when that has ended", file,
			BUSY_TIMEOUT_MS / 1000);
	case SQLITE_READONLY:
	case SQLITE_PERM:
		return diag_set(err, DIAG_FAILED,
			"%s: cannot be written (%s); look at the permissions of the file and its folder",
			file, what);
	case SQLITE_CANTOPEN:
		return diag_set(err, DIAG_FAILED,
			"%s: cannot be opened (%s); look at the permissions of the file and its folder", file,
			system ? g_strerror(system) : what);
	case SQLITE_IOERR:
		return diag_set(err, DIAG_FAILED, "%s: cannot be read or written (%s)", file,
			system ? g_strerror(system) : what);
	default:
		return diag_set(err, DIAG_FAILED, "%s: %s", file, what);
	}
}

/* SQL: sha256(text) is a blob of 32 bytes. */
static void sha256(sqlite3_context *context, int n, sqlite3_value **values)
{
	g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
	const guchar *text = sqlite3_value_text(values[0]);
	guint8 hash[32];
	gsize size = sizeof hash;

	(void)n;
	if (!text)
		return;
	g_checksum_update(checksum, text, sqlite3_value_bytes(values[0]));
	g_checksum_get_digest(checksum, hash, &size);
	sqlite3_result_blob(context, hash, (int)size, SQLITE_TRANSIENT);
}

struct sql *sql_open(const char *file, int flags, GError **err)
{
	struct sql *sql = g_new0(struct sql, 1);

	sql->file = g_strdup(file);
	sql->statements = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, finalize);
	int code = sqlite3_open_v2(file, &sql->handle, flags | SQLITE_OPEN_NOMUTEX, NULL);
	if (code != SQLITE_OK) {
		sql_fail(sql, err);
		sql_close(sql);
		return NULL;
	}
	sqlite3_create_function(sql->handle, "sha256", 1,
		SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, NULL, sha256, NULL, NULL);
	sqlite3_busy_timeout(sql->handle, BUSY_TIMEOUT_MS);
	return sql;
}

void sql_close(struct sql *sql)
{
	if (!sql)
		return;
	g_hash_table_unref(sql->statements);
	sqlite3_close(sql->handle);
	g_free(sql->file);
	g_free(sql);
}

const char *sql_file(const struct sql *sql)
{
	return sql->file;
}

sqlite3 *sql_handle(struct sql *sql)
{
	return sql->handle;
}

bool sql_script(struct sql *sql, const char *text, GError **err)
{
	return sqlite3_exec(sql->handle, text, NULL, NULL, NULL) == SQLITE_OK || sql_fail(sql, err);
}

static int bind_text(sqlite3_stmt *statement, int index, const char *text, sqlite3_destructor_type keep)
{
	if (!text)
		return sqlite3_bind_null(statement, index);
	if (g_utf8_validate(text, -1, NULL))
		return sqlite3_bind_text(statement, index, text, -1, keep);
	return sqlite3_bind_text(statement, index, g_utf8_make_valid(text, -1), -1, g_free);
}

static int place_of(struct sql_statement *statement, const struct sql_arg *arg, int number)
{
	if (number < PLACES && statement->names[number] == arg->name)
		return statement->places[number];
	int place = sqlite3_bind_parameter_index(statement->handle, arg->name);
	g_assert(place > 0);
	if (number < PLACES) {
		statement->names[number] = arg->name;
		statement->places[number] = place;
	}
	return place;
}

static int bind(sqlite3_stmt *statement, int index, const struct sql_arg *arg, sqlite3_destructor_type keep)
{
	switch (arg->type) {
	case SQL_ARG_INT:
		return sqlite3_bind_int64(statement, index, arg->number);
	case SQL_ARG_ID:
		return arg->number ? sqlite3_bind_int64(statement, index, arg->number)
				   : sqlite3_bind_null(statement, index);
	case SQL_ARG_REAL:
		/* SQLite itself makes NULL of NAN. */
		return sqlite3_bind_double(statement, index, arg->real);
	case SQL_ARG_TEXT:
		return bind_text(statement, index, arg->bytes, keep);
	case SQL_ARG_BLOB:
		if (!arg->bytes)
			return sqlite3_bind_null(statement, index);
		return sqlite3_bind_blob64(statement, index, arg->bytes, arg->length, keep);
	}
	return SQLITE_MISUSE;
}

/* A new one behind `before`, or the first of its text; NULL where SQLite refuses it. */
static struct sql_statement *prepare(struct sql *sql, const char *text, struct sql_statement *before)
{
	struct sql_statement *statement = g_new0(struct sql_statement, 1);

	if (sqlite3_prepare_v3(sql->handle, text, -1, SQLITE_PREPARE_PERSISTENT, &statement->handle, NULL) !=
		SQLITE_OK) {
		g_free(statement);
		return NULL;
	}
	statement->text = sqlite3_sql(statement->handle);
	if (before)
		before->next = statement;
	else
		g_hash_table_insert(sql->statements, (gpointer)statement->text, statement);
	return statement;
}

/* The first of its text. The text at an address may be another one than last time. */
static struct sql_statement *first_of(struct sql *sql, const char *text)
{
	size_t slot = ((uintptr_t)text >> 3) % QUICK;
	struct sql_statement *statement = sql->quick[slot].statement;

	if (sql->quick[slot].asked == text && strcmp(statement->text, text) == 0)
		return statement;
	statement = g_hash_table_lookup(sql->statements, text);
	if (!statement)
		statement = prepare(sql, text, NULL);
	if (statement) {
		sql->quick[slot].asked = text;
		sql->quick[slot].statement = statement;
	}
	return statement;
}

static struct sql_statement *take_statement(struct sql *sql, const char *text)
{
	struct sql_statement *statement = first_of(sql, text);

	while (statement && statement->busy)
		statement = statement->next ? statement->next : prepare(sql, text, statement);
	if (statement)
		statement->busy = true;
	return statement;
}

static void give_back(struct sql_statement *statement)
{
	sqlite3_reset(statement->handle);
	sqlite3_clear_bindings(statement->handle);
	statement->busy = false;
}

/* `keep`: SQLITE_STATIC where the arguments outlive the query. */
static bool start(struct sql_query *ret, struct sql *sql, const char *text, const struct sql_arg *args,
	sqlite3_destructor_type keep, GError **err)
{
	struct sql_statement *statement = take_statement(sql, text);

	if (!statement)
		return sql_fail(sql, err);
	for (int i = 0; args && args->name; args++, i++) {
		if (bind(statement->handle, place_of(statement, args, i), args, keep) == SQLITE_OK)
			continue;
		sql_fail(sql, err);
		give_back(statement);
		return false;
	}
	*ret = (struct sql_query){sql, statement, SQLITE_OK};
	return true;
}

bool sql_query(
	struct sql_query *ret, struct sql *sql, const char *text, const struct sql_arg *args, GError **err)
{
	return start(ret, sql, text, args, SQLITE_TRANSIENT, err);
}

bool sql_next(struct sql_query *query)
{
	query->code = sqlite3_step(query->statement->handle);
	return query->code == SQLITE_ROW;
}

bool sql_done(struct sql_query *query, GError **err)
{
	bool ok = query->code == SQLITE_OK || query->code == SQLITE_ROW || query->code == SQLITE_DONE;

	if (!ok)
		sql_fail(query->sql, err);
	give_back(query->statement);
	return ok;
}

int64_t sql_int(struct sql_query *query, int column)
{
	return sqlite3_column_int64(query->statement->handle, column);
}

double sql_real(struct sql_query *query, int column)
{
	if (sqlite3_column_type(query->statement->handle, column) == SQLITE_NULL)
		return NAN;
	return sqlite3_column_double(query->statement->handle, column);
}

const char *sql_text(struct sql_query *query, int column)
{
	return (const char *)sqlite3_column_text(query->statement->handle, column);
}

const void *sql_blob(struct sql_query *query, int column, size_t *ret_length)
{
	const void *bytes = sqlite3_column_blob(query->statement->handle, column);

	*ret_length = (size_t)sqlite3_column_bytes(query->statement->handle, column);
	return bytes;
}

int sql_columns(struct sql_query *query)
{
	return sqlite3_column_count(query->statement->handle);
}

const char *sql_column_name(struct sql_query *query, int column)
{
	return sqlite3_column_name(query->statement->handle, column);
}

bool sql_run(struct sql *sql, const char *text, const struct sql_arg *args, GError **err)
{
	struct sql_query query;

	if (!start(&query, sql, text, args, SQLITE_STATIC, err))
		return false;
	while (sql_next(&query))
		;
	return sql_done(&query, err);
}

int64_t sql_last_id(struct sql *sql)
{
	return sqlite3_last_insert_rowid(sql->handle);
}

bool sql_number(struct sql *sql, int64_t *ret, const char *text, const struct sql_arg *args, GError **err)
{
	struct sql_query query;

	if (!start(&query, sql, text, args, SQLITE_STATIC, err))
		return false;
	int64_t number = sql_next(&query) ? sql_int(&query, 0) : 0;
	if (!sql_done(&query, err))
		return false;
	*ret = number;
	return true;
}

bool sql_begin(struct sql *sql, GError **err)
{
	return sql_run(sql, "BEGIN IMMEDIATE", NULL, err);
}

bool sql_end(struct sql *sql, bool ok, GError **err)
{
	if (ok && sql_run(sql, "COMMIT", NULL, err))
		return true;
	/* SQLite may have rolled back by itself already (disk full); an error here would hide the first. */
	if (!sqlite3_get_autocommit(sql->handle))
		sql_run(sql, "ROLLBACK", NULL, NULL);
	return false;
}
