/* The shortest decimals are those that printing by trial gives. */
#include "decimal.h"

#include <float.h>
#include <glib.h>
#include <math.h>

static void by_trial(char ret[DECIMAL_SIZE], double number)
{
	for (int digits = 15; digits <= 17; digits++) {
		g_autofree char *format = g_strdup_printf("%%.%dg", digits);

		g_ascii_formatd(ret, DECIMAL_SIZE, format, number);
		if (g_ascii_strtod(ret, NULL) == number)
			return;
	}
}

static void assert_same(double number)
{
	char expected[DECIMAL_SIZE], seen[DECIMAL_SIZE];

	by_trial(expected, number);
	decimal_shortest(seen, number);
	g_assert_cmpstr(seen, ==, expected);
}

static void these_are_worked_out_by_hand(void)
{
	static const struct {
		double number;
		const char *text;
	} cases[] = {{0, "0"}, {-0.0, "-0"}, {1, "1"}, {-16384, "-16384"}, {0.1, "0.1"}, {-36.58, "-36.58"},
		{0.0001, "0.0001"}, {0.00012, "0.00012"}, {0.00001, "1e-05"},
		{42.6312255859375, "42.6312255859375"}, {999999999999999, "999999999999999"}, {1e15, "1e+15"},
		{1e300, "1e+300"}, {1.0 / 3, "0.3333333333333333"}, {0.1 + 0.2, "0.30000000000000004"},
		{100, "100"}, {0.30000000000000004 * 10, "3.0000000000000004"}};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		char text[DECIMAL_SIZE];

		decimal_shortest(text, cases[i].number);
		g_assert_cmpstr(text, ==, cases[i].text);
	}
}

static void edges_and_their_neighbours_are_as_by_trial(void)
{
	for (int power = -8; power <= 20; power++)
		for (int factor = 1; factor < 100; factor++) {
			double number = factor * pow(10, power);

			assert_same(number);
			assert_same(-number);
			assert_same(nextafter(number, 0));
			assert_same(nextafter(number, DBL_MAX));
		}
}

static void decimals_quotients_and_any_numbers_are_as_by_trial(void)
{
	g_autoptr(GRand) random = g_rand_new_with_seed(1);

	for (int i = 0; i < 200000; i++) {
		double whole =
			floor(g_rand_double_range(random, 0, pow(10, g_rand_int_range(random, 1, 17))));

		assert_same(whole / pow(10, g_rand_int_range(random, 0, 22)));
		assert_same(whole / pow(2, g_rand_int_range(random, 0, 24)));
		assert_same(whole / g_rand_int_range(random, 1, 1000000));
		assert_same(ldexp(g_rand_double(random), g_rand_int_range(random, -1000, 1000)));
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/decimal/these_are_worked_out_by_hand", these_are_worked_out_by_hand);
	g_test_add_func("/decimal/edges_and_their_neighbours_are_as_by_trial",
		edges_and_their_neighbours_are_as_by_trial);
	g_test_add_func("/decimal/decimals_quotients_and_any_numbers_are_as_by_trial",
		decimals_quotients_and_any_numbers_are_as_by_trial);
	return g_test_run();
}
