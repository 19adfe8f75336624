#include "wolfcrypt_line.h"

#include <glib.h>
#include <string.h>

#define COMMA NUMBER_COMMA_UNKNOWN

static const char *const byte_units[] = {
	"bytes", "KiB", "MiB", "GiB", "kiB", "miB", "KB", "MB", "GB", "kB", "mB", NULL};

/* What an amount of bytes and one of operations have behind it. */
struct form {
	const char *const *time_units, *const *rate_units;
	const char *averages[2]; /* what an average is announced by */
	const char *per;	 /* behind the unit of a rate */
};
static const struct form bulk_form = {
	(const char *const[]){"seconds", "microseconds", "秒で処理", NULL}, byte_units, {NULL, NULL}, "/"};
static const struct form key_form = {
	(const char *const[]){"sec", "seconds", "μsec", "µsec", "秒で実施", NULL},
	(const char *const[]){"ops/sec", "ops/μsec", "ops/µsec", "処理/秒", NULL}, {" avg ", " 平均 "}, ""};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool ends_or_has(const char *text, const char *those)
{
	return *text == '\0' || strchr(those, *text);
}

/* --- forwards, from the time --- */

/* Takes the word of the list that the text goes on with; NULL where none is followed by one of `after` or the
 * end. */
static const char *take_word(const char **text, const char *const *words, const char *after)
{
	for (; *words; words++) {
		size_t n = strlen(*words);
		if (strncmp(*text, *words, n) == 0 && ends_or_has(*text + n, after)) {
			*text += n;
			return *words;
		}
	}
	return NULL;
}

/* Takes what stands in a number's place and the blank behind it. False where nothing does; *ret_number says
 * whether it is one. */
static bool take_number(const char **text, struct number *ret, bool *ret_number)
{
	size_t n = strspn(*text, "0123456789.,abcdefghijklmnopqrstuvwxyz");

	if (n == 0 || (*text)[n] != ' ')
		return false;
	*ret_number = number_read(ret, *text, COMMA) && ret->length == n;
	*text += n + 1;
	return true;
}

/* " avg 4.002 ms," */
static void take_average(const char **text, struct wolfcrypt_line *ret, const struct form *form)
{
	for (size_t i = 0; i < G_N_ELEMENTS(form->averages); i++) {
		const char *word = form->averages[i], *at = *text;
		bool is_number;
		if (!word || !g_str_has_prefix(at, word))
			continue;
		at += strlen(word);
		if (!take_number(&at, &ret->average, &is_number) || !g_str_has_prefix(at, "ms,"))
			continue;
		ret->has_average = is_number;
		*text = at + strlen("ms,");
		return;
	}
}

static bool take_rate(const char *text, struct wolfcrypt_line *ret, const struct form *form)
{
	bool is_number;

	take_average(&text, ret, form);
	size_t blanks = strspn(text, " ");
	text += blanks;
	if (blanks == 0 || !take_number(&text, &ret->rate, &is_number))
		return false;
	ret->damaged |= !is_number;
	ret->rate_unit = take_word(&text, form->rate_units, *form->per ? form->per : " ,");
	if (!ret->rate_unit || !g_str_has_prefix(text, form->per))
		return false;
	text += strlen(form->per);
	if (*form->per && !take_word(&text, (const char *const[]){"s", "sec", NULL}, " ,"))
		return false;
	ret->rest = *text ? text : NULL;
	return true;
}

/* All behind "took". */
static bool take_time(const char *text, struct wolfcrypt_line *ret, const struct form *form)
{
	bool is_number;

	if (!is_blank(*text))
		return false;
	while (is_blank(*text))
		text++;
	if (!take_number(&text, &ret->time, &is_number))
		return false;
	ret->damaged |= !is_number;
	ret->time_unit = take_word(&text, form->time_units, ", |");
	if (!ret->time_unit)
		return false;
	if (*text == ',')
		return take_rate(text + 1, ret, form);
	text += strspn(text, " ");
	return *text == '\0' || strcmp(text, "|") == 0;
}

/* --- backwards, from the amount --- */

/* Where the blanks before `end` begin. */
static size_t before_blanks(const char *text, size_t end)
{
	while (end > 0 && is_blank(text[end - 1]))
		end--;
	return end;
}

/* The name that ends somewhere before `end`: a bar may stand between, and one before it. */
static bool find_name(struct wolfcrypt_line *ret, const char *text, size_t end)
{
	size_t stop = before_blanks(text, end), start = *text == '|';

	if (stop > 0 && text[stop - 1] == '|')
		end = stop - 1;
	stop = before_blanks(text, end);
	start += strspn(text + start, " ");
	if (stop == end || start >= stop || is_blank(text[start]) || memchr(text + start, '|', stop - start))
		return false;
	ret->name = text + start;
	ret->name_length = stop - start;
	return true;
}

static bool find_device_and_name(struct wolfcrypt_line *ret, const char *text, size_t end)
{
	static const char *const devices[] = {"SW", "HW"};
	size_t stop = before_blanks(text, end);

	for (size_t i = 0; i < G_N_ELEMENTS(devices) && stop < end && stop > 2; i++) {
		ret->device = devices[i];
		if (strncmp(text + stop - 2, devices[i], 2) == 0 && find_name(ret, text, stop - 2))
			return true;
	}
	ret->device = NULL;
	return find_name(ret, text, end);
}

/* The amount that ends at `end`, and what stands before it. */
static bool find_amount(struct wolfcrypt_line *ret, const char *text, size_t end)
{
	size_t start = end;

	while (start > 0 && (g_ascii_isdigit(text[start - 1]) || (ret->unit && text[start - 1] == '.')))
		start--;
	if (start == end)
		return false;
	ret->damaged |= !number_read(&ret->amount, text + start, COMMA) || ret->amount.length != end - start;
	ret->amount_end = end;
	return find_device_and_name(ret, text, start);
}

/* `took` is where "took" or what stands for it begins; it stands behind a blank. */
static bool find_unit(struct wolfcrypt_line *ret, const char *text, size_t took, const struct form **ret_form)
{
	size_t end = took - 1, start = end;

	while (start > 0 && g_ascii_isalpha(text[start - 1]))
		start--;
	*ret_form = &key_form;
	if (strncmp(text + start, "op ", 3) == 0 || strncmp(text + start, "ops ", 4) == 0)
		return start > 1 && text[start - 1] == ' ' && find_amount(ret, text, start - 1);
	const char *at = text + start;
	*ret_form = &bulk_form;
	ret->unit = take_word(&at, byte_units, " ");
	return ret->unit && start > 1 && text[start - 1] == ' ' && find_amount(ret, text, start - 1);
}

static bool read_at(struct wolfcrypt_line *ret, const char *text, size_t took, size_t length)
{
	static const char operations[] = "回処理";
	const struct form *form;
	size_t n = strlen(operations);

	*ret = (struct wolfcrypt_line){0};
	if (took > n && strncmp(text + took - n, operations, n) == 0)
		return text[took - n - 1] == ' ' && find_amount(ret, text, took - n - 1) &&
		       take_time(text + took + length, ret, &key_form);
	return took > 0 && text[took - 1] == ' ' && find_unit(ret, text, took, &form) &&
	       take_time(text + took + length, ret, form);
}

bool wolfcrypt_line_read(struct wolfcrypt_line *ret, const char *text)
{
	static const char *const words[] = {"took", "を"};

	for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
		size_t length = strlen(words[i]);
		for (const char *at = strstr(text, words[i]); at; at = strstr(at + length, words[i]))
			if (read_at(ret, text, (size_t)(at - text), length))
				return true;
	}
	return false;
}
