#include "diag.h"
#include "join.h"
#include "sample_results.h"
#include "tables.h"

#include <string.h>

#define AES "aes-128-cbc encrypt"
#define RSA "rsa-2048 private"

struct world {
	GArray *results;
	struct selector *selector;
	struct pivot *pivot;
	GError *error;
};

static void set_up(struct world *world, gconstpointer user)
{
	(void)user;
	world->results = sample_array();
}

static void tear_down(struct world *world, gconstpointer user)
{
	(void)user;
	pivot_free(world->pivot);
	selector_free(world->selector);
	g_array_unref(world->results);
	g_clear_error(&world->error);
}

static bool make(struct world *world, const char *selector, const char *rows, const char *columns)
{
	struct pivot_request request = {.metric = METRIC_TIME, .rows = rows, .columns = columns};

	g_assert_true(selector_parse(&world->selector, selector, NULL));
	request.selector = world->selector;
	return pivot_of(&world->pivot, world->results, &request, &world->error);
}

static void make_well(struct world *world, const char *rows, const char *columns)
{
	bool done = make(world, NULL, rows, columns);

	g_assert_no_error(world->error);
	g_assert_true(done);
}

static void assert_refused(
	struct world *world, const char *rows, const char *columns, const char *const *words)
{
	g_assert_false(make(world, NULL, rows, columns));
	g_assert_error(world->error, DIAG_ERROR, DIAG_USAGE);
	g_assert_null(world->pivot);
	for (; *words; words++) {
		g_test_message("\"%s\" in: %s", *words, world->error->message);
		g_assert_nonnull(strstr(world->error->message, *words));
	}
}

/* The median at a row and a column, by their values joined by spaces; NAN where the cell is empty. */
static double at(const struct world *world, const char *row, const char *column)
{
	const struct pivot *pivot = world->pivot;

	for (guint r = 0; r < pivot->rows->len; r++)
		for (guint c = 0; c < pivot->columns->len; c++) {
			g_autofree char *row_text = g_strjoinv(" ", pivot->rows->pdata[r]);
			g_autofree char *column_text = g_strjoinv(" ", pivot->columns->pdata[c]);
			const struct result *result = pivot->cells->pdata[r * pivot->columns->len + c];

			if (strcmp(row_text, row) == 0 && strcmp(column_text, column) == 0)
				return result ? result->figure.median : NAN;
		}
	g_error("no row \"%s\" and column \"%s\"", row, column);
}

static void two_configurations(struct world *world)
{
	sample_time(world->results, "default", AES, "1024", 8);
	sample_time(world->results, "default", AES, "16", 9);
	sample_time(world->results, "default", RSA, NULL, 4);
	sample_time(world->results, "sp", AES, "16", 3);
	sample_time(world->results, "sp", RSA, NULL, 1);
}

static void benchmarks_are_rows_and_what_differs_is_columns(struct world *world, gconstpointer user)
{
	(void)user;
	two_configurations(world);
	make_well(world, NULL, NULL);
	g_assert_cmpuint(world->pivot->n_row_keys, ==, 2);
	g_assert_cmpuint(world->pivot->n_column_keys, ==, 1);
	g_assert_cmpint((int)world->pivot->column_keys[0], ==, LABEL_CONFIG);
	g_assert_cmpuint(world->pivot->rows->len, ==, 3);
	g_assert_cmpuint(world->pivot->columns->len, ==, 2);
	g_assert_cmpfloat(at(world, AES " 1024", "default"), ==, 8);
	g_assert_true(isnan(at(world, AES " 1024", "sp")));
	g_assert_cmpfloat(at(world, AES " 16", "sp"), ==, 3);
	g_assert_cmpfloat(at(world, RSA " -", "default"), ==, 4);
	g_assert_cmpfloat(at(world, RSA " -", "sp"), ==, 1);
	g_assert_cmpstr(world->pivot->common.v[LABEL_VERSION], ==, "5.5.4");
	g_assert_null(world->pivot->common.v[LABEL_CONFIG]);
}

static void blocks_are_in_numeric_order_and_benchmarks_as_listed(struct world *world, gconstpointer user)
{
	static const char *const expected[] = {AES " 16", AES " 1024", RSA " -"};

	(void)user;
	two_configurations(world);
	make_well(world, NULL, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(expected); i++) {
		g_autofree char *text = g_strjoinv(" ", world->pivot->rows->pdata[i]);

		g_assert_cmpstr(text, ==, expected[i]);
	}
}

static void versions_are_in_the_order_of_their_numbers(struct world *world, gconstpointer user)
{
	static const char *const versions[] = {"5.10.0", "4.6.0", "5.5.4"};
	static const char *const expected[] = {"4.6.0", "5.5.4", "5.10.0"};

	(void)user;
	for (size_t i = 0; i < G_N_ELEMENTS(versions); i++)
		sample_time(world->results, "sp", RSA, NULL, 1)->what.labels.v[LABEL_VERSION] = versions[i];
	make_well(world, NULL, "version");
	for (size_t i = 0; i < G_N_ELEMENTS(expected); i++)
		g_assert_cmpstr(((char **)world->pivot->columns->pdata[i])[0], ==, expected[i]);
}

static void keys_can_be_named(struct world *world, gconstpointer user)
{
	(void)user;
	two_configurations(world);
	make_well(world, "config", "benchmark, block");
	g_assert_cmpfloat(at(world, "sp", AES " 16"), ==, 3);
	g_assert_cmpfloat(at(world, "default", RSA " -"), ==, 4);
}

static void rows_give_way_to_the_columns_that_are_named(struct world *world, gconstpointer user)
{
	(void)user;
	sample_time(world->results, "sp", AES, "16", 3);
	sample_time(world->results, "sp", AES, "1024", 2);
	make_well(world, NULL, "block");
	g_assert_cmpuint(world->pivot->n_row_keys, ==, 1);
	g_assert_cmpfloat(at(world, AES, "1024"), ==, 2);
}

static void single_column_needs_no_key(struct world *world, gconstpointer user)
{
	(void)user;
	sample_time(world->results, "sp", AES, "16", 3);
	make_well(world, NULL, NULL);
	g_assert_cmpuint(world->pivot->n_column_keys, ==, 0);
	g_assert_cmpuint(world->pivot->columns->len, ==, 1);
	g_assert_cmpfloat(at(world, AES " 16", ""), ==, 3);
}

static void two_results_for_a_cell_list_the_labels_to_add(struct world *world, gconstpointer user)
{
	static const char *const words[] = {
		AES " 16", "toolchain (aarch64-gcc, armhf-gcc)", "--columns", "toolchain=aarch64-gcc", NULL};

	(void)user;
	sample_time(world->results, "sp", AES, "16", 3);
	sample_time(world->results, "sp", AES, "16", 4)->what.labels.v[LABEL_TOOLCHAIN] = "armhf-gcc";
	assert_refused(world, "benchmark,block", "config", words);
}

/* Both differ; the toolchain alone tells them apart. */
static void rows_get_what_the_columns_leave_open(struct world *world, gconstpointer user)
{
	(void)user;
	for (int i = 0; i < 2; i++) {
		struct result *result = sample_time(world->results, "sp", AES, "16", 3 + i);

		result->what.labels.v[LABEL_TOOLCHAIN] = i ? "armhf-gcc" : "aarch64-gcc";
		result->what.labels.v[LABEL_INSTRUMENT] = i ? "speed" : "bench-core";
	}
	make_well(world, NULL, "config");
	g_assert_cmpuint(world->pivot->n_row_keys, ==, 3);
	g_assert_cmpfloat(at(world, AES " 16 armhf-gcc", "sp"), ==, 4);
}

static void columns_need_no_key_that_tells_nothing_more(struct world *world, gconstpointer user)
{
	static const char *const platforms[] = {"a", "b", "c"}, *const versions[] = {"1.0", "1.0", "2.0"};

	(void)user;
	for (int i = 0; i < 3; i++) {
		struct result *result = sample_time(world->results, "sp", AES, "16", 1 + i);

		result->what.labels.v[LABEL_PLATFORM] = platforms[i];
		result->what.labels.v[LABEL_VERSION] = versions[i];
	}
	make_well(world, NULL, NULL);
	g_assert_cmpuint(world->pivot->n_column_keys, ==, 1);
	g_assert_cmpfloat(at(world, AES " 16", "c"), ==, 3);
	g_assert_cmpstr(
		g_ptr_array_index(world->pivot->notes, 0), ==, "columns also differ in version: 1.0, 2.0");
}

/* One row, two sizes of block: only a note says that they are not alike. */
static void what_no_key_tells_within_a_row_is_noted(struct world *world, gconstpointer user)
{
	static const char *const blocks[] = {"1024", "1048576"}, *const versions[] = {"1.0", "2.0"};

	(void)user;
	for (int i = 0; i < 2; i++) {
		struct result *result =
			sample_time(world->results, i ? "sp" : "default", AES, blocks[i], 1 + i);

		result->what.labels.v[LABEL_VERSION] = versions[i];
	}
	make_well(world, "benchmark", "config");
	g_assert_cmpuint(world->pivot->notes->len, ==, 2);
	g_assert_cmpstr(g_ptr_array_index(world->pivot->notes, 0), ==,
		"figures of one row also differ in block: 1024, 1048576");
	g_assert_cmpstr(g_ptr_array_index(world->pivot->notes, 1), ==,
		"figures of one row also differ in version: 1.0, 2.0");
}

static void keys_may_be_origins_and_parts_of_a_benchmark(struct world *world, gconstpointer user)
{
	(void)user;
	sample_time(world->results, "sp", AES, "16", 3);
	sample_time(world->results, "sp", "aes-128-cbc decrypt", "16", 4);
	sample_time(world->results, "sp", AES, "16", 5)->what.source = SOURCE_PUBLISHED;
	g_assert_true(make(world, "source=*", "algorithm,source", "operation"));
	g_assert_cmpfloat(at(world, "aes-128-cbc own", "decrypt"), ==, 4);
	g_assert_cmpfloat(at(world, "aes-128-cbc published", "encrypt"), ==, 5);
}

static void rows_and_columns_change_places_where_columns_are_many(struct world *world, gconstpointer user)
{
	(void)user;
	for (int i = 0; i < 20; i++) {
		g_autofree char *name = g_strdup_printf("board%d", i);

		sample_time(world->results, "sp", AES, "16", 1 + i)->what.labels.v[LABEL_PLATFORM] =
			g_intern_string(name);
		sample_time(world->results, "sp", AES, "1024", 100 + i)->what.labels.v[LABEL_PLATFORM] =
			g_intern_string(name);
	}
	make_well(world, NULL, NULL);
	g_assert_cmpuint(world->pivot->rows->len, ==, 20);
	g_assert_cmpuint(world->pivot->columns->len, ==, 2);
	g_assert_cmpfloat(at(world, "board7", AES " 1024"), ==, 107);
}

static void later_attempt_at_the_same_thing_counts(struct world *world, gconstpointer user)
{
	(void)user;
	sample_time(world->results, "sp", AES, "16", 3)->started_at += 5;
	sample_time(world->results, "sp", AES, "16", 4);
	make_well(world, NULL, NULL);
	g_assert_cmpfloat(at(world, AES " 16", ""), ==, 3);
}

static const char *title(const struct table *table, guint column)
{
	return ((const struct table_column *)table->columns->pdata[column])->title;
}

/* Each of 14 boards has figures of its own blocks alone. */
static void sparse_table_is_a_list(struct world *world, gconstpointer user)
{
	(void)user;
	for (int i = 0; i < 14; i++) {
		g_autofree char *name = g_strdup_printf("board%d", i);

		sample_time(world->results, "sp", AES, i % 2 ? "16" : g_intern_string(name + 5), 1 + i)
			->what.labels.v[LABEL_PLATFORM] = g_intern_string(name);
	}
	make_well(world, NULL, NULL);
	g_assert_cmpuint(world->pivot->columns->len, ==, 1);
	g_assert_cmpuint(world->pivot->rows->len, ==, 14);
	g_assert_cmpfloat(at(world, AES " 16 board7", ""), ==, 8);
}

static const char *text_at(const struct table *table, guint row, guint column)
{
	return ((const struct table_cell *)table->rows->pdata[row])[column].text;
}

static const char *footer_with(const struct table *table, const char *word)
{
	for (guint i = 0; i < table->footer->len; i++)
		if (strstr(table->footer->pdata[i], word))
			return table->footer->pdata[i];
	return "";
}

/* Seconds per byte: 1 / (3.432 * 2^20) and 1 / (468 * 2^10). */
static void cells_of_a_row_have_one_unit(struct world *world, gconstpointer user)
{
	struct table *table = NULL;

	(void)user;
	sample_time(world->results, "default", AES, "16", 1 / (468.0 * 1024))->figure.n = 1;
	sample_time(world->results, "sp", AES, "16", 1 / (3.432 * 1048576))->figure.n = 1;
	sample_time(world->results, "sp", AES, "1024", 1 / (3.432 * 1048576))->figure.n = 1;
	make_well(world, NULL, NULL);
	g_assert_true(table_of_pivot(&table, world->pivot, NULL, NULL));
	g_assert_cmpstr(text_at(table, 0, 2), ==, "468.0 KiB/s");
	g_assert_cmpstr(text_at(table, 0, 3), ==, "3,514 KiB/s");
	g_assert_cmpstr(text_at(table, 1, 3), ==, "3.432 MiB/s");
	table_free(table);
	g_assert_true(table_of_pivot(&table, world->pivot, "ns/byte", NULL));
	g_assert_cmpstr(text_at(table, 0, 3), ==, "277.9 ns/B"); /* 1e9 / 3598713 = 277.877... */
	table_free(table);
}

static struct result *add_published(struct world *world, const char *platform, double mean)
{
	struct result *result = sample_time(world->results, NULL, AES, "1024", mean);

	result->what.labels.v[LABEL_PLATFORM] = platform;
	result->what.labels.v[LABEL_TOOLCHAIN] = NULL;
	result->what.source = SOURCE_PUBLISHED;
	result->figure = (struct figure){
		.n = 0, .min = NAN, .q1 = NAN, .median = NAN, .q3 = NAN, .max = NAN, .mean = mean, .sd = NAN};
	return result;
}

static void published_figures_beside_own_ones_are_marked(struct world *world, gconstpointer user)
{
	struct table *table = NULL;

	(void)user;
	sample_time(world->results, "sp", AES, "1024", 1.0 / 1048576)->figure.n = 1;
	add_published(world, "vendor board", 2.0 / 1048576);
	g_assert_true(make(world, "source=*", NULL, "platform"));
	g_assert_true(table_of_pivot(&table, world->pivot, NULL, NULL));
	g_assert_cmpstr(title(table, 2), ==, "board (own)");
	g_assert_cmpstr(title(table, 3), ==, "vendor board (published)");
	g_assert_cmpstr(footer_with(table, "means"), ==,
		"1 of 2 values are means, no medians: in vendor board (published)");
	table_free(table);
}

static void derived_figures_beside_others_are_left_out(struct world *world, gconstpointer user)
{
	(void)user;
	add_published(world, "x", 2);
	add_published(world, "y", 3)->what.kind = KIND_DERIVED;
	g_assert_true(make(world, "source=published", NULL, "platform"));
	g_assert_cmpuint(world->pivot->columns->len, ==, 1);
	g_assert_cmpstr(g_ptr_array_index(world->pivot->notes, 0), ==,
		"1 derived result is left out; kind=* shows them too");
	pivot_free(world->pivot);
	selector_free(world->selector);
	g_assert_true(make(world, "source=published,kind=*", NULL, "platform"));
	g_assert_cmpuint(world->pivot->columns->len, ==, 2);
}

static void means_and_bests_are_told(struct world *world, gconstpointer user)
{
	struct table *table = NULL;
	struct result *best;

	(void)user;
	add_published(world, "x", 2);
	best = add_published(world, "y", 3);
	best->figure.min = best->figure.mean;
	best->figure.mean = NAN;
	g_assert_true(make(world, "source=published", NULL, NULL));
	g_assert_true(table_of_pivot(&table, world->pivot, NULL, NULL));
	/* Of one source, so none is marked. */
	g_assert_cmpstr(title(table, 2), ==, "x");
	g_assert_cmpstr(footer_with(table, "means"), ==, "1 of 2 values are means, no medians: in x");
	g_assert_cmpstr(
		footer_with(table, "best"), ==, "1 of 2 values are the best of several, no medians: in y");
	table_free(table);
}

static void printed_texts_stand_for_values(struct world *world, gconstpointer user)
{
	struct table *table = NULL;

	(void)user;
	sample_time(world->results, "default", AES, "16", 1.0 / 1048576)->figure.n = 1;
	add_published(world, "x", 2);
	g_assert_true(make(world, "source=*", NULL, "platform"));
	world->pivot->printed = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_set_size(world->pivot->printed, (int)world->pivot->cells->len);
	for (guint i = 0; i < world->pivot->cells->len; i++) {
		const struct result *result = world->pivot->cells->pdata[i];

		if (result && result->what.source == SOURCE_PUBLISHED)
			world->pivot->printed->pdata[i] = g_strdup("0.5 B/s");
	}
	g_assert_true(table_of_pivot(&table, world->pivot, NULL, NULL));
	/* Rows: 16 of our own, 1024 of the other; columns: board and its printed text, x and its. */
	g_assert_cmpstr(text_at(table, 0, 2), ==, "1.000 MiB/s");
	g_assert_null(text_at(table, 0, 3));
	g_assert_cmpstr(text_at(table, 1, 4), ==, "0.5 B/s");
	g_assert_cmpstr(text_at(table, 1, 5), ==, "0.5 B/s");
	g_assert_true(((const struct table_column *)table->columns->pdata[5])->raw_only);
	table_free(table);
}

/* Widths: "benchmark" 19, "block" 5, then "a" and "b" 11 each, with 2 between: 52 in all. */
static void wide_table_is_broken_into_parts(struct world *world, gconstpointer user)
{
	struct table *table = NULL;
	g_autoptr(GString) whole = g_string_new(NULL), parts = g_string_new(NULL);

	(void)user;
	sample_time(world->results, "a", AES, "16", 1.0 / 1048576)->figure.n = 1;
	sample_time(world->results, "b", AES, "16", 1.0 / 1048576)->figure.n = 1;
	make_well(world, NULL, NULL);
	g_assert_true(table_of_pivot(&table, world->pivot, NULL, NULL));
	table->width = 52;
	renderer_find("table", NULL)->render(whole, table);
	g_assert_nonnull(strstr(whole->str, "benchmark            block            a            b\n"));
	table->width = 51;
	renderer_find("table", NULL)->render(parts, table);
	g_assert_nonnull(strstr(parts->str, "time by config\n\n"
					    "benchmark            block            a\n"
					    "-------------------  -----  -----------\n"
					    "aes-128-cbc encrypt   16 B  1.000 MiB/s\n"
					    "\n"
					    "benchmark            block            b\n"
					    "-------------------  -----  -----------\n"
					    "aes-128-cbc encrypt   16 B  1.000 MiB/s\n"
					    "\n"));
	table_free(table);
}

static void unknown_label_is_refused(struct world *world, gconstpointer user)
{
	static const char *const words[] = {"--rows", "\"benchmarc\"", "did you mean \"benchmark\"?", NULL};

	(void)user;
	two_configurations(world);
	assert_refused(world, "benchmarc", NULL, words);
}

static void label_on_both_sides_is_refused(struct world *world, gconstpointer user)
{
	static const char *const words[] = {"config stands more than once", NULL};

	(void)user;
	two_configurations(world);
	assert_refused(world, "config,benchmark", "config", words);
}

static void mixed_sources_are_refused(struct world *world, gconstpointer user)
{
	static const char *const words[] = {"source", "imported, published", NULL};

	(void)user;
	sample_time(world->results, "default", AES, "16", 3)->what.source = SOURCE_PUBLISHED;
	sample_time(world->results, "sp", AES, "16", 3)->what.source = SOURCE_IMPORTED;
	assert_refused(world, NULL, NULL, words);
}

static void own_results_go_before_published_ones(struct world *world, gconstpointer user)
{
	(void)user;
	sample_time(world->results, "default", AES, "16", 3);
	sample_time(world->results, "sp", AES, "16", 4);
	sample_time(world->results, "sp", AES, "16", 5)->what.source = SOURCE_PUBLISHED;
	g_assert_true(make(world, NULL, NULL, "config"));
	g_assert_cmpuint(world->pivot->columns->len, ==, 2);
	g_assert_cmpstr(g_ptr_array_index(world->pivot->notes, 0), ==,
		"1 imported or published result is left out; source=* takes them in");
}

static void column_of_emulated_time_is_marked(struct world *world, gconstpointer user)
{
	struct table *table = NULL;

	(void)user;
	sample_time(world->results, "sp", AES, "16", 3);
	sample_time(world->results, "sp", AES, "16", 30)->what.labels.v[LABEL_PLATFORM] = "qemu-a72";
	sample_last(world->results)->what.environment = ENVIRONMENT_EMULATOR;
	g_assert_true(make(world, "environment=*", NULL, NULL));
	g_assert_true(table_of_pivot(&table, world->pivot, NULL, NULL));
	g_assert_cmpstr(title(table, 2), ==, "board");
	g_assert_cmpstr(title(table, 3), ==, "qemu-a72 (emulated)");
	table_free(table);
}

static void emulated_time_beside_hardwares_is_left_out(struct world *world, gconstpointer user)
{
	struct table *table = NULL;

	(void)user;
	sample_time(world->results, "sp", AES, "16", 3);
	sample_time(world->results, "sp", AES, "16", 30)->what.environment = ENVIRONMENT_EMULATOR;
	make_well(world, NULL, NULL);
	g_assert_cmpuint(world->pivot->rows->len, ==, 1);
	g_assert_cmpfloat(((const struct result *)world->pivot->cells->pdata[0])->figure.median, ==, 3);
	g_assert_cmpstr(g_ptr_array_index(world->pivot->notes, world->pivot->notes->len - 1), ==,
		"1 emulated result is left out");
	/* Nor is the table said to come from it. */
	g_assert_true(table_of_pivot(&table, world->pivot, NULL, NULL));
	g_assert_cmpstr(g_ptr_array_index(table->footer, 1), ==,
		"run 1a2b3c4d, 2026-11-04 UTC; compiler gcc 12.2.0; own, hardware, sampled; n 5");
	table_free(table);
}

static void emulated_time_among_others_is_marked_in_its_cell(struct world *world, gconstpointer user)
{
	struct table *table = NULL;
	const struct table_cell *hardware, *emulated;

	(void)user;
	sample_time(world->results, "sp", RSA, NULL, 0.5);
	sample_time(world->results, "sp", "rsa-2048 public", NULL, 0.25)->what.environment =
		ENVIRONMENT_EMULATOR;
	g_assert_true(make(world, "environment=*", "benchmark", "config"));
	g_assert_true(table_of_pivot(&table, world->pivot, NULL, NULL));
	g_assert_cmpstr(title(table, 1), ==, "sp");
	emulated = table->rows->pdata[0];
	hardware = table->rows->pdata[1];
	g_assert_cmpstr(emulated[1].text, ==, "4.000 ops/s \302\26110.0% (emulated)");
	g_assert_cmpstr(hardware[1].text, ==, "2.000 ops/s \302\26110.0%");
	table_free(table);
}

#define WORLD(function) g_test_add("/pivot/" #function, struct world, NULL, set_up, function, tear_down)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	WORLD(benchmarks_are_rows_and_what_differs_is_columns);
	WORLD(blocks_are_in_numeric_order_and_benchmarks_as_listed);
	WORLD(versions_are_in_the_order_of_their_numbers);
	WORLD(keys_can_be_named);
	WORLD(rows_give_way_to_the_columns_that_are_named);
	WORLD(single_column_needs_no_key);
	WORLD(two_results_for_a_cell_list_the_labels_to_add);
	WORLD(rows_get_what_the_columns_leave_open);
	WORLD(columns_need_no_key_that_tells_nothing_more);
	WORLD(what_no_key_tells_within_a_row_is_noted);
	WORLD(keys_may_be_origins_and_parts_of_a_benchmark);
	WORLD(rows_and_columns_change_places_where_columns_are_many);
	WORLD(sparse_table_is_a_list);
	WORLD(cells_of_a_row_have_one_unit);
	WORLD(published_figures_beside_own_ones_are_marked);
	WORLD(derived_figures_beside_others_are_left_out);
	WORLD(means_and_bests_are_told);
	WORLD(printed_texts_stand_for_values);
	WORLD(wide_table_is_broken_into_parts);
	WORLD(later_attempt_at_the_same_thing_counts);
	WORLD(unknown_label_is_refused);
	WORLD(label_on_both_sides_is_refused);
	WORLD(mixed_sources_are_refused);
	WORLD(own_results_go_before_published_ones);
	WORLD(column_of_emulated_time_is_marked);
	WORLD(emulated_time_beside_hardwares_is_left_out);
	WORLD(emulated_time_among_others_is_marked_in_its_cell);
	return g_test_run();
}
