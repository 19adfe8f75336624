#include "wire.h"
#include "wire_reader.h"

#include <string.h>

#define HEADER "{\"r\":\"header\",\"wire\":1,\"mode\":\"time\",\"invocation\":0}\n"
#define NAME   "\"name\":\"rsa-2048 private\""

static char *example(const char *name, gsize *ret_length)
{
	g_autofree char *path = g_strconcat(BM_SOURCE "/schema/", name, NULL);
	char *text = NULL;

	g_assert_true(g_file_get_contents(path, &text, ret_length, NULL));
	return text;
}

/* The kinds of all records, a letter each (H S B V R C U X F E; P for a problem; X is a value), with the
 * bytes pushed `step` at a time. */
static char *kinds_of(const char *bytes, size_t length, size_t step)
{
	static const char letters[] = "HSBVRCUXFEP";
	struct wire_reader *reader = wire_reader_new();
	struct wire_record record;
	GString *kinds = g_string_new(NULL);

	for (size_t at = 0; at < length; at += step) {
		wire_reader_push(reader, bytes + at, MIN(step, length - at));
		while (wire_reader_next(reader, &record))
			g_string_append_c(kinds, letters[record.kind]);
	}
	wire_reader_finish(reader);
	while (wire_reader_next(reader, &record))
		g_string_append_c(kinds, letters[record.kind]);
	wire_reader_free(reader);
	return g_string_free(kinds, FALSE);
}

static void reads_the_example_in_pieces_of_any_size(void)
{
	gsize length;
	g_autofree char *text = example("wire-example.jsonl", &length);

	for (size_t step = 1; step < 300; step++) {
		g_autofree char *kinds = kinds_of(text, length, step);
		g_assert_cmpstr(kinds, ==, "HSVBSBEHSCRBE");
	}
	g_autofree char *memory = example("wire-example-memory.jsonl", &length);
	g_autofree char *kinds = kinds_of(memory, length, length);
	g_assert_cmpstr(kinds, ==, "HSCRXXXBE");
}

/* The only record of a line, which is taken by `check`. */
static void with_line(const char *line, size_t length,
	void (*check)(const struct wire_record *, const char *), const char *expected)
{
	struct wire_reader *reader = wire_reader_new();
	struct wire_record record;

	wire_reader_push(reader, line, length);
	wire_reader_finish(reader);
	g_assert_true(wire_reader_next(reader, &record));
	g_assert_cmpuint(record.line, ==, 1);
	check(&record, expected);
	g_assert_false(wire_reader_next(reader, &record));
	wire_reader_free(reader);
}

static void check_problem(const struct wire_record *record, const char *expected)
{
	g_assert_cmpint(record->kind, ==, WIRE_PROBLEM);
	if (!strstr(record->problem, expected))
		g_error("\"%s\" does not say \"%s\"", record->problem, expected);
}

static void assert_problem(const char *line, const char *expected)
{
	with_line(line, strlen(line), check_problem, expected);
}

static void check_samples(const struct wire_record *record, const char *expected)
{
	(void)expected;
	g_assert_cmpint(record->kind, ==, WIRE_SAMPLES);
	g_assert_cmpstr(record->name, ==, "aes-128-cbc encrypt");
	g_assert_cmpstr(record->block, ==, "16384");
	g_assert_cmpint(record->metric, ==, METRIC_REFERENCE_CYCLES);
	g_assert_cmpuint(record->iterations, ==, 7);
	g_assert_cmpuint(record->n_values, ==, 2);
	g_assert_cmpfloat(record->values[0], ==, 9007199254740992.0);
	g_assert_cmpfloat(record->values[1], ==, 1);
}

static void gives_all_that_a_line_says(void)
{
	static const char line[] =
		"{\"r\":\"samples\",\"name\":\"aes-128-cbc "
		"encrypt\",\"block\":16384,\"metric\":\"reference-cycles\","
		"\"iterations\":7,\"values\":[9007199254740992,1],\"newer\":{\"a\":[1.5,null]}}\n";

	with_line(line, sizeof line - 1, check_samples, NULL);
}

static void check_functions(const struct wire_record *record, const char *expected)
{
	(void)expected;
	g_assert_cmpint(record->kind, ==, WIRE_FUNCTIONS);
	g_assert_cmpint(record->region, ==, 3);
	g_assert_cmpuint(record->n_values, ==, 3);
	g_assert_cmpstr(record->names[0], ==, "helper");
	g_assert_cmpstr(record->names[1], ==, "?");
	g_assert_cmpstr(record->names[2], ==, "helper");
	g_assert_cmpfloat(record->values[0] + record->values[1] + record->values[2], ==, 10);
}

static void tells_the_functions_of_a_region(void)
{
	static const char line[] = "{\"r\":\"functions\",\"region\":3,\"counts\":[[\"helper\",7],[\"?\",1],"
				   "[\"helper\",2]]}\n";

	with_line(line, sizeof line - 1, check_functions, NULL);
	assert_problem("{\"r\":\"functions\",\"region\":3,\"counts\":[]}\n", "\"counts\"");
	assert_problem("{\"r\":\"functions\",\"region\":3}\n", "\"counts\"");
	assert_problem(
		"{\"r\":\"functions\",\"region\":3,\"counts\":[[\"f\",1],[\"f\",0]]}\n", "\"counts\"[1]");
	assert_problem("{\"r\":\"functions\",\"region\":3,\"counts\":[[1,\"f\"]]}\n", "\"counts\"[0]");
	assert_problem("{\"r\":\"functions\",\"region\":0,\"counts\":[[\"f\",1]]}\n", "\"region\"");
}

static void refuses_numbers_that_are_none(void)
{
	assert_problem("{\"r\":\"samples\"," NAME ",\"metric\":\"time\",\"iterations\":0,\"values\":[1]}\n",
		"\"iterations\"");
	assert_problem("{\"r\":\"samples\"," NAME ",\"metric\":\"time\",\"iterations\":-1,\"values\":[1]}\n",
		"\"iterations\"");
	assert_problem("{\"r\":\"samples\"," NAME ",\"metric\":\"time\",\"iterations\":1.0,\"values\":[1]}\n",
		"\"iterations\"");
	assert_problem("{\"r\":\"samples\"," NAME ",\"metric\":\"time\",\"iterations\":1,\"values\":[]}\n",
		"\"values\"");
	assert_problem("{\"r\":\"samples\"," NAME ",\"metric\":\"time\",\"iterations\":1,\"values\":[5,0]}\n",
		"\"values\"[1]");
	assert_problem("{\"r\":\"samples\"," NAME
		       ",\"metric\":\"time\",\"iterations\":1,\"values\":[9007199254740993]}\n",
		"\"values\"[0]");
	assert_problem("{\"r\":\"samples\"," NAME
		       ",\"metric\":\"time\",\"iterations\":1,\"values\":[99999999999999999999999]}\n",
		"not JSON");
	assert_problem("{\"r\":\"samples\"," NAME
		       ",\"metric\":\"time\",\"iterations\":1,\"values\":[1e400]}\n",
		"not JSON");
	assert_problem("{\"r\":\"samples\"," NAME
		       ",\"metric\":\"time\",\"iterations\":1,\"values\":[\"1\"]}\n",
		"\"values\"[0]");
	assert_problem("{\"r\":\"start\"," NAME ",\"block\":0}\n", "\"block\"");
	assert_problem("{\"r\":\"region\",\"region\":0," NAME ",\"iterations\":1}\n", "\"region\"");
	assert_problem("{\"r\":\"region\",\"region\":65536," NAME ",\"iterations\":1}\n", "\"region\"");
	assert_problem(
		"{\"r\":\"count\",\"region\":1,\"metric\":\"instructions\",\"value\":-5}\n", "\"value\"");
	assert_problem("{\"r\":\"end\",\"records\":-1}\n", "\"records\"");
}

static void refuses_words_that_have_no_place(void)
{
	assert_problem("{\"r\":\"samples\"," NAME
		       ",\"metric\":\"instructions\",\"iterations\":1,\"values\":[1]}\n",
		"metric");
	assert_problem("{\"r\":\"count\",\"region\":1,\"metric\":\"time\",\"value\":5}\n", "metric");
	assert_problem("{\"r\":\"value\"," NAME ",\"metric\":\"text\",\"value\":5}\n", "metric");
	assert_problem("{\"r\":\"value\"," NAME ",\"metric\":\"heap-peak\",\"value\":-1}\n", "\"value\"");
	assert_problem("{\"r\":\"samples\"," NAME
		       ",\"metric\":\"heap-peak\",\"iterations\":1,\"values\":[1]}\n",
		"metric");
	assert_problem("{\"r\":\"benchmark\"," NAME ",\"state\":\"good\"}\n", "unknown state \"good\"");
	assert_problem("{\"r\":\"benchmark\"," NAME ",\"state\":\"crashed\"}\n", "\"reason\" is missing");
	assert_problem("{\"r\":\"benchmark\"," NAME ",\"state\":\"ok\",\"digest\":\"abc\"}\n", "\"digest\"");
	assert_problem("{\"r\":\"benchmark\"," NAME ",\"state\":\"ok\",\"proof\":\"trust\"}\n", "proof");
	assert_problem("{\"r\":\"header\",\"wire\":2,\"mode\":\"time\",\"invocation\":0}\n", "wire format 2");
	assert_problem("{\"r\":\"header\",\"wire\":1,\"mode\":\"fast\",\"invocation\":0}\n", "mode");
	assert_problem(
		"{\"r\":\"header\",\"wire\":1,\"mode\":\"time\",\"invocation\":0,\"cpu_features\":[1]}\n",
		"cpu_features");
	assert_problem("{\"r\":\"header\",\"wire\":1,\"mode\":\"time\",\"invocation\":0,\"clock_resolution_"
		       "ns\":0}\n",
		"clock_resolution_ns");
	assert_problem("{\"r\":\"header\",\"wire\":1,\"mode\":\"time\",\"invocation\":0,\"remarks\":[1]}\n",
		"remarks");
	assert_problem("{\"r\":\"header\",\"wire\":1,\"mode\":\"time\",\"invocation\":0,\"counter_hz\":0}\n",
		"counter_hz");
	assert_problem("{\"r\":\"sample\"}\n", "unknown record \"sample\"");
	assert_problem("{\"name\":\"x\"}\n", "\"r\" is missing");
	assert_problem("{\"r\":7}\n", "\"r\" is not a text");
	assert_problem("{\"r\":\"start\"}\n", "\"name\" is missing");
}

static void refuses_lines_that_are_none(void)
{
	static const char nul[] = "{\"r\":\"start\",\"name\":\"a\0b\"}\n";

	with_line(nul, sizeof nul - 1, check_problem, "a NUL byte");
	assert_problem("\n", "an empty line");
	assert_problem("{\"r\":\"start\"," NAME "}\r\n", "CR LF");
	assert_problem("{\"r\":\"start\",\"name\":\"\xe9\"}\n", "not UTF-8");
	assert_problem("{\"r\":\"start\",\"name\":\"a\\u0000b\"}\n", "not JSON");
	assert_problem("{\"r\":\"start\",\"r\":\"end\"}\n", "not JSON");
	assert_problem("[1]\n", "not a JSON object");
	assert_problem("{\"r\":\"start\"," NAME "} trailing\n", "not JSON");
	assert_problem("{\"r\":\"start\"," NAME "}", "cut off");
	assert_problem("Segmentation fault\n", "not JSON");
}

static char *line_of(size_t length)
{
	GString *line = g_string_new("{\"r\":\"start\",\"name\":\"null operation\",\"x\":\"");

	while (line->len < length - 3)
		g_string_append_c(line, 'x');
	g_string_append(line, "\"}\n");
	return g_string_free(line, FALSE);
}

static void takes_the_longest_line_and_no_longer_one(void)
{
	g_autofree char *longest = line_of(WIRE_LINE_MAX), *longer = line_of(WIRE_LINE_MAX + 1),
			*huge = line_of(1 << 20);
	g_autofree char *text = g_strconcat(HEADER, longer, HEADER, longest, huge, HEADER, NULL);

	for (size_t step = 1; step < strlen(text) * 2; step = step * 5 + 2) {
		g_autofree char *kinds = kinds_of(text, strlen(text), step);
		g_assert_cmpstr(kinds, ==, "HPHSPH");
	}
}

static void a_long_line_that_never_ends_is_told_at_once(void)
{
	struct wire_reader *reader = wire_reader_new();
	g_autofree char *piece = g_strnfill(4096, 'x');
	struct wire_record record;
	int told = 0;

	for (int i = 0; i < 1000; i++) {
		wire_reader_push(reader, piece, 4096);
		for (; wire_reader_next(reader, &record); told++)
			g_assert_cmpint(i, ==, 15);
	}
	wire_reader_finish(reader);
	g_assert_false(wire_reader_next(reader, &record));
	g_assert_cmpint(told, ==, 1);
	wire_reader_free(reader);
}

static void counts_lines_over_problems(void)
{
	static const char text[] = HEADER "\nrubbish\n" HEADER;
	static const size_t expected[] = {1, 2, 3, 4};
	struct wire_reader *reader = wire_reader_new();
	struct wire_record record;

	wire_reader_push(reader, text, sizeof text - 1);
	for (size_t i = 0; i < G_N_ELEMENTS(expected); i++) {
		g_assert_true(wire_reader_next(reader, &record));
		g_assert_cmpuint(record.line, ==, expected[i]);
	}
	wire_reader_free(reader);
}

static void time_grows_with_the_length_alone(void)
{
	GString *text = g_string_new(NULL);

	for (int i = 0; i < 200000; i++)
		g_string_append(text, "x\n");
	g_test_timer_start();
	g_autofree char *kinds = kinds_of(text->str, text->len, text->len);
	g_assert_cmpfloat(g_test_timer_elapsed(), <, 120);
	g_assert_cmpuint(strlen(kinds), ==, 200000);
	g_string_free(text, TRUE);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/wire_reader/reads_the_example_in_pieces_of_any_size",
		reads_the_example_in_pieces_of_any_size);
	g_test_add_func("/wire_reader/gives_all_that_a_line_says", gives_all_that_a_line_says);
	g_test_add_func("/wire_reader/tells_the_functions_of_a_region", tells_the_functions_of_a_region);
	g_test_add_func("/wire_reader/refuses_numbers_that_are_none", refuses_numbers_that_are_none);
	g_test_add_func("/wire_reader/refuses_words_that_have_no_place", refuses_words_that_have_no_place);
	g_test_add_func("/wire_reader/refuses_lines_that_are_none", refuses_lines_that_are_none);
	g_test_add_func("/wire_reader/takes_the_longest_line_and_no_longer_one",
		takes_the_longest_line_and_no_longer_one);
	g_test_add_func("/wire_reader/a_long_line_that_never_ends_is_told_at_once",
		a_long_line_that_never_ends_is_told_at_once);
	g_test_add_func("/wire_reader/counts_lines_over_problems", counts_lines_over_problems);
	g_test_add_func("/wire_reader/time_grows_with_the_length_alone", time_grows_with_the_length_alone);
	return g_test_run();
}
