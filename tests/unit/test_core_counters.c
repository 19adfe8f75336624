#include "counter.h"
#include "port.h"
#include "rate_file.h"

#include <glib.h>
#include <glib/gstdio.h>

static void ticks_go_on_past_a_new_beginning(void)
{
	static const struct counter narrow = {.bits = 32}, odd = {.bits = 63}, wide = {.bits = 64};

	g_assert_cmpuint(counter_ticks(&narrow, 0xfffffff0, 0x10), ==, 0x20);
	g_assert_cmpuint(counter_ticks(&narrow, 0x10, 0x30), ==, 0x20);
	g_assert_cmpuint(counter_ticks(&odd, (UINT64_C(1) << 63) - 5, 5), ==, 10);
	g_assert_cmpuint(counter_ticks(&wide, 5, 4), ==, UINT64_MAX);
}

static bool always(void)
{
	return true;
}

static uint64_t thrice_the_clock(void)
{
	return 3 * port_clock() & 0xffffffff;
}

static uint64_t three_gigahertz(void)
{
	return 3000000000;
}

/* Of 32 bits, which begin anew each 1.4 s. */
static void the_rate_is_measured_against_the_clock(void)
{
	static const struct counter fake = {
		"fake", "reference-cycles", 32, always, thrice_the_clock, three_gigahertz};
	struct counter_rates rates = counter_rates_of(&fake);

	g_assert_cmpuint(rates.stated, ==, 3000000000);
	g_assert_cmpuint(rates.measured, >, 2990000000);
	g_assert_cmpuint(rates.measured, <, 3010000000);
	g_assert_false(counter_rates_differ(&rates));
}

static void rates_that_contradict_each_other_are_told(void)
{
	static const struct {
		struct counter_rates rates;
		bool differ;
	} cases[] = {
		{{1000, 1000}, false},
		{{1009, 1000}, false},
		{{1011, 1000}, true},
		{{991, 1000}, false},
		{{989, 1000}, true},
		{{0, 1000}, false},
		{{1000, 0}, false},
		{{19200000, 24000000}, true},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
		g_assert_true(counter_rates_differ(&cases[i].rates) == cases[i].differ);
}

/* Whatever this machine has: a crash on the way would be one of this test. */
static void the_one_that_is_chosen_advances(void)
{
	const struct counter *counter = counter_choose();
	uint64_t before, until;

	if (counter == NULL) {
		g_test_skip("this machine has no counter");
		return;
	}
	g_assert_true(
		g_str_equal(counter->metric, "cycles") || g_str_equal(counter->metric, "reference-cycles"));
	before = counter->read();
	until = port_clock() + 1000000;
	while (port_clock() < until)
		;
	/* A millisecond of a slow counter, 1 MHz, is 1000 ticks; of a fast one, 10 GHz, ten million. */
	g_assert_cmpuint(counter_ticks(counter, before, counter->read()), >=, 1000);
}

static char *write_file(const char *text, gssize size)
{
	char *path = NULL;
	int file = g_file_open_tmp("rate-XXXXXX", &path, NULL);

	g_assert_cmpint(file, >=, 0);
	g_close(file, NULL);
	g_assert_true(g_file_set_contents(path, text, size, NULL));
	return path;
}

static void rates_are_read_from_files(void)
{
	g_autofree char *lines = write_file("processor\t: 0\ntimebases : 1\ntimebase\t: 512000000\n", -1);
	/* 10,000,000 is 0x989680. */
	g_autofree char *cell = write_file("\x00\x98\x96\x80", 4);
	g_autofree char *wide = write_file("\x00\x00\x00\x01\x00\x00\x00\x00", 8);
	g_autofree char *odd = write_file("\x01\x02\x03", 3);

	g_assert_cmpuint(rate_line(lines, "timebase"), ==, 512000000);
	g_assert_cmpuint(rate_line(lines, "clock"), ==, 0);
	g_assert_cmpuint(rate_cell(cell), ==, 10000000);
	g_assert_cmpuint(rate_cell(wide), ==, UINT64_C(1) << 32);
	g_assert_cmpuint(rate_cell(odd), ==, 0);
	g_unlink(lines);
	g_unlink(cell);
	g_unlink(wide);
	g_unlink(odd);
	g_assert_cmpuint(rate_line(lines, "timebase"), ==, 0);
	g_assert_cmpuint(rate_cell(cell), ==, 0);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/core_counters/ticks_go_on_past_a_new_beginning", ticks_go_on_past_a_new_beginning);
	g_test_add_func("/core_counters/the_rate_is_measured_against_the_clock",
		the_rate_is_measured_against_the_clock);
	g_test_add_func("/core_counters/rates_that_contradict_each_other_are_told",
		rates_that_contradict_each_other_are_told);
	g_test_add_func("/core_counters/the_one_that_is_chosen_advances", the_one_that_is_chosen_advances);
	g_test_add_func("/core_counters/rates_are_read_from_files", rates_are_read_from_files);
	return g_test_run();
}
