/* JSON that users write: getters that name the file and the path of what is wrong.
 *
 * A struct jx is a place in a document. It is a small value, passed by value, and lives as long as the
 * document. A getter that fails sets a DIAG_INPUT error such as matrices/quick.json: $.flags[2]: unknown flag
 * "fastmat"; did you mean "fastmath"? */
#ifndef BM_JSONX_H
#define BM_JSONX_H

#include <glib.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct jx_document;

struct jx {
	const json_t *json;	 /* never NULL */
	const char *path;	 /* "$", "$.flags[2]"; owned by the document */
	struct jx_document *doc; /* lends */
};

/* Reads a document from a file, 16 MiB at most. A syntax error is DIAG_INPUT with file, line and column;
 * duplicate keys are refused. Free with jx_document_free(), which takes NULL. */
struct jx_document *jx_load(const char *file, GError **err);
/* The same from memory; `name` stands for the file in messages. */
struct jx_document *jx_parse(const char *text, size_t length, const char *name, GError **err);
void jx_document_free(struct jx_document *doc);
struct jx jx_root(struct jx_document *doc);
const char *jx_file(struct jx at); /* lent */

/* Sets a DIAG_INPUT error that begins with the file and path of `at`; returns false. */
bool jx_fail(struct jx at, GError **err, const char *format, ...) G_GNUC_PRINTF(3, 4);

/* Fails unless `at` is an object whose keys are all among `known` (NULL-terminated); names the nearest valid
 * key. */
bool jx_only(struct jx at, const char *const *known, GError **err);

/* Members of an object. jx_has() is false for a missing key and for null. The others fail where the key is
 * missing or of another type, unless they take a fallback, which stands for a missing key only. Strings are
 * lent. */
bool jx_has(struct jx at, const char *key);
bool jx_get(struct jx *ret, struct jx at, const char *key, GError **err);
bool jx_object(struct jx *ret, struct jx at, const char *key, GError **err);
bool jx_array(struct jx *ret, struct jx at, const char *key, GError **err);
bool jx_string(const char **ret, struct jx at, const char *key, GError **err);
bool jx_string_or(const char **ret, struct jx at, const char *key, const char *fallback, GError **err);
bool jx_bool_or(bool *ret, struct jx at, const char *key, bool fallback, GError **err);
/* Fails where the number is not whole or not within [low, high]. */
bool jx_int_or(int64_t *ret, struct jx at, const char *key, int64_t fallback, int64_t low, int64_t high,
	GError **err);
/* A list of strings; *ret is a new NULL-terminated vector (g_strfreev), empty where the key is missing. */
bool jx_strings_or_empty(char ***ret, struct jx at, const char *key, GError **err);

/* Elements of an array, members of an object in the order of the file. */
size_t jx_size(struct jx at);
struct jx jx_at(struct jx array, size_t index);
struct jx jx_member_at(struct jx object, size_t index, const char **ret_key);
/* The value at `at` as a string; fails where it is of another type. Lent. */
bool jx_as_string(const char **ret, struct jx at, GError **err);

/* One compact line with sorted keys: equal values give equal bytes. Free with g_free(). */
char *jx_canonical(const json_t *json);

#endif
