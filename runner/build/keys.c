#include "keys.h"

#include "jsonx.h"

#include <jansson.h>
#include <string.h>

/* Bytes that are no UTF-8 (a path in an option) must not drop out of a key. */
static json_t *text(const char *value)
{
	if (!value)
		return json_null();
	json_t *json = json_string(value);
	if (json)
		return json;
	g_autofree char *encoded = g_base64_encode((const guchar *)value, strlen(value));
	return json_pack("{s:s}", "base64", encoded);
}

static json_t *texts(const char *const *values)
{
	json_t *array = json_array();
	for (; values && *values; values++)
		json_array_append_new(array, text(*values));
	return array;
}

static int by_text(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Without PATH: a night's run has another than a shell's, and the programs along it that make code are hashed
 * themselves. */
static json_t *environment_texts(const char *const *values)
{
	g_autoptr(GPtrArray) sorted = g_ptr_array_new();
	for (; values && *values; values++)
		if (!g_str_has_prefix(*values, "PATH="))
			g_ptr_array_add(sorted, (char *)*values);
	g_ptr_array_sort(sorted, by_text);
	g_ptr_array_add(sorted, NULL);
	return texts((const char *const *)sorted->pdata);
}

static char *hash_and_drop(json_t *json)
{
	g_autofree char *line = jx_canonical(json);
	json_decref(json);
	return g_compute_checksum_for_string(G_CHECKSUM_SHA256, line, -1);
}

char *keys_library(const struct library_inputs *inputs)
{
	const struct identity *identity = inputs->identity;
	json_t *json = json_object();
	json_object_set_new(json, "source", text(inputs->source));
	json_object_set_new(json, "recipe", text(inputs->recipe));
	json_object_set_new(json, "recipe_version", json_integer(inputs->recipe_version));
	json_object_set_new(json, "recipe_words", text(inputs->recipe_canonical));
	json_object_set_new(json, "words", texts(inputs->words));
	if (inputs->archives && *inputs->archives)
		json_object_set_new(json, "archives", texts(inputs->archives));
	json_object_set_new(json, "toolchain", text(inputs->toolchain));
	json_object_set_new(json, "compiler", text(identity->compiler));
	json_object_set_new(json, "compiler_sha256", text(identity->compiler_sha256));
	json_object_set_new(json, "assembler", text(identity->assembler));
	json_object_set_new(json, "linker", text(identity->linker));
	json_object_set_new(json, "libc_sha256", text(identity->libc_sha256));
	json_object_set_new(json, "environment", environment_texts(inputs->environment));
	return hash_and_drop(json);
}

char *keys_program(const struct program_inputs *inputs)
{
	json_t *sources = json_object();
	GHashTableIter iter;
	gpointer name, hash;
	g_hash_table_iter_init(&iter, inputs->sources);
	while (g_hash_table_iter_next(&iter, &name, &hash))
		json_object_set_new(sources, name, text(hash));
	json_t *json = json_object();
	json_object_set_new(json, "library", text(inputs->library));
	json_object_set_new(json, "sources", sources);
	json_object_set_new(json, "compile", texts(inputs->compile));
	json_object_set_new(json, "link", texts(inputs->link));
	return hash_and_drop(json);
}

char *keys_of_texts(const char *const *values)
{
	return hash_and_drop(texts(values));
}
