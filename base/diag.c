#include "diag.h"

#include <string.h>

/* Longer words are nobody's typing error, and the comparison is quadratic. */
#define LONGEST_WORD 64

GQuark diag_error_quark(void)
{
	return g_quark_from_static_string("benchmatrix");
}

bool diag_set(GError **err, enum diag_code code, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	if (err)
		*err = g_error_new_valist(DIAG_ERROR, (int)code, format, arguments);
	va_end(arguments);
	return false;
}

int diag_exit_status(const GError *err)
{
	return err->domain == DIAG_ERROR ? err->code : DIAG_FAILED;
}

/* One cell of the table: the least of deletion, insertion, substitution and exchange of neighbours. */
static long distance_cell(
	long row[][LONGEST_WORD + 1], const gunichar *a, const gunichar *b, glong i, glong j)
{
	long cost = a[i - 1] == b[j - 1] ? 0 : 1;
	long best = MIN(row[i - 1][j] + 1, row[i][j - 1] + 1);

	best = MIN(best, row[i - 1][j - 1] + cost);
	if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
		best = MIN(best, row[i - 2][j - 2] + 1);
	return best;
}

static long distance(const gunichar *a, glong a_length, const gunichar *b, glong b_length)
{
	long row[LONGEST_WORD + 1][LONGEST_WORD + 1];

	for (glong i = 0; i <= a_length; i++)
		row[i][0] = i;
	for (glong j = 0; j <= b_length; j++)
		row[0][j] = j;
	for (glong i = 1; i <= a_length; i++)
		for (glong j = 1; j <= b_length; j++)
			row[i][j] = distance_cell(row, a, b, i, j);
	return row[a_length][b_length];
}

/* Case-folded characters, or NULL for what is no word: not UTF-8, or too long. */
static gunichar *folded(const char *word, glong *ret_length)
{
	if (!g_utf8_validate(word, -1, NULL))
		return NULL;

	g_autofree char *text = g_utf8_casefold(word, -1);
	gunichar *letters = g_utf8_to_ucs4_fast(text, -1, ret_length);
	if (*ret_length > LONGEST_WORD)
		g_clear_pointer(&letters, g_free);
	return letters;
}

const char *diag_nearest(const char *word, const char *const *known)
{
	glong length;
	g_autofree gunichar *letters = folded(word, &length);
	const char *nearest = NULL;
	long best = LONGEST_WORD + 1;

	if (!letters)
		return NULL;
	for (; *known; known++) {
		glong other_length;
		g_autofree gunichar *other = folded(*known, &other_length);
		if (!other)
			continue;
		long d = distance(letters, length, other, other_length);
		if (d < best && d * 3 <= MAX(length, other_length)) {
			best = d;
			nearest = *known;
		}
	}
	return nearest;
}

/* Reorders or hides what follows it, so that a text reads otherwise than it is. */
static bool is_bidirectional_control(gunichar c)
{
	return c == 0x061c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) ||
	       (c >= 0x2066 && c <= 0x2069);
}

/* Appends the character at `at` and returns the bytes that it took. */
static gsize append_printable(GString *text, const char *at, gsize left)
{
	unsigned char byte = (unsigned char)*at;

	if (byte < 0x80) {
		if ((byte >= 0x20 && byte != 0x7f) || byte == '\n' || byte == '\t')
			g_string_append_c(text, *at);
		else
			g_string_append_printf(text, "\\x%02x", byte);
		return 1;
	}

	gunichar c = g_utf8_get_char_validated(at, (gssize)left);
	if (c == (gunichar)-1 || c == (gunichar)-2) {
		g_string_append_printf(text, "\\x%02x", byte);
		return 1;
	}
	gsize taken = (gsize)(g_utf8_next_char(at) - at);
	if (c < 0xa0 || is_bidirectional_control(c))
		g_string_append_printf(text, "\\u%04x", c);
	else
		g_string_append_len(text, at, (gssize)taken);
	return taken;
}

char *diag_printable(const char *bytes, gssize length)
{
	gsize end = length < 0 ? strlen(bytes) : (gsize)length;
	GString *text = g_string_sized_new(end);

	for (gsize at = 0; at < end;)
		at += append_printable(text, bytes + at, end - at);
	return g_string_free(text, FALSE);
}
