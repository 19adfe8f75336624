#include "jsonx.h"

#include "diag.h"
#include "fsx.h"

#include <math.h>
#include <string.h>

#define LARGEST_FILE	     (16u << 20)
#define LARGEST_WHOLE_DOUBLE 9007199254740992.0 /* 2^53: above it, neighbours are no longer 1 apart */

struct jx_document {
	json_t *root;
	char *file;
	GStringChunk *paths;
};

struct jx_document *jx_parse(const char *text, size_t length, const char *name, GError **err)
{
	json_error_t error;
	json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);

	if (!root) {
		g_autofree char *what = diag_printable(error.text, -1);
		diag_set(err, DIAG_INPUT, "%s:%d:%d: %s", name, error.line, error.column, what);
		return NULL;
	}
	struct jx_document *doc = g_new0(struct jx_document, 1);
	doc->root = root;
	doc->file = g_strdup(name);
	doc->paths = g_string_chunk_new(1024);
	return doc;
}

struct jx_document *jx_load(const char *file, GError **err)
{
	g_autofree char *text = NULL;
	size_t length;

	if (!fsx_read(&text, &length, file, LARGEST_FILE, err))
		return NULL;
	return jx_parse(text, length, file, err);
}

void jx_document_free(struct jx_document *doc)
{
	if (!doc)
		return;
	json_decref(doc->root);
	g_free(doc->file);
	g_string_chunk_free(doc->paths);
	g_free(doc);
}

struct jx jx_root(struct jx_document *doc)
{
	return (struct jx){.json = doc->root, .path = "$", .doc = doc};
}

const char *jx_file(struct jx at)
{
	return at.doc->file;
}

bool jx_fail(struct jx at, GError **err, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	g_autofree char *what = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	g_autofree char *printable = diag_printable(what, -1);
	return diag_set(err, DIAG_INPUT, "%s: %s: %s", at.doc->file, at.path, printable);
}

static const char *type_name(const json_t *json)
{
	switch (json_typeof(json)) {
	case JSON_OBJECT:
		return "an object";
	case JSON_ARRAY:
		return "a list";
	case JSON_STRING:
		return "a string";
	case JSON_INTEGER:
	case JSON_REAL:
		return "a number";
	case JSON_TRUE:
	case JSON_FALSE:
		return "true or false";
	case JSON_NULL:
		return "null";
	}
	return "something else";
}

static bool fail_type(struct jx at, const char *expected, GError **err)
{
	return jx_fail(at, err, "expected %s, found %s", expected, type_name(at.json));
}

static bool is_plain_key(const char *key)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";

	return *key && key[strspn(key, plain)] == '\0';
}

static struct jx member(struct jx at, const char *key, const json_t *value)
{
	g_autofree char *printable = diag_printable(key, -1);
	g_autofree char *path =
		g_strdup_printf(is_plain_key(key) ? "%s.%s" : "%s[\"%s\"]", at.path, printable);

	return (struct jx){
		.json = value, .path = g_string_chunk_insert_const(at.doc->paths, path), .doc = at.doc};
}

bool jx_only(struct jx at, const char *const *known, GError **err)
{
	if (!json_is_object(at.json))
		return fail_type(at, "an object", err);
	for (size_t i = 0; i < jx_size(at); i++) {
		const char *key;
		jx_member_at(at, i, &key);
		if (g_strv_contains(known, key))
			continue;
		const char *nearest = diag_nearest(key, known);
		if (nearest)
			return jx_fail(at, err, "unknown key \"%s\"; did you mean \"%s\"?", key, nearest);
		g_autofree char *all = g_strjoinv(", ", (char **)known);
		return jx_fail(at, err, "unknown key \"%s\"; known are: %s", key, all);
	}
	return true;
}

bool jx_has(struct jx at, const char *key)
{
	const json_t *value = json_object_get(at.json, key);

	return value && !json_is_null(value);
}

/* True with ret->json NULL where the key is missing. */
static bool get_if_there(struct jx *ret, struct jx at, const char *key, GError **err)
{
	if (!json_is_object(at.json))
		return fail_type(at, "an object", err);
	const json_t *value = json_object_get(at.json, key);
	*ret = value ? member(at, key, value) : (struct jx){.json = NULL};
	return true;
}

bool jx_get(struct jx *ret, struct jx at, const char *key, GError **err)
{
	struct jx value = {.json = NULL};

	if (!get_if_there(&value, at, key, err))
		return false;
	if (!value.json)
		return jx_fail(at, err, "the key \"%s\" is missing", key);
	*ret = value;
	return true;
}

bool jx_object(struct jx *ret, struct jx at, const char *key, GError **err)
{
	struct jx value = {.json = NULL};

	if (!jx_get(&value, at, key, err))
		return false;
	if (!json_is_object(value.json))
		return fail_type(value, "an object", err);
	*ret = value;
	return true;
}

bool jx_array(struct jx *ret, struct jx at, const char *key, GError **err)
{
	struct jx value = {.json = NULL};

	if (!jx_get(&value, at, key, err))
		return false;
	if (!json_is_array(value.json))
		return fail_type(value, "a list", err);
	*ret = value;
	return true;
}

bool jx_as_string(const char **ret, struct jx at, GError **err)
{
	if (!json_is_string(at.json))
		return fail_type(at, "a string", err);
	*ret = json_string_value(at.json);
	return true;
}

bool jx_string(const char **ret, struct jx at, const char *key, GError **err)
{
	struct jx value = {.json = NULL};

	return jx_get(&value, at, key, err) && jx_as_string(ret, value, err);
}

bool jx_string_or(const char **ret, struct jx at, const char *key, const char *fallback, GError **err)
{
	struct jx value = {.json = NULL};

	if (!get_if_there(&value, at, key, err))
		return false;
	if (value.json)
		return jx_as_string(ret, value, err);
	*ret = fallback;
	return true;
}

bool jx_bool_or(bool *ret, struct jx at, const char *key, bool fallback, GError **err)
{
	struct jx value = {.json = NULL};

	if (!get_if_there(&value, at, key, err))
		return false;
	if (value.json && !json_is_boolean(value.json))
		return fail_type(value, "true or false", err);
	*ret = value.json ? json_is_true(value.json) : fallback;
	return true;
}

bool jx_int_or(int64_t *ret, struct jx at, const char *key, int64_t fallback, int64_t low, int64_t high,
	GError **err)
{
	struct jx value = {.json = NULL};

	if (!get_if_there(&value, at, key, err))
		return false;
	if (!value.json) {
		*ret = fallback;
		return true;
	}
	if (!json_is_number(value.json))
		return fail_type(value, "a number", err);

	double real = json_is_real(value.json) ? json_real_value(value.json) : 0;
	if (real != floor(real) || fabs(real) > LARGEST_WHOLE_DOUBLE)
		return jx_fail(value, err, "expected a whole number, found %.17g", real);
	int64_t whole = json_is_real(value.json) ? (int64_t)real : json_integer_value(value.json);
	if (whole < low || whole > high)
		return jx_fail(value, err,
			"%" G_GINT64_FORMAT " is not between %" G_GINT64_FORMAT " and %" G_GINT64_FORMAT,
			whole, low, high);
	*ret = whole;
	return true;
}

bool jx_strings_or_empty(char ***ret, struct jx at, const char *key, GError **err)
{
	struct jx list;

	if (!get_if_there(&list, at, key, err))
		return false;
	if (list.json && !json_is_array(list.json))
		return fail_type(list, "a list of strings", err);

	g_autoptr(GStrvBuilder) strings = g_strv_builder_new();
	for (size_t i = 0; list.json && i < jx_size(list); i++) {
		const char *string = NULL;
		if (!jx_as_string(&string, jx_at(list, i), err))
			return false;
		g_strv_builder_add(strings, string);
	}
	*ret = g_strv_builder_end(strings);
	return true;
}

size_t jx_size(struct jx at)
{
	return json_is_object(at.json) ? json_object_size(at.json) : json_array_size(at.json);
}

struct jx jx_at(struct jx array, size_t index)
{
	g_autofree char *path = g_strdup_printf("%s[%zu]", array.path, index);

	return (struct jx){.json = json_array_get(array.json, index),
		.path = g_string_chunk_insert_const(array.doc->paths, path),
		.doc = array.doc};
}

struct jx jx_member_at(struct jx object, size_t index, const char **ret_key)
{
	json_t *json = (json_t *)object.json; /* jansson's iterators do not write, but are not declared so */
	void *at = json_object_iter(json);

	for (; index > 0; index--)
		at = json_object_iter_next(json, at);
	*ret_key = json_object_iter_key(at);
	return member(object, *ret_key, json_object_iter_value(at));
}

char *jx_canonical(const json_t *json)
{
	char *text = json_dumps(json, JSON_COMPACT | JSON_SORT_KEYS | JSON_ENCODE_ANY);
	char *copy = g_strdup(text);

	free(text);
	return copy;
}
