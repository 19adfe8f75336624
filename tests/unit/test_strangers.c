#include "spool.h"
#include "store_fixture.h"
#include "strangers.h"

#include <glib/gstdio.h>
#include <utime.h>

#define STRANGE "99999999-9999-4999-8999-999999999999"
#define FIRST	"11111111-1111-4111-8111-111111111111"
#define SECOND	"22222222-2222-4222-8222-222222222222"

/* An attempt as a killed run leaves it, of an age. */
static void leave(
	const struct fixture *fixture, const char *run, const char *uuid, const char *cell, int days)
{
	const struct spool_head head = {.run = run,
		.uuid = uuid,
		.cell = cell,
		.build = "22bb",
		.mode = AGENT_TIME,
		.invocations = 1};
	const time_t then = (time_t)(g_get_real_time() / G_USEC_PER_SEC) - days * 86400 - 60;
	struct spool *spool;
	struct spool_file *file;

	g_assert_true(spool_open(&spool, fixture->file, run, NULL));
	g_assert_true(spool_begin(&file, spool, &head, NULL));
	g_assert_cmpint(utime(spool_file_path(file), &(struct utimbuf){then, then}), ==, 0);
	spool_file_free(file);
	spool_close(spool);
}

static GPtrArray *find(const struct fixture *fixture)
{
	g_autoptr(GError) err = NULL;
	GPtrArray *all = NULL;

	strangers_find(&all, fixture->store, &err);
	g_assert_no_error(err);
	return all;
}

static void assert_text(const struct fixture *fixture, const struct strangers *strangers, const char *rest)
{
	g_autofree char *text = strangers_text(strangers);
	g_autofree char *expected = g_strdup_printf("%s.spool/%s: %s", fixture->file, strangers->run, rest);

	g_assert_cmpstr(text, ==, expected);
}

static char *begin_known_run(struct fixture *fixture)
{
	const struct run_row row = {.matrix = "quick", .matrix_text = "{}", .program = "0.1.0"};
	char *uuid = NULL;

	g_assert_true(store_run_begin(fixture->store, &fixture->run, &uuid, &row, NULL));
	put_cell(fixture, "known", put_build(fixture, build_row("5.5.4", "sp")),
		put_platform(fixture, "toy", ENVIRONMENT_HARDWARE));
	return uuid;
}

static void a_run_that_nobody_knows_is_told_and_removed(void)
{
	struct fixture fixture;

	fixture_open(&fixture);
	leave(&fixture, STRANGE, FIRST, "sp time", 9);
	leave(&fixture, STRANGE, SECOND, "sp count", 3);
	g_autoptr(GPtrArray) all = find(&fixture);
	g_assert_cmpuint(all->len, ==, 1);
	assert_text(&fixture, all->pdata[0],
		"2 attempts of run 99999999, which the database does not know, last written 3 days ago");
	g_assert_true(strangers_remove(all->pdata[0], fixture.file, NULL));
	g_autofree char *root = g_strconcat(fixture.file, ".spool", NULL);
	g_assert_false(g_file_test(root, G_FILE_TEST_EXISTS));
	g_autoptr(GPtrArray) none = find(&fixture);
	g_assert_cmpuint(none->len, ==, 0);
	fixture_close(&fixture);
}

static void what_can_be_taken_in_is_no_stranger(void)
{
	struct fixture fixture;

	fixture_open(&fixture);
	g_autofree char *run = begin_known_run(&fixture);
	leave(&fixture, run, FIRST, "known", 0);
	g_autoptr(GPtrArray) none = find(&fixture);
	g_assert_cmpuint(none->len, ==, 0);

	leave(&fixture, run, SECOND, "another", 0);
	g_autoptr(GPtrArray) all = find(&fixture);
	g_assert_cmpuint(all->len, ==, 1);
	g_autofree char *rest = g_strdup_printf("1 attempt of run %.8s, whose cells the database does not "
						"know, last written 1 minute ago",
		run);
	assert_text(&fixture, all->pdata[0], rest);
	g_assert_true(strangers_remove(all->pdata[0], fixture.file, NULL));
	g_autofree char *folder = spool_folder_of(fixture.file, run);
	g_autoptr(GPtrArray) left = spool_files_in(folder);
	g_assert_cmpuint(left->len, ==, 1);
	g_assert_true(g_str_has_suffix(left->pdata[0], "/" FIRST));
	fixture_close(&fixture);
}

static void what_a_process_holds_is_its_own(void)
{
	struct fixture fixture;
	struct spool *spool;

	fixture_open(&fixture);
	leave(&fixture, STRANGE, FIRST, "sp time", 0);
	g_assert_true(spool_open(&spool, fixture.file, STRANGE, NULL));
	g_autoptr(GPtrArray) none = find(&fixture);
	g_assert_cmpuint(none->len, ==, 0);
	spool_close(spool);
	fixture_close(&fixture);
}

/* The next run removes it: nothing had happened in it. */
static void a_file_without_a_head_is_not_told(void)
{
	struct fixture fixture;

	fixture_open(&fixture);
	leave(&fixture, STRANGE, FIRST, "sp time", 0);
	g_autofree char *folder = spool_folder_of(fixture.file, STRANGE);
	g_autofree char *file = g_build_filename(folder, FIRST, NULL);
	g_assert_true(g_file_set_contents(file, "H\005", 2, NULL));
	g_autoptr(GPtrArray) none = find(&fixture);
	g_assert_cmpuint(none->len, ==, 0);
	fixture_close(&fixture);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
#define TEST(f) g_test_add_func("/strangers/" #f, f)
	TEST(a_run_that_nobody_knows_is_told_and_removed);
	TEST(what_can_be_taken_in_is_no_stranger);
	TEST(what_a_process_holds_is_its_own);
	TEST(a_file_without_a_head_is_not_told);
	return g_test_run();
}
