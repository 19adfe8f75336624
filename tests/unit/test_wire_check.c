#include "wire_reader.h"

#include "intake.h"

#include <string.h>

/* Of schema/wire-example-checked.jsonl, whose checks zlib computed; without the line that is the emulator's.
 */
struct example {
	GString *text;
	char *kinds; /* a letter for each line */
};

static const char letters[] = {[WIRE_HEADER] = 'H',
	[WIRE_START] = 'S',
	[WIRE_BENCHMARK] = 'B',
	[WIRE_SAMPLES] = 'V',
	[WIRE_REGION] = 'R',
	[WIRE_COUNT] = 'C',
	[WIRE_VALUE] = 'X',
	[WIRE_FOOTPRINT] = 'F',
	[WIRE_END] = 'E',
	[WIRE_PROBLEM] = 'P'};

static char *kinds_of(const char *bytes, size_t length)
{
	struct wire_reader *reader = wire_reader_new();
	struct wire_record record;
	GString *kinds = g_string_new(NULL);

	wire_reader_push(reader, bytes, length);
	wire_reader_finish(reader);
	while (wire_reader_next(reader, &record))
		g_string_append_c(kinds, letters[record.kind]);
	wire_reader_free(reader);
	return g_string_free(kinds, FALSE);
}

static char *whole_example(void)
{
	char *text = NULL;

	g_assert_true(g_file_get_contents(BM_SOURCE "/schema/wire-example-checked.jsonl", &text, NULL, NULL));
	return text;
}

static struct example example(void)
{
	g_autofree char *text = whole_example();
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	struct example ret = {.text = g_string_new(NULL)};

	for (char **line = lines; *line && **line; line++)
		if (!strstr(*line, "\"r\":\"count\""))
			g_string_append_printf(ret.text, "%s\n", *line);
	ret.kinds = kinds_of(ret.text->str, ret.text->len);
	g_assert_cmpstr(ret.kinds, ==, "HSRXXXBE");
	return ret;
}

static void example_clear(struct example *example)
{
	g_string_free(example->text, TRUE);
	g_free(example->kinds);
}

static void reads_lines_with_their_checks(void)
{
	g_autofree char *text = whole_example();
	g_autofree char *kinds = kinds_of(text, strlen(text));

	g_assert_cmpstr(kinds, ==, "HSCRXXXBE");
}

/* All lines but one come through: `kinds` is as it was, but for one letter or more in its place. */
static void assert_lost(const struct example *example, guint line, const char *kinds, size_t at)
{
	const char *rest = example->kinds + line + 1;
	bool good = strncmp(kinds, example->kinds, line) == 0 && g_str_has_suffix(kinds, rest) &&
		    strlen(kinds) > strlen(example->kinds) - 1;
	size_t problems = strlen(kinds) - line - strlen(rest);

	for (size_t i = 0; good && i < problems; i++)
		good = kinds[line + i] == 'P';
	if (!good)
		g_error("byte %zu: %s", at, kinds);
}

static void a_changed_byte_costs_its_line_alone(void)
{
	static const char flips[] = {0x01, 0x20, (char)0x80};
	struct example all = example();
	guint line = 0;

	for (size_t at = 0; at < all.text->len; at++) {
		char byte = all.text->str[at];
		for (size_t i = 0; i < sizeof flips; i++) {
			all.text->str[at] = (char)(byte ^ flips[i]);
			g_autofree char *kinds = kinds_of(all.text->str, all.text->len);
			assert_lost(&all, line, kinds, at);
		}
		all.text->str[at] = byte;
		line += byte == '\n';
	}
	example_clear(&all);
}

/* Where it was the newline nothing is lost, but for the last line's. */
static void a_lost_byte_costs_its_line_at_most(void)
{
	struct example all = example();
	guint line = 0;

	for (size_t at = 0; at < all.text->len; at++) {
		char byte = all.text->str[at];
		g_string_erase(all.text, (gssize)at, 1);
		g_autofree char *kinds = kinds_of(all.text->str, all.text->len);
		if (byte == '\n' && at < all.text->len)
			g_assert_cmpstr(kinds, ==, all.kinds);
		else
			assert_lost(&all, line, kinds, at);
		g_string_insert_c(all.text, (gssize)at, byte);
		line += byte == '\n';
	}
	example_clear(&all);
}

static void rubbish_before_a_record_costs_none(void)
{
	struct example all = example();

	g_string_prepend(all.text, "\x7f\x01 boot: {\"r\":");
	g_autofree char *kinds = kinds_of(all.text->str, all.text->len);
	g_assert_cmpstr(kinds, ==, "PHSRXXXBE");
	example_clear(&all);
}

/* The header promised checks; of one that stands in the middle nothing is known. */
static void a_line_without_its_check_is_a_problem(void)
{
	struct example all = example();

	g_string_append(all.text, "{\"r\":\"start\",\"name\":\"rsa-2048 public\"}\n"
				  "{\"r\":\"start\",\"crc\":\"00000000\",\"name\":\"rsa-2048 public\"}\n"
				  "{\"r\":\"count\",\"region\":1,\"metric\":\"instructions\",\"value\":5}\n");
	g_autofree char *kinds = kinds_of(all.text->str, all.text->len);
	g_assert_cmpstr(kinds, ==, "HSRXXXBEPPC");
	example_clear(&all);
}

static void many_begins_of_records_in_a_line_take_no_time(void)
{
	GString *text = g_string_new(NULL);

	for (int line = 0; line < 20; line++) {
		for (int i = 0; i < 13000; i++)
			g_string_append(text, "{\"r\":");
		g_string_append(text, ",\"crc\":\"00000000\"}\n");
	}
	g_test_timer_start();
	g_autofree char *kinds = kinds_of(text->str, text->len);
	g_assert_cmpfloat(g_test_timer_elapsed(), <, 60);
	g_assert_cmpstr(kinds, ==, "PPPPPPPPPPPPPPPPPPPP");
	g_string_free(text, TRUE);
}

/* --- what comes of it --- */

static struct intake *take_in(const char *text)
{
	struct intake_builder *builder = intake_builder_new(ENVIRONMENT_EMULATOR, NULL);

	intake_builder_push(builder, text, strlen(text));
	return intake_builder_finish(builder);
}

static double value_of(const struct intake *intake, const char *benchmark, enum metric metric)
{
	for (guint i = 0; i < intake->measurements->len; i++) {
		const struct measurement *measurement = intake->measurements->pdata[i];
		if (measurement->metric == metric && strcmp(measurement->benchmark, benchmark) == 0)
			return figure_value(&measurement->figure);
	}
	return -1;
}

static void the_other_figures_stay_and_the_loss_is_told(void)
{
	g_autofree char *text = whole_example();

	strstr(text, "heap-peak")[0] = 'H';
	struct intake *intake = take_in(text);
	g_assert_cmpuint(intake->problems, ==, 1);
	g_assert_nonnull(strstr(intake->first_problem, "line 5: its check does not fit"));
	g_assert_false(intake->complete);
	g_assert_nonnull(strstr(intake->incomplete_reason, "the end record says 7 lines, 6 could be read"));
	g_assert_cmpfloat(value_of(intake, "aes-128-cbc encrypt", METRIC_STACK_PEAK), ==, 712);
	g_assert_cmpfloat(value_of(intake, "aes-128-cbc encrypt", METRIC_INSTRUCTIONS), >, 0);
	g_assert_cmpfloat(value_of(intake, "aes-128-cbc encrypt", METRIC_HEAP_PEAK), ==, -1);
	intake_free(intake);
}

#define FOOTPRINT(of, flash, ram)                                                                            \
	"{\"r\":\"footprint\",\"of\":\"" of "\",\"flash\":" flash ",\"ram\":" ram "}\n"

static void a_footprint_is_flash_and_ram_of_program_and_library(void)
{
	struct intake *intake =
		take_in("{\"r\":\"header\",\"wire\":1,\"mode\":\"count\",\"invocation\":0}\n" FOOTPRINT(
			"program", "65536", "2048") FOOTPRINT("library", "30720", "1024")
				FOOTPRINT("library", "30720", "900") "{\"r\":\"end\",\"records\":4}\n");

	g_assert_true(intake->complete);
	g_assert_cmpuint(intake->problems, ==, 0);
	g_assert_cmpuint(intake->measurements->len, ==, 4);
	g_assert_cmpuint(intake->outcomes->len, ==, 2);
	g_assert_cmpfloat(value_of(intake, "program size", METRIC_FLASH), ==, 65536);
	g_assert_cmpfloat(value_of(intake, "program size", METRIC_RAM), ==, 2048);
	g_assert_cmpfloat(value_of(intake, "library size", METRIC_FLASH), ==, 30720);
	g_assert_cmpfloat(value_of(intake, "library size", METRIC_RAM), ==, 1024);
	intake_free(intake);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/wire_check/reads_lines_with_their_checks", reads_lines_with_their_checks);
	g_test_add_func(
		"/wire_check/a_changed_byte_costs_its_line_alone", a_changed_byte_costs_its_line_alone);
	g_test_add_func("/wire_check/a_lost_byte_costs_its_line_at_most", a_lost_byte_costs_its_line_at_most);
	g_test_add_func("/wire_check/rubbish_before_a_record_costs_none", rubbish_before_a_record_costs_none);
	g_test_add_func(
		"/wire_check/a_line_without_its_check_is_a_problem", a_line_without_its_check_is_a_problem);
	g_test_add_func("/wire_check/many_begins_of_records_in_a_line_take_no_time",
		many_begins_of_records_in_a_line_take_no_time);
	g_test_add_func("/wire_check/the_other_figures_stay_and_the_loss_is_told",
		the_other_figures_stay_and_the_loss_is_told);
	g_test_add_func("/wire_check/a_footprint_is_flash_and_ram_of_program_and_library",
		a_footprint_is_flash_and_ram_of_program_and_library);
	return g_test_run();
}
