/* What fetches and sends is loaded when it is needed. */
#include "diag.h"
#include "http.h"

#include <glib/gstdio.h>
#include <string.h>

static void assert_lacks(GError **err, const char *what)
{
	g_assert_error(*err, DIAG_ERROR, DIAG_LACKS);
	g_assert_nonnull(strstr((*err)->message, what));
	g_clear_error(err);
}

static void a_module_that_is_missing_is_told_and_tried_again(void)
{
	g_autofree char *folder = g_dir_make_tmp("http-XXXXXX", NULL);
	g_autofree char *from = g_build_filename(folder, "from", NULL);
	g_autofree char *to = g_build_filename(folder, "to", NULL);
	g_autofree char *url = g_filename_to_uri(from, NULL, NULL), *text = NULL;
	const struct http_fetch fetch = {.url = url, .file = to, .ceiling = 100};
	const struct http_post post = {.url = "http://127.0.0.1:1/"};
	struct http_answer answer = {-1, NULL};
	GError *err = NULL;

	g_assert_true(g_file_set_contents(from, "all of it", -1, NULL));
	g_assert_false(http_fetch(&fetch, &err));
	assert_lacks(&err, "no module");
	http_set_module("/nonexistent/libbm-http.so");
	g_assert_false(http_fetch(&fetch, &err));
	assert_lacks(&err, "/nonexistent/libbm-http.so");
	g_assert_false(http_post(&answer, &post, &err));
	assert_lacks(&err, "/nonexistent/libbm-http.so");
	g_assert_cmpint(answer.status, ==, 0);
	http_set_module(HTTP_MODULE_FILE);
	g_assert_true(http_fetch(&fetch, &err));
	g_assert_no_error(err);
	g_assert_true(g_file_get_contents(to, &text, NULL, NULL));
	g_assert_cmpstr(text, ==, "all of it");
	g_remove(from);
	g_remove(to);
	g_rmdir(folder);
}

static void an_address_is_shown_without_what_is_secret(void)
{
	http_set_module(HTTP_MODULE_FILE);
	g_autofree char *shown = http_shown("https://user:word@example.org/in?token=abc#there");

	g_assert_cmpstr(shown, ==, "https://example.org/in");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/http/a_module_that_is_missing_is_told_and_tried_again",
		a_module_that_is_missing_is_told_and_tried_again);
	g_test_add_func("/http/an_address_is_shown_without_what_is_secret",
		an_address_is_shown_without_what_is_secret);
	return g_test_run();
}
