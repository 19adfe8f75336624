#include "slope.h"

#include <glib.h>
#include <math.h>

static void assert_near(double a, double b, double share)
{
	if (!(fabs(a - b) <= share * fabs(b)))
		g_error("%.17g is not %.17g", a, b);
}

/* The two-sided 5 % points of Student's t, as tables print them. */
static void students_t_is_that_of_the_tables(void)
{
	static const double points[] = {
		12.7062, 4.30265, 3.18245, 2.77645, 2.57058, 2.44691, 2.36462, 2.30600, 2.26216, 2.22814};

	for (size_t i = 0; i < G_N_ELEMENTS(points); i++)
		assert_near(slope_student(points[i], i + 1), 0.95, 1e-6);
	/* With one degree it is Cauchy's: half lies within 1. */
	assert_near(slope_student(1, 1), 0.5, 1e-12);
	g_assert_cmpfloat(slope_student(0, 7), ==, 0);
}

/* 20 a call and 3 a byte, to the last digit. */
static void a_line_is_found_as_it_is(void)
{
	static const double bytes[] = {16, 64, 256, 1024}, costs[] = {68, 212, 788, 3092};
	struct slope slope;

	g_assert_true(slope_fit(&slope, bytes, costs, 4, 0.95));
	g_assert_cmpuint(slope.points, ==, 4);
	assert_near(slope.per_byte.value, 3, 1e-12);
	assert_near(slope.per_call.value, 20, 1e-10);
	assert_near(slope.per_byte.interval.low, 3, 1e-6);
	assert_near(slope.per_call.interval.high, 20, 1e-5);
}

/* By the normal equations in fractions (Python's), weights 1/y^2: slope 0.93119882690653549 with standard
 * error 0.068809688822559, intercept 77.199167575963680 with 8.9832431674111270; t of 3 degrees is 3.1824463.
 */
static void a_scattered_line_has_the_intervals_of_regression(void)
{
	static const double bytes[] = {16, 64, 256, 1024, 8192}, costs[] = {100, 130, 280, 1100, 8300};
	struct slope slope;

	g_assert_true(slope_fit(&slope, bytes, costs, 5, 0.95));
	assert_near(slope.per_byte.value, 0.93119882690653549, 1e-12);
	assert_near(slope.per_call.value, 77.199167575963680, 1e-12);
	assert_near(slope.per_byte.interval.high - slope.per_byte.value, 3.1824463 * 0.068809688822559, 1e-7);
	assert_near(slope.per_call.value - slope.per_call.interval.low, 3.1824463 * 8.9832431674111270, 1e-7);
	g_assert_cmpfloat(slope.per_call.interval.coverage, ==, 0.95);
}

static void two_points_have_no_interval(void)
{
	static const double bytes[] = {16, 1024}, costs[] = {36, 1044};
	struct slope slope;

	g_assert_true(slope_fit(&slope, bytes, costs, 2, 0.95));
	assert_near(slope.per_byte.value, 1, 1e-12);
	assert_near(slope.per_call.value, 20, 1e-10);
	g_assert_true(isinf(slope.per_byte.interval.high));
	g_assert_cmpfloat(slope.per_byte.interval.coverage, ==, 1);
}

static void fewer_than_two_sizes_are_no_line(void)
{
	static const double same[] = {16, 16}, two[] = {16, 64}, costs[] = {30, 31}, none[] = {30, 0};
	struct slope slope;

	g_assert_false(slope_fit(&slope, same, costs, 2, 0.95));
	g_assert_false(slope_fit(&slope, two, costs, 1, 0.95));
	g_assert_false(slope_fit(&slope, two, costs, 0, 0.95));
	g_assert_false(slope_fit(&slope, two, none, 2, 0.95));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/slope/students_t_is_that_of_the_tables", students_t_is_that_of_the_tables);
	g_test_add_func("/slope/a_line_is_found_as_it_is", a_line_is_found_as_it_is);
	g_test_add_func("/slope/a_scattered_line_has_the_intervals_of_regression",
		a_scattered_line_has_the_intervals_of_regression);
	g_test_add_func("/slope/two_points_have_no_interval", two_points_have_no_interval);
	g_test_add_func("/slope/fewer_than_two_sizes_are_no_line", fewer_than_two_sizes_are_no_line);
	return g_test_run();
}
