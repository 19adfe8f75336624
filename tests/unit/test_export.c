#include "export_world.h"

#include "diag.h"
#include "values.h"

#include <jansson.h>
#include <locale.h>
#include <zlib.h>

/* UUIDs that are made anew each time, by their order. */
static char *without_uuids(const char *text)
{
	g_autoptr(GRegex) regex =
		g_regex_new("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", 0, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;
	GString *out = g_string_new(text);
	g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	g_regex_match(regex, text, 0, &match);
	for (; g_match_info_matches(match); g_match_info_next(match, NULL)) {
		char *uuid = g_match_info_fetch(match, 0);
		if (!g_hash_table_add(seen, uuid))
			continue;
		g_autofree char *name = g_strdup_printf("UUID-%u", g_hash_table_size(seen));
		g_string_replace(out, uuid, name, 0);
	}
	return g_string_free(out, FALSE);
}

static void is_as_the_golden_files_have_it(void)
{
	struct fixture fixture = {0};

	world_open(&fixture);
	for (size_t i = 0; exporters[i]; i++) {
		const struct exporter *exporter = exporters[i];
		g_autofree char *raw = exported(&fixture, exporter->name, NULL, false);
		g_autofree char *got = without_uuids(raw), *expected = NULL;
		g_autofree char *file =
			g_strdup_printf("%s/tests/golden/export/all.%s", BM_SOURCE, exporter->name);
		g_autofree char *got_file = g_strconcat(file, ".got", NULL);

		g_file_get_contents(file, &expected, NULL, NULL);
		if (g_strcmp0(got, expected) == 0)
			continue;
		g_file_set_contents(got_file, got, -1, NULL);
		g_test_message("differs: diff %s %s", file, got_file);
		g_test_fail();
	}
	fixture_close(&fixture);
}

/* Worked out by hand: samples of 1.024, 2.048 and 3.072 ms for 1000 calls of 1024 bytes are 1, 2 and 3 ns/B.
 */
static void go_has_a_line_per_invocation_and_with_samples_one_per_sample(void)
{
	struct fixture fixture = {0};

	world_open(&fixture);
	g_autofree char *text = exported(&fixture, "go", NULL, false);
	g_assert_nonnull(
		strstr(text, "BenchmarkCrypto/algorithm=aes-128-cbc/operation=encrypt/block=1024\t2000\t1536 "
			     "ns/op\t666.666666667 MB/s\n"));
	g_assert_nonnull(strstr(text, "block=1024\t1000\t3072 ns/op\t333.333333333 MB/s\n"));
	g_assert_nonnull(strstr(text, "operation=private\t1\t700000 ns/op\n"));
	g_assert_nonnull(strstr(text, "operation=private\t1\t720000 ns/op\n"));
	g_assert_nonnull(strstr(text, "operation=private\t1\t29556537 instructions/op\n"));
	g_assert_nonnull(strstr(text, "operation=private\t1\t9123000 ns/op\n"));
	g_assert_null(strstr(text, "\t700 ns/op")); /* emulated */
	g_autofree char *every = exported(&fixture, "go", NULL, true);
	g_assert_nonnull(strstr(every, "block=1024\t1000\t1024 ns/op\t1000 MB/s\n"));
	g_assert_nonnull(strstr(every, "block=1024\t1000\t2048 ns/op\t500 MB/s\n"));
	g_assert_null(strstr(every, "1536"));
	fixture_close(&fixture);
}

static void emulated_time_is_left_out_unless_asked_for(void)
{
	struct fixture fixture = {0};

	world_open(&fixture);
	struct export_set *set = world_set(&fixture, NULL);
	g_assert_cmpuint(set->emulated, ==, 1);
	/* AES and RSA timed, RSA counted, two imported. */
	g_assert_cmpuint(set->results->len, ==, 5);
	export_set_free(set);
	set = world_set(&fixture, "environment=emulator");
	g_assert_cmpuint(set->emulated, ==, 0);
	g_assert_cmpuint(set->results->len, ==, 2);
	export_set_free(set);
	fixture_close(&fixture);
}

static void assert_refused(struct fixture *fixture, const char *selector, const char *words)
{
	g_autoptr(GError) err = NULL;
	struct export_set *set = NULL;

	g_assert_false(export_set_make(&set, fixture->store, selector, &err));
	g_assert_cmpint(diag_exit_status(err), ==, DIAG_USAGE);
	g_assert_nonnull(strstr(err->message, words));
}

static void an_empty_selection_says_what_there_is(void)
{
	struct fixture fixture = {0};

	world_open(&fixture);
	assert_refused(&fixture, "config=armasm", "there is config: -, =sp,\"x\", default");
	assert_refused(&fixture, "platform=cortex-a72,metric=time", "environment=emulator");
	assert_refused(&fixture, "confg=sp", "config");
	fixture_close(&fixture);
}

static void formats_are_found_by_name(void)
{
	struct fixture fixture = {0};
	g_autoptr(GError) err = NULL;
	g_autoptr(GError) no_samples = NULL;
	struct export_target target = {world_take, NULL};
	struct export_count count;

	g_assert_null(exporter_find("jsnl", &err));
	g_assert_nonnull(strstr(err->message, "did you mean \"jsonl\"?"));
	world_open(&fixture);
	struct export_set *set = world_set(&fixture, NULL);
	g_assert_false(export_write(
		&count, exporter_find("csv", NULL), set, world_options(true), &target, &no_samples));
	g_assert_cmpint(diag_exit_status(no_samples), ==, DIAG_USAGE);
	export_set_free(set);
	fixture_close(&fixture);
}

static json_t *line_of(const char *text)
{
	json_error_t error;
	json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, &error);

	if (!json)
		g_error("%s: %s", error.text, text);
	return json;
}

static bool record_is(const json_t *json, const char *record)
{
	return strcmp(json_string_value(json_object_get(json, "r")), record) == 0;
}

static void assert_same(const json_t *json, const char *key, double expected)
{
	const json_t *value = json_object_get(json, key);

	/* Equal to the last bit: n = 1 leaves out what follows from it. */
	g_assert_true(value ? json_number_value(value) == expected : isnan(expected));
}

static void numbers_in_jsonl_read_back_as_they_were(void)
{
	struct fixture fixture = {0};
	size_t lines = 0, figures = 0;
	g_autofree char *awkward = world_stream(0, "1,3,333333337,999999999", "123456789");
	g_autofree char *second = world_stream(1, "7", "987654321");

	fixture_open(&fixture);
	begin_run(&fixture, NULL);
	world_measure(&fixture, "sp", awkward, second);
	g_autoptr(GArray) results = results_of(&fixture, NULL);
	g_autofree char *text = exported(&fixture, "jsonl", NULL, true);
	g_auto(GStrv) split = g_strsplit(text, "\n", -1);
	for (; *split[lines]; lines++) {
		json_t *json = line_of(split[lines]);
		if (record_is(json, "figure")) {
			const struct figure *figure = &result_at(results, (guint)figures++)->figure;
			g_assert_cmpint(json_integer_value(json_object_get(json, "n")), ==, figure->n);
			assert_same(json, "min", figure->min);
			assert_same(json, "q1", figure->q1);
			assert_same(json, "median", figure->median);
			assert_same(json, "q3", figure->q3);
			assert_same(json, "max", figure->max);
			assert_same(json, "mean", figure->mean);
			assert_same(json, "sd", figure->sd);
		}
		if (record_is(json, "end")) {
			g_assert_cmpint(json_integer_value(json_object_get(json, "figures")), ==, 2);
			g_assert_cmpint(json_integer_value(json_object_get(json, "records")), ==, (int)lines);
		}
		json_decref(json);
	}
	g_assert_cmpuint(figures, ==, 2);
	g_assert_cmpuint(lines, ==, 1 + 1 + (1 + 2) + (1 + 2) + 1);
	fixture_close(&fixture);
}

static void samples_that_fit_no_line_go_on_in_the_next(void)
{
	struct fixture fixture = {0};
	g_autoptr(GString) many = g_string_new(NULL);
	int from = 0, lines = 0, more = 0;

	for (int i = 0; i < 6000; i++)
		g_string_append_printf(many, "%s%d", i > 0 ? "," : "", 1000003 + i);
	g_autofree char *first = world_stream(0, "5", many->str), *second = world_stream(1, "5", "5");
	fixture_open(&fixture);
	begin_run(&fixture, NULL);
	world_measure(&fixture, "sp", first, second);
	g_autofree char *text = exported(&fixture, "jsonl", "benchmark=rsa-2048 private", true);
	g_auto(GStrv) split = g_strsplit(text, "\n", -1);
	for (size_t i = 0; *split[i]; i++) {
		json_t *json = line_of(split[i]);
		const json_t *values = json_object_get(json, "values");
		g_assert_cmpuint(strlen(split[i]), <, 65536);
		if (record_is(json, "figure")) /* two invocations, however many lines they take */
			g_assert_cmpint(json_integer_value(json_object_get(json, "samples")), ==, 2);
		if (values && json_integer_value(json_object_get(json, "invocation")) == 0) {
			for (size_t k = 0; k < json_array_size(values); k++, from++)
				g_assert_cmpfloat_with_epsilon(json_number_value(json_array_get(values, k)),
					(1000003 + from) * 1e-9, 1e-18);
			more += json_is_true(json_object_get(json, "more"));
			lines++;
		}
		json_decref(json);
	}
	g_assert_cmpint(from, ==, 6000);
	g_assert_cmpint(lines, ==, more + 1);
	g_assert_cmpint(lines, >, 1);
	fixture_close(&fixture);
}

static void hostile_text_is_escaped(void)
{
	struct fixture fixture = {0};

	world_open(&fixture);
	g_autofree char *metrics = exported(&fixture, "openmetrics", NULL, false);
	g_assert_nonnull(strstr(metrics, "config=\"=sp,\\\"x\\\"\""));
	g_assert_nonnull(strstr(metrics, "compiler=\"gcc \\\"12\\\", a\\\\b\\nline 2\""));
	g_autofree char *csv = exported(&fixture, "csv", NULL, false);
	g_assert_nonnull(strstr(csv, "wolfssl,5.5.4,\"'=sp,\"\"x\"\"\",crypto,"));
	g_assert_nonnull(strstr(csv, "\"gcc \"\"12\"\", a\\b\nline 2\""));
	g_autofree char *go = exported(&fixture, "go", NULL, false);
	g_assert_nonnull(strstr(go, "\nconfig: =sp,\"x\"\n"));
	g_assert_nonnull(strstr(go, "\n# compiler gcc \"12\", a\\b line 2\n"));
	fixture_close(&fixture);
}

static void imported_figures_keep_their_printed_text(void)
{
	struct fixture fixture = {0};

	world_open(&fixture);
	g_autofree char *csv = exported(&fixture, "csv", "source=imported", false);
	g_assert_nonnull(strstr(csv, ",9.123,milliseconds,RSA 2048 private,"));
	g_assert_nonnull(strstr(csv, ",36.58,X,AES,"));
	g_autofree char *json = exported(&fixture, "jsonl", "source=imported", false);
	g_assert_nonnull(strstr(json,
		"\"printed\":[{\"statistic\":\"mean\",\"text\":\"9.123\",\"unit\":\"milliseconds\","
		"\"name\":\"RSA 2048 private\",\"line\":3}]"));
	fixture_close(&fixture);
}

static void what_more_is_better_of_does_not_go_to_a_format_of_less(void)
{
	struct fixture fixture = {0};
	struct export_count count;
	g_autoptr(GString) text = g_string_new(NULL);
	struct export_target target = {world_take, text};

	world_open(&fixture);
	struct export_set *set = world_set(&fixture, NULL);
	g_assert_true(export_write(&count, exporter_find("github-action-benchmark", NULL), set,
		world_options(false), &target, NULL));
	g_assert_cmpuint(count.figures, ==, 4);
	g_assert_cmpuint(count.left_out, ==, 1);
	g_assert_null(strstr(text->str, "36.58"));
	export_set_free(set);
	fixture_close(&fixture);
}

static void packed_is_the_same_again_and_unpacks_to_the_text(void)
{
	struct fixture fixture = {0};
	struct export_count count;
	g_autoptr(GByteArray) packed = NULL;
	g_autoptr(GByteArray) again = NULL;
	g_autofree char *hash = NULL, *hash_again = NULL;
	char plain[65536];
	z_stream stream = {0};

	world_open(&fixture);
	g_autofree char *text = exported(&fixture, "csv", NULL, false);
	struct export_set *set = world_set(&fixture, NULL);
	const struct exporter *csv = exporter_find("csv", NULL);
	g_assert_true(export_packed(&packed, &hash, &count, csv, set, world_options(false), NULL));
	g_assert_true(export_packed(&again, &hash_again, &count, csv, set, world_options(false), NULL));
	g_assert_cmpmem(packed->data, packed->len, again->data, again->len);
	g_autofree char *expected = g_compute_checksum_for_string(G_CHECKSUM_SHA256, text, -1);
	g_assert_cmpstr(hash, ==, expected);
	g_assert_cmpint(inflateInit2(&stream, 15 + 16), ==, Z_OK);
	stream.next_in = packed->data;
	stream.avail_in = packed->len;
	stream.next_out = (Bytef *)plain;
	stream.avail_out = sizeof plain;
	g_assert_cmpint(inflate(&stream, Z_FINISH), ==, Z_STREAM_END);
	g_assert_cmpmem(plain, stream.total_out, text, strlen(text));
	inflateEnd(&stream);
	export_set_free(set);
	fixture_close(&fixture);
}

static bool take_nothing(void *user, const char *bytes, size_t length, GError **err)
{
	(void)user, (void)bytes, (void)length;
	return diag_set(err, DIAG_FAILED, "full");
}

static void a_full_disk_ends_every_export(void)
{
	struct fixture fixture = {0};
	struct export_target target = {take_nothing, NULL};
	struct export_count count;

	world_open(&fixture);
	struct export_set *set = world_set(&fixture, NULL);
	for (size_t i = 0; exporters[i]; i++) {
		g_autoptr(GError) err = NULL;
		g_assert_false(export_write(&count, exporters[i], set, world_options(false), &target, &err));
		g_assert_cmpstr(err->message, ==, "full");
	}
	export_set_free(set);
	fixture_close(&fixture);
}

static void a_decimal_comma_changes_nothing(void)
{
	struct fixture fixture = {0};

	if (!setlocale(LC_NUMERIC, "de_DE.UTF-8")) {
		g_test_skip("there is no locale de_DE.UTF-8 here");
		return;
	}
	world_open(&fixture);
	g_autofree char *csv = exported(&fixture, "csv", NULL, false);
	g_assert_nonnull(strstr(csv, ",0.009123,s/op,"));
	fixture_close(&fixture);
	setlocale(LC_NUMERIC, "C");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/export/is_as_the_golden_files_have_it", is_as_the_golden_files_have_it);
	g_test_add_func("/export/go_has_a_line_per_invocation_and_with_samples_one_per_sample",
		go_has_a_line_per_invocation_and_with_samples_one_per_sample);
	g_test_add_func("/export/emulated_time_is_left_out_unless_asked_for",
		emulated_time_is_left_out_unless_asked_for);
	g_test_add_func(
		"/export/an_empty_selection_says_what_there_is", an_empty_selection_says_what_there_is);
	g_test_add_func("/export/formats_are_found_by_name", formats_are_found_by_name);
	g_test_add_func(
		"/export/numbers_in_jsonl_read_back_as_they_were", numbers_in_jsonl_read_back_as_they_were);
	g_test_add_func("/export/samples_that_fit_no_line_go_on_in_the_next",
		samples_that_fit_no_line_go_on_in_the_next);
	g_test_add_func("/export/hostile_text_is_escaped", hostile_text_is_escaped);
	g_test_add_func(
		"/export/imported_figures_keep_their_printed_text", imported_figures_keep_their_printed_text);
	g_test_add_func("/export/what_more_is_better_of_does_not_go_to_a_format_of_less",
		what_more_is_better_of_does_not_go_to_a_format_of_less);
	g_test_add_func("/export/packed_is_the_same_again_and_unpacks_to_the_text",
		packed_is_the_same_again_and_unpacks_to_the_text);
	g_test_add_func("/export/a_full_disk_ends_every_export", a_full_disk_ends_every_export);
	g_test_add_func("/export/a_decimal_comma_changes_nothing", a_decimal_comma_changes_nothing);
	return g_test_run();
}
