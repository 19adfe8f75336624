#include "trees.h"

#include "child.h"
#include "diag.h"
#include "source.h"

#include <jansson.h>
#include <string.h>

#define GIT_TIMEOUT_S 60

/* What `git -C FOLDER rev-parse WORDS` prints, without the newline at its end; NULL where it fails. */
static char *git_says(const char *folder, const char *option, const char *word)
{
	g_auto(GStrv) environment = source_environment();
	const char *argv[] = {"git", "-C", folder, "rev-parse", option, word, NULL};
	const struct child_spec spec = {.argv = argv,
		.environment = (const char *const *)environment,
		.timeout_s = GIT_TIMEOUT_S,
		.cpu = -1};
	g_autoptr(GString) out = g_string_new(NULL);
	struct child_exit end;

	if (!child_run(&end, out, NULL, &spec, NULL) || end.end != CHILD_EXITED || end.status != 0)
		return NULL;
	return g_strchomp(g_strdup(out->str));
}

static json_t *folder_json(const char *name, const char *folder)
{
	g_autofree char *absolute = g_canonicalize_filename(folder, NULL);

	return json_pack("{s:s, s:s}", "name", name, "folder", absolute);
}

/* NULL where git knows no such commit. The commit itself stands in the matrix: a branch may move. */
static json_t *commit_json(const char *name, const char *repository, const char *ref)
{
	g_autofree char *word = g_strconcat(ref, "^{commit}", NULL);
	g_autofree char *commit = git_says(repository, "--verify", word);
	g_autofree char *found =
		commit ? git_says(repository, "--path-format=absolute", "--git-common-dir") : NULL;

	if (found == NULL)
		return NULL;
	return json_pack("{s:s, s:{s:s, s:s}}", "name", name, "git", "repository", found, "ref", commit);
}

static json_t *version_json(const struct trees_spec *spec, const char *name, const char *word, GError **err)
{
	const char *repository = spec->repository ? spec->repository : ".";
	bool is_folder = g_file_test(word, G_FILE_TEST_IS_DIR);
	json_t *version = NULL;

	if (spec->repository != NULL || !is_folder)
		version = commit_json(name, repository, word);
	if (version == NULL && is_folder)
		version = folder_json(name, word);
	if (version == NULL)
		diag_set(err, DIAG_USAGE,
			"%s: \"%s\" is no folder, and git finds no commit of that name in %s (--repository "
			"names another one)",
			name, word, spec->repository ? spec->repository : "the current folder");
	return version;
}

static json_t *list_json(const char *text, const char *separator)
{
	g_auto(GStrv) words = g_strsplit(text, separator, -1);
	json_t *list = json_array();

	for (char **word = words; *word; word++)
		json_array_append_new(list, json_string(*word));
	return list;
}

static json_t *flags_json(const char *configs)
{
	g_auto(GStrv) sets = g_strsplit(configs, ",", -1);
	json_t *list = json_array();

	for (char **set = sets; *set; set++)
		json_array_append_new(
			list, strcmp(*set, "default") == 0 ? json_array() : list_json(*set, "+"));
	return list;
}

/* NULL where one of them is none. */
static json_t *versions_json(const struct trees_spec *spec, GError **err)
{
	json_t *versions = json_array();
	json_t *before = spec->before ? version_json(spec, TREES_BEFORE, spec->before, err) : NULL;

	if (before != NULL)
		json_array_append_new(versions, before);
	json_t *after = spec->before == NULL || before != NULL
				? version_json(spec, TREES_AFTER, spec->after, err)
				: NULL;
	if (after != NULL) {
		json_array_append_new(versions, after);
		return versions;
	}
	json_decref(versions);
	return NULL;
}

bool trees_matrix(char **ret, const struct trees_spec *spec, GError **err)
{
	json_t *versions = versions_json(spec, err);
	json_t *agents = json_array();

	if (versions == NULL) {
		json_decref(agents);
		return false;
	}
	if (spec->count)
		json_array_append_new(agents, json_string("qemu-user"));
	if (spec->time)
		json_array_append_new(agents, json_string("local"));
	json_t *root = json_pack("{s:s, s:o, s:o, s:o, s:o}", "library", spec->library, "versions", versions,
		"toolchains", list_json(spec->toolchains, ","), "flags", flags_json(spec->configs), "agents",
		agents);
	if (spec->benchmarks != NULL)
		json_object_set_new(root, "benchmarks", list_json(spec->benchmarks, ","));
	if (spec->invocations > 0)
		json_object_set_new(root, "invocations", json_integer(spec->invocations));
	if (spec->budget_ms > 0)
		json_object_set_new(root, "budget_ms", json_integer(spec->budget_ms));
	char *text = json_dumps(root, JSON_INDENT(1));
	*ret = g_strdup(text);
	free(text);
	json_decref(root);
	return true;
}
