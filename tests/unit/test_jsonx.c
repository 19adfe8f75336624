#include "diag.h"
#include "jsonx.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

static struct jx_document *parse(const char *text)
{
	g_autoptr(GError) error = NULL;
	struct jx_document *doc = jx_parse(text, strlen(text), "m.json", &error);

	g_assert_no_error(error);
	return doc;
}

static void assert_fails(GError **error, bool ok, const char *message)
{
	g_assert_false(ok);
	g_assert_error(*error, DIAG_ERROR, DIAG_INPUT);
	g_assert_cmpstr((*error)->message, ==, message);
	g_clear_error(error);
}

static void assert_syntax(const char *text, size_t length, const char *beginning)
{
	g_autoptr(GError) error = NULL;

	g_assert_null(jx_parse(text, length, "m.json", &error));
	g_assert_error(error, DIAG_ERROR, DIAG_INPUT);
	if (!g_str_has_prefix(error->message, beginning))
		g_error("\"%s\" does not begin with \"%s\"", error->message, beginning);
}

static void names_file_line_and_column_of_a_syntax_error(void)
{
	assert_syntax("{\n  \"a\": 1,\n  \"b\" 2\n}", 22, "m.json:3:7: ':' expected");
	assert_syntax("", 0, "m.json:1:0: ");
	assert_syntax("{\"a\": 1} x", 10, "m.json:1:10: end of file expected");
	assert_syntax("{\"a\": \"\xff\"}", 10, "m.json:1:");
	assert_syntax("{\"a\": \"x\\u0000y\"}", 17, "m.json:1:");
	assert_syntax("\"scalar\"", 8, "m.json:1:");
}

static void refuses_a_key_that_stands_twice(void)
{
	assert_syntax("{\"a\": 1,\n\"a\": 2}", 16, "m.json:2:3: duplicate object key");
}

static void names_the_path_of_what_is_wrong(void)
{
	struct jx_document *doc =
		parse("{\"flags\": [\"sp\", {\"name\": 3}], \"odd key\": {\"x\": true}, \"n\": null}");
	g_autoptr(GError) error = NULL;
	struct jx list, odd;
	const char *string;
	bool yes;

	g_assert_true(jx_array(&list, jx_root(doc), "flags", &error));
	g_assert_cmpstr(list.path, ==, "$.flags");
	assert_fails(&error, jx_string(&string, jx_at(list, 1), "name", &error),
		"m.json: $.flags[1].name: expected a string, found a number");
	assert_fails(&error, jx_as_string(&string, jx_at(list, 1), &error),
		"m.json: $.flags[1]: expected a string, found an object");
	g_assert_true(jx_object(&odd, jx_root(doc), "odd key", &error));
	assert_fails(&error, jx_string(&string, odd, "x", &error),
		"m.json: $[\"odd key\"].x: expected a string, found true or false");
	assert_fails(&error, jx_string(&string, odd, "y", &error),
		"m.json: $[\"odd key\"]: the key \"y\" is missing");
	assert_fails(&error, jx_object(&odd, jx_root(doc), "flags", &error),
		"m.json: $.flags: expected an object, found a list");
	assert_fails(&error, jx_array(&list, jx_root(doc), "n", &error),
		"m.json: $.n: expected a list, found null");
	assert_fails(&error, jx_bool_or(&yes, jx_root(doc), "flags", false, &error),
		"m.json: $.flags: expected true or false, found a list");
	assert_fails(&error, jx_string(&string, jx_at(list, 0), "x", &error),
		"m.json: $.flags[0]: expected an object, found a string");
	assert_fails(&error, jx_fail(jx_at(list, 0), &error, "unknown flag \"%s\"", "\x1b[2J"),
		"m.json: $.flags[0]: unknown flag \"\\x1b[2J\"");
	g_assert_cmpstr(jx_file(list), ==, "m.json");
	jx_document_free(doc);
	jx_document_free(NULL);
}

static void names_the_key_that_was_meant(void)
{
	static const char *const known[] = {"name", "toolchains", "flags", NULL};
	struct jx_document *doc = parse("{\"name\": 1, \"toolchain\": 1}");
	struct jx_document *far = parse("{\"zzz\": 1}");
	struct jx_document *good = parse("{\"flags\": 1, \"name\": 1}");
	struct jx_document *list = parse("[1]");
	g_autoptr(GError) error = NULL;

	assert_fails(&error, jx_only(jx_root(doc), known, &error),
		"m.json: $: unknown key \"toolchain\"; did you mean \"toolchains\"?");
	assert_fails(&error, jx_only(jx_root(far), known, &error),
		"m.json: $: unknown key \"zzz\"; known are: name, toolchains, flags");
	assert_fails(
		&error, jx_only(jx_root(list), known, &error), "m.json: $: expected an object, found a list");
	g_assert_true(jx_only(jx_root(good), known, &error));
	g_assert_no_error(error);
	jx_document_free(doc);
	jx_document_free(far);
	jx_document_free(good);
	jx_document_free(list);
}

static void falls_back_only_where_the_key_is_missing(void)
{
	struct jx_document *doc = parse("{\"s\": \"x\", \"b\": false, \"i\": 7, \"n\": null}");
	struct jx root = jx_root(doc);
	g_autoptr(GError) error = NULL;
	const char *string;
	int64_t number;
	bool yes;

	g_assert_true(jx_string_or(&string, root, "s", "y", &error));
	g_assert_cmpstr(string, ==, "x");
	g_assert_true(jx_string_or(&string, root, "none", "y", &error));
	g_assert_cmpstr(string, ==, "y");
	g_assert_true(jx_string_or(&string, root, "none", NULL, &error));
	g_assert_null(string);
	g_assert_true(jx_bool_or(&yes, root, "b", true, &error));
	g_assert_false(yes);
	g_assert_true(jx_bool_or(&yes, root, "none", true, &error));
	g_assert_true(yes);
	g_assert_true(jx_int_or(&number, root, "i", 1, 0, 10, &error));
	g_assert_cmpint(number, ==, 7);
	g_assert_true(jx_int_or(&number, root, "none", -5, 0, 10, &error));
	g_assert_cmpint(number, ==, -5);
	assert_fails(&error, jx_string_or(&string, root, "n", "y", &error),
		"m.json: $.n: expected a string, found null");
	assert_fails(&error, jx_int_or(&number, root, "n", 1, 0, 10, &error),
		"m.json: $.n: expected a number, found null");
	assert_fails(&error, jx_bool_or(&yes, root, "n", true, &error),
		"m.json: $.n: expected true or false, found null");
	g_assert_true(jx_has(root, "b"));
	g_assert_false(jx_has(root, "n"));
	g_assert_false(jx_has(root, "none"));
	jx_document_free(doc);
}

static void takes_whole_numbers_within_their_bounds(void)
{
	struct jx_document *doc =
		parse("{\"a\": 10, \"b\": 11, \"c\": 2.0, \"d\": 2.5, \"e\": 1e300, \"f\": \"3\", "
		      "\"g\": -9223372036854775808}");
	struct jx root = jx_root(doc);
	g_autoptr(GError) error = NULL;
	int64_t n;

	g_assert_true(jx_int_or(&n, root, "a", 0, 1, 10, &error));
	g_assert_cmpint(n, ==, 10);
	assert_fails(&error, jx_int_or(&n, root, "b", 0, 1, 10, &error),
		"m.json: $.b: 11 is not between 1 and 10");
	g_assert_true(jx_int_or(&n, root, "c", 0, 1, 10, &error));
	g_assert_cmpint(n, ==, 2);
	assert_fails(&error, jx_int_or(&n, root, "d", 0, 1, 10, &error),
		"m.json: $.d: expected a whole number, found 2.5");
	g_assert_false(jx_int_or(&n, root, "e", 0, INT64_MIN, INT64_MAX, &error));
	g_clear_error(&error);
	assert_fails(&error, jx_int_or(&n, root, "f", 0, 1, 10, &error),
		"m.json: $.f: expected a number, found a string");
	g_assert_true(jx_int_or(&n, root, "g", 0, INT64_MIN, INT64_MAX, &error));
	g_assert_cmpint(n, ==, INT64_MIN);
	assert_syntax("{\"a\": 9223372036854775808}", 26, "m.json:1:");
	jx_document_free(doc);
}

static void gives_lists_of_strings(void)
{
	struct jx_document *doc = parse("{\"a\": [\"x\", \"\"], \"b\": [\"x\", 1], \"c\": \"x\"}");
	g_autoptr(GError) error = NULL;
	g_auto(GStrv) two = NULL;
	g_auto(GStrv) none = NULL;
	char **unset = NULL;

	g_assert_true(jx_strings_or_empty(&two, jx_root(doc), "a", &error));
	g_assert_cmpuint(g_strv_length(two), ==, 2);
	g_assert_cmpstr(two[0], ==, "x");
	g_assert_cmpstr(two[1], ==, "");
	g_assert_true(jx_strings_or_empty(&none, jx_root(doc), "missing", &error));
	g_assert_cmpuint(g_strv_length(none), ==, 0);
	assert_fails(&error, jx_strings_or_empty(&unset, jx_root(doc), "b", &error),
		"m.json: $.b[1]: expected a string, found a number");
	assert_fails(&error, jx_strings_or_empty(&unset, jx_root(doc), "c", &error),
		"m.json: $.c: expected a list of strings, found a string");
	g_assert_null(unset);
	jx_document_free(doc);
}

static void keeps_the_order_of_the_file(void)
{
	static const char *const expected[] = {"z", "a", "m"};
	struct jx_document *doc = parse("{\"z\": 1, \"a\": 2, \"m\": [3, 4]}");

	g_assert_cmpuint(jx_size(jx_root(doc)), ==, 3);
	for (size_t i = 0; i < 3; i++) {
		const char *key;
		struct jx value = jx_member_at(jx_root(doc), i, &key);
		g_assert_cmpstr(key, ==, expected[i]);
		g_assert_cmpstr(value.path + 2, ==, expected[i]);
	}
	const char *key;
	g_assert_cmpuint(jx_size(jx_member_at(jx_root(doc), 2, &key)), ==, 2);
	jx_document_free(doc);
}

static void writes_equal_values_as_equal_bytes(void)
{
	struct jx_document *one = parse("{ \"b\": [1, {\"y\": null, \"x\": \"\xc3\xa9\"}],\n \"a\": 1.5 }");
	struct jx_document *other = parse("{\"a\":1.5,\"b\":[1,{\"x\":\"\\u00e9\",\"y\":null}]}");
	g_autofree char *first = jx_canonical(jx_root(one).json);
	g_autofree char *second = jx_canonical(jx_root(other).json);

	g_assert_cmpstr(first, ==, "{\"a\":1.5,\"b\":[1,{\"x\":\"\xc3\xa9\",\"y\":null}]}");
	g_assert_cmpstr(first, ==, second);
	jx_document_free(one);
	jx_document_free(other);
}

static void loads_a_file_and_says_when_it_is_none(void)
{
	g_autofree char *file = NULL;
	g_autoptr(GError) error = NULL;

	g_assert_null(jx_load("/nonexistent.json", &error));
	g_assert_error(error, DIAG_ERROR, DIAG_INPUT);
	g_assert_cmpstr(error->message, ==, "/nonexistent.json: cannot be opened: No such file or directory");
	g_clear_error(&error);
	g_close(g_file_open_tmp("jsonx-XXXXXX", &file, NULL), NULL);
	g_assert_true(g_file_set_contents(file, "[true, x]", -1, NULL));
	g_assert_null(jx_load(file, &error));
	g_autofree char *beginning = g_strdup_printf("%s:1:8: ", file);
	g_assert_true(g_str_has_prefix(error->message, beginning));
	g_assert_true(g_file_set_contents(file, "[true]", -1, NULL));
	struct jx_document *doc = jx_load(file, NULL);
	g_assert_cmpuint(jx_size(jx_root(doc)), ==, 1);
	jx_document_free(doc);
	remove(file);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/jsonx/" #name, name)
	TEST(names_file_line_and_column_of_a_syntax_error);
	TEST(refuses_a_key_that_stands_twice);
	TEST(names_the_path_of_what_is_wrong);
	TEST(names_the_key_that_was_meant);
	TEST(falls_back_only_where_the_key_is_missing);
	TEST(takes_whole_numbers_within_their_bounds);
	TEST(gives_lists_of_strings);
	TEST(keeps_the_order_of_the_file);
	TEST(writes_equal_values_as_equal_bytes);
	TEST(loads_a_file_and_says_when_it_is_none);
	return g_test_run();
}
