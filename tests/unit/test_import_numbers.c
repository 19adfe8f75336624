/* Printed numbers: what they are worth, how sure they are, and what is doubtful about them. */
#include "numbers.h"

#include <glib.h>
#include <math.h>

static void expect(const char *text, enum number_comma comma, double value, double error, size_t length)
{
	struct number number;

	g_assert_true(number_read(&number, text, comma));
	g_assert_cmpstr(number.problem, ==, NULL);
	g_assert_cmpfloat(number.value, ==, value);
	g_assert_cmpfloat_with_epsilon(number.error, error, error * 1e-9);
	g_assert_cmpuint(number.length, ==, length);
}

static void expect_problem(const char *text, enum number_comma comma, const char *problem)
{
	struct number number;

	g_assert_true(number_read(&number, text, comma));
	g_assert_nonnull(number.problem);
	g_assert_nonnull(g_strrstr(number.problem, problem));
}

static void reads_digits(void)
{
	expect("912.347", NUMBER_COMMA_UNKNOWN, 912.347, 0.0005, 7);
	expect("12", NUMBER_COMMA_UNKNOWN, 12, 0.5, 2);
	expect("0.50 s", NUMBER_COMMA_UNKNOWN, 0.5, 0.005, 4);
	expect("28365.8.", NUMBER_COMMA_UNKNOWN, 28365.8, 0.05, 7); /* a full stop of the sentence */
	expect("5, then", NUMBER_COMMA_UNKNOWN, 5, 0.5, 1);
	expect("1.5e-3", NUMBER_COMMA_UNKNOWN, 0.0015, 0.00005, 6);
	expect("2e6", NUMBER_COMMA_UNKNOWN, 2000000, 500000, 3);
	expect("+7", NUMBER_COMMA_UNKNOWN, 7, 0.5, 2);
}

static void reads_commas_between_thousands_where_a_point_proves_them(void)
{
	expect("6,084.83", NUMBER_COMMA_UNKNOWN, 6084.83, 0.005, 8);
	expect("1,234,567", NUMBER_COMMA_UNKNOWN, 1234567, 0.5, 9);
	expect("31,670", NUMBER_COMMA_GROUPS, 31670, 0.5, 6);
}

static void doubts_a_single_comma(void)
{
	expect_problem("31,670", NUMBER_COMMA_UNKNOWN, "between thousands or before decimals");
	expect_problem("1,23", NUMBER_COMMA_UNKNOWN, "a digit is lost");
	expect_problem("1,23", NUMBER_COMMA_GROUPS, "a digit is lost");
}

static void reads_decimal_commas_where_they_are_proved(void)
{
	expect("690,1", NUMBER_COMMA_DECIMAL, 690.1, 0.05, 5);
	expect("3.002,35", NUMBER_COMMA_DECIMAL, 3002.35, 0.005, 8);
	expect("1.234", NUMBER_COMMA_DECIMAL, 1234, 0.5, 5);
}

static void refuses_separators_that_no_number_has(void)
{
	expect_problem("5.5.4", NUMBER_COMMA_UNKNOWN, "separators");
	expect_problem("1,23,456", NUMBER_COMMA_UNKNOWN, "separators");
	expect_problem("12,34.5", NUMBER_COMMA_UNKNOWN, "separators");
}

static void tells_what_is_no_measurement(void)
{
	expect_problem("0.000", NUMBER_COMMA_UNKNOWN, "zero");
	expect_problem("-4", NUMBER_COMMA_UNKNOWN, "negative");
	expect_problem("inf", NUMBER_COMMA_UNKNOWN, "infinite");
	expect_problem("-Infinity", NUMBER_COMMA_UNKNOWN, "infinite");
	expect_problem("nan", NUMBER_COMMA_UNKNOWN, "not a number");
	expect_problem("1e999", NUMBER_COMMA_UNKNOWN, "too large");
	expect_problem("11111111111111111111111111111111111111111111111111", NUMBER_COMMA_UNKNOWN, "digits");
}

static void keeps_the_interval_of_zero(void)
{
	struct number number;

	/* 0.000 may be anything up to 0.0005. */
	g_assert_true(number_read(&number, "0.000", NUMBER_COMMA_UNKNOWN));
	g_assert_cmpfloat(number.value, ==, 0);
	g_assert_cmpfloat_with_epsilon(number.error, 0.0005, 1e-12);
}

static void begins_with_a_number_or_not(void)
{
	struct number number;

	g_assert_false(number_read(&number, "", NUMBER_COMMA_UNKNOWN));
	g_assert_false(number_read(&number, "N/A", NUMBER_COMMA_UNKNOWN));
	g_assert_false(number_read(&number, ".5", NUMBER_COMMA_UNKNOWN));
	g_assert_false(number_read(&number, "information", NUMBER_COMMA_UNKNOWN));
	g_assert_false(number_read(&number, "-", NUMBER_COMMA_UNKNOWN));
}

static void proves_what_commas_are(void)
{
	g_assert_cmpint(number_proof("950.00"), ==, NUMBER_COMMA_GROUPS);
	g_assert_cmpint(number_proof("1,242.28"), ==, NUMBER_COMMA_GROUPS);
	g_assert_cmpint(number_proof("1.242,28"), ==, NUMBER_COMMA_DECIMAL);
	g_assert_cmpint(number_proof("1.242"), ==, NUMBER_COMMA_UNKNOWN);
	g_assert_cmpint(number_proof("31,670"), ==, NUMBER_COMMA_UNKNOWN);
	g_assert_cmpint(number_proof("24"), ==, NUMBER_COMMA_UNKNOWN);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/import_numbers/reads_digits", reads_digits);
	g_test_add_func("/import_numbers/reads_commas_between_thousands_where_a_point_proves_them",
		reads_commas_between_thousands_where_a_point_proves_them);
	g_test_add_func("/import_numbers/doubts_a_single_comma", doubts_a_single_comma);
	g_test_add_func("/import_numbers/reads_decimal_commas_where_they_are_proved",
		reads_decimal_commas_where_they_are_proved);
	g_test_add_func("/import_numbers/refuses_separators_that_no_number_has",
		refuses_separators_that_no_number_has);
	g_test_add_func("/import_numbers/tells_what_is_no_measurement", tells_what_is_no_measurement);
	g_test_add_func("/import_numbers/keeps_the_interval_of_zero", keeps_the_interval_of_zero);
	g_test_add_func("/import_numbers/begins_with_a_number_or_not", begins_with_a_number_or_not);
	g_test_add_func("/import_numbers/proves_what_commas_are", proves_what_commas_are);
	return g_test_run();
}
