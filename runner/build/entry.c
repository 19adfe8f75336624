#include "entry.h"

#include "fsx.h"
#include "jsonx.h"

#include <jansson.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#define LOG_CEILING (256u << 20)

/* Raised when a fact comes to mean something else, the rule of the code hash for one: older entries are then
 * made again. */
#define ENTRY_FORMAT 1

/* The facts that are texts, by their names in entry.json. */
static const struct {
	const char *name;
	size_t offset;
} texts[] = {
#define TEXT(field)                                                                                          \
	{                                                                                                    \
#field, offsetof(struct facts, field)                                                        \
	}
	TEXT(key_library),
	TEXT(key_program),
	TEXT(revision),
	TEXT(parent),
	TEXT(compiler),
	TEXT(configure_line),
	TEXT(optimisation_effective),
	TEXT(math),
	TEXT(machine),
	TEXT(code_sha256),
	TEXT(sha256),
#undef TEXT
};

static char **text_of(struct facts *facts, size_t index)
{
	return (char **)(void *)((char *)facts + texts[index].offset);
}

void facts_clear(struct facts *facts)
{
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
		g_clear_pointer(text_of(facts, i), g_free);
	facts->seconds = NAN;
}

static json_t *labels_of(const struct planned_build *build)
{
	return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s}", "library", build->library->name, "version",
		build->version->name, "config", build->config, "profile", build->profile->name,
		"optimisation", build->optimisation, "toolchain", build->toolchain->name, "arch",
		build->toolchain->arch);
}

char *entry_file(const char *folder)
{
	return g_build_filename(folder, "entry.json", NULL);
}

bool entry_write(const char *folder, const char *file, const struct planned_build *build, struct facts *facts,
	const GString *log, GError **err)
{
	g_autofree char *subject = g_build_filename(folder, file, NULL);
	g_free(facts->sha256);
	facts->sha256 = fsx_hash_file(subject, err);
	if (!facts->sha256)
		return false;
	json_t *json = labels_of(build);
	json_object_set_new(json, "format", json_integer(ENTRY_FORMAT));
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		const char *text = *text_of(facts, i);
		g_autofree char *valid = text ? g_utf8_make_valid(text, -1) : NULL;
		if (valid)
			json_object_set_new(json, texts[i].name, json_string(valid));
	}
	if (!isnan(facts->seconds))
		json_object_set_new(json, "seconds", json_real(facts->seconds));
	g_autofree char *line = jx_canonical(json);
	json_decref(json);
	g_autofree char *entry = entry_file(folder);
	g_autofree char *log_file = g_build_filename(folder, "log", NULL);
	return fsx_write(log_file, log->str, log->len, err) && fsx_write(entry, line, strlen(line), err);
}

bool entry_read(struct facts *ret, const char *folder, const char *file)
{
	g_autofree char *entry = entry_file(folder);
	g_autofree char *subject = g_build_filename(folder, file, NULL);
	struct jx_document *doc = jx_load(entry, NULL);
	if (!doc)
		return false;
	const json_t *json = jx_root(doc).json;
	struct facts facts = {.seconds = NAN};
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
		*text_of(&facts, i) = g_strdup(json_string_value(json_object_get(json, texts[i].name)));
	const json_t *seconds = json_object_get(json, "seconds");
	if (seconds)
		facts.seconds = json_number_value(seconds);
	json_int_t format = json_integer_value(json_object_get(json, "format"));
	jx_document_free(doc);
	g_autofree char *hash = fsx_hash_file(subject, NULL);
	bool good = hash && g_strcmp0(hash, facts.sha256) == 0 && format == ENTRY_FORMAT;
	if (good)
		*ret = facts;
	else
		facts_clear(&facts);
	return good;
}

void entry_read_log(GString *log, const char *folder)
{
	g_autofree char *file = g_build_filename(folder, "log", NULL);
	g_autofree char *text = NULL;
	size_t length;
	if (fsx_read(&text, &length, file, LOG_CEILING, NULL))
		g_string_append_len(log, text, (gssize)length);
}
