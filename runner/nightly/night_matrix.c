#include "night_changes.h"

#include "compare.h"
#include "statistics.h"

#include <jansson.h>
#include <string.h>

/* --- versions --- */

static json_t *git_json(const char *name, const struct version *version, const char *commit)
{
	return json_pack("{s:s, s:{s:s, s:s}}", "name", name, "git", "repository", version->origin.repository,
		"ref", commit);
}

static json_t *package_json(const struct version *version, const char *key)
{
	const struct origin *origin = &version->origin;

	return json_pack("{s:s, s:{s:s, s:s, s:s*, s:o*}}", "name", version->name, key, "package",
		origin->package, "suite", origin->suite, "upstream", origin->upstream, "patches",
		origin->unpatched ? json_false() : NULL);
}

static json_t *version_as_it_is(const struct night_change *change)
{
	const struct version *version = change->version;
	const struct origin *origin = &version->origin;

	if (library_version(change->matrix->library, version->name) == version)
		return json_string(version->name);
	switch (origin->kind) {
	case ORIGIN_DEBIAN:
		return package_json(version, "debian");
	case ORIGIN_DEBIAN_BINARY:
		return package_json(version, "debian_binary");
	case ORIGIN_FOLDER:
		return json_pack("{s:s, s:s}", "name", version->name, "folder", origin->folder);
	case ORIGIN_TARBALL:
		return json_pack("{s:s, s:{s:s, s:s}}", "name", version->name, "tarball", "url", origin->url,
			"sha256", origin->sha256);
	case ORIGIN_GIT:
		return git_json(version->name, version, change->to ? change->to : origin->ref);
	}
	return NULL;
}

static void add_version(json_t *list, const struct night_change *change, json_t *version)
{
	if (change->version->settings && json_is_object(version))
		json_object_set_new(version, "settings", json_true());
	json_array_append_new(list, version);
}

static json_t *versions_json(const struct night_change *change)
{
	json_t *list = json_array();

	if (change->two) {
		add_version(list, change, git_json(NIGHT_BEFORE, change->version, change->from));
		add_version(list, change, git_json(NIGHT_AFTER, change->version, change->to));
	} else {
		add_version(list, change, version_as_it_is(change));
	}
	return list;
}

/* --- what the suspects need --- */

static bool has(const json_t *list, const char *text)
{
	size_t i;
	json_t *item;

	json_array_foreach(list, i, item) if (strcmp(json_string_value(item), text) == 0) return true;
	return false;
}

/* The values of a label, each once. */
static json_t *labels_json(const struct night_change *change, enum label label)
{
	json_t *list = json_array();

	for (guint i = 0; i < change->suspects->len; i++) {
		const struct night_suspect *suspect = change->suspects->pdata[i];
		const char *value = suspect->after->what.labels.v[label];
		if (value != NULL && !has(list, value))
			json_array_append_new(list, json_string(value));
	}
	return list;
}

static json_t *set_json(const char *config)
{
	g_auto(GStrv) names = g_strsplit(config, "+", -1);
	json_t *set = json_array();

	for (char **name = names; *name && strcmp(config, "default") != 0; name++)
		json_array_append_new(set, json_string(*name));
	return set;
}

static json_t *flags_json(const struct night_change *change)
{
	json_t *configs = labels_json(change, LABEL_CONFIG), *list = json_array(), *config;
	size_t i;

	json_array_foreach(configs, i, config)
		json_array_append_new(list, set_json(json_string_value(config)));
	json_decref(configs);
	return list;
}

/* Sizes come with every build; something has to be run all the same. */
static json_t *benchmarks_json(const struct night_change *change)
{
	json_t *all = labels_json(change, LABEL_BENCHMARK), *list = json_array(), *name;
	size_t i;

	json_array_foreach(all, i, name) if (benchmark_find(json_string_value(name)) >= 0)
		json_array_append(list, name);
	if (json_array_size(list) == 0)
		json_array_append_new(list, json_string(benchmark_infos[BENCHMARK_NULL_OPERATION].name));
	json_decref(all);
	return list;
}

static json_t *blocks_json(const struct night_change *change)
{
	json_t *texts = labels_json(change, LABEL_BLOCK), *list = json_array(), *text;
	size_t i;

	json_array_foreach(texts, i, text)
		json_array_append_new(list, json_integer(g_ascii_strtoll(json_string_value(text), NULL, 10)));
	json_decref(texts);
	return list;
}

static int invocations_of(const struct night_change *change)
{
	size_t tests = change->suspects->len, enough = statistics_enough(COMPARISON_ALPHA, tests);

	if (change->two)
		enough = MAX(enough, statistics_enough_pairs(COMPARISON_ALPHA, tests));
	return MAX(change->matrix->invocations, (int)enough);
}

/* What the suspects say nothing about stays as the night has it. */
static void copy_rest(json_t *root, const struct matrix *matrix)
{
	static const char *const keys[] = {"extra_flags", "agents", "budget_ms", "deadlines"};
	json_t *night = json_loads(matrix->text, 0, NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
		json_t *value = json_object_get(night, keys[i]);
		if (value != NULL)
			json_object_set(root, keys[i], value);
	}
	json_decref(night);
}

char *night_change_matrix(const struct night_change *change)
{
	json_t *blocks = blocks_json(change);
	json_t *root = json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:i}", "library",
		change->matrix->library->name, "versions", versions_json(change), "toolchains",
		labels_json(change, LABEL_TOOLCHAIN), "profiles", labels_json(change, LABEL_PROFILE),
		"optimisations", labels_json(change, LABEL_OPTIMISATION), "flags", flags_json(change),
		"benchmarks", benchmarks_json(change), "invocations", invocations_of(change));

	if (json_array_size(blocks) > 0)
		json_object_set(root, "blocks", blocks);
	json_decref(blocks);
	copy_rest(root, change->matrix);
	char *text = json_dumps(root, JSON_INDENT(1));
	char *copy = g_strdup(text);
	free(text);
	json_decref(root);
	return copy;
}
