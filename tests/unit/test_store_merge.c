#include "store_fixture.h"

#include "diag.h"
#include "names.h"
#include "schema_sql.h"
#include "store_migrate.h"
#include "store_private.h"

#include <glib/gstdio.h>

static int64_t number(struct store *store, const char *text)
{
	g_autoptr(GError) err = NULL;
	int64_t value = -1;

	sql_number(store->sql, &value, text, NULL, &err);
	g_assert_no_error(err);
	return value;
}

static void patch(struct store *store, const char *text)
{
	g_autoptr(GError) err = NULL;

	sql_script(store->sql, text, &err);
	g_assert_no_error(err);
}

static void assert_sound(struct store *store)
{
	g_autoptr(GPtrArray) problems = NULL;
	g_autoptr(GError) err = NULL;

	store_check(store, &problems, &err);
	g_assert_no_error(err);
	if (problems->len > 0)
		g_error("%s", (const char *)problems->pdata[0]);
}

/* Two databases of two machines that have the same name. Here: a run of sp, 1000 ns. There: two runs of sp
 * and default, 2000 and 3000 ns, and a count that is carried once. */
struct two {
	struct fixture here, there;
};

static void fill(struct two *two)
{
	g_autofree char *count = count_stream(5000);

	fixture_open(&two->here);
	take_in_run(&two->here, "one", "sp", 100, 1000);
	fixture_open(&two->there);
	take_in_run(&two->there, "two", "sp", 200, 2000);
	take_in_run(&two->there, "three", "default", 300, 3000);
	int64_t platform = put_platform(&two->there, "qemu", ENVIRONMENT_EMULATOR);
	int64_t build = put_build(&two->there, build_row("5.5.4", "sp"));
	struct attempt_row row =
		attempt_row(put_cell(&two->there, "counted", build, platform), "counted", 310);
	row.exact_key = "e1";
	int64_t from = take_in(&two->there, row, ENVIRONMENT_EMULATOR, count);
	row = attempt_row(put_cell(&two->there, "again", build, platform), "again", 320);
	row.exact_key = "e1";
	g_assert_true(store_attempt_carry(two->there.store, &row, from, NULL));
}

static void done(struct two *two)
{
	fixture_close(&two->here);
	fixture_close(&two->there);
}

static struct merge_result merge(struct fixture *into, const struct fixture *from)
{
	g_autoptr(GError) err = NULL;
	struct merge_result result;

	store_merge(into->store, &result, from->file, &err);
	g_assert_no_error(err);
	assert_sound(into->store);
	return result;
}

/* Everything in the database as text, without ids. */
static char *dump(struct store *store)
{
	GString *text = g_string_new(NULL);
	struct sql_query query;

	g_assert_true(sql_query(&query, store->sql,
		"SELECT group_concat(line, char(10)) FROM (SELECT run || time || coalesce(config, '') ||"
		" benchmark || metric || value || source || kind || carried || platform AS line FROM result"
		" UNION ALL SELECT a.uuid || a.number || c.name || coalesce(f.uuid, '') || hex(o.sha256)"
		"  FROM attempt AS a JOIN cell AS c ON c.id = a.cell_id LEFT JOIN attempt AS f"
		"  ON f.id = a.carried_from LEFT JOIN raw AS o ON o.id = a.out_raw_id"
		" UNION ALL SELECT uuid || state || hex(r.sha256) FROM build AS b JOIN raw AS r ON r.id = "
		"b.log_raw_id"
		" UNION ALL SELECT uuid || ended_at || status FROM run"
		" UNION ALL SELECT b.uuid || l.key || l.value FROM build_label AS x JOIN build AS b"
		"  ON b.id = x.build_id JOIN label AS l ON l.id = x.label_id"
		" UNION ALL SELECT p.uuid || f.key || f.seen_at || coalesce(f.value, '-') FROM platform_fact "
		"AS f"
		"  JOIN platform AS p ON p.id = f.platform_id ORDER BY 1)",
		NULL, NULL));
	if (sql_next(&query))
		g_string_append(text, sql_text(&query, 0));
	g_assert_true(sql_done(&query, NULL));
	return g_string_free(text, FALSE);
}

static void takes_in_runs_and_tells_machines_of_one_name_apart(void)
{
	struct two two = {0};
	g_autofree char *uuid = NULL;

	fill(&two);
	struct merge_result result = merge(&two.here, &two.there);
	g_assert_cmpint(result.runs, ==, 2);
	g_assert_cmpint(result.attempts, ==, 4);
	/* Two times; the count and its time; both as they were carried. */
	g_assert_cmpint(result.measurements, ==, 6);
	g_assert_cmpint(result.platforms, ==, 2);
	g_assert_cmpint(number(two.here.store, "SELECT count(*) FROM run"), ==, 3);

	/* The runs of there stand under the other machine's name, in figures and in their series. */
	struct sql_query query;
	g_assert_true(sql_query(&query, two.there.store->sql,
		"SELECT 'rock5 (' || substr(uuid, 1, 8) || ')' FROM platform WHERE name = 'rock5'", NULL,
		NULL));
	g_assert_true(sql_next(&query));
	uuid = g_strdup(sql_text(&query, 0));
	g_assert_true(sql_done(&query, NULL));
	g_autofree char *selector = g_strconcat("metric=time,platform=", uuid, NULL);
	g_autoptr(GArray) theirs = results_of(&two.here, selector);
	g_assert_cmpuint(theirs->len, ==, 2);
	g_autoptr(GArray) ours = results_of(&two.here, "platform=rock5,metric=time");
	g_assert_cmpuint(ours->len, ==, 1);
	g_assert_cmpfloat_with_epsilon(result_at(ours, 0)->figure.median, 1000e-9, 1e-15);
	g_autoptr(GArray) counts = results_of(&two.here, "metric=instructions");
	g_assert_cmpstr(result_at(counts, 0)->what.labels.v[LABEL_PLATFORM], ==, "qemu");
	g_assert_true(result_at(counts, 0)->carried);
	done(&two);
}

static void doing_it_again_changes_nothing(void)
{
	struct two two = {0};

	fill(&two);
	merge(&two.here, &two.there);
	g_autofree char *once = dump(two.here.store);
	struct merge_result again = merge(&two.here, &two.there);
	g_autofree char *twice = dump(two.here.store);
	g_assert_cmpint(again.runs + again.attempts + again.measurements + again.platforms, ==, 0);
	g_assert_cmpstr(once, ==, twice);
	done(&two);
}

static void both_ways_gives_both_the_same(void)
{
	struct two two = {0};

	fill(&two);
	merge(&two.here, &two.there);
	struct merge_result back = merge(&two.there, &two.here);
	g_assert_cmpint(back.runs, ==, 1);
	g_assert_cmpint(back.platforms, ==, 1);
	g_assert_cmpint(number(two.there.store, "SELECT count(*) FROM platform"), ==, 3);
	/* Each keeps its own machine's plain name. */
	g_autoptr(GArray) own = results_of(&two.there, "platform=rock5,metric=time");
	g_assert_cmpuint(own->len, ==, 2);
	g_assert_cmpint(number(two.there.store, "SELECT count(*) FROM measurement"), ==,
		number(two.here.store, "SELECT count(*) FROM measurement"));
	merge(&two.here, &two.there);
	g_assert_cmpint(number(two.here.store, "SELECT count(*) FROM platform"), ==, 3);
	done(&two);
}

static void what_came_later_to_a_run_is_taken_in_then(void)
{
	struct two two = {0};
	g_autoptr(GError) err = NULL;
	g_autofree char *stream = rsa_stream(4000);

	fill(&two);
	merge(&two.here, &two.there);
	int64_t build = put_build(&two.there, build_row("5.5.4", "armasm"));
	int64_t cell =
		put_cell(&two.there, "later", build, put_platform(&two.there, "rock5", ENVIRONMENT_HARDWARE));
	take_in(&two.there, attempt_row(cell, "later", 400), ENVIRONMENT_HARDWARE, stream);
	g_assert_true(store_run_end(two.there.store, two.there.run, 1, &err));
	struct merge_result result = merge(&two.here, &two.there);
	g_assert_cmpint(result.runs, ==, 0);
	g_assert_cmpint(result.attempts, ==, 1);
	g_assert_cmpint(
		number(two.here.store, "SELECT count(*) FROM run WHERE label = 'three' AND status = 1"), ==,
		1);
	g_autoptr(GArray) results = results_of(&two.here, "config=armasm");
	g_assert_cmpuint(results->len, ==, 1);
	done(&two);
}

/* A run that was copied with its database and gone on with in both places. */
static void tries_of_both_places_at_one_cell_are_kept(void)
{
	struct two two = {0};
	g_autofree char *here = rsa_stream(7000), *there = rsa_stream(8000);

	fill(&two);
	merge(&two.here, &two.there);
	int64_t ours = number(two.here.store, "SELECT id FROM cell WHERE name = 'default'");
	int64_t theirs = number(two.there.store, "SELECT id FROM cell WHERE name = 'default'");
	struct attempt_row row = attempt_row(ours, "second here", 500);
	row.number = 2;
	take_in(&two.here, row, ENVIRONMENT_HARDWARE, here);
	row = attempt_row(theirs, "second there", 600);
	row.number = 2;
	take_in(&two.there, row, ENVIRONMENT_HARDWARE, there);
	g_assert_cmpint(merge(&two.here, &two.there).attempts, ==, 1);
	g_assert_cmpint(
		number(two.here.store, "SELECT number FROM attempt WHERE uuid = 'second there'"), >, 2);
	g_assert_cmpint(merge(&two.here, &two.there).attempts, ==, 0);
	done(&two);
}

static void pruned_texts_come_as_pruned_and_whole_ones_bring_bytes_back(void)
{
	struct two two = {0};
	struct prune_result pruned;
	g_autofree char *stream = rsa_stream(3000);

	fill(&two);
	g_assert_true(store_prune(two.there.store, &pruned, &(struct prune_spec){.before = INT64_MAX}, NULL));
	g_assert_cmpint(pruned.texts, >, 0);
	merge(&two.here, &two.there);
	/* The log of the build is the same text, and here it has its bytes. */
	g_assert_cmpint(number(two.here.store, "SELECT count(*) FROM pruned"), ==, pruned.texts - 1);
	/* Another run there brings a stream anew that is pruned here. */
	take_in_run(&two.there, NULL, "default", 900, 3000);
	merge(&two.here, &two.there);
	g_assert_cmpint(number(two.here.store, "SELECT count(*) FROM pruned"), ==, pruned.texts - 2);
	done(&two);
}

static void baselines_and_aliases_come_along_and_ours_stay(void)
{
	struct two two = {0};

	fill(&two);
	patch(two.here.store, "INSERT INTO baseline VALUES ('release', 1, 1);"
			      " INSERT INTO alias VALUES ('wolfcrypt', 'mine', 'rsa-2048 private')");
	patch(two.there.store, "INSERT INTO baseline VALUES ('release', 2, 2), ('patch', 2, 2);"
			       " INSERT INTO alias VALUES ('wolfcrypt', 'mine', 'rsa-2048 public'),"
			       " ('wolfcrypt', 'yours', 'rsa-2048 public')");
	merge(&two.here, &two.there);
	g_assert_cmpint(number(two.here.store, "SELECT count(*) FROM baseline"), ==, 2);
	g_assert_cmpint(number(two.here.store, "SELECT run_id FROM baseline WHERE name = 'release'"), ==, 1);
	g_assert_cmpint(
		number(two.here.store, "SELECT count(*) FROM baseline AS b JOIN run AS r ON r.id = b.run_id"
				       " WHERE b.name = 'patch' AND r.label = 'three'"),
		==, 1);
	g_assert_cmpint(number(two.here.store, "SELECT count(*) FROM alias"), ==, 2);
	g_assert_cmpint(
		number(two.here.store, "SELECT count(*) FROM alias WHERE name = 'mine' AND benchmark ="
				       " 'rsa-2048 private'"),
		==, 1);
	done(&two);
}

/* An import as rows: run, cell, attempt, a reading that counts and one whose name nobody knows. */
static void import_rows(struct store *store, const char *run, const char *sha256, int64_t series)
{
	g_autofree char *text = g_strdup_printf(
		"INSERT INTO run (uuid, label, program, started_at) VALUES ('%s', 'log.txt', '0.1.0', 5);"
		"INSERT INTO document SELECT id, x'%s', 'log.txt', 'wolfcrypt', NULL, NULL, 3, 1 FROM run "
		"WHERE uuid = '%s';"
		"INSERT INTO cell (run_id, name, build_id, build_cached, agent, platform_id, instrument, "
		"mode, created_at)"
		" SELECT id, 'part 1', 1, 0, 'import', 1, 'wolfcrypt', 'time', 5 FROM run WHERE uuid = '%s';"
		"INSERT INTO attempt (uuid, cell_id, number, state, argv, started_at, seconds)"
		" SELECT 'a' || r.uuid, c.id, 1, 'ok', '[]', 5, 0.0 FROM run AS r JOIN cell AS c ON c.run_id "
		"= r.id"
		" WHERE r.uuid = '%s';"
		"INSERT INTO measurement (id, series_id, attempt_id, source, environment, kind, mean)"
		" SELECT id << 20, %d, id, 1, 2, 0, 0.25 FROM attempt WHERE uuid = 'a%s';"
		"INSERT INTO latest SELECT series_id, source, environment, kind, 5, id FROM measurement"
		" WHERE source = 1 ON CONFLICT DO UPDATE SET measurement_id = excluded.measurement_id;"
		"INSERT INTO reading (attempt_id, line, name, benchmark, metric, work, environment, kind, "
		"statistic,"
		"  value, printed, unit, measurement_id)"
		" SELECT id, 2, 'RSA 2048 private', 'rsa-2048 private', 'time', 'operation', 2, 0, 'mean', "
		"0.25,"
		"  '4.000', 'ops/sec', id << 20 FROM attempt WHERE uuid = 'a%s';"
		"INSERT INTO remark SELECT id, 3, 'not understood', '?' FROM run WHERE uuid = '%s'",
		run, sha256, run, run, run, (int)series, run, run, run);

	patch(store, text);
}

#define HASH(digit)                                                                                          \
	digit digit digit digit digit digit digit digit digit digit digit digit digit digit digit digit      \
		digit digit digit digit digit digit digit digit digit digit digit digit digit digit digit    \
			digit
#define ONE HASH("11")
#define TWO HASH("22")

static void imports_come_along_and_the_same_document_only_once(void)
{
	struct two two = {0};
	g_autofree char *text = NULL, *unit = NULL;

	fill(&two);
	import_rows(two.here.store, "r1", ONE, 1);
	import_rows(two.there.store, "r2", ONE, 1);
	import_rows(two.there.store, "r3", TWO, 1);
	patch(two.there.store, "INSERT INTO baseline SELECT 'imported', id, 9 FROM run WHERE uuid = 'r2'");
	struct merge_result result = merge(&two.here, &two.there);
	g_assert_cmpint(result.runs, ==, 3);
	g_assert_cmpint(number(two.here.store, "SELECT count(*) FROM document"), ==, 2);
	g_assert_cmpint(number(two.here.store, "SELECT count(*) FROM run WHERE uuid = 'r2'"), ==, 0);
	g_assert_cmpint(number(two.here.store, "SELECT count(*) FROM remark"), ==, 2);
	g_assert_cmpint(number(two.here.store, "SELECT count(*) FROM reading AS r JOIN measurement AS m"
					       " ON m.id = r.measurement_id AND m.attempt_id = r.attempt_id"),
		==, 2);
	/* A baseline on the import that stayed out is on ours of the same document. */
	g_assert_cmpint(
		number(two.here.store, "SELECT count(*) FROM baseline AS b JOIN run AS r ON r.id = b.run_id"
				       " WHERE b.name = 'imported' AND r.uuid = 'r1'"),
		==, 1);
	g_assert_cmpint(merge(&two.here, &two.there).runs, ==, 0);
	done(&two);
}

/* Here the user has named what there is still unknown, so that it counts here. */
static void an_alias_of_ours_names_what_comes(void)
{
	struct two two = {0};
	g_autoptr(GError) err = NULL;
	int64_t figures;

	fill(&two);
	import_rows(two.there.store, "r2", ONE, 1);
	patch(two.there.store,
		"UPDATE reading SET benchmark = NULL, measurement_id = NULL, name = 'Mine 2048';"
		" DELETE FROM measurement WHERE source = 1");
	g_assert_true(store_alias_put(
		two.here.store, &figures, "wolfcrypt", "mine 2048", "rsa-2048 private", &err));
	g_assert_no_error(err);
	g_assert_cmpint(figures, ==, 0);
	merge(&two.here, &two.there);
	g_autoptr(GArray) results = results_of(&two.here, "source=imported");
	g_assert_cmpuint(results->len, ==, 1);
	g_assert_cmpstr(result_at(results, 0)->what.labels.v[LABEL_BENCHMARK], ==, "rsa-2048 private");
	g_assert_cmpfloat(result_at(results, 0)->figure.mean, ==, 0.25);
	done(&two);
}

/* Both are there from a time when the program knew less, or come from a program that knows more. */
static void an_alias_that_could_not_be_given_now_stops_nothing(void)
{
	struct two two = {0};

	fill(&two);
	g_assert_cmpint(name_benchmark("bearssl", "rsa priv"), >=, 0);
	patch(two.here.store, "INSERT INTO alias VALUES ('bearssl', 'rsa priv', 'rsa-2048 private-raw')");
	patch(two.there.store, "INSERT INTO alias VALUES ('a later tool', 'mine', 'a later benchmark')");
	merge(&two.here, &two.there);
	g_assert_cmpint(number(two.here.store, "SELECT count(*) FROM alias"), ==, 2);
	g_assert_cmpint(merge(&two.here, &two.there).runs, ==, 0);
	done(&two);
}

/* A database of version 3, with the least that makes a figure. */
static void make_old(const char *file)
{
	struct sql *sql = sql_open(file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL);
	g_autoptr(GError) err = NULL;

	g_assert_true(store_migrate(sql, schema_migrations, 3, NULL));
	sql_script(sql,
		"INSERT INTO run (id, uuid, matrix, label, program, started_at) VALUES (7, 'old', 'quick', "
		"'old', '0.1.0', 1);"
		"INSERT INTO platform VALUES (3, 'p-old', 'board', 'emulator', 1);"
		"INSERT INTO build (id, uuid, key_library, key_program, state, arch, created_at)"
		"  VALUES (4, 'b-old', 'k', 'k', 'ok', 'aarch64', 1);"
		"INSERT INTO label VALUES (1, 'library', 'wolfssl'), (2, 'platform', 'board'),"
		"  (3, 'instrument', 'bench-core'), (4, 'benchmark', 'rsa-2048 private'), (5, 'metric', "
		"'instructions');"
		"INSERT INTO build_label VALUES (4, 1);"
		"INSERT INTO cell VALUES (5, 7, 'cell', 4, 0, 'qemu-user', 3, 'bench-core', 'count', 1);"
		"INSERT INTO attempt (id, uuid, cell_id, number, state, argv, started_at, seconds)"
		"  VALUES (6, 'a-old', 5, 1, 'ok', '[]', 1, 1.0);"
		"INSERT INTO outcome (attempt_id, benchmark, state) VALUES (6, 'rsa-2048 private', 'ok');"
		/* SHA-256 of the five "key=value\n" lines, by sha256sum. */
		"INSERT INTO series VALUES (9, "
		"x'b5529f4ead86f1f416e3d8da2bf5e1ead9b3b26eaf56c0173a0c5893449b761c');"
		"INSERT INTO series_label VALUES (9, 1), (9, 2), (9, 3), (9, 4), (9, 5);"
		"INSERT INTO measurement (id, series_id, attempt_id, source, environment, kind, n, median)"
		"  VALUES (1, 9, 6, 0, 1, 1, 1, 4711.0)",
		&err);
	g_assert_no_error(err);
	sql_close(sql);
}

static void an_older_database_is_taken_in_and_stays_as_it_is(void)
{
	struct two two = {0};
	g_autoptr(GError) err = NULL;
	struct merge_result result;

	fill(&two);
	g_autofree char *file = g_build_filename(two.there.folder, "old.db", NULL);
	make_old(file);
	g_autofree char *before = fsx_hash_file(file, NULL);
	store_merge(two.here.store, &result, file, &err);
	g_assert_no_error(err);
	g_autofree char *after = fsx_hash_file(file, NULL);
	g_assert_cmpstr(before, ==, after);
	g_assert_cmpint(result.measurements, ==, 1);
	assert_sound(two.here.store);
	g_autoptr(GArray) results = results_of(&two.here, "platform=board");
	g_assert_cmpfloat(result_at(results, 0)->figure.median, ==, 4711);
	/* The copy is gone. */
	g_autoptr(GDir) folder = g_dir_open(two.here.folder, 0, NULL);
	for (const char *name; (name = g_dir_read_name(folder));)
		g_assert_true(g_str_has_prefix(name, "results.db"));
	done(&two);
}

static void assert_refused(struct two *two, const char *file, enum diag_code code, const char *word)
{
	g_autoptr(GError) err = NULL;
	g_autofree char *before = dump(two->here.store);
	struct merge_result result;

	g_assert_false(store_merge(two->here.store, &result, file, &err));
	g_assert_error(err, DIAG_ERROR, (int)code);
	g_test_message("\"%s\" in: %s", word, err->message);
	g_assert_nonnull(strstr(err->message, word));
	g_autofree char *after = dump(two->here.store);
	g_assert_cmpstr(before, ==, after);
	/* It can still be written and merged with. */
	patch(two->here.store, "INSERT INTO label (key, value) VALUES ('config', hex(randomblob(8)))");
}

static void what_cannot_be_taken_in_changes_nothing(void)
{
	struct two two = {0};

	fill(&two);
	g_autofree char *missing = g_build_filename(two.there.folder, "missing.db", NULL);
	g_autofree char *letter = g_build_filename(two.there.folder, "letter.txt", NULL);
	g_autofree char *empty = g_build_filename(two.there.folder, "empty.db", NULL);
	g_assert_true(g_file_set_contents(letter, "Dear reader, this is no database at all.", -1, NULL));
	g_assert_true(g_file_set_contents(empty, "", 0, NULL));
	assert_refused(&two, missing, DIAG_INPUT, "no such file");
	assert_refused(&two, two.there.folder, DIAG_INPUT, "not a regular file");
	assert_refused(&two, letter, DIAG_INPUT, "is not a SQLite database");
	assert_refused(&two, empty, DIAG_INPUT, "is empty");
	assert_refused(&two, two.here.file, DIAG_USAGE, "is the database itself");
	patch(two.there.store, "INSERT INTO label (key, value) VALUES ('colour', 'red')");
	assert_refused(&two, two.there.file, DIAG_INPUT, "\"colour\" of a newer benchmatrix");
	patch(two.there.store, "DELETE FROM label WHERE key = 'colour'; PRAGMA user_version = 99");
	assert_refused(&two, two.there.file, DIAG_INPUT, "newer benchmatrix (schema version 99");
	done(&two);
}

static void a_damaged_database_changes_nothing(void)
{
	struct two two = {0};
	g_autofree char *bytes = NULL;
	gsize length;

	fill(&two);
	patch(two.there.store, "PRAGMA foreign_keys = OFF; INSERT INTO attempt_note VALUES (99, 'x')");
	assert_refused(&two, two.there.file, DIAG_INPUT, "a row of attempt_note refers to nothing");
	patch(two.there.store, "DELETE FROM attempt_note; PRAGMA wal_checkpoint(TRUNCATE)");
	int64_t page =
		number(two.there.store, "SELECT rootpage FROM sqlite_schema WHERE name = 'measurement'");
	int64_t size = number(two.there.store, "PRAGMA page_size");
	g_clear_pointer(&two.there.store, store_close);
	g_assert_true(g_file_get_contents(two.there.file, &bytes, &length, NULL));
	memset(bytes + (page - 1) * size, 0x5a, (size_t)size);
	g_assert_true(g_file_set_contents(two.there.file, bytes, (gssize)length, NULL));
	assert_refused(&two, two.there.file, DIAG_INPUT, "the database is damaged");
	two.there.store = NULL;
	done(&two);
}

#define TEST(function) g_test_add_func("/store_merge/" #function, function)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	TEST(takes_in_runs_and_tells_machines_of_one_name_apart);
	TEST(doing_it_again_changes_nothing);
	TEST(both_ways_gives_both_the_same);
	TEST(what_came_later_to_a_run_is_taken_in_then);
	TEST(tries_of_both_places_at_one_cell_are_kept);
	TEST(pruned_texts_come_as_pruned_and_whole_ones_bring_bytes_back);
	TEST(baselines_and_aliases_come_along_and_ours_stay);
	TEST(imports_come_along_and_the_same_document_only_once);
	TEST(an_alias_of_ours_names_what_comes);
	TEST(an_alias_that_could_not_be_given_now_stops_nothing);
	TEST(an_older_database_is_taken_in_and_stays_as_it_is);
	TEST(what_cannot_be_taken_in_changes_nothing);
	TEST(a_damaged_database_changes_nothing);
	return g_test_run();
}
