#include "numbers.h"

#include <glib.h>
#include <math.h>
#include <string.h>

/* More digits than any tool prints; a longer run is rubbish. */
#define MOST_CHARACTERS 48

/* Groups of digits and the separators between them, as "1,242.28" is {1 3 2} and ",.". */
struct groups {
	size_t n; /* of digits */
	size_t digits[MOST_CHARACTERS];
	char separators[MOST_CHARACTERS];
	size_t length;
};

static void split_groups(struct groups *ret, const char *text)
{
	ret->n = ret->length = 0;
	while (ret->length < MOST_CHARACTERS && g_ascii_isdigit(text[ret->length])) {
		size_t n = strspn(text + ret->length, "0123456789");
		ret->digits[ret->n++] = n;
		ret->length += n;
		char separator = text[ret->length];
		if ((separator != ',' && separator != '.') || !g_ascii_isdigit(text[ret->length + 1]))
			return;
		ret->separators[ret->n - 1] = separator;
		ret->length++;
	}
}

/* Whether the first n groups are thousands. */
static bool are_thousands(const struct groups *groups, size_t n)
{
	if (groups->digits[0] > 3)
		return false;
	for (size_t i = 1; i < n; i++)
		if (groups->digits[i] != 3 || (i > 1 && groups->separators[i - 1] != groups->separators[0]))
			return false;
	return true;
}

/* How many groups stand behind the decimal separator, 0 or 1; -1 with the reason where that is not to be
 * known. */
static int find_decimals(const struct groups *groups, enum number_comma comma, const char **ret_problem)
{
	size_t n = groups->n;

	if (n == 1)
		return 0;
	char last = groups->separators[n - 2];
	char decimal = comma == NUMBER_COMMA_DECIMAL ? ',' : '.';
	bool mixed = n > 2 && groups->separators[0] != last;
	if (mixed && last == ',' && comma == NUMBER_COMMA_UNKNOWN)
		decimal = ',';
	if (last == decimal && (n == 2 || (mixed && are_thousands(groups, n - 1))))
		return 1;
	bool thousands = last != decimal && !mixed && are_thousands(groups, n);
	if (thousands && (n > 2 || comma != NUMBER_COMMA_UNKNOWN))
		return 0;
	*ret_problem = thousands ? "the comma may stand between thousands or before decimals"
		       : n == 2	 ? "the comma may stand before decimals, or a digit is lost"
				 : "separators that no number has";
	return -1;
}

static size_t read_exponent(int *ret, const char *text)
{
	size_t sign = text[0] != '\0' && (text[1] == '+' || text[1] == '-');

	*ret = 0;
	if ((text[0] != 'e' && text[0] != 'E') || !g_ascii_isdigit(text[1 + sign]))
		return 0;
	size_t n = strspn(text + 1 + sign, "0123456789");
	*ret = n > 3 ? 1000 : (int)g_ascii_strtoll(text + 1, NULL, 10);
	return 1 + sign + n;
}

/* Powers of ten that a double holds exactly. */
static const double tens[] = {
	1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
/* As many digits are a whole number that a double holds exactly. */
#define EXACT_DIGITS 15

static double power_of_ten(int exponent)
{
	if (exponent >= 0 && exponent < (int)G_N_ELEMENTS(tens))
		return tens[exponent];
	return pow(10, exponent);
}

/* The digits with a point before the decimals: of few digits a quotient of two exact numbers, which is
 * rounded but once. */
static double value_of(const char *text, const struct groups *groups, int decimals)
{
	char plain[2 * MOST_CHARACTERS];
	size_t at = 0, from = 0;
	double whole = 0;

	for (size_t i = 0; groups->length <= EXACT_DIGITS && i < groups->length; i++)
		whole = g_ascii_isdigit(text[i]) ? whole * 10 + g_ascii_digit_value(text[i]) : whole;
	if (groups->length <= EXACT_DIGITS)
		return whole / tens[decimals ? groups->digits[groups->n - 1] : 0];
	for (size_t i = 0; i < groups->n; i++) {
		if (decimals && i + 1 == groups->n)
			plain[at++] = '.';
		memcpy(plain + at, text + from, groups->digits[i]);
		at += groups->digits[i];
		from += groups->digits[i] + 1;
	}
	plain[at] = '\0';
	return g_ascii_strtod(plain, NULL);
}

static bool read_word(struct number *ret, const char *text, size_t signs)
{
	static const struct {
		const char *word, *problem;
	} words[] = {{"infinity", "infinite"}, {"inf", "infinite"}, {"nan", "not a number"}};

	for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
		size_t n = strlen(words[i].word);
		if (g_ascii_strncasecmp(text + signs, words[i].word, n) != 0 ||
			g_ascii_isalnum(text[signs + n]))
			continue;
		*ret = (struct number){.value = (double)NAN,
			.error = (double)NAN,
			.length = signs + n,
			.problem = words[i].problem};
		return true;
	}
	return false;
}

static bool read_any(struct number *ret, const char *text, enum number_comma comma)
{
	size_t signs = *text == '-' || *text == '+';
	const char *digits = text + signs;
	struct groups groups;
	int exponent;

	if (read_word(ret, text, signs))
		return true;
	if (!g_ascii_isdigit(*digits))
		return false;
	split_groups(&groups, digits);
	*ret = (struct number){.value = (double)NAN, .error = (double)NAN};
	int decimals = find_decimals(&groups, comma, &ret->problem);
	ret->doubtful = decimals < 0;
	ret->length = signs + groups.length;
	if (groups.length >= MOST_CHARACTERS)
		ret->problem = "more digits than a measured value has";
	if (ret->problem)
		return true;
	ret->length += read_exponent(&exponent, digits + groups.length);
	size_t places = decimals ? groups.digits[groups.n - 1] : 0;
	ret->value = value_of(digits, &groups, decimals) * power_of_ten(exponent);
	ret->error = exponent == 0 && places < G_N_ELEMENTS(tens) ? 0.5 / tens[places]
								  : 0.5 * pow(10, exponent - (int)places);
	if (*text == '-')
		ret->value = -ret->value;
	if (!isfinite(ret->value)) {
		ret->value = ret->error = (double)NAN;
		ret->problem = "too large";
	} else if (ret->value < 0)
		ret->problem = "negative";
	else if (ret->value == 0)
		ret->problem = "zero";
	return true;
}

bool number_read(struct number *ret, const char *text, enum number_comma comma)
{
	if (!read_any(ret, text, comma))
		return false;
	g_strlcpy(ret->printed, text, MIN(sizeof ret->printed, ret->length + 1));
	return true;
}

enum number_comma number_proof(const char *text)
{
	struct groups groups;

	split_groups(&groups, text + (*text == '-' || *text == '+'));
	if (groups.n < 2)
		return NUMBER_COMMA_UNKNOWN;
	char last = groups.separators[groups.n - 2];
	bool mixed = groups.n > 2 && groups.separators[0] != last;
	if (mixed && are_thousands(&groups, groups.n - 1))
		return last == '.' ? NUMBER_COMMA_GROUPS : NUMBER_COMMA_DECIMAL;
	/* A single point before other than three digits cannot stand between thousands. */
	if (groups.n == 2 && last == '.' && (groups.digits[1] != 3 || groups.digits[0] > 3))
		return NUMBER_COMMA_GROUPS;
	return NUMBER_COMMA_UNKNOWN;
}
