#include "store_fixture.h"

#include "diag.h"
#include "schema_sql.h"
#include "store_migrate.h"
#include "store_private.h"

#include <glib/gstdio.h>
#include <sys/wait.h>
#include <unistd.h>

/* What a next version might do: a column more, a table more. */
#define NEXT                                                                                                 \
	"ALTER TABLE run ADD COLUMN host TEXT; CREATE TABLE pin (run_id INTEGER NOT NULL REFERENCES run "    \
	"(id)) STRICT;"

static int64_t number(struct sql *sql, const char *text)
{
	g_autoptr(GError) err = NULL;
	int64_t value = -1;

	sql_number(sql, &value, text, NULL, &err);
	g_assert_no_error(err);
	return value;
}

static char *hash_of(const char *file)
{
	g_autoptr(GError) err = NULL;
	char *hash = fsx_hash_file(file, &err);

	g_assert_no_error(err);
	return hash;
}

/* Runs `step` after the real migrations on the fixture's file, closed before. */
static bool migrate_on(struct fixture *fixture, const char *step, GError **err)
{
	g_autoptr(GPtrArray) migrations = g_ptr_array_new();

	for (size_t i = 0; i < schema_version; i++)
		g_ptr_array_add(migrations, (gpointer)schema_migrations[i]);
	g_ptr_array_add(migrations, (gpointer)step);
	struct sql *sql = sql_open(fixture->file, SQLITE_OPEN_READWRITE, err);
	g_assert_nonnull(sql);
	bool ok = store_migrate(sql, (const char *const *)migrations->pdata, migrations->len, err);
	sql_close(sql);
	return ok;
}

static char *backup_of(const struct fixture *fixture)
{
	return g_strdup_printf("%s.v%zu.bak", fixture->file, schema_version);
}

static void an_empty_file_becomes_current(void)
{
	struct fixture fixture = {0};
	g_autoptr(GError) err = NULL;

	fixture_open(&fixture);
	g_autofree char *file = g_build_filename(fixture.folder, "empty.db", NULL);
	g_assert_true(g_file_set_contents(file, "", 0, NULL));
	struct store *store = store_open(file, STORE_WRITE, &err);
	g_assert_no_error(err);
	g_assert_cmpint(number(store->sql, "PRAGMA user_version"), ==, (int64_t)schema_version);
	g_assert_cmpint(number(store->sql, "PRAGMA application_id"), ==, 0x424d5831);
	g_assert_cmpint(number(store->sql, "PRAGMA foreign_keys"), ==, 1);
	g_assert_cmpint(
		number(store->sql, "SELECT count(*) FROM pragma_journal_mode WHERE journal_mode = 'wal'"), ==,
		1);
	g_assert_cmpint(number(store->sql, "SELECT count(*) FROM result"), ==, 0);
	store_close(store);
	/* There was nothing to lose, so there is no backup. */
	g_autofree char *backup = g_strconcat(file, ".v0.bak", NULL);
	g_assert_false(g_file_test(backup, G_FILE_TEST_EXISTS));
	fixture_close(&fixture);
}

static void an_older_database_is_backed_up_and_brought_up_to_date(void)
{
	struct fixture fixture = {0};
	g_autoptr(GError) err = NULL;

	fixture_open(&fixture);
	take_in_run(&fixture, "kept", "sp", 1, 1000);
	g_clear_pointer(&fixture.store, store_close);
	migrate_on(&fixture, NEXT, &err);
	g_assert_no_error(err);
	struct sql *sql = sql_open(fixture.file, SQLITE_OPEN_READWRITE, NULL);
	g_assert_cmpint(number(sql, "PRAGMA user_version"), ==, (int64_t)schema_version + 1);
	g_assert_cmpint(number(sql, "SELECT count(*) FROM run WHERE label = 'kept' AND host IS NULL"), ==, 1);
	g_assert_cmpint(number(sql, "SELECT count(*) FROM pin"), ==, 0);
	/* The views went, so that they are made anew for the new tables. */
	g_assert_cmpint(number(sql, "SELECT count(*) FROM sqlite_schema WHERE type = 'view'"), ==, 0);
	g_assert_true(store_make_views(sql, schema_views, NULL));
	g_assert_cmpint(number(sql, "SELECT count(*) FROM result"), ==, 1);
	sql_close(sql);

	g_autofree char *backup = backup_of(&fixture);
	struct store *old = store_open(backup, STORE_READ, &err);
	g_assert_no_error(err);
	g_assert_cmpint(number(old->sql, "PRAGMA user_version"), ==, (int64_t)schema_version);
	g_assert_cmpint(number(old->sql, "SELECT count(*) FROM result"), ==, 1);
	store_close(old);
	fixture_close(&fixture);
}

static void a_new_database_goes_through_all_versions_without_a_backup(void)
{
	struct fixture fixture = {0};
	g_autoptr(GError) err = NULL;

	fixture_open(&fixture);
	g_clear_pointer(&fixture.store, store_close);
	g_assert_cmpint(g_unlink(fixture.file), ==, 0);
	g_assert_true(g_file_set_contents(fixture.file, "", 0, NULL));
	g_assert_true(migrate_on(&fixture, NEXT, &err));
	g_assert_no_error(err);
	struct sql *sql = sql_open(fixture.file, SQLITE_OPEN_READWRITE, NULL);
	g_assert_cmpint(number(sql, "PRAGMA user_version"), ==, (int64_t)schema_version + 1);
	g_assert_cmpint(number(sql, "SELECT count(*) FROM pin"), ==, 0);
	sql_close(sql);
	g_autofree char *backup = backup_of(&fixture);
	g_assert_false(g_file_test(backup, G_FILE_TEST_EXISTS));
	fixture_close(&fixture);
}

static void assert_left_alone(struct fixture *fixture)
{
	g_autoptr(GPtrArray) problems = NULL;

	fixture->store = store_open(fixture->file, STORE_WRITE, NULL);
	g_assert_nonnull(fixture->store);
	g_assert_cmpint(number(fixture->store->sql, "PRAGMA user_version"), ==, (int64_t)schema_version);
	g_assert_cmpint(
		number(fixture->store->sql, "SELECT count(*) FROM sqlite_schema WHERE name = 'half'"), ==, 0);
	g_assert_cmpint(number(fixture->store->sql, "SELECT count(*) FROM result"), ==, 1);
	g_assert_true(store_check(fixture->store, &problems, NULL));
	g_assert_cmpuint(problems->len, ==, 0);
}

static void a_migration_that_fails_changes_nothing(void)
{
	struct fixture fixture = {0};
	g_autoptr(GError) err = NULL;

	fixture_open(&fixture);
	take_in_run(&fixture, NULL, "sp", 1, 1000);
	g_clear_pointer(&fixture.store, store_close);
	g_assert_false(migrate_on(&fixture, "CREATE TABLE half (x); CREATE TABLE run (x);", &err));
	g_assert_error(err, DIAG_ERROR, DIAG_FAILED);
	assert_left_alone(&fixture);
	fixture_close(&fixture);
}

static void a_migration_that_would_break_references_is_undone(void)
{
	struct fixture fixture = {0};
	g_autoptr(GError) err = NULL;

	fixture_open(&fixture);
	take_in_run(&fixture, NULL, "sp", 1, 1000);
	g_clear_pointer(&fixture.store, store_close);
	g_assert_false(migrate_on(&fixture, "CREATE TABLE half (x); DELETE FROM platform;", &err));
	g_assert_nonnull(strstr(err->message, "references to nothing"));
	assert_left_alone(&fixture);
	fixture_close(&fixture);
}

static void without_a_backup_nothing_is_migrated(void)
{
	struct fixture fixture = {0};
	g_autoptr(GError) err = NULL;

	fixture_open(&fixture);
	take_in_run(&fixture, NULL, "sp", 1, 1000);
	g_clear_pointer(&fixture.store, store_close);
	/* A folder that is not empty stands in the way of the backup. */
	g_autofree char *backup = backup_of(&fixture);
	g_autofree char *inside = g_build_filename(backup, "x", NULL);
	g_assert_true(fsx_make_folder(inside, NULL));
	g_assert_false(migrate_on(&fixture, "CREATE TABLE half (x);", &err));
	g_assert_nonnull(strstr(err->message, ".bak"));
	assert_left_alone(&fixture);
	fixture_close(&fixture);
}

static void processes_that_migrate_at_once_do_it_once(void)
{
	struct fixture fixture = {0};
	pid_t children[4];
	int status;

	fixture_open(&fixture);
	take_in_run(&fixture, NULL, "sp", 1, 1000);
	g_clear_pointer(&fixture.store, store_close);
	for (int i = 0; i < 4; i++) {
		children[i] = fork();
		if (children[i] == 0)
			_exit(migrate_on(&fixture, NEXT, NULL) ? 0 : 1);
	}
	for (int i = 0; i < 4; i++) {
		g_assert_cmpint(waitpid(children[i], &status, 0), ==, children[i]);
		g_assert_cmpint(status, ==, 0);
	}
	struct sql *sql = sql_open(fixture.file, SQLITE_OPEN_READWRITE, NULL);
	g_assert_cmpint(number(sql, "PRAGMA user_version"), ==, (int64_t)schema_version + 1);
	g_assert_cmpint(number(sql, "SELECT count(*) FROM run"), ==, 1);
	sql_close(sql);
	fixture_close(&fixture);
}

/* Each round starts without a file; the children begin at different moments of one another's making of it. */
static void processes_that_open_a_new_database_at_once_all_get_it(void)
{
	struct fixture fixture = {0};
	pid_t children[4];
	int status;

	fixture_open(&fixture);
	for (int round = 0; round < 25; round++) {
		g_autofree char *file = g_strdup_printf("%s/new-%d.db", fixture.folder, round);

		for (int i = 0; i < 4; i++) {
			children[i] = fork();
			if (children[i] == 0) {
				g_autoptr(GError) err = NULL;

				g_usleep((gulong)(i * round) * 300);
				if (!store_open(file, STORE_WRITE, &err))
					g_printerr("round %d: %s\n", round, err->message);
				_exit(err ? 1 : 0);
			}
		}
		for (int i = 0; i < 4; i++) {
			g_assert_cmpint(waitpid(children[i], &status, 0), ==, children[i]);
			g_assert_cmpint(status, ==, 0);
		}
	}
	fixture_close(&fixture);
}

static void a_newer_database_is_refused_unchanged(void)
{
	struct fixture fixture = {0};
	g_autoptr(GError) err = NULL;

	fixture_open(&fixture);
	take_in_run(&fixture, NULL, "sp", 1, 1000);
	g_clear_pointer(&fixture.store, store_close);
	g_assert_true(migrate_on(&fixture, NEXT, NULL));
	g_autofree char *before = hash_of(fixture.file);
	for (int mode = STORE_READ; mode <= STORE_WRITE; mode++) {
		g_assert_null(store_open(fixture.file, (enum store_mode)mode, &err));
		g_assert_error(err, DIAG_ERROR, DIAG_INPUT);
		g_assert_nonnull(strstr(err->message, "made by a newer benchmatrix"));
		g_clear_error(&err);
	}
	g_autofree char *after = hash_of(fixture.file);
	g_assert_cmpstr(before, ==, after);
	fixture_close(&fixture);
}

static void an_older_database_is_not_read_as_if_it_were_current(void)
{
	struct fixture fixture = {0};
	g_autoptr(GError) err = NULL;

	fixture_open(&fixture);
	g_assert_true(sql_script(fixture.store->sql, "PRAGMA user_version = 0", NULL));
	g_clear_pointer(&fixture.store, store_close);
	g_assert_null(store_open(fixture.file, STORE_READ, &err));
	g_assert_error(err, DIAG_ERROR, DIAG_INPUT);
	g_assert_nonnull(strstr(err->message, "made by an older benchmatrix"));
	fixture_close(&fixture);
}

static void views_of_another_text_are_replaced(void)
{
	struct fixture fixture = {0};

	fixture_open(&fixture);
	take_in_run(&fixture, NULL, "sp", 1, 1000);
	g_assert_true(sql_script(fixture.store->sql,
		"DROP VIEW cell_state; CREATE VIEW cell_state AS SELECT 1 AS old; UPDATE view_text SET "
		"sha256 = 'old'",
		NULL));
	store_close(fixture.store);
	/* One that only reads sees the right views without changing the file. */
	fixture.store = store_open(fixture.file, STORE_READ, NULL);
	g_assert_cmpint(
		number(fixture.store->sql, "SELECT count(*) FROM cell_state WHERE state = 'ok'"), ==, 1);
	g_assert_cmpint(
		number(fixture.store->sql, "SELECT count(*) FROM view_text WHERE sha256 = 'old'"), ==, 1);
	store_close(fixture.store);
	fixture.store = store_open(fixture.file, STORE_WRITE, NULL);
	g_assert_cmpint(
		number(fixture.store->sql, "SELECT count(*) FROM main.cell_state WHERE state = 'ok'"), ==, 1);
	g_assert_cmpint(
		number(fixture.store->sql, "SELECT count(*) FROM view_text WHERE sha256 = 'old'"), ==, 0);
	fixture_close(&fixture);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/migrations/an_empty_file_becomes_current", an_empty_file_becomes_current);
	g_test_add_func("/migrations/a_new_database_goes_through_all_versions_without_a_backup",
		a_new_database_goes_through_all_versions_without_a_backup);
	g_test_add_func("/migrations/an_older_database_is_backed_up_and_brought_up_to_date",
		an_older_database_is_backed_up_and_brought_up_to_date);
	g_test_add_func(
		"/migrations/a_migration_that_fails_changes_nothing", a_migration_that_fails_changes_nothing);
	g_test_add_func("/migrations/a_migration_that_would_break_references_is_undone",
		a_migration_that_would_break_references_is_undone);
	g_test_add_func(
		"/migrations/without_a_backup_nothing_is_migrated", without_a_backup_nothing_is_migrated);
	g_test_add_func("/migrations/processes_that_migrate_at_once_do_it_once",
		processes_that_migrate_at_once_do_it_once);
	g_test_add_func("/migrations/processes_that_open_a_new_database_at_once_all_get_it",
		processes_that_open_a_new_database_at_once_all_get_it);
	g_test_add_func(
		"/migrations/a_newer_database_is_refused_unchanged", a_newer_database_is_refused_unchanged);
	g_test_add_func("/migrations/an_older_database_is_not_read_as_if_it_were_current",
		an_older_database_is_not_read_as_if_it_were_current);
	g_test_add_func("/migrations/views_of_another_text_are_replaced", views_of_another_text_are_replaced);
	return g_test_run();
}
