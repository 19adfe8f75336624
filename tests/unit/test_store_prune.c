#include "store_fixture.h"

#include "diag.h"
#include "store_private.h"

#include <glib/gstdio.h>
#include <unistd.h>

static int64_t number(struct store *store, const char *text)
{
	g_autoptr(GError) err = NULL;
	int64_t value = -1;

	sql_number(store->sql, &value, text, NULL, &err);
	g_assert_no_error(err);
	return value;
}

static void patch(struct fixture *fixture, const char *text)
{
	g_autoptr(GError) err = NULL;

	sql_script(fixture->store->sql, text, &err);
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

/* Two runs of one build each, of times 100 and 200: texts are two streams (of other times, so other texts),
 * one log for both builds, one matrix for both runs. */
static void fill(struct fixture *fixture)
{
	fixture_open(fixture);
	take_in_run(fixture, "old", "default", 100, 1000);
	take_in_run(fixture, "new", "sp", 200, 2000);
	patch(fixture, "UPDATE build SET created_at = 100 * id; UPDATE cell SET created_at = 100 * id");
	g_assert_cmpint(number(fixture->store, "SELECT count(*) FROM raw"), ==, 4);
}

static struct prune_result prune(struct fixture *fixture, int64_t before, bool dry)
{
	g_autoptr(GError) err = NULL;
	struct prune_result result = {-1, -1};

	store_prune(fixture->store, &result, &(struct prune_spec){.before = before, .dry = dry}, &err);
	g_assert_no_error(err);
	return result;
}

/* The description of an attempt by its id, as `show` has it; NULL value where there is no such key. */
static char *described(struct fixture *fixture, enum store_thing thing, const char *key, bool *ret_text)
{
	struct store_description *description = NULL;
	char *value = NULL;

	g_assert_true(store_describe(fixture->store, &description, thing, 1, NULL));
	for (guint i = 0; i < description->keys->len; i++)
		if (strcmp(description->keys->pdata[i], key) == 0)
			value = g_strdup(description->values->pdata[i]);
	*ret_text = description->text != NULL;
	store_description_free(description);
	return value;
}

static void an_old_attempts_text_goes_and_its_hash_stays(void)
{
	struct fixture fixture = {0};
	bool text;

	fill(&fixture);
	int64_t bytes = number(fixture.store,
		"SELECT length(bytes) FROM raw WHERE id = (SELECT out_raw_id FROM attempt WHERE id = 1)");
	struct prune_result dry = prune(&fixture, 150, true);
	/* The log is of a younger build too, the matrix of both runs. */
	g_assert_cmpint(dry.texts, ==, 1);
	g_assert_cmpint(dry.bytes, ==, bytes);
	g_assert_cmpint(number(fixture.store, "SELECT count(*) FROM pruned"), ==, 0);

	struct prune_result done = prune(&fixture, 150, false);
	g_assert_cmpint(done.texts, ==, 1);
	g_assert_cmpint(done.bytes, ==, bytes);
	g_assert_cmpint(number(fixture.store, "SELECT count(*) FROM raw WHERE length(bytes) = 0 AND "
					      "length(sha256) = 32 AND size > 0"),
		==, 1);
	g_assert_cmpint(number(fixture.store, "SELECT count(*) FROM measurement"), ==, 2);
	assert_sound(fixture.store);
	g_autofree char *said = described(&fixture, STORE_ATTEMPT, "output", &text);
	g_assert_false(text);
	g_assert_true(g_str_has_prefix(said, "pruned on 2"));
	g_assert_nonnull(strstr(said, "bytes)"));
	/* Nothing is left to prune. */
	g_assert_cmpint(prune(&fixture, 150, false).texts, ==, 0);
	fixture_close(&fixture);
}

static void counts_by_function_stay_until_they_are_given_up_too(void)
{
	struct fixture fixture = {0};
	g_autoptr(GError) err = NULL;
	struct prune_result result = {-1, -1};

	fill(&fixture);
	patch(&fixture, "UPDATE attempt SET argv = "
			"'[\"qemu\",\"-plugin\",\"file=count.so,functions=table\",\"bench\"]'"
			" WHERE id = 1");
	g_assert_cmpint(prune(&fixture, 150, false).texts, ==, 0);
	const struct prune_spec spec = {.before = 150, .functions = true};
	store_prune(fixture.store, &result, &spec, &err);
	g_assert_no_error(err);
	g_assert_cmpint(result.texts, ==, 1);
	assert_sound(fixture.store);
	fixture_close(&fixture);
}

static void everything_old_goes_but_what_runs_began_with(void)
{
	struct fixture fixture = {0};

	fill(&fixture);
	g_assert_cmpint(prune(&fixture, 1000, false).texts, ==, 3);
	g_assert_cmpint(number(fixture.store, "SELECT length(bytes) > 0 FROM raw WHERE id ="
					      " (SELECT matrix_raw_id FROM run WHERE id = 1)"),
		==, 1);
	assert_sound(fixture.store);
	fixture_close(&fixture);
}

static void what_a_baseline_rests_on_stays(void)
{
	struct fixture fixture = {0};
	bool text;

	fill(&fixture);
	patch(&fixture, "INSERT INTO baseline (name, run_id, pinned_at) VALUES ('release', 1, 5)");
	/* Of the new run the stream alone: its build's log is the old one's too. */
	g_assert_cmpint(prune(&fixture, 1000, false).texts, ==, 1);
	g_autofree char *said = described(&fixture, STORE_ATTEMPT, "output", &text);
	g_assert_null(said);
	g_assert_true(text);
	fixture_close(&fixture);
}

static void a_baseline_names_its_run(void)
{
	struct fixture fixture = {0};
	int64_t run = 0;

	fill(&fixture);
	/* Before a label that is the same. */
	g_assert_true(store_baseline_put(fixture.store, "new", 1, NULL));
	g_assert_true(store_run_find(fixture.store, &run, "new", NULL));
	g_assert_cmpint(run, ==, 1);
	g_autoptr(GArray) results = results_of(&fixture, "run=new");
	g_assert_cmpstr(result_at(results, 0)->what.labels.v[LABEL_CONFIG], ==, "default");
	g_assert_true(store_baseline_drop(fixture.store, "new", NULL));
	g_assert_true(store_run_find(fixture.store, &run, "new", NULL));
	g_assert_cmpint(run, ==, 2);
	fixture_close(&fixture);
}

static void a_log_stays_as_long_as_cells_use_its_build(void)
{
	struct fixture fixture = {0};
	bool text;

	fixture_open(&fixture);
	take_in_run(&fixture, NULL, "sp", 100, 1000);
	take_in_run(&fixture, NULL, "sp", 200, 2000);
	patch(&fixture, "UPDATE build SET created_at = 100; UPDATE cell SET created_at = 100 * id");
	g_assert_cmpint(number(fixture.store, "SELECT count(*) FROM build"), ==, 1);
	prune(&fixture, 150, false);
	g_free(described(&fixture, STORE_BUILD, "log", &text));
	g_assert_true(text);
	prune(&fixture, 250, false);
	g_autofree char *said = described(&fixture, STORE_BUILD, "log", &text);
	g_assert_false(text);
	g_assert_nonnull(said);
	fixture_close(&fixture);
}

static void a_pruned_text_that_comes_again_has_its_bytes_back(void)
{
	struct fixture fixture = {0};
	bool text;

	fill(&fixture);
	prune(&fixture, 1000, false);
	take_in_run(&fixture, NULL, "default", 3000, 1000);
	g_assert_cmpint(number(fixture.store, "SELECT count(*) FROM raw"), ==, 4);
	g_autofree char *said = described(&fixture, STORE_ATTEMPT, "output", &text);
	g_assert_null(said);
	g_assert_true(text);
	assert_sound(fixture.store);
	fixture_close(&fixture);
}

static void shrinking_gives_the_room_back(void)
{
	struct fixture fixture = {0};
	g_autoptr(GError) err = NULL;
	GStatBuf before, after;

	fill(&fixture);
	/* A megabyte that does not compress: the digits of a generator. */
	g_autoptr(GRand) rand = g_rand_new_with_seed(1);
	g_autoptr(GString) noise = g_string_new(NULL);
	while (noise->len < 1000000)
		g_string_append_printf(noise, "%08x", g_rand_int(rand));
	struct attempt_row row = attempt_row(1, "large", 100);
	row.number = 2;
	take_in(&fixture, row, ENVIRONMENT_HARDWARE, noise->str);
	patch(&fixture, "PRAGMA wal_checkpoint(TRUNCATE)");
	g_assert_cmpint(g_stat(fixture.file, &before), ==, 0);
	prune(&fixture, 150, false);
	store_shrink(fixture.store, &err);
	g_assert_no_error(err);
	g_assert_cmpint(g_stat(fixture.file, &after), ==, 0);
	g_assert_cmpint(after.st_size, <, before.st_size - 400000);
	assert_sound(fixture.store);
	fixture_close(&fixture);
}

static const struct table_size *size_named(const GPtrArray *sizes, const char *name)
{
	for (guint i = 0; i < sizes->len; i++) {
		const struct table_size *size = sizes->pdata[i];

		if (strcmp(size->name, name) == 0)
			return size;
	}
	g_error("no size of %s", name);
}

static void sizes_add_up_to_the_file(void)
{
	struct fixture fixture = {0};
	g_autoptr(GPtrArray) sizes = NULL;
	int64_t bytes = 0, last = INT64_MAX;

	fill(&fixture);
	g_assert_true(store_sizes(fixture.store, &sizes, NULL));
	for (guint i = 0; i < sizes->len; i++) {
		const struct table_size *size = sizes->pdata[i];

		g_assert_cmpint(size->bytes, <=, last);
		last = size->bytes;
		bytes += size->bytes;
	}
	g_assert_cmpint(size_named(sizes, "measurement")->rows, ==, 2);
	g_assert_cmpint(size_named(sizes, "raw")->rows, ==, 4);
	g_assert_cmpint(size_named(sizes, "measurement_by_series")->rows, ==, -1);
	g_assert_cmpint(bytes, ==,
		number(fixture.store,
			"SELECT page_size * (page_count - freelist_count) FROM pragma_page_size,"
			" pragma_page_count, pragma_freelist_count"));
	fixture_close(&fixture);
}

/* --- backup --- */

static char *beside(const struct fixture *fixture, const char *name)
{
	return g_build_filename(fixture->folder, name, NULL);
}

static void a_backup_is_a_database_of_its_own(void)
{
	struct fixture fixture = {0};
	g_autoptr(GError) err = NULL;

	fill(&fixture);
	g_autofree char *file = beside(&fixture, "copy.db");
	store_backup(fixture.store, file, &err);
	g_assert_no_error(err);
	struct store *copy = store_open(file, STORE_READ, &err);
	g_assert_no_error(err);
	assert_sound(copy);
	g_assert_cmpint(number(copy, "SELECT count(*) FROM result"), ==, 2);
	store_close(copy);

	/* Again: the older copy is replaced. */
	take_in_run(&fixture, NULL, "third", 300, 3000);
	store_backup(fixture.store, file, &err);
	g_assert_no_error(err);
	copy = store_open(file, STORE_READ, &err);
	g_assert_cmpint(number(copy, "SELECT count(*) FROM result"), ==, 3);
	store_close(copy);
	fixture_close(&fixture);
}

static void assert_refused(struct fixture *fixture, const char *file, const char *word)
{
	g_autoptr(GError) err = NULL;

	g_assert_false(store_backup(fixture->store, file, &err));
	g_assert_error(err, DIAG_ERROR, DIAG_USAGE);
	g_test_message("\"%s\" in: %s", word, err->message);
	g_assert_nonnull(strstr(err->message, word));
}

static void a_backup_replaces_nothing_but_a_backup(void)
{
	struct fixture fixture = {0};
	g_autofree char *left = NULL;

	fill(&fixture);
	g_autofree char *letter = beside(&fixture, "letter.txt"), *link = beside(&fixture, "link.db");
	g_autofree char *copy = beside(&fixture, "copy.db"), *log = beside(&fixture, "copy.db-wal");
	g_assert_true(g_file_set_contents(letter, "Dear reader", -1, NULL));
	assert_refused(&fixture, letter, "no database of benchmatrix");
	g_assert_true(g_file_get_contents(letter, &left, NULL, NULL));
	g_assert_cmpstr(left, ==, "Dear reader");
	g_assert_cmpint(symlink(fixture.file, link), ==, 0);
	assert_refused(&fixture, link, "is the database itself");
	assert_refused(&fixture, fixture.folder, "is a folder");
	g_assert_true(g_file_set_contents(log, "frames", -1, NULL));
	assert_refused(&fixture, copy, "copy.db-wal");
	fixture_close(&fixture);
}

static void a_backup_that_cannot_be_written_leaves_nothing(void)
{
	struct fixture fixture = {0};
	g_autoptr(GError) err = NULL;

	fill(&fixture);
	g_autofree char *file = beside(&fixture, "missing/copy.db");
	g_assert_false(store_backup(fixture.store, file, &err));
	g_assert_error(err, DIAG_ERROR, DIAG_USAGE);
	g_assert_nonnull(strstr(err->message, "missing/copy.db"));
	fixture_close(&fixture);
}

#define TEST(function) g_test_add_func("/store_prune/" #function, function)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	TEST(an_old_attempts_text_goes_and_its_hash_stays);
	TEST(counts_by_function_stay_until_they_are_given_up_too);
	TEST(everything_old_goes_but_what_runs_began_with);
	TEST(what_a_baseline_rests_on_stays);
	TEST(a_baseline_names_its_run);
	TEST(a_log_stays_as_long_as_cells_use_its_build);
	TEST(a_pruned_text_that_comes_again_has_its_bytes_back);
	TEST(shrinking_gives_the_room_back);
	TEST(sizes_add_up_to_the_file);
	TEST(a_backup_is_a_database_of_its_own);
	TEST(a_backup_replaces_nothing_but_a_backup);
	TEST(a_backup_that_cannot_be_written_leaves_nothing);
	return g_test_run();
}
