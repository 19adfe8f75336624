/* Lines of documents in any encoding, and which importer a document is for. */
#include "import_harness.h"
#include "line_body.h"

/* cyassl tells prose as OTHER: its text is the line. */
static GPtrArray *lines_of(const char *bytes, size_t length)
{
	return told_in_pieces("cyassl", bytes, length, 3);
}

static void expect_lines(const char *bytes, size_t length, const char *const *lines)
{
	g_autoptr(GPtrArray) all = lines_of(bytes, length);

	for (guint i = 0; lines[i]; i++) {
		const struct import_record *record = told_at(all, IMPORT_OTHER, i);
		g_assert_cmpstr(record->text, ==, lines[i]);
		g_assert_cmpuint(record->line, ==, i + 1);
	}
	g_assert_cmpuint(all->len, ==, g_strv_length((char **)lines));
}

#define EXPECT_LINES(bytes, ...)                                                                             \
	expect_lines(bytes, sizeof(bytes) - 1, (const char *const[]){__VA_ARGS__, NULL})

static void cuts_lines_at_every_kind_of_end(void)
{
	EXPECT_LINES("a\nb\r\nc\rd", "a", "b", "c", "d");
	EXPECT_LINES("a\n\nb\r\n\r\n", "a", "", "b", "");
}

static void reads_utf_16_by_its_mark(void)
{
	EXPECT_LINES("\xff\xfe"
		     "a\0\xe9\0\n\0b\0",
		"a\xc3\xa9", "b");
	EXPECT_LINES("\xfe\xff\0a\0\n\xd8\x3d\xde\x00", "a", "\xf0\x9f\x98\x80");
	/* Half of a pair, and half of a unit at the end. */
	EXPECT_LINES("\xff\xfe\x3d\xd8"
		     "a\0b",
		"\xef\xbf\xbd"
		"a\xef\xbf\xbd");
}

static void takes_the_mark_of_utf_8_off(void)
{
	EXPECT_LINES("\xef\xbb\xbf"
		     "a\n",
		"a");
	EXPECT_LINES("\xef\xbb", "\xc3\xaf\xc2\xbb"); /* no mark: Latin-1 */
}

static void reads_latin_1_where_bytes_are_no_utf_8(void)
{
	EXPECT_LINES("\xb5s\n\xc2\xb5s\n", "\xc2\xb5s", "\xc2\xb5s");
}

static void takes_colours_and_nuls_out(void)
{
	EXPECT_LINES("\033[1;32mAES\033[0m\0 5\n\033]0;title\007x\n", "AES 5", "x");
}

static void skips_a_line_that_is_too_long(void)
{
	g_autofree char *text = g_malloc(70002);

	memset(text, 'x', 70000);
	memcpy(text + 70000, "\nb", 2);
	g_autoptr(GPtrArray) all = told_in_pieces("cyassl", text, 70002, 1000);
	g_assert_cmpuint(all->len, ==, 2);
	g_assert_cmpstr(told_at(all, IMPORT_UNREAD, 0)->problem, ==, "longer than 64 KiB");
	g_assert_cmpuint(strlen(told_at(all, IMPORT_UNREAD, 0)->text), ==, 200);
	g_assert_cmpuint(told_at(all, IMPORT_OTHER, 0)->line, ==, 2);
}

static void expect_body(const char *text, const char *body)
{
	g_autoptr(GString) room = g_string_new("left by another line");

	g_assert_cmpstr(line_body(text, room), ==, body);
}

static void takes_off_what_stands_around_a_line(void)
{
	expect_body("  SHA  5 MB  ", "SHA  5 MB");
	expect_body("> SHA 5 MB", "SHA 5 MB");
	expect_body("  7. AES-128-CBC-enc 50 MB", "AES-128-CBC-enc 50 MB");
	expect_body("`EC-DHE key`", "EC-DHE key");
	expect_body("I (415) cpu_start: cpu freq: 160000000 Hz", "cpu freq: 160000000 Hz");
	expect_body("[1623112048.14][CONN][RXD]   AES-GCM-256 :        330 KB/s",
		"AES-GCM-256 :        330 KB/s");
	expect_body("[  662.875209] tcrypt: test", "tcrypt: test");
	expect_body("2024-05-01T10:00:00.1234567Z RNG 30 MiB", "RNG 30 MiB");
	expect_body("12:34:56.789 -> MD5 1 MB", "MD5 1 MB");
	expect_body("I/wolf ( 123): MD5 1 MB", "MD5 1 MB");
	expect_body("MD5\xc2\xa0 24", "MD5  24");
}

static void mends_links_in_numbers(void)
{
	expect_body("2[9](https://example.org/a#step:10:10).103 MiB/s", "29.103 MiB/s");
	expect_body("1.[11](https://example.org/a", "1.[11](https://example.org/a"); /* cut: left as it is */
}

static const char *recognised(const char *text)
{
	g_autofree char *seen = NULL;
	const struct importer *importer = import_recognise(&seen, text, strlen(text));

	g_assert_true((importer == NULL) == (seen != NULL));
	return importer ? importer->name : NULL;
}

static void recognises_a_document_by_its_lines(void)
{
	g_assert_cmpstr(recognised("AES 5 megs took 0.500 seconds, 9.99 MB/s"), ==, "cyassl");
	g_assert_cmpstr(recognised("SHA    10 MiB took 1.002 seconds, 9.675 MiB/s"), ==, "wolfcrypt");
	g_assert_cmpstr(recognised("AES-128 CBC Encrypt: 912.347 MB/s (36.58X)"), ==, "wolfssl-table");
	g_assert_cmpstr(
		recognised("sm3   8857.72k  31266.22k\ntype  16 bytes  64 bytes"), ==, "openssl-speed");
	g_assert_cmpstr(recognised("Algorithm    MiB/Sec Cycle/Byte"), ==, "cryptopp");
}

static void does_not_guess_a_document(void)
{
	g_assert_cmpstr(recognised(""), ==, NULL);
	g_assert_cmpstr(recognised("The quick brown fox took 3 seconds.\n"), ==, NULL);
	/* Sure of two formats, and of neither more. */
	g_assert_cmpstr(
		recognised("AES 5 megs took 0.500 seconds, 9.99 MB/s\nAlgorithm    MiB/Sec Cycle/Byte\n"), ==,
		NULL);
}

static void says_what_was_seen_where_it_does_not_know(void)
{
	g_autofree char *seen = NULL;

	g_assert_null(import_recognise(&seen, "Rx : 2.978 MB/s", 15));
	g_assert_cmpstr(seen, ==, "tls_bench 1 (unsure)");
}

static void knows_importers_by_name(void)
{
	for (size_t i = 0; importers[i]; i++) {
		g_assert_true(importer_find(importers[i]->name) == importers[i]);
		g_assert_true(importers[i]->summary[0] && importers[i]->instrument[0]);
	}
	g_assert_null(importer_find("wolfcrypt2"));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/import_reader/cuts_lines_at_every_kind_of_end", cuts_lines_at_every_kind_of_end);
	g_test_add_func("/import_reader/reads_utf_16_by_its_mark", reads_utf_16_by_its_mark);
	g_test_add_func("/import_reader/takes_the_mark_of_utf_8_off", takes_the_mark_of_utf_8_off);
	g_test_add_func("/import_reader/reads_latin_1_where_bytes_are_no_utf_8",
		reads_latin_1_where_bytes_are_no_utf_8);
	g_test_add_func("/import_reader/takes_colours_and_nuls_out", takes_colours_and_nuls_out);
	g_test_add_func("/import_reader/skips_a_line_that_is_too_long", skips_a_line_that_is_too_long);
	g_test_add_func(
		"/import_reader/takes_off_what_stands_around_a_line", takes_off_what_stands_around_a_line);
	g_test_add_func("/import_reader/mends_links_in_numbers", mends_links_in_numbers);
	g_test_add_func(
		"/import_reader/recognises_a_document_by_its_lines", recognises_a_document_by_its_lines);
	g_test_add_func("/import_reader/does_not_guess_a_document", does_not_guess_a_document);
	g_test_add_func("/import_reader/says_what_was_seen_where_it_does_not_know",
		says_what_was_seen_where_it_does_not_know);
	g_test_add_func("/import_reader/knows_importers_by_name", knows_importers_by_name);
	return g_test_run();
}
