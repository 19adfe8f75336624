#include "decimal.h"

#include <glib.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Fifteen digits survive being read as a double and printed again, whatever they are. */
#define SAFE 1e15

/* 10 to the power of `places`, exactly as long as that is possible. */
static const double powers[] = {
	1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18};

/* The digits with a point before the last `places` of them. */
static void put_point(char ret[DECIMAL_SIZE], bool negative, uint64_t digits, size_t places)
{
	char text[DECIMAL_SIZE];
	size_t n = (size_t)g_snprintf(text, sizeof text, "%0*" PRIu64, (int)places + 1, digits);
	size_t whole = n - places;

	if (negative)
		*ret++ = '-';
	memcpy(ret, text, whole);
	ret += whole;
	if (places > 0)
		*ret++ = '.';
	memcpy(ret, text + whole, places + 1);
}

/* Counts, blocks and most quotients of them are decimals of few digits, which need no printing by trial. What
 * would be printed with an exponent is left to that. */
static bool print_short(char ret[DECIMAL_SIZE], double number)
{
	double size = fabs(number);

	if (!(size >= 1e-4 && size < SAFE))
		return false;
	for (size_t places = 0; places < G_N_ELEMENTS(powers); places++) {
		double digits = floor(size * powers[places] + 0.5);

		if (digits >= SAFE)
			return false;
		if (digits / powers[places] == size) {
			put_point(ret, number < 0, (uint64_t)digits, places);
			return true;
		}
	}
	return false;
}

void decimal_shortest(char ret[DECIMAL_SIZE], double number)
{
	static const char *const formats[] = {"%.15g", "%.16g", "%.17g"};

	if (print_short(ret, number))
		return;
	for (size_t i = 0; i < G_N_ELEMENTS(formats); i++) {
		g_ascii_formatd(ret, DECIMAL_SIZE, formats[i], number);
		if (g_ascii_strtod(ret, NULL) == number)
			return;
	}
}
