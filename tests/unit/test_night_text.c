/* What a night tells, as text and as Markdown. */
#include "night_report.h"

#include <string.h>

static const char report_json[] =
	"{\"schema\": \"benchmatrix-night-1\", \"status\": 1,"
	" \"run\": {\"uuid\": \"1a2b3c4d-0000\", \"matrix\": \"mine\", \"started\": \"2026-12-01T01:00:00Z\","
	"  \"cells\": 3, \"ok\": 2, \"partial\": 0, \"failed\": 1},"
	" \"baseline\": \"previous\", \"compared\": 12, \"new_series\": 1, \"new_failures\": 1,"
	" \"failures\": [{\"state\": \"known\", \"cell\": \"c1\", \"benchmark\": \"\", \"what\": \"timeout\","
	"   \"reason\": null, \"known\": \"slow board\"},"
	"  {\"state\": \"new\", \"cell\": \"c2\", \"benchmark\": \"rsa-2048 sign\", \"what\": \"crashed\","
	"   \"reason\": \"signal 7\", \"known\": null}],"
	" \"changes\": [{\"kind\": \"regression\", \"library\": \"wolfssl\", \"version\": \"git:master\","
	"   \"from\": \"0123456789abcdef0123456789abcdef01234567\","
	"   \"to\": \"89abcdef0123456789abcdef0123456789abcdef\", \"log\": [\"89abcdef # <b>slow</b>\"],"
	"   \"instrument\": \"the compiler changed from A to B\", \"reason\": null,"
	"   \"confirmed_by\": \"5e6f7a8b-1111\", \"series\": [{\"config\": \"sp\", \"profile\": \"crypto\","
	"    \"optimisation\": \"-O2\", \"toolchain\": \"x86_64-gcc\", \"platform\": \"qemu\","
	"    \"benchmark\": \"sha-256 hash\", \"block\": \"16384\", \"metric\": \"instructions\","
	"    \"percent\": 4.06, \"percent_library\": 5.25, \"percent_instrument\": -1.13}]},"
	"  {\"kind\": \"instrument\", \"library\": \"wolfssl\", \"version\": \"5.7.2\", \"from\": "
	"\"5.7.2-1\","
	"   \"to\": \"5.7.2-1\", \"log\": [], \"instrument\": null, \"reason\": null, \"confirmed_by\": null,"
	"   \"series\": []}]}";

static const char expected_text[] =
	"nightly mine: 1 regression, 1 new failure, 1 change of the instrument\n"
	"run 1a2b3c4d of 2026-12-01T01:00:00Z: 3 cells: 2 ok, 0 partial, 1 failed; 12 figures held against "
	"the "
	"baseline previous, 1 new\n"
	"\nFailed, new:\n"
	"  c2, rsa-2048 sign: crashed: signal 7\n"
	"\nRegression: wolfssl git:master 0123456789ab..89abcdef0123:\n"
	"  89abcdef # <b>slow</b>\n"
	"  the compiler changed from A to B\n"
	"  +4.1 % instructions  sha-256 hash 16384, x86_64-gcc sp crypto -O2 on qemu (library +5.2 %, "
	"instrument "
	"-1.1 %)\n"
	"  measured again by run 5e6f7a8b\n"
	"\nThe instrument changed, not the library: wolfssl 5.7.2 5.7.2-1:\n"
	"  nothing that is known of the instrument changed; the old revision measures otherwise today\n"
	"\nFailed, known:\n"
	"  c1: timeout\n"
	"    known: slow board\n";

static json_t *load(void)
{
	json_error_t error;
	json_t *report = json_loads(report_json, 0, &error);

	if (report == NULL)
		g_error("%s", error.text);
	return report;
}

static void the_report_puts_failures_first_and_names_the_commits(void)
{
	json_t *report = load();
	g_autofree char *text = night_report_text(report, false);

	g_assert_cmpstr(text, ==, expected_text);
	g_assert_cmpint(night_report_status(report), ==, 1);
	json_decref(report);
}

static void in_markdown_nothing_from_outside_is_markup(void)
{
	json_t *report = load();
	g_autofree char *text = night_report_text(report, true);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	g_assert_cmpstr(lines[0], ==, "# mine: 1 regression, 1 new failure, 1 change of the instrument");
	g_assert_nonnull(
		strstr(text, "\n## Regression: wolfssl git:master 0123456789ab..89abcdef0123\n\n    89abc"));
	for (char **line = lines; *line; line++)
		if (strstr(*line, "<b>") != NULL)
			g_assert_true(g_str_has_prefix(*line, "    "));
	json_decref(report);
}

static void a_night_without_news_says_so(void)
{
	json_t *report = load();

	json_array_clear(json_object_get(report, "changes"));
	json_object_set_new(report, "new_failures", json_integer(0));
	g_autofree char *headline = night_report_headline(report);
	g_assert_cmpstr(headline, ==, "mine: no change");
	json_decref(report);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/night_text/the_report_puts_failures_first_and_names_the_commits",
		the_report_puts_failures_first_and_names_the_commits);
	g_test_add_func("/night_text/in_markdown_nothing_from_outside_is_markup",
		in_markdown_nothing_from_outside_is_markup);
	g_test_add_func("/night_text/a_night_without_news_says_so", a_night_without_news_says_so);
	return g_test_run();
}
