#include "diag.h"

#include <gio/gio.h>
#include <string.h>

static const char *const flags[] = {
	"fastmath", "fasthugemath", "heapmath", "sp", "sp-asm", "armasm", "TFM_NO_ASM", NULL};

static void finds_the_word_that_was_meant(void)
{
	g_assert_cmpstr(diag_nearest("fastmat", flags), ==, "fastmath");      /* a letter short */
	g_assert_cmpstr(diag_nearest("fastmaths", flags), ==, "fastmath");    /* one too many */
	g_assert_cmpstr(diag_nearest("fstamath", flags), ==, "fastmath");     /* 2 of 8 */
	g_assert_cmpstr(diag_nearest("FASTMATH", flags), ==, "fastmath");     /* case does not count */
	g_assert_cmpstr(diag_nearest("tfm-no-asm", flags), ==, "TFM_NO_ASM"); /* 2 of 10 */
	g_assert_cmpstr(diag_nearest("armams", flags), ==, "armasm"); /* neighbours exchanged: 1 of 6 */
}

static void counts_an_exchange_of_neighbours_as_one(void)
{
	const char *const known[] = {"abc", NULL};

	g_assert_cmpstr(diag_nearest("acb", known), ==, "abc"); /* 1 of 3 is just a third */
	g_assert_null(diag_nearest("cba", known));		/* 2 of 3 */
}

static void finds_nothing_where_nothing_is_near(void)
{
	const char *const none[] = {NULL};
	const char *const invalid[] = {"\xff\xfe", NULL};

	g_assert_null(diag_nearest("s", flags)); /* 1 of 2 letters */
	g_assert_null(diag_nearest("", flags));
	g_assert_null(diag_nearest("chacha20", flags));
	g_assert_null(diag_nearest("sp", none));
	g_assert_null(diag_nearest("\xff\xfe", invalid));
	g_autofree char *long_word = g_strnfill(100000, 'a');
	g_assert_null(diag_nearest(long_word, flags));
}

static void prefers_the_nearer_and_then_the_first(void)
{
	const char *const known[] = {"aes-128-cbd", "aes-128-cbc", "aes-128-cbe", NULL};

	g_assert_cmpstr(diag_nearest("aes-128-cbc", known), ==, "aes-128-cbc");
	g_assert_cmpstr(diag_nearest("aes-128-cbx", known), ==, "aes-128-cbd");
}

static void counts_letters_and_not_bytes(void)
{
	const char *const known[] = {"größe", NULL};

	g_assert_cmpstr(diag_nearest("grösse", known), ==, "größe");
	g_assert_cmpstr(diag_nearest("GRÖßE", known), ==, "größe");
}

static void sets_code_and_message(void)
{
	g_autoptr(GError) error = NULL;

	g_assert_false(diag_set(&error, DIAG_LACKS, "install %s, %d%%", "gcc", 5));
	g_assert_error(error, DIAG_ERROR, DIAG_LACKS);
	g_assert_cmpstr(error->message, ==, "install gcc, 5%");
	g_assert_false(diag_set(NULL, DIAG_INPUT, "nobody hears it"));
}

static void knows_the_exit_status_of_any_error(void)
{
	g_autoptr(GError) ours = g_error_new(DIAG_ERROR, DIAG_INPUT, "x");
	g_autoptr(GError) foreign = g_error_new(G_IO_ERROR, G_IO_ERROR_BUSY, "x");

	g_assert_cmpint(diag_exit_status(ours), ==, 4);
	g_assert_cmpint(diag_exit_status(foreign), ==, 1);
}

static void assert_printable(const char *bytes, gssize length, const char *expected)
{
	g_autofree char *text = diag_printable(bytes, length);

	g_assert_cmpstr(text, ==, expected);
}

static void shows_what_would_move_the_cursor(void)
{
	assert_printable("a\tb\nc", -1, "a\tb\nc");
	assert_printable("\x1b[2Jx\r\x7f", -1, "\\x1b[2Jx\\x0d\\x7f");
	assert_printable("a\0b", 3, "a\\x00b");
	assert_printable("\xc2\x9b", -1, "\\u009b"); /* a control sequence introducer of one character */
}

static void shows_what_is_not_utf8(void)
{
	assert_printable("caf\xc3\xa9 \xe2\x82\xac", -1, "caf\xc3\xa9 \xe2\x82\xac");
	assert_printable("caf\xe9", -1, "caf\\xe9");
	assert_printable("\xe2\x82", 2, "\\xe2\\x82");		 /* cut within a character */
	assert_printable("\xe2\x82\xac", 2, "\\xe2\\x82");	 /* the rest is beyond the length */
	assert_printable("\xc0\xaf", -1, "\\xc0\\xaf");		 /* overlong */
	assert_printable("\xed\xa0\x80", -1, "\\xed\\xa0\\x80"); /* a surrogate */
	assert_printable("", 0, "");
}

static void shows_what_would_reverse_the_text(void)
{
	assert_printable("a\xe2\x80\xae"
			 "b",
		-1, "a\\u202eb");
	assert_printable("a\xe2\x81\xa6"
			 "b",
		-1, "a\\u2066b");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/diag/" #name, name)
	TEST(finds_the_word_that_was_meant);
	TEST(counts_an_exchange_of_neighbours_as_one);
	TEST(finds_nothing_where_nothing_is_near);
	TEST(prefers_the_nearer_and_then_the_first);
	TEST(counts_letters_and_not_bytes);
	TEST(sets_code_and_message);
	TEST(knows_the_exit_status_of_any_error);
	TEST(shows_what_would_move_the_cursor);
	TEST(shows_what_is_not_utf8);
	TEST(shows_what_would_reverse_the_text);
	return g_test_run();
}
