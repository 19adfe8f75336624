#include "cells.h"
#include "diag.h"
#include "evidence.h"
#include "join.h"
#include "sample_results.h"
#include "tables.h"

#include <jansson.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#define AES "aes-128-cbc encrypt"
#define RSA "rsa-2048 private"

static char *rendered(const struct table *table, const struct renderer *renderer)
{
	GString *out = g_string_new(NULL);

	renderer->render(out, table);
	return g_string_free(out, FALSE);
}

static char *rendered_as(const struct table *table, const char *name)
{
	const struct renderer *renderer = renderer_find(name, NULL);

	g_assert_nonnull(renderer);
	return rendered(table, renderer);
}

/* Holds every format against tests/golden/render/<name>.<format>. */
static void assert_golden(const struct table *table, const char *name)
{
	for (size_t i = 0; renderers[i]; i++) {
		g_autofree char *got = rendered(table, renderers[i]);
		g_autofree char *file =
			g_strdup_printf("%s/tests/golden/render/%s.%s", BM_SOURCE, name, renderers[i]->name);
		g_autofree char *got_file = g_strconcat(file, ".got", NULL);
		g_autofree char *expected = NULL;

		g_file_get_contents(file, &expected, NULL, NULL);
		if (g_strcmp0(got, expected) == 0)
			continue;
		g_file_set_contents(got_file, got, -1, NULL);
		g_test_message("differs: diff %s %s", file, got_file);
		g_test_fail();
	}
}

static struct comparison *comparison_of(
	GArray *before, GArray *after, const char *from, const char *to, const char *where)
{
	struct selector *selectors[3];
	struct comparison_request request = {.metric = sample_last(before)->metric};
	struct comparison *comparison = NULL;
	g_autoptr(GError) error = NULL;

	g_assert_true(selector_parse(&selectors[0], from, NULL));
	g_assert_true(selector_parse(&selectors[1], to, NULL));
	g_assert_true(selector_parse(&selectors[2], where, NULL));
	request.before = selectors[0];
	request.after = selectors[1];
	request.where = selectors[2];
	comparison_join(&comparison, before, after, &request, &error);
	g_assert_no_error(error);
	for (size_t i = 0; i < G_N_ELEMENTS(selectors); i++)
		selector_free(selectors[i]);
	return comparison;
}

static struct table *table_of(
	GArray *before, GArray *after, const char *from, const char *to, const char *where)
{
	struct comparison *comparison = comparison_of(before, after, from, to, where);
	struct table *table = NULL;
	g_autoptr(GError) error = NULL;

	table_of_comparison(&table, comparison, NULL, &error);
	g_assert_no_error(error);
	comparison_free(comparison);
	return table;
}

/* Medians whose rates and quotients can be worked out by hand: 2^-26 s/B is 64 MiB/s, 2^-27 is 128, 2^-28 is
 * 256. */
static struct table *time_table(void)
{
	static const char *const busy[] = {"load average 1.5 at the start", NULL};
	g_autoptr(GArray) before = sample_array(), after = sample_array();

	sample_time(before, "default", AES, "16", ldexp(1, -26));
	sample_time(before, "default", AES, "1024", ldexp(1, -27));
	sample_time(before, "default", RSA, NULL, 0.02)->notes = busy;
	sample_time(before, "default", "ecdh-p256 agree", NULL, 0.001);
	sample_time(after, "sp", AES, "16", ldexp(1, -27));
	sample_time(after, "sp", AES, "1024", ldexp(1, -27))->compiler = "gcc 13.1.0";
	sample_time(after, "sp", RSA, NULL, 0.0005)->figure.n = 4;
	sample_time(after, "sp", "sha-256 hash", "64", ldexp(1, -28));
	for (guint i = 0; i < after->len; i++) {
		struct result *result = &g_array_index(after, struct result, i);

		result->run_uuid = "2b3c4d5e-0000-4000-8000-000000000002";
		result->run_label = "nightly";
		result->math = "sp";
		result->started_at += G_GINT64_CONSTANT(86400000000000);
	}
	return table_of(before, after, "config=default", "config=sp", NULL);
}

static void comparison_of_time(void)
{
	struct table *table = time_table();

	assert_golden(table, "time");
	table_free(table);
}

static void comparison_of_instructions(void)
{
	g_autoptr(GArray) before = sample_array(), after = sample_array();
	struct table *table;

	sample_count(before, "default", AES, "1024", 33.5);
	sample_count(before, "default", RSA, NULL, 29556537);
	sample_count(before, "default", "ecdsa-p256 sign", NULL, 1000000);
	sample_count(after, "sp", AES, "1024", 33.5)->carried = true;
	sample_count(after, "sp", RSA, NULL, 7389134.25);
	sample_count(after, "sp", "ecdsa-p256 sign", NULL, 1000001);
	table = table_of(before, after, "config=default", "config=sp", NULL);
	assert_golden(table, "instructions");
	table_free(table);
}

/* Medians of so many invocations, a thousandth of the first apart, as a side of a row. */
static double *medians(double first, guint n)
{
	double *values = g_new(double, n);

	for (guint i = 0; i < n; i++)
		values[i] = first * (1 + i / 1000.0);
	return values;
}

static void weigh(
	struct comparison *comparison, guint at, double before, guint n_before, double after, guint n_after)
{
	struct comparison_row *row = comparison->rows->pdata[at];
	g_autofree double *x = medians(before, n_before), *y = medians(after, n_after);

	row->evidence = evidence_weigh(x, n_before, y, n_after, BETTER_LOWER);
}

/* A verdict of each sort. */
static struct comparison *judged(GArray *before, GArray *after)
{
	static const char *const benchmarks[] = {AES, "aes-128-gcm encrypt", "sha-256 hash", "sha-512 hash"};
	static const double afters[] = {0x1p-27, 0x1.4p-26, 0x1p-26, 0x1.01p-26};
	struct comparison *comparison;

	for (size_t i = 0; i < G_N_ELEMENTS(benchmarks); i++) {
		sample_time(before, "default", benchmarks[i], "1024", ldexp(1, -26));
		sample_time(after, "sp", benchmarks[i], "1024", afters[i]);
	}
	sample_time(before, "default", RSA, NULL, 0.02);
	sample_time(after, "sp", RSA, NULL, 0.01);
	comparison = comparison_of(before, after, "config=default", "config=sp", NULL);
	for (guint i = 0; i < 4; i++) {
		const struct comparison_row *row = comparison->rows->pdata[i];
		size_t of = 0;
		while (strcmp(benchmarks[of], row->labels.v[LABEL_BENCHMARK]) != 0)
			of++;
		weigh(comparison, i, ldexp(1, -26), of == 3 ? 6 : 8, afters[of], 8);
	}
	weigh(comparison, 4, 0.02, 1, 0.01, 1);
	/* Values that lie among those of the other side. */
	weigh(comparison, 3, 1, 30, 1.0155, 12);
	comparison_correct(comparison, CORRECTION_HOLM);
	return comparison;
}

static void comparison_with_verdicts(void)
{
	g_autoptr(GArray) before = sample_array(), after = sample_array();
	struct comparison *comparison = judged(before, after);
	struct table *table = NULL;

	table_of_comparison(&table, comparison, NULL, NULL);
	assert_golden(table, "verdicts");
	table_free(table);
	comparison_free(comparison);
}

static void assert_brief(
	const struct comparison *comparison, const struct comparison_view *view, const char *begin)
{
	g_autofree char *text = NULL;

	g_assert_true(brief_of_comparison(&text, comparison, view, "- ", NULL));
	if (!g_str_has_prefix(text, begin))
		g_error("%s", text);
}

static void brief_style_is_a_line_for_each_row(void)
{
	g_autoptr(GArray) before = sample_array(), after = sample_array();
	struct comparison *comparison = judged(before, after);
	struct comparison_view view = {.arrangement = {.sort = ARRANGE_BEST, .changed = true}};

	/* 2^-27 s/B is 128 MiB/s, 1.25 * 2^-26 is 51.2. */
	assert_brief(comparison, &view,
		"- AES-128 CBC encrypt: 128.00 MiB/s (2.00x)\n"
		"- RSA-2048 private: 100.00 ops/s (2.00x, too few)\n"
		"- AES-128 GCM encrypt: 51.20 MiB/s (0.800x)\n"
		"\n- 2 of 5 rows without a proven change are left out: ");
	comparison_free(comparison);
}

static void figures_of_notes_have_two_digits_behind_the_point(void)
{
	static const struct {
		double value;
		enum metric metric;
		const char *text;
	} cases[] = {{1 / (1242.28 * 1048576), METRIC_TIME, "1,242.28 MiB/s"},
		{1 / (1234567.891 * 1048576), METRIC_TIME, "1,234,567.89 MiB/s"},
		{1 / (1.0 * 1048576), METRIC_TIME, "1.00 MiB/s"},
		{29556537, METRIC_INSTRUCTIONS, "29,556,537 instructions/B"},
		{0.0625, METRIC_INSTRUCTIONS, "0.06250 instructions/B"},
		{33.5, METRIC_INSTRUCTIONS, "33.50 instructions/B"}};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *text = NULL;

		g_assert_true(scale_note_text(&text, cases[i].value, cases[i].metric, WORK_BULK, NULL, NULL));
		g_assert_cmpstr(text, ==, cases[i].text);
	}
}

static void brief_style_leaves_out_what_has_no_ratio(void)
{
	g_autoptr(GArray) before = sample_array(), after = sample_array();
	const struct comparison_view view = {.unit = NULL};
	struct comparison *comparison;

	sample_time(before, "default", "null operation", NULL, 1e-9);
	sample_time(before, "default", RSA, NULL, 0.25);
	sample_time(after, "sp", "null operation", NULL, 1e-9);
	sample_time(after, "sp", RSA, NULL, 0.5);
	comparison = comparison_of(before, after, "config=default", "config=sp", NULL);
	assert_brief(comparison, &view,
		"- RSA-2048 private: 2.00 ops/s (0.500x)\n\n- geometric mean of 1: 0.500x\n");
	comparison_free(comparison);
}

static void names_for_people_follow_one_rule(void)
{
	static const char *const names[][2] = {{"aes-128-gcm encrypt", "AES-128 GCM encrypt"},
		{"aes-256-gcm-siv decrypt", "AES-256 GCM-SIV decrypt"}, {"sha-256 hash", "SHA-256 hash"},
		{"sha3-256 hash", "SHA3-256 hash"}, {"rsa-2048 private", "RSA-2048 private"},
		{"ecdh-p256 agree", "ECDH-P256 agree"}, {"ml-kem-512 keygen", "ML-KEM-512 keygen"},
		{"chacha20-poly1305 encrypt", "ChaCha20-Poly1305 encrypt"},
		{"camellia-128-cbc encrypt", "Camellia-128 CBC encrypt"},
		{"null operation", "NULL operation"}, {"odd", "ODD"}};

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *name = brief_name(names[i][0]);

		g_assert_cmpstr(name, ==, names[i][1]);
	}
}

static void comparison_of_emulated_time(void)
{
	g_autoptr(GArray) before = sample_array(), after = sample_array();
	struct table *table;

	sample_time(before, "default", AES, "1024", ldexp(1, -25))->what.environment = ENVIRONMENT_EMULATOR;
	sample_time(before, "default", RSA, NULL, 0)->what.environment = ENVIRONMENT_EMULATOR;
	sample_time(after, "armasm", AES, "1024", ldexp(1, -24))->what.environment = ENVIRONMENT_EMULATOR;
	sample_time(after, "armasm", RSA, NULL, NAN)->what.environment = ENVIRONMENT_EMULATOR;
	table = table_of(before, after, "config=default", "config=armasm", "environment=emulator");
	assert_golden(table, "emulated-time");
	table_free(table);
}

static void pivot_by_configuration(void)
{
	g_autoptr(GArray) results = sample_array();
	struct selector *selector = NULL;
	struct pivot_request request = {.metric = METRIC_TIME};
	struct pivot *pivot = NULL;
	struct table *table = NULL;

	g_assert_true(selector_parse(&selector, NULL, NULL));
	request.selector = selector;
	sample_time(results, "default", AES, "16", ldexp(1, -26));
	sample_time(results, "default", RSA, NULL, 0.02);
	sample_time(results, "sp", RSA, NULL, 0.0005);
	g_assert_true(pivot_of(&pivot, results, &request, NULL));
	g_assert_true(table_of_pivot(&table, pivot, "ms", NULL));
	assert_golden(table, "pivot");
	table_free(table);
	pivot_free(pivot);
	selector_free(selector);
}

/* What a label, a note or a title could hold to act on whoever reads it. */
static const char *const hostile[] = {
	"\342\200\256gnp.exe",	  /* right-to-left override */
	"\033[31mred\033[0m\007", /* terminal escapes */
	"a|b\\|c",		  /* Markdown columns */
	"line 1\nline 2\ttab",	  /* lines */
	"say \"x\", y",		  /* CSV quoting */
	"=cmd|' /C calc'!A0",	  /* spreadsheet formulas */
	"+1",
	"-1",
	"@SUM(1)",
	"<script>alert(1)</script>&amp;",
	"*bold* _it_ `code` [l](u) ~x~ # h $y$",
	"\346\274\242\345\255\227", /* wide characters */
	"e\314\201",		    /* a combining accent */
	"bad \377 byte",
	"",
};

static struct table *hostile_table(void)
{
	struct table *table = table_new("\033]0;title\007 | <b>");

	table_add_column(table, "=key", "text | title", NULL, TABLE_LEFT);
	table_add_column(table, "number", "number", "s/B", TABLE_RIGHT);
	for (size_t i = 0; i < G_N_ELEMENTS(hostile); i++) {
		struct table_cell *cells = table_add_row(table);

		cells[0].text = g_strdup(hostile[i]);
		cells[1].number = -1.5 * (double)i;
		cells[1].text = g_strdup_printf("%d", (int)i);
	}
	table_add_row(table);
	table_add_footer(table, "%s", "footer\nwith \033 and | and <i>");
	return table;
}

static void hostile_text_does_nothing(void)
{
	struct table *table = hostile_table();

	assert_golden(table, "hostile");
	table_free(table);
}

static void no_format_lets_a_control_byte_through(void)
{
	struct table *table = hostile_table();

	for (size_t i = 0; renderers[i]; i++) {
		g_autofree char *text = rendered(table, renderers[i]);

		g_assert_true(g_utf8_validate(text, -1, NULL));
		g_assert_null(strstr(text, "\342\200\256"));
		for (const char *at = text; *at; at++)
			if (g_ascii_iscntrl(*at) && *at != '\n' && *at != '\t')
				g_error("byte %d in %s", *at, renderers[i]->name);
	}
	table_free(table);
}

static void json_reads_back_as_it_was(void)
{
	struct table *table = hostile_table();
	g_autofree char *text = rendered_as(table, "json");
	json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	json_t *rows = json_object_get(json, "rows");

	g_assert_nonnull(json);
	g_assert_cmpuint(json_array_size(rows), ==, G_N_ELEMENTS(hostile) + 1);
	for (size_t i = 0; i < G_N_ELEMENTS(hostile); i++) {
		json_t *row = json_array_get(rows, i);
		g_autofree char *valid = g_utf8_make_valid(hostile[i], -1);

		g_assert_cmpstr(json_string_value(json_object_get(row, "=key")), ==, valid);
		g_assert_cmpfloat(json_number_value(json_object_get(row, "number")), ==, -1.5 * (double)i);
	}
	g_assert_true(json_is_null(json_object_get(json_array_get(rows, G_N_ELEMENTS(hostile)), "number")));
	g_assert_true(json_is_null(json_object_get(json_array_get(rows, G_N_ELEMENTS(hostile)), "=key")));
	json_decref(json);
	table_free(table);
}

static void number_is_the_shortest_that_reads_back(void)
{
	static const struct {
		double number;
		const char *text;
	} numbers[] = {{0.1, "0.1"}, {29556537, "29556537"}, {1.0 / 3, "0.3333333333333333"},
		{5e-324, "4.94065645841247e-324"}, {1e-8, "1e-08"}, {-0.5, "-0.5"},
		{9007199254740993.0, "9007199254740992"}, {1.7976931348623157e308, "1.7976931348623157e+308"},
		{0.1 + 0.2, "0.30000000000000004"}, {NAN, NULL}, {INFINITY, NULL}};

	for (size_t i = 0; i < G_N_ELEMENTS(numbers); i++) {
		g_autofree char *text = cell_number(numbers[i].number);

		g_assert_cmpstr(text, ==, numbers[i].text);
		if (text)
			g_assert_cmpfloat(g_ascii_strtod(text, NULL), ==, numbers[i].number);
	}
}

static bool has_footer(const struct table *table, const char *start)
{
	for (guint i = 0; i < table->footer->len; i++)
		if (g_str_has_prefix(table->footer->pdata[i], start))
			return true;
	return false;
}

static void side_says_what_a_glob_came_to(void)
{
	g_autoptr(GArray) before = sample_array(), after = sample_array();
	struct table *table;

	sample_time(before, "sp", AES, "16", 1e-8);
	sample_time(after, "sp", AES, "16", 1e-8)->what.labels.v[LABEL_TOOLCHAIN] = "armhf-gcc";
	table = table_of(before, after, "toolchain=aarch64-*", "toolchain=armhf-gcc", NULL);
	g_assert_true(
		has_footer(table, "before: toolchain=aarch64-*: toolchain=aarch64-gcc; run 1a2b3c4d, "));
	g_assert_true(has_footer(table, "after: toolchain=armhf-gcc; run 1a2b3c4d, "));
	table_free(table);
}

static void benchmark_that_differs_shows_both(void)
{
	g_autoptr(GArray) before = sample_array(), after = sample_array();
	struct table *table;

	sample_time(before, "sp", AES, "16", 1e-8);
	sample_time(after, "sp", "aes-128-gcm encrypt", "64", 1e-8);
	table = table_of(before, after, "algorithm=aes-128-cbc,block=16", "algorithm=aes-128-gcm", NULL);
	g_assert_cmpstr(
		((const struct table_cell *)table->rows->pdata[0])[0].text, ==, AES " / aes-128-gcm encrypt");
	g_assert_cmpstr(((const struct table_cell *)table->rows->pdata[0])[1].text, ==, "16 / 64");
	g_assert_true(isnan(((const struct table_cell *)table->rows->pdata[0])[1].number));
	table_free(table);
}

static void unit_that_fits_some_rows_is_used_there(void)
{
	g_autoptr(GArray) before = sample_array(), after = sample_array();
	struct comparison *comparison;
	struct table *table = NULL;
	g_autoptr(GError) error = NULL;
	const struct table_cell *bulk, *operation;

	sample_time(before, "default", AES, "16", 1e-8);
	sample_time(before, "default", RSA, NULL, 0.5);
	sample_time(after, "sp", AES, "16", 1e-8);
	sample_time(after, "sp", RSA, NULL, 0.5);
	comparison = comparison_of(before, after, "config=default", "config=sp", NULL);
	g_assert_true(table_of_comparison(&table, comparison, "MB/s", &error));
	bulk = table->rows->pdata[0];
	operation = table->rows->pdata[1];
	g_assert_cmpstr(bulk[2].text, ==, "100.0 MB/s \302\26110.0%");
	g_assert_cmpstr(operation[2].text, ==, "2.000 ops/s \302\26110.0%");
	table_free(table);
	g_assert_false(table_of_comparison(&table, comparison, "cycles", &error));
	g_assert_error(error, DIAG_ERROR, DIAG_USAGE);
	comparison_free(comparison);
}

static void unit_of_operations_takes_bulk_work_by_the_block(void)
{
	g_autoptr(GArray) before = sample_array(), after = sample_array();
	struct comparison *comparison;
	struct table *table = NULL;
	/* 16 bytes at 10 ns each are 160 ns a call. */
	static const char *const shown[][2] = {{"ops/s", "6,250,000 ops/s \302\26110.0%"},
		{"us/op", "0.1600 us/op \302\26110.0%"}, {"us", "0.01000 us/B \302\26110.0%"}};

	sample_time(before, "default", AES, "16", 1e-8);
	sample_time(after, "sp", AES, "16", 1e-8);
	comparison = comparison_of(before, after, "config=default", "config=sp", NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(shown); i++) {
		const struct table_cell *cells;
		g_assert_true(table_of_comparison(&table, comparison, shown[i][0], NULL));
		cells = table->rows->pdata[0];
		g_assert_cmpstr(cells[2].text, ==, shown[i][1]);
		g_assert_cmpfloat(cells[2].number, ==, 1e-8);
		table_free(table);
	}
	comparison_free(comparison);
}

static void unknown_format_names_the_nearest(void)
{
	g_autoptr(GError) error = NULL;

	g_assert_null(renderer_find("markdwn", &error));
	g_assert_error(error, DIAG_ERROR, DIAG_USAGE);
	g_assert_nonnull(strstr(error->message, "did you mean \"markdown\"?"));
}

/* Makes a locale with a decimal comma below `folder` and sets it. */
static bool set_comma_locale(const char *folder)
{
	g_autofree char *path = g_build_filename(folder, "de_DE.UTF-8", NULL);
	const char *argv[] = {"localedef", "-c", "-i", "de_DE", "-f", "UTF-8", path, NULL};

	g_spawn_sync(NULL, (char **)argv, NULL,
		G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL,
		NULL, NULL, NULL, NULL);
	g_setenv("LOCPATH", folder, TRUE);
	return setlocale(LC_ALL, "de_DE.UTF-8") && strcmp(localeconv()->decimal_point, ",") == 0;
}

static void remove_locale(const char *folder)
{
	const char *argv[] = {"rm", "-r", folder, NULL};

	g_spawn_sync(NULL, (char **)argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL);
}

static void decimal_comma_of_the_locale_changes_nothing(void)
{
	g_autofree char *folder = g_dir_make_tmp("bm-locale-XXXXXX", NULL);
	bool set = set_comma_locale(folder);

	if (set)
		comparison_of_time();
	else
		g_test_skip("no locale with a decimal comma can be made here");
	setlocale(LC_ALL, "C");
	g_unsetenv("LOCPATH");
	remove_locale(folder);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/render/comparison_of_time", comparison_of_time);
	g_test_add_func("/render/comparison_of_instructions", comparison_of_instructions);
	g_test_add_func("/render/comparison_with_verdicts", comparison_with_verdicts);
	g_test_add_func("/render/brief_style_is_a_line_for_each_row", brief_style_is_a_line_for_each_row);
	g_test_add_func("/render/figures_of_notes_have_two_digits_behind_the_point",
		figures_of_notes_have_two_digits_behind_the_point);
	g_test_add_func(
		"/render/brief_style_leaves_out_what_has_no_ratio", brief_style_leaves_out_what_has_no_ratio);
	g_test_add_func("/render/names_for_people_follow_one_rule", names_for_people_follow_one_rule);
	g_test_add_func("/render/comparison_of_emulated_time", comparison_of_emulated_time);
	g_test_add_func("/render/pivot_by_configuration", pivot_by_configuration);
	g_test_add_func("/render/hostile_text_does_nothing", hostile_text_does_nothing);
	g_test_add_func(
		"/render/no_format_lets_a_control_byte_through", no_format_lets_a_control_byte_through);
	g_test_add_func("/render/json_reads_back_as_it_was", json_reads_back_as_it_was);
	g_test_add_func(
		"/render/number_is_the_shortest_that_reads_back", number_is_the_shortest_that_reads_back);
	g_test_add_func(
		"/render/unit_that_fits_some_rows_is_used_there", unit_that_fits_some_rows_is_used_there);
	g_test_add_func("/render/side_says_what_a_glob_came_to", side_says_what_a_glob_came_to);
	g_test_add_func("/render/benchmark_that_differs_shows_both", benchmark_that_differs_shows_both);
	g_test_add_func("/render/unit_of_operations_takes_bulk_work_by_the_block",
		unit_of_operations_takes_bulk_work_by_the_block);
	g_test_add_func("/render/unknown_format_names_the_nearest", unknown_format_names_the_nearest);
	g_test_add_func("/render/decimal_comma_of_the_locale_changes_nothing",
		decimal_comma_of_the_locale_changes_nothing);
	return g_test_run();
}
