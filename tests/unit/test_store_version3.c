#include "store_fixture.h"

#include "schema_sql.h"
#include "store_migrate.h"
#include "store_private.h"

/* A database as version 3 kept it: attempt 1 with a sampled figure of three samples and one of one sample,
 * attempt 2 with an exact one, attempt 3 that carries it; figures in another order than attempts. Hashes and
 * packed samples were computed with Python's hashlib and struct. */
static const char rows[] =
	"INSERT INTO raw VALUES (7, x'44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a', 2, "
	"'none', CAST('{}' AS BLOB));"
	"INSERT INTO label VALUES (1, 'library', 'wolfssl'), (2, 'version', '5.5.4'), (3, 'config', 'sp'),"
	" (4, 'platform', 'rock5'), (5, 'instrument', 'bench-core'), (6, 'benchmark', 'rsa-2048 private'),"
	" (7, 'metric', 'time'), (8, 'metric', 'instructions'), (9, 'block', '1024');"
	"INSERT INTO series VALUES (1, x'e2898448b8e7f050a0940ac50fccedeec65a4d180c7aeb5905e4cce940f16298'), "
	"(2, x'b48f21cd6e99f345aee4ba8b862a48525e386d78c89db8da7cb0dab02bdfa3f4');"
	"INSERT INTO series_label SELECT s.id, l.id FROM series AS s JOIN label AS l ON l.id < 7 OR l.id = "
	"s.id + 6;"
	"INSERT INTO platform VALUES (1, 'p', 'rock5', 'hardware', 1);"
	"INSERT INTO platform_fact VALUES (1, 'governor', 1, 'performance');"
	"INSERT INTO run VALUES (4, 'run-4', 'quick', 'nightly', 7, NULL, '0.1.0', 10, 20, 1);"
	"INSERT INTO build (id, uuid, key_library, key_program, state, arch, revision, created_at, seconds, "
	"parent)"
	" VALUES (2, 'build-2', '11aa', '22bb', 'ok', 'aarch64', 'c0ffee', 5, 12.5, 'decade');"
	"INSERT INTO build (id, uuid, state, reason, arch, created_at) VALUES (3, 'build-3', "
	"'compile-failed',"
	" 'no such header', 'aarch64', 6);"
	"INSERT INTO build_label SELECT 2, id FROM label WHERE id < 4;"
	"INSERT INTO build_label SELECT 3, id FROM label WHERE id < 4;"
	"INSERT INTO cell VALUES (1, 4, 'time', 2, 0, 'local', 1, 'bench-core', 'time', 7),"
	" (2, 4, 'count', 2, 1, 'local', 1, 'bench-core', 'count', 8),"
	" (3, 4, 'again', 2, 1, 'local', 1, 'bench-core', 'count', 9),"
	" (4, 4, 'broken', 3, 0, 'local', NULL, 'bench-core', 'time', 9);"
	"INSERT INTO attempt (id, uuid, cell_id, number, state, exact_key, carried_from, argv, "
	"library_version,"
	" out_raw_id, problems, started_at, seconds) VALUES (1, 'a1', 1, 1, 'ok', NULL, NULL, '[\"bench\"]',"
	" '5.5.4', 7, 2, 11, 1.5), (2, 'a2', 2, 1, 'ok', 'e1', NULL, '[]', NULL, NULL, 0, 12, 2.5),"
	" (3, 'a3', 3, 1, 'ok', 'e1', 2, '[]', NULL, NULL, 0, 13, 0.0);"
	"INSERT INTO attempt_note VALUES (1, 'busy');"
	"INSERT INTO process (attempt_id, number, invocation, argv, ended, started_at) VALUES (1, 0, 0, '[]',"
	" 'exit status 0', 11);"
	"INSERT INTO outcome (attempt_id, benchmark, state) SELECT id, 'rsa-2048 private', 'ok' FROM attempt;"
	"INSERT INTO measurement (id, series_id, attempt_id, source, environment, kind, n, minimum, "
	"quartile_1,"
	" median, quartile_3, maximum, mean, sd) VALUES"
	" (1, 2, 2, 0, 0, 1, 1, 5000, NULL, 5000, NULL, 5000, 5000, NULL),"
	" (2, 1, 1, 0, 0, 0, 3, 1, 1.5, 2, 3, 4, 2.3333333333333335, 1.5275252316519468),"
	" (3, 1, 1, 0, 1, 0, 1, 0.5, NULL, 0.5, NULL, 0.5, 0.5, NULL),"
	" (4, 2, 3, 0, 0, 1, 1, 5000, NULL, 5000, NULL, 5000, 5000, NULL);"
	"INSERT INTO sample VALUES (2, "
	"x'00000000030000000100000000000000000000000000f03f00000000000000400000000000001040'),"
	" (3, x'00000000010000000100000000000000000000000000e03f');";

static int64_t number(struct fixture *fixture, const char *text)
{
	g_autoptr(GError) err = NULL;
	int64_t value = -1;

	sql_number(fixture->store->sql, &value, text, NULL, &err);
	g_assert_no_error(err);
	return value;
}

/* A version-3 file, opened by this program. */
static void open_old(struct fixture *fixture)
{
	g_autoptr(GError) err = NULL;

	fixture->folder = g_dir_make_tmp("benchmatrix-store-XXXXXX", NULL);
	fixture->file = g_build_filename(fixture->folder, "results.db", NULL);
	struct sql *sql = sql_open(fixture->file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, &err);
	g_assert_no_error(err);
	store_migrate(sql, schema_migrations, 3, &err);
	g_assert_no_error(err);
	sql_script(sql, "PRAGMA foreign_keys = ON", &err);
	sql_script(sql, rows, &err);
	g_assert_no_error(err);
	sql_close(sql);
	fixture->store = store_open(fixture->file, STORE_WRITE, &err);
	g_assert_no_error(err);
}

static void assert_sound(struct fixture *fixture)
{
	g_autoptr(GPtrArray) problems = NULL;

	g_assert_true(store_check(fixture->store, &problems, NULL));
	if (problems->len > 0)
		g_error("%u problems, the first: %s", problems->len, (char *)problems->pdata[0]);
}

static void everything_is_there_after_it(void)
{
	static const struct {
		const char *count;
		int64_t expected;
	} counts[] = {{"FROM raw", 1}, {"FROM label", 9}, {"FROM series", 2}, {"FROM series_label", 14},
		{"FROM platform_fact", 1}, {"FROM run", 1}, {"FROM build", 2}, {"FROM build_label", 6},
		{"FROM cell", 4}, {"FROM attempt", 3}, {"FROM attempt_note", 1}, {"FROM process", 1},
		{"FROM outcome", 3}, {"FROM outcome_list", 1}, {"FROM outcome_line", 1},
		{"FROM outcome WHERE benchmark = 'rsa-2048 private' AND block = '' AND state = 'ok' AND "
		 "reason IS NULL AND digest IS NULL AND proof IS NULL",
			3},
		/* Attempt 3 carried attempt 2; attempt 1 has two environments. */
		{"FROM latest", 3}, {"FROM latest WHERE measurement_id >> 20 = 3 AND started_at = 13", 1},
		{"FROM latest WHERE measurement_id >> 20 = 1 AND started_at = 11", 2},
		{"FROM measurement", 4}, {"FROM sample", 2},
		{"FROM run WHERE uuid = 'run-4' AND matrix = 'quick' AND label = 'nightly' AND matrix_raw_id "
		 "= 7 "
		 "AND program = '0.1.0' AND started_at = 10 AND ended_at = 20 AND status = 1",
			1},
		{"FROM build WHERE id = 2 AND key_library = '11aa' AND key_program = '22bb' AND arch = "
		 "'aarch64' "
		 "AND revision = 'c0ffee' AND parent = 'decade' AND seconds = 12.5 AND created_at = 5",
			1},
		{"FROM build WHERE id = 3 AND state = 'compile-failed' AND reason = 'no such header'", 1},
		{"FROM attempt WHERE id = 1 AND uuid = 'a1' AND cell_id = 1 AND argv = '[\"bench\"]' AND "
		 "library_version = '5.5.4' AND out_raw_id = 7 AND problems = 2 AND started_at = 11 AND "
		 "seconds = 1.5 AND exact_key IS NULL",
			1},
		{"FROM attempt WHERE id = 3 AND carried_from = 2 AND exact_key = 'e1'", 1},
		{"FROM document", 0}, {"FROM reading", 0}};
	struct fixture fixture = {0};

	open_old(&fixture);
	for (size_t i = 0; i < G_N_ELEMENTS(counts); i++) {
		g_autofree char *text = g_strconcat("SELECT count(*) ", counts[i].count, NULL);
		if (number(&fixture, text) != counts[i].expected)
			g_error("%s: %" G_GINT64_FORMAT, text, number(&fixture, text));
	}
	assert_sound(&fixture);
	fixture_close(&fixture);
}

static void figures_keep_their_values_and_samples(void)
{
	struct fixture fixture = {0};

	open_old(&fixture);
	g_autoptr(GArray) results = results_of(&fixture, "metric=time");
	g_assert_cmpuint(results->len, ==, 2);
	const struct result *three = result_at(results, 0), *one = result_at(results, 1);
	/* Attempt 1 was given places 0 and 1. */
	g_assert_cmpint(three->measurement, ==, 1 << 20);
	g_assert_cmpint(three->figure.n, ==, 3);
	g_assert_cmpfloat(three->figure.min, ==, 1);
	g_assert_cmpfloat(three->figure.q1, ==, 1.5);
	g_assert_cmpfloat(three->figure.median, ==, 2);
	g_assert_cmpfloat(three->figure.q3, ==, 3);
	g_assert_cmpfloat(three->figure.max, ==, 4);
	g_assert_cmpfloat(three->figure.mean, ==, 2.3333333333333335);
	g_assert_cmpfloat(three->figure.sd, ==, 1.5275252316519468);
	g_assert_cmpint(one->measurement, ==, (1 << 20) + 1);
	g_assert_cmpint(one->what.environment, ==, ENVIRONMENT_EMULATOR);
	g_assert_cmpint(one->figure.n, ==, 1);
	g_assert_cmpfloat(one->figure.min, ==, 0.5);
	g_assert_cmpfloat(one->figure.mean, ==, 0.5);
	g_assert_cmpfloat(one->figure.max, ==, 0.5);

	struct sample_list *samples = NULL, *single = NULL;
	g_assert_true(store_sample_sets(fixture.store, &samples, three->measurement, NULL));
	g_assert_cmpfloat(samples->values[2], ==, 4);
	g_assert_true(store_sample_sets(fixture.store, &single, one->measurement, NULL));
	g_assert_cmpuint(single->sets->len, ==, 1);
	g_assert_cmpuint(g_array_index(single->sets, struct sample_set, 0).n, ==, 1);
	g_assert_cmpfloat(single->values[0], ==, 0.5);
	sample_list_free(samples);
	sample_list_free(single);

	/* The latest count is the carried one. */
	g_autoptr(GArray) counts = results_of(&fixture, "metric=instructions");
	g_assert_cmpuint(counts->len, ==, 1);
	g_assert_cmpint(result_at(counts, 0)->measurement, ==, 3 << 20);
	g_assert_true(result_at(counts, 0)->carried);
	g_assert_cmpfloat(result_at(counts, 0)->figure.median, ==, 5000);
	fixture_close(&fixture);
}

static void it_is_written_to_as_before(void)
{
	struct fixture fixture = {0};

	open_old(&fixture);
	int64_t attempt = take_in_run(&fixture, "next", "sp", 99, 1000);
	g_assert_cmpint(attempt, ==, 4);
	g_assert_cmpint(number(&fixture, "SELECT max(id) FROM measurement"), ==, 4 << 20);
	/* References still hold. */
	g_assert_false(sql_script(fixture.store->sql, "DELETE FROM attempt WHERE id = 2", NULL));
	g_assert_false(sql_script(fixture.store->sql, "DELETE FROM run WHERE id = 4", NULL));
	/* And so do the words. */
	g_assert_false(sql_script(fixture.store->sql, "UPDATE outcome_line SET state = 'good'", NULL));
	g_assert_false(sql_script(fixture.store->sql, "UPDATE outcome_line SET proof = 'hope'", NULL));
	g_assert_true(sql_script(fixture.store->sql, "UPDATE outcome_line SET proof = NULL", NULL));
	g_assert_false(sql_script(fixture.store->sql, "DELETE FROM measurement WHERE id = 1048576", NULL));
	assert_sound(&fixture);
	fixture_close(&fixture);
}

static void the_file_as_it_was_lies_beside_it(void)
{
	struct fixture fixture = {0};

	open_old(&fixture);
	g_autofree char *backup = g_strconcat(fixture.file, ".v3.bak", NULL);
	struct sql *sql = sql_open(backup, SQLITE_OPEN_READONLY, NULL);
	int64_t value;
	g_assert_nonnull(sql);
	g_assert_true(sql_number(sql, &value, "PRAGMA user_version", NULL, NULL));
	g_assert_cmpint(value, ==, 3);
	g_assert_true(sql_number(sql, &value, "SELECT attempt_id FROM measurement WHERE id = 1", NULL, NULL));
	g_assert_cmpint(value, ==, 2);
	sql_close(sql);
	fixture_close(&fixture);
}

#define TEST(name) g_test_add_func("/store_version3/" #name, name)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	TEST(everything_is_there_after_it);
	TEST(figures_keep_their_values_and_samples);
	TEST(it_is_written_to_as_before);
	TEST(the_file_as_it_was_lies_beside_it);
	return g_test_run();
}
