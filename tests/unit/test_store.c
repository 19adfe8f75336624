#include "store_fixture.h"

#include "diag.h"
#include "store_private.h"

#include <glib/gstdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int64_t number(struct fixture *fixture, const char *text)
{
	g_autoptr(GError) err = NULL;
	int64_t value = -1;

	sql_number(fixture->store->sql, &value, text, NULL, &err);
	g_assert_no_error(err);
	return value;
}

static void assert_not_opened(
	const char *file, enum store_mode mode, enum diag_code code, const char *message)
{
	g_autoptr(GError) err = NULL;

	g_assert_null(store_open(file, mode, &err));
	g_assert_error(err, DIAG_ERROR, (int)code);
	if (!strstr(err->message, message) || !strstr(err->message, file))
		g_error("\"%s\" does not say \"%s\"", err->message, message);
}

/* --- opening --- */

static void makes_the_file_and_its_folder(void)
{
	struct fixture fixture = {0};
	g_autoptr(GError) err = NULL;

	fixture_open(&fixture);
	g_autofree char *deep = g_build_filename(fixture.folder, "a", "b", "c.db", NULL);
	struct store *store = store_open(deep, STORE_WRITE, &err);
	g_assert_no_error(err);
	g_assert_cmpstr(store_file(store), ==, deep);
	store_close(store);
	store = store_open(deep, STORE_READ, &err);
	g_assert_no_error(err);
	store_close(store);
	store_close(NULL);
	fixture_close(&fixture);
}

static void refuses_what_is_no_database_of_ours(void)
{
	struct fixture fixture = {0};
	sqlite3 *other;

	fixture_open(&fixture);
	g_autofree char *text = g_build_filename(fixture.folder, "notes.txt", NULL);
	g_autofree char *foreign = g_build_filename(fixture.folder, "other.db", NULL);
	g_autofree char *empty = g_build_filename(fixture.folder, "empty.db", NULL);
	g_autofree char *missing = g_build_filename(fixture.folder, "missing.db", NULL);
	g_autofree char *below = g_build_filename(text, "x.db", NULL);
	g_assert_true(g_file_set_contents(
		text, "not a database at all, but long enough to be looked at as one.", -1, NULL));
	g_assert_true(g_file_set_contents(empty, "", 0, NULL));
	g_assert_cmpint(sqlite3_open(foreign, &other), ==, SQLITE_OK);
	g_assert_cmpint(sqlite3_exec(other, "CREATE TABLE x (y)", NULL, NULL, NULL), ==, SQLITE_OK);
	sqlite3_close(other);

	assert_not_opened(text, STORE_WRITE, DIAG_INPUT, "is not a SQLite database");
	assert_not_opened(text, STORE_READ, DIAG_INPUT, "is not a SQLite database");
	assert_not_opened(foreign, STORE_WRITE, DIAG_INPUT, "of another program");
	assert_not_opened(fixture.folder, STORE_WRITE, DIAG_INPUT, "is a folder");
	assert_not_opened("/dev/null", STORE_WRITE, DIAG_INPUT, "is not a regular file");
	assert_not_opened(missing, STORE_READ, DIAG_INPUT, "there is no database yet");
	assert_not_opened(empty, STORE_READ, DIAG_INPUT, "is empty");
	g_assert_false(g_file_test(missing, G_FILE_TEST_EXISTS));
	g_assert_null(store_open(below, STORE_WRITE, NULL));
	fixture_close(&fixture);
}

/* Runs `work` in a process of its own, which must end with status 0. */
static void in_child(void (*work)(struct fixture *fixture), struct fixture *fixture)
{
	int status;
	pid_t child = fork();

	if (child == 0) {
		work(fixture);
		_exit(0);
	}
	g_assert_cmpint(waitpid(child, &status, 0), ==, child);
	g_assert_true(WIFEXITED(status));
	g_assert_cmpint(WEXITSTATUS(status), ==, 0);
}

/* As a user who may read, not write. */
static void open_as_nobody(struct fixture *fixture)
{
	g_autoptr(GError) err = NULL;

	if (getuid() == 0 && setuid(65534) != 0)
		_exit(1);
	assert_not_opened(fixture->file, STORE_WRITE, DIAG_FAILED, "cannot be written");
	struct store *store = store_open(fixture->file, STORE_READ, &err);
	g_assert_no_error(err);
	store_close(store);
}

static void reads_where_it_may_not_write(void)
{
	struct fixture fixture = {0};

	fixture_open(&fixture);
	g_clear_pointer(&fixture.store, store_close);
	g_assert_cmpint(g_chmod(fixture.file, 0444), ==, 0);
	g_assert_cmpint(g_chmod(fixture.folder, 0555), ==, 0);
	in_child(open_as_nobody, &fixture);
	g_assert_cmpint(g_chmod(fixture.folder, 0755), ==, 0);
	fixture_close(&fixture);
}

static void a_full_disk_is_said_and_harms_nothing(void)
{
	struct fixture fixture = {0};
	g_autoptr(GError) err = NULL;
	g_autofree guint8 *noise = g_malloc(1 << 20);
	int64_t id;

	for (int i = 0; i < 1 << 20; i++)
		noise[i] = (guint8)g_random_int();
	fixture_open(&fixture);
	take_in_run(&fixture, NULL, "sp", 1, 1000);
	/* SQLite's own limit fails as a full disk does. */
	int64_t pages = number(&fixture, "PRAGMA page_count");
	g_autofree char *limit = g_strdup_printf("PRAGMA max_page_count = %d", (int)pages + 3);
	number(&fixture, limit);
	struct attempt_row row = attempt_row(1, "full", 5);
	struct intake_builder *builder = intake_builder_new(ENVIRONMENT_HARDWARE, NULL);
	struct intake *intake = intake_builder_finish(builder);
	row.number = 2;
	row.out = (const char *)noise;
	row.out_length = 1 << 20;
	g_assert_false(store_attempt_take_in(fixture.store, &id, &row, intake, &err));
	g_assert_error(err, DIAG_ERROR, DIAG_FAILED);
	g_assert_nonnull(strstr(err->message, "the disk is full"));
	g_assert_cmpint(number(&fixture, "SELECT count(*) FROM attempt"), ==, 1);
	g_assert_cmpint(number(&fixture, "SELECT count(*) FROM raw WHERE size = 1048576"), ==, 0);
	/* With room again, the same attempt goes in. */
	g_clear_error(&err);
	number(&fixture, "PRAGMA max_page_count = 100000");
	store_attempt_take_in(fixture.store, &id, &row, intake, &err);
	g_assert_no_error(err);
	intake_free(intake);
	fixture_close(&fixture);
}

/* --- writing --- */

static void the_example_comes_out_as_it_went_in(void)
{
	struct fixture fixture = {0};
	g_autofree char *text = NULL;
	gsize length;

	fixture_open(&fixture);
	g_assert_true(g_file_get_contents(BM_SOURCE "/schema/wire-example.jsonl", &text, &length, NULL));
	begin_run(&fixture, NULL);
	int64_t build = put_build(&fixture, build_row("5.5.4", "default"));
	int64_t cell = put_cell(&fixture, "c", build, put_platform(&fixture, "rock5", ENVIRONMENT_HARDWARE));
	take_in(&fixture, attempt_row(cell, "u-1", 77), ENVIRONMENT_HARDWARE, text);

	g_autoptr(GArray) results = results_of(&fixture, "");
	g_assert_cmpuint(results->len, ==, 2);
	const struct result *time = result_at(results, 0), *count = result_at(results, 1);
	g_assert_cmpstr(time->what.labels.v[LABEL_METRIC], ==, "time");
	g_assert_cmpstr(time->what.labels.v[LABEL_BLOCK], ==, "1024");
	g_assert_cmpstr(time->what.labels.v[LABEL_PLATFORM], ==, "rock5");
	g_assert_cmpstr(time->what.labels.v[LABEL_INSTRUMENT], ==, "bench-core");
	g_assert_cmpstr(time->what.labels.v[LABEL_CONFIG], ==, "default");
	g_assert_null(time->what.labels.v[LABEL_ENGINE]);
	g_assert_cmpstr(time->what.arch, ==, "aarch64");
	g_assert_cmpstr(time->compiler, ==, "gcc 12");
	g_assert_cmpstr(time->math, ==, "sp_int.c"); /* as the program said, since the build does not know */
	g_assert_cmpint(time->started_at, ==, 77);
	g_assert_false(time->carried);
	g_assert_null(time->notes[0]);
	g_assert_cmpint(time->figure.n, ==, 3);
	g_assert_cmpfloat_with_epsilon(time->figure.median, 1e-8, 1e-20);
	g_assert_cmpfloat_with_epsilon(time->figure.mean, 3.1e-8 / 3, 1e-20);
	g_assert_cmpfloat_with_epsilon(time->figure.sd, 1e-8 / sqrt(300), 1e-20);
	g_assert_cmpfloat(count->figure.median, ==, 20);
	g_assert_true(isnan(count->figure.sd));
	struct sample_list *samples = NULL, *none = NULL;
	g_assert_true(store_sample_sets(fixture.store, &samples, time->measurement, NULL));
	g_assert_cmpuint(samples->sets->len, ==, 1);
	g_assert_cmpuint(g_array_index(samples->sets, struct sample_set, 0).n, ==, 3);
	g_assert_cmpfloat_with_epsilon(samples->values[1], 1.1e-8, 1e-20);
	g_assert_true(store_sample_sets(fixture.store, &none, count->measurement, NULL));
	g_assert_cmpuint(none->sets->len, ==, 0);
	sample_list_free(samples);
	sample_list_free(none);

	struct store_description *description = NULL;
	g_assert_true(store_describe(fixture.store, &description, STORE_ATTEMPT, time->attempt, NULL));
	g_assert_cmpstr(description->text, ==, text);
	store_description_free(description);
	fixture_close(&fixture);
}

static void the_same_attempt_is_taken_in_once(void)
{
	struct fixture fixture = {0};
	g_autofree char *stream = rsa_stream(1000), *other = rsa_stream(5000);

	fixture_open(&fixture);
	begin_run(&fixture, NULL);
	int64_t cell = put_cell(&fixture, "c", put_build(&fixture, build_row("1", "sp")), 0);
	int64_t first = take_in(&fixture, attempt_row(cell, "same", 1), ENVIRONMENT_HARDWARE, stream);
	int64_t second = take_in(&fixture, attempt_row(cell, "same", 2), ENVIRONMENT_HARDWARE, other);
	g_assert_cmpint(first, ==, second);
	g_assert_cmpint(number(&fixture, "SELECT count(*) FROM attempt"), ==, 1);
	g_assert_cmpint(number(&fixture, "SELECT count(*) FROM measurement"), ==, 1);
	g_assert_cmpint(number(&fixture, "SELECT started_at FROM attempt"), ==, 1);
	fixture_close(&fixture);
}

static void an_equal_build_is_stored_once(void)
{
	struct fixture fixture = {0};
	struct build_row row = build_row("5.5.4", "sp"), slower = row, failed = row,
			 other_config = build_row("5.5.4", "armasm");

	fixture_open(&fixture);
	slower.log = "another log\n";
	slower.seconds = NAN;
	failed.state = BUILD_COMPILE_FAILED;
	failed.key_program = NULL;
	failed.reason = "aes.c:5: error: unknown type name";
	int64_t id = put_build(&fixture, row);
	g_assert_cmpint(put_build(&fixture, slower), ==, id);
	g_assert_cmpint(put_build(&fixture, failed), !=, id);
	g_assert_cmpint(put_build(&fixture, failed), ==, put_build(&fixture, failed));
	g_assert_cmpint(put_build(&fixture, other_config), !=, id);
	g_assert_cmpint(number(&fixture, "SELECT count(*) FROM build"), ==, 3);
	fixture_close(&fixture);
}

static void texts_are_stored_once_and_small(void)
{
	struct fixture fixture = {0};
	g_autofree char *big = g_strnfill(100000, 'x'), *got = NULL;
	int64_t a, b, tiny, none;
	size_t length;

	fixture_open(&fixture);
	g_assert_true(store_raw_put(fixture.store, &a, big, 100000, NULL));
	g_assert_true(store_raw_put(fixture.store, &b, big, 100000, NULL));
	g_assert_true(store_raw_put(fixture.store, &tiny, "a\0b", 3, NULL));
	g_assert_true(store_raw_put(fixture.store, &none, NULL, 0, NULL));
	g_assert_cmpint(a, ==, b);
	g_assert_cmpint(none, ==, 0);
	g_assert_cmpint(number(&fixture, "SELECT length(bytes) FROM raw WHERE size = 100000"), <, 1000);
	g_assert_cmpint(
		number(&fixture, "SELECT count(*) FROM raw WHERE size = 3 AND codec = 'none'"), ==, 1);
	g_assert_true(store_raw_get(fixture.store, &got, &length, a, NULL));
	g_assert_cmpuint(length, ==, 100000);
	g_assert_cmpstr(got, ==, big);
	g_free(got);
	g_assert_true(store_raw_get(fixture.store, &got, &length, tiny, NULL));
	g_assert_cmpmem(got, length, "a\0b", 3);
	fixture_close(&fixture);
}

static void a_platform_keeps_its_name_and_not_its_old_facts(void)
{
	struct fixture fixture = {0};
	g_autoptr(GHashTable) facts = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GError) err = NULL;
	struct store_description *platform = NULL;
	int64_t id, again;

	fixture_open(&fixture);
	g_hash_table_insert(facts, (gpointer) "kernel", (gpointer) "6.1");
	g_assert_true(store_platform_put(fixture.store, &id, "rock5", ENVIRONMENT_HARDWARE, facts, NULL));
	g_hash_table_remove_all(facts);
	g_hash_table_insert(facts, (gpointer) "cpu", (gpointer) "A76");
	g_assert_true(store_platform_put(fixture.store, &again, "rock5", ENVIRONMENT_HARDWARE, facts, NULL));
	g_assert_cmpint(id, ==, again);
	g_assert_cmpint(number(&fixture, "SELECT count(*) FROM platform_fact WHERE key = 'cpu'"), ==, 1);
	/* The kernel is said no longer. */
	g_assert_cmpint(number(&fixture, "SELECT count(*) FROM platform_fact WHERE key = 'kernel'"), ==, 2);
	/* What stays the same is no news. */
	g_assert_true(store_platform_put(fixture.store, &again, "rock5", ENVIRONMENT_HARDWARE, facts, NULL));
	g_assert_cmpint(number(&fixture, "SELECT count(*) FROM platform_fact"), ==, 3);
	g_assert_true(store_describe(fixture.store, &platform, STORE_PLATFORM, id, NULL));
	g_assert_cmpstr(g_ptr_array_index(platform->keys, platform->keys->len - 1), ==, "cpu");
	g_assert_false(g_ptr_array_find_with_equal_func(platform->keys, "kernel", g_str_equal, NULL));
	store_description_free(platform);
	g_assert_false(store_platform_put(fixture.store, &id, "rock5", ENVIRONMENT_EMULATOR, facts, &err));
	g_assert_error(err, DIAG_ERROR, DIAG_INPUT);
	fixture_close(&fixture);
}

static void a_cell_is_made_once_in_a_run(void)
{
	struct fixture fixture = {0};
	g_autofree char *stream = rsa_stream(1000);

	fixture_open(&fixture);
	begin_run(&fixture, NULL);
	int64_t one = put_build(&fixture, build_row("1", "sp")),
		two = put_build(&fixture, build_row("2", "sp"));
	int64_t cell = put_cell(&fixture, "c", one, 0);
	/* A resumed run may have another build for a cell that was never tried. */
	g_assert_cmpint(put_cell(&fixture, "c", two, 0), ==, cell);
	g_assert_cmpint(number(&fixture, "SELECT build_id FROM cell"), ==, two);
	take_in(&fixture, attempt_row(cell, "u", 1), ENVIRONMENT_HARDWARE, stream);
	g_assert_cmpint(put_cell(&fixture, "c", one, 0), ==, cell);
	g_assert_cmpint(number(&fixture, "SELECT build_id FROM cell"), ==, two);
	fixture_close(&fixture);
}

static void a_group_is_there_as_a_whole_or_not_at_all(void)
{
	struct fixture fixture = {0};
	g_autoptr(GError) err = NULL;

	fixture_open(&fixture);
	begin_run(&fixture, NULL);
	struct store *other = store_open(fixture.file, STORE_READ, NULL);
	g_assert_nonnull(other);
	int64_t seen;
#define CELLS "SELECT (SELECT count(*) FROM cell) * 10 + (SELECT count(*) FROM build)"
	g_assert_true(store_group_begin(fixture.store, NULL));
	put_cell(&fixture, "c", put_build(&fixture, build_row("1", "sp")), 0);
	g_assert_cmpint(number(&fixture, CELLS), ==, 11);
	g_assert_false(store_group_end(fixture.store, false, &err));
	g_assert_no_error(err); /* it is the caller's */
	g_assert_cmpint(number(&fixture, CELLS), ==, 0);

	/* Ids of labels that went with it are not used again. */
	g_assert_true(store_group_begin(fixture.store, NULL));
	put_cell(&fixture, "c", put_build(&fixture, build_row("1", "sp")), 0);
	g_assert_true(sql_number(other->sql, &seen, CELLS, NULL, NULL));
	g_assert_cmpint(seen, ==, 0);
	g_assert_true(store_group_end(fixture.store, true, NULL));
	g_assert_true(sql_number(other->sql, &seen, CELLS, NULL, NULL));
	g_assert_cmpint(seen, ==, 11);
	g_assert_cmpint(number(&fixture, "SELECT count(*) FROM pragma_foreign_key_check"), ==, 0);
#undef CELLS

	/* Behind it each write is its own again. */
	put_cell(&fixture, "d", put_build(&fixture, build_row("2", "sp")), 0);
	g_assert_true(sql_number(other->sql, &seen, "SELECT count(*) FROM cell", NULL, NULL));
	g_assert_cmpint(seen, ==, 2);
	store_close(other);
	fixture_close(&fixture);
}

/* --- more than one process --- */

static void die_within_a_transaction(struct fixture *fixture)
{
	struct store *store = store_open(fixture->file, STORE_WRITE, NULL);

	/* Larger than SQLite's cache, so that pages are on disk before the end. */
	if (!store || !store_begin(store, NULL) || !sql_script(store->sql, "PRAGMA cache_size = 10", NULL) ||
		!sql_script(store->sql,
			"WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)"
			" INSERT INTO label (key, value) SELECT 'library', 'half ' || i FROM n",
			NULL))
		_exit(1);
	raise(SIGKILL);
}

static void a_writer_that_is_killed_leaves_the_old_state(void)
{
	struct fixture fixture = {0};
	g_autoptr(GPtrArray) problems = NULL;
	int status;

	fixture_open(&fixture);
	take_in_run(&fixture, NULL, "sp", 1, 1000);
	g_clear_pointer(&fixture.store, store_close);
	pid_t child = fork();
	if (child == 0) {
		die_within_a_transaction(&fixture);
		_exit(1);
	}
	g_assert_cmpint(waitpid(child, &status, 0), ==, child);
	g_assert_true(WIFSIGNALED(status));
	fixture.store = store_open(fixture.file, STORE_WRITE, NULL);
	g_assert_nonnull(fixture.store);
	g_assert_cmpint(number(&fixture, "SELECT count(*) FROM label WHERE value LIKE 'half%'"), ==, 0);
	g_assert_cmpint(number(&fixture, "SELECT count(*) FROM measurement"), ==, 1);
	g_assert_true(store_check(fixture.store, &problems, NULL));
	g_assert_cmpuint(problems->len, ==, 0);
	fixture_close(&fixture);
}

static void write_ten_runs(struct fixture *fixture)
{
	struct fixture own = {.file = fixture->file};

	/* A forked process would draw the UUIDs that its brothers draw. */
	g_random_set_seed((guint32)getpid());
	own.store = store_open(own.file, STORE_WRITE, NULL);
	if (!own.store)
		_exit(1);
	for (int i = 0; i < 10; i++)
		take_in_run(&own, NULL, "sp", i, 1000 + i);
	store_close(own.store);
}

static void processes_that_write_at_once_all_succeed(void)
{
	struct fixture fixture = {0};
	pid_t children[4];
	int status;

	fixture_open(&fixture);
	/* From nothing: they also make the file at once. */
	g_clear_pointer(&fixture.store, store_close);
	g_assert_cmpint(g_unlink(fixture.file), ==, 0);
	for (int i = 0; i < 4; i++) {
		children[i] = fork();
		if (children[i] == 0) {
			write_ten_runs(&fixture);
			_exit(0);
		}
	}
	for (int i = 0; i < 4; i++) {
		g_assert_cmpint(waitpid(children[i], &status, 0), ==, children[i]);
		g_assert_cmpint(status, ==, 0);
	}
	fixture.store = store_open(fixture.file, STORE_WRITE, NULL);
	g_assert_cmpint(number(&fixture, "SELECT count(*) FROM attempt"), ==, 40);
	g_assert_cmpint(number(&fixture, "SELECT count(*) FROM series"), ==, 1);
	g_assert_cmpint(number(&fixture, "SELECT count(*) FROM build"), ==, 1);
	fixture_close(&fixture);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/store/makes_the_file_and_its_folder", makes_the_file_and_its_folder);
	g_test_add_func("/store/refuses_what_is_no_database_of_ours", refuses_what_is_no_database_of_ours);
	g_test_add_func("/store/reads_where_it_may_not_write", reads_where_it_may_not_write);
	g_test_add_func(
		"/store/a_full_disk_is_said_and_harms_nothing", a_full_disk_is_said_and_harms_nothing);
	g_test_add_func("/store/the_example_comes_out_as_it_went_in", the_example_comes_out_as_it_went_in);
	g_test_add_func("/store/the_same_attempt_is_taken_in_once", the_same_attempt_is_taken_in_once);
	g_test_add_func("/store/an_equal_build_is_stored_once", an_equal_build_is_stored_once);
	g_test_add_func("/store/texts_are_stored_once_and_small", texts_are_stored_once_and_small);
	g_test_add_func("/store/a_platform_keeps_its_name_and_not_its_old_facts",
		a_platform_keeps_its_name_and_not_its_old_facts);
	g_test_add_func("/store/a_cell_is_made_once_in_a_run", a_cell_is_made_once_in_a_run);
	g_test_add_func("/store/a_group_is_there_as_a_whole_or_not_at_all",
		a_group_is_there_as_a_whole_or_not_at_all);
	g_test_add_func("/store/a_writer_that_is_killed_leaves_the_old_state",
		a_writer_that_is_killed_leaves_the_old_state);
	g_test_add_func(
		"/store/processes_that_write_at_once_all_succeed", processes_that_write_at_once_all_succeed);
	return g_test_run();
}
