/* Texts are told apart by what a match must have before they are matched: that never changes what matches. */
#include "patterns.h"

static void finds(const char *pattern, const char *text)
{
	GMatchInfo *match;

	g_test_message("%s in \"%s\"", pattern, text);
	g_assert_true(pattern_match(&match, pattern, text));
	g_assert_nonnull(match);
	g_match_info_unref(match);
}

static void finds_not(const char *pattern, const char *text)
{
	g_test_message("%s not in \"%s\"", pattern, text);
	g_assert_false(pattern_match(NULL, pattern, text));
}

static void plain_words_are_found_anywhere(void)
{
	finds("took (?:[\\d.]+) seconds", "AES took 0.5 seconds");
	finds("\\d MB/s", "9 MB/s");
	finds_not("took (?:[\\d.]+) seconds", "AES took long seconds");
	finds_not("\\d MB/s", "9 MiB/s");
}

static void what_may_be_missing_is_not_asked_for(void)
{
	finds("colou?r", "color");
	finds("abc*d", "abd");
	finds("ab{0}d", "ad");
	finds("\\d{2} ns{0,1}", "12 n");
	finds("x(?: Cycles per byte)?y", "xy");
	finds("a\\.?b", "ab");
}

static void what_comes_once_or_more_ends_a_run(void)
{
	finds("ab+c", "abbbc");
	finds(" +took", "   took");
	finds_not("ab+c", "ac");
}

static void any_alternative_will_do(void)
{
	finds("megs took|milliseconds, avg", "5 megs took");
	finds("megs took|milliseconds, avg", "9 milliseconds, avg over");
	finds("priv/s$|^(?:RSA|DH)", "RSA 2048");
	finds("[|]x|y", "y");
	finds("(?:a|b)c|d", "d");
	finds("\\|x|y", "y");
	finds_not("megs took|milliseconds, avg", "5 megs");
}

static void letters_of_either_case_are_found(void)
{
	finds("(?i)mhz", "1500 MHz");
	finds("^(?i:CPU) clock", "cpu clock");
}

static void signs_of_patterns_are_no_text(void)
{
	finds("^a$", "a");
	finds("a.c", "abc");
	finds("[xyz]1", "y1");
	finds("[^]x]1", "a1");
	finds("\\(ct64\\)", "x (ct64)");
	finds("\\x41b", "Ab");
	finds("(?<n>a)\\k<n>", "aa");
	finds("\\bWord\\b", "a Word");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/import_patterns/plain_words_are_found_anywhere", plain_words_are_found_anywhere);
	g_test_add_func("/import_patterns/what_may_be_missing_is_not_asked_for",
		what_may_be_missing_is_not_asked_for);
	g_test_add_func(
		"/import_patterns/what_comes_once_or_more_ends_a_run", what_comes_once_or_more_ends_a_run);
	g_test_add_func("/import_patterns/any_alternative_will_do", any_alternative_will_do);
	g_test_add_func(
		"/import_patterns/letters_of_either_case_are_found", letters_of_either_case_are_found);
	g_test_add_func("/import_patterns/signs_of_patterns_are_no_text", signs_of_patterns_are_no_text);
	return g_test_run();
}
