#include "document_fixture.h"
#include "store_fixture.h"

#include "store_private.h"

static void patch(struct fixture *fixture, const char *text)
{
	g_autoptr(GError) err = NULL;

	sql_script(fixture->store->sql, text, &err);
	g_assert_no_error(err);
}

static GPtrArray *problems_of(struct fixture *fixture)
{
	g_autoptr(GError) err = NULL;
	GPtrArray *problems = NULL;

	store_check(fixture->store, &problems, &err);
	g_assert_no_error(err);
	return problems;
}

/* A sampled and an exact figure, the exact one carried once: attempts 1 to 3. */
static void fill(struct fixture *fixture)
{
	g_autofree char *count = count_stream(5000);

	fixture_open(fixture);
	take_in_run(fixture, NULL, "sp", 1, 1000);
	int64_t platform = put_platform(fixture, "qemu", ENVIRONMENT_EMULATOR);
	int64_t build = put_build(fixture, build_row("5.5.4", "sp"));
	struct attempt_row row = attempt_row(put_cell(fixture, "counted", build, platform), "counted", 2);
	row.exact_key = "e1";
	int64_t from = take_in(fixture, row, ENVIRONMENT_EMULATOR, count);
	row = attempt_row(put_cell(fixture, "again", build, platform), "again", 3);
	row.exact_key = "e1";
	g_assert_true(store_attempt_carry(fixture->store, &row, from, NULL));
}

/* And a document: attempt 4 with a mean of 9 ms (measurement 4194304) and cycles that follow from it
 * (4194305). */
static void fill_document(struct fixture *fixture)
{
	struct document *document = made_document("speed.txt", "cyassl", "RSA\n");
	struct document_part *part = made_part(document, "2.3.0");
	struct measurement cycles;
	struct labels labels;
	g_autoptr(GError) err = NULL;
	bool is_new;
	int64_t run;

	add_figure(document, part, made_reading(3, "RSA 2048 private", "rsa-2048 private", 0.009, "9.000"));
	cycles = g_array_index(part->measurements, struct measurement, 0);
	cycles.kind = KIND_DERIVED;
	cycles.figure.mean = 9e6;
	labels = *(const struct labels *)part->labels_of->pdata[0];
	labels.v[LABEL_METRIC] = "cycles";
	g_array_append_val(part->measurements, cycles);
	g_ptr_array_add(part->labels_of, g_memdup2(&labels, sizeof labels));
	store_document_take_in(fixture->store, &run, &is_new, document, &err);
	g_assert_no_error(err);
	free_made(document);
}

/* Plants a fault with `text` and expects one problem that says `expected`. */
static void assert_finds(const char *text, const char *expected)
{
	struct fixture fixture = {0};

	fill(&fixture);
	fill_document(&fixture);
	patch(&fixture, "PRAGMA foreign_keys = OFF");
	patch(&fixture, text);
	g_autoptr(GPtrArray) problems = problems_of(&fixture);
	guint n = problems->len;
	g_ptr_array_add(problems, NULL);
	g_autofree char *all = g_strjoinv("\n", (char **)problems->pdata);
	if (n != 1 || !strstr(all, expected))
		g_error("%s: %u problems:\n%s", text, n, all);
	fixture_close(&fixture);
}

static void a_sound_database_has_no_problems(void)
{
	struct fixture fixture = {0};

	fill(&fixture);
	fill_document(&fixture);
	g_autoptr(GPtrArray) problems = problems_of(&fixture);
	g_assert_cmpuint(problems->len, ==, 0);
	fixture_close(&fixture);
}

static void finds_texts_that_changed(void)
{
	assert_finds("UPDATE raw SET bytes = x'00', codec = 'none', size = 1 WHERE id = 1",
		"raw text 1: is not what");
	assert_finds("UPDATE raw SET bytes = substr(bytes, 1, 20), codec = 'zlib' WHERE id = 1",
		"raw text 1: is not what");
	assert_finds("UPDATE raw SET size = 4000000000000 WHERE id = 1", "raw text 1: is not what");
}

static void finds_references_to_nothing(void)
{
	assert_finds("INSERT INTO attempt_note (attempt_id, note) VALUES (99, 'x')",
		"refers to nothing in attempt");
}

static void finds_figures_without_a_good_outcome(void)
{
	assert_finds(
		"INSERT INTO outcome_list (id, sha256) VALUES (9, sha256('''rsa-2048 "
		"private''''''''wrong-answer''''x''NULLNULL'));"
		"INSERT INTO outcome_line (list_id, benchmark, state, reason) VALUES (9, 'rsa-2048 private', "
		"'wrong-answer', 'x'); UPDATE attempt SET outcome_list_id = 9 WHERE id = 1",
		"measurement 1048576: its benchmark has no good outcome");
	assert_finds("UPDATE attempt SET outcome_list_id = NULL WHERE id = 1",
		"measurement 1048576: its benchmark has no good outcome");
}

static void finds_outcomes_that_changed(void)
{
	assert_finds("UPDATE outcome_line SET digest = 'x' WHERE list_id = 1",
		"outcome list 1: its outcomes are not what its hash says");
}

static void finds_a_latest_figure_that_is_not(void)
{
	assert_finds(
		"DELETE FROM latest WHERE series_id = 1", "series 1: its latest figure is not known as such");
	assert_finds("UPDATE latest SET started_at = started_at + 1 WHERE series_id = 1",
		"series 1: what is kept as its latest figure is not");
	assert_finds("UPDATE latest SET measurement_id = 99 << 20, started_at = 1 << 62 WHERE series_id = 1",
		"series 1: what is kept as its latest figure is not");
}

static void finds_figures_without_samples(void)
{
	assert_finds("DELETE FROM sample WHERE measurement_id = 1048576",
		"measurement 1048576: a sampled figure of ours without");
}

static void finds_figures_that_do_not_follow(void)
{
	assert_finds("UPDATE measurement SET median = median * 1.001 WHERE id = 1048576",
		"measurement 1048576: its figures do not follow");
	assert_finds("UPDATE measurement SET n = 2 WHERE id = 1048576",
		"measurement 1048576: its figures do not follow");
	assert_finds("UPDATE measurement SET sd = 0.0 WHERE id = 1048576",
		"measurement 1048576: its figures do not follow");
	assert_finds("UPDATE sample SET packed = x'0000' WHERE measurement_id = 1048576",
		"measurement 1048576: its samples are not whole");
}

static void finds_exact_results_that_differ(void)
{
	assert_finds("UPDATE measurement SET median = median + 1 WHERE attempt_id = 3 AND kind = 1",
		"exact key e1: rsa-2048 private instructions is 5000.0 in one attempt and 5001.0 in another");
	assert_finds("UPDATE attempt SET exact_key = 'e2' WHERE id = 3", "attempt 3: carried from attempt 2");
}

static void finds_series_whose_labels_changed(void)
{
	assert_finds("DELETE FROM series_label WHERE series_id = 1 AND label_id ="
		     " (SELECT id FROM label WHERE key = 'profile')",
		"series 1: its labels are not what its hash says");
}

static void finds_numbers_that_are_not_their_figures(void)
{
	assert_finds("UPDATE reading SET attempt_id = 1; DELETE FROM measurement WHERE kind = 2;"
		     " DELETE FROM latest WHERE kind = 2",
		"(line 3): its figure is of attempt 4, it is of attempt 1");
	assert_finds("UPDATE reading SET problem = 'x'", "(line 3): counts and is quarantined");
	assert_finds("UPDATE reading SET block = '16'", "(line 3): its labels are not those of its figure");
	assert_finds("UPDATE reading SET kind = 3", "(line 3): its labels are not those of its figure");
	/* Printed to the microsecond: half of it is left, more is not. */
	assert_finds("UPDATE reading SET value = value + 6e-7",
		"(line 3): 9.000 milliseconds is not its figure's mean");
	assert_finds("UPDATE reading SET statistic = 'best'",
		"(line 3): 9.000 milliseconds is not its figure's best");
}

static void a_number_may_be_off_by_what_its_digits_leave(void)
{
	struct fixture fixture = {0};

	fill(&fixture);
	fill_document(&fixture);
	patch(&fixture, "UPDATE reading SET value = value + 4e-7");
	g_autoptr(GPtrArray) problems = problems_of(&fixture);
	g_assert_cmpuint(problems->len, ==, 0);
	fixture_close(&fixture);
}

static void finds_figures_that_no_document_printed(void)
{
	assert_finds("INSERT INTO measurement (id, series_id, attempt_id, source, environment, kind, mean)"
		     " VALUES (4194400, 1, 4, 1, 0, 0, 1.0); INSERT INTO latest"
		     " SELECT 1, 1, 0, 0, started_at, 4194400 FROM attempt WHERE id = 4",
		"measurement 4194400: no document printed it");
	assert_finds("DELETE FROM reading; DELETE FROM measurement WHERE kind <> 2 AND source = 1;"
		     " DELETE FROM latest WHERE kind <> 2 AND source = 1",
		"measurement 4194305: no document printed it");
}

static void finds_runs_of_no_kind_or_of_two(void)
{
	assert_finds("UPDATE run SET matrix = NULL WHERE id = 1", "has neither a matrix nor a document");
	assert_finds(
		"UPDATE run SET matrix = 'x' WHERE matrix IS NULL; UPDATE build SET key_program = 'p' WHERE "
		"key_program IS NULL",
		"has a matrix and a document");
}

/* Two indexes on one page: SQLite's own check says so in several lines. */
static void finds_a_damaged_file(void)
{
	struct fixture fixture = {0};

	fill(&fixture);
	patch(&fixture, "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage ="
			" (SELECT rootpage FROM sqlite_schema WHERE name = 'build_by_program')"
			" WHERE name = 'cell_by_build'; PRAGMA writable_schema = RESET");
	g_autoptr(GPtrArray) problems = problems_of(&fixture);
	g_assert_cmpuint(problems->len, >=, 1);
	for (guint i = 0; i < problems->len; i++) {
		g_assert_true(g_str_has_prefix(problems->pdata[i], "file: "));
		g_assert_null(strchr(problems->pdata[i], '\n'));
	}
	fixture_close(&fixture);
}

/* The page that holds all measurements overwritten with noise. */
static void a_wrecked_table_is_told_and_not_fatal(void)
{
	struct fixture fixture = {0};
	g_autofree char *bytes = NULL;
	int64_t page = 0, size = 0;
	gsize length;

	fill(&fixture);
	g_assert_true(sql_number(fixture.store->sql, &page,
		"SELECT rootpage FROM sqlite_schema WHERE name = 'measurement'", NULL, NULL));
	g_assert_true(sql_number(fixture.store->sql, &size, "PRAGMA page_size", NULL, NULL));
	g_clear_pointer(&fixture.store, store_close);
	g_assert_true(g_file_get_contents(fixture.file, &bytes, &length, NULL));
	g_assert_cmpint(page * size, <=, (int64_t)length);
	memset(bytes + (page - 1) * size, 0xa5, (size_t)size);
	g_assert_true(g_file_set_contents(fixture.file, bytes, (gssize)length, NULL));
	fixture.store = store_open(fixture.file, STORE_READ, NULL);
	g_assert_nonnull(fixture.store);
	g_autoptr(GPtrArray) problems = problems_of(&fixture);
	g_assert_cmpuint(problems->len, >=, 2);
	g_assert_nonnull(strstr(problems->pdata[problems->len - 1], "the rest could not be checked"));
	fixture_close(&fixture);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/store_check/a_sound_database_has_no_problems", a_sound_database_has_no_problems);
	g_test_add_func("/store_check/finds_texts_that_changed", finds_texts_that_changed);
	g_test_add_func("/store_check/finds_references_to_nothing", finds_references_to_nothing);
	g_test_add_func(
		"/store_check/finds_figures_without_a_good_outcome", finds_figures_without_a_good_outcome);
	g_test_add_func("/store_check/finds_outcomes_that_changed", finds_outcomes_that_changed);
	g_test_add_func("/store_check/finds_a_latest_figure_that_is_not", finds_a_latest_figure_that_is_not);
	g_test_add_func("/store_check/finds_figures_without_samples", finds_figures_without_samples);
	g_test_add_func("/store_check/finds_figures_that_do_not_follow", finds_figures_that_do_not_follow);
	g_test_add_func("/store_check/finds_exact_results_that_differ", finds_exact_results_that_differ);
	g_test_add_func("/store_check/finds_series_whose_labels_changed", finds_series_whose_labels_changed);
	g_test_add_func("/store_check/finds_numbers_that_are_not_their_figures",
		finds_numbers_that_are_not_their_figures);
	g_test_add_func("/store_check/a_number_may_be_off_by_what_its_digits_leave",
		a_number_may_be_off_by_what_its_digits_leave);
	g_test_add_func("/store_check/finds_figures_that_no_document_printed",
		finds_figures_that_no_document_printed);
	g_test_add_func("/store_check/finds_runs_of_no_kind_or_of_two", finds_runs_of_no_kind_or_of_two);
	g_test_add_func("/store_check/finds_a_damaged_file", finds_a_damaged_file);
	g_test_add_func(
		"/store_check/a_wrecked_table_is_told_and_not_fatal", a_wrecked_table_is_told_and_not_fatal);
	return g_test_run();
}
