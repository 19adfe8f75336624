#include "matrix_lists.h"

#include "fsx.h"
#include "origin.h"
#include "words.h"

#include <string.h>

static const char *const benchmark_names[] = {
#define BENCHMARK(id, name, algorithm, operation, work) name,
#include "benchmarks.def"
#undef BENCHMARK
	NULL};
static const char *const optimisation_names[] = {
	"library", "-O0", "-O1", "-O2", "-O3", "-Os", "-Ofast", "-O2 -flto", "-O3 -flto", "-Os -flto", NULL};
static const int block_sizes[] = {16, 64, 256, 1024, 4096, 8192, 16384, 65536, 262144, 1048576, 8388608};
static const char block_sizes_text[] =
	"16, 64, 256, 1024, 4096, 8192, 16384, 65536, 262144, 1048576, 8388608";

/* The first member of struct toolchain, profile, version and agent. */
static const char *name_of(gconstpointer item)
{
	return *(const char *const *)item;
}

/* Looks the string at `at` up among the names of `all` and adds what it finds. */
static bool add_named(GPtrArray *found, struct jx at, const char *kind, GPtrArray *all, GError **err)
{
	const char *word;
	if (!jx_as_string(&word, at, err))
		return false;
	g_autoptr(GPtrArray) known = g_ptr_array_new();
	for (guint i = 0; i < all->len; i++) {
		if (strcmp(name_of(all->pdata[i]), word) == 0) {
			g_ptr_array_add(found, all->pdata[i]);
			return true;
		}
		g_ptr_array_add(known, (char *)name_of(all->pdata[i]));
	}
	g_ptr_array_add(known, NULL);
	return word_unknown(at, kind, word, (const char *const *)known->pdata, err);
}

static bool add_all_named(GPtrArray *found, struct jx list, const char *kind, GPtrArray *all, GError **err)
{
	for (size_t i = 0; i < jx_size(list); i++) {
		if (!add_named(found, jx_at(list, i), kind, all, err))
			return false;
	}
	return true;
}

bool matrix_read_toolchains(
	struct matrix *matrix, const struct catalog *catalog, struct jx root, GError **err)
{
	struct jx list;
	matrix->toolchains = g_ptr_array_new();
	return word_list(&list, root, "toolchains", "toolchain", err) &&
	       add_all_named(matrix->toolchains, list, "toolchain", catalog->toolchains, err);
}

bool matrix_read_profiles(struct matrix *matrix, struct jx root, GError **err)
{
	struct jx list;
	matrix->profiles = g_ptr_array_new();
	if (!jx_has(root, "profiles")) {
		g_ptr_array_add(matrix->profiles, matrix->library->profiles->pdata[0]);
		return true;
	}
	return word_list(&list, root, "profiles", "profile", err) &&
	       add_all_named(matrix->profiles, list, "profile", matrix->library->profiles, err);
}

bool matrix_read_agents(struct matrix *matrix, const struct catalog *catalog, struct jx root, GError **err)
{
	struct jx list;
	matrix->agents = g_ptr_array_new();
	if (!word_list(&list, root, "agents", "agent", err))
		return false;
	for (size_t i = 0; i < jx_size(list); i++) {
		const char *word = json_string_value(jx_at(list, i).json);
		/* Found first: the fake, which tests use, is on no list. */
		const struct agent *agent = word ? agents_find(catalog->agents, word) : NULL;
		if (agent)
			g_ptr_array_add(matrix->agents, (gpointer)agent);
		else if (!add_named(matrix->agents, jx_at(list, i), "agent", catalog->agents->all, err))
			return false;
	}
	return true;
}

static void free_version(gpointer version)
{
	version_free(version);
}

/* A version of the matrix's own; paths are as seen from the matrix's file. */
static bool add_own_version(struct matrix *matrix, struct jx at, GError **err)
{
	struct version *version;
	if (!version_read(&version, at, err))
		return false;
	g_ptr_array_add(matrix->owned, version);
	if (library_version(matrix->library, version->name))
		return jx_fail(at, err, "\"%s\" is a version of library %s: give yours another name",
			version->name, matrix->library->name);
	for (guint i = 0; i < matrix->versions->len; i++) {
		const struct version *other = matrix->versions->pdata[i];
		if (strcmp(other->name, version->name) == 0)
			return jx_fail(at, err, "version \"%s\" is named twice", version->name);
	}
	g_ptr_array_add(matrix->versions, version);
	struct jx place;
	return version->origin.kind != ORIGIN_FOLDER ||
	       g_file_test(version->origin.folder, G_FILE_TEST_IS_DIR) ||
	       (jx_get(&place, at, "folder", err) &&
		       jx_fail(place, err, "%s is no folder", version->origin.folder));
}

bool matrix_read_versions(struct matrix *matrix, struct jx root, GError **err)
{
	struct jx list;
	const GPtrArray *all = matrix->library->versions;
	matrix->versions = g_ptr_array_new();
	matrix->owned = g_ptr_array_new_with_free_func(free_version);
	if (!jx_has(root, "versions")) {
		for (guint i = 0; i < all->len; i++)
			g_ptr_array_add(matrix->versions, all->pdata[i]);
		return true;
	}
	if (!word_list(&list, root, "versions", "version", err))
		return false;
	for (size_t i = 0; i < jx_size(list); i++) {
		struct jx at = jx_at(list, i);
		bool fine = json_is_object(at.json) ? add_own_version(matrix, at, err)
						    : add_named(matrix->versions, at, "version",
							      matrix->library->versions, err);
		if (!fine)
			return false;
	}
	return true;
}

bool matrix_read_optimisations(struct matrix *matrix, struct jx root, GError **err)
{
	struct jx list;
	if (!jx_strings_or_empty(&matrix->optimisations, root, "optimisations", err))
		return false;
	if (!jx_has(root, "optimisations")) {
		g_strfreev(matrix->optimisations);
		matrix->optimisations = g_strsplit("library", " ", -1);
		return true;
	}
	if (!word_list(&list, root, "optimisations", "optimisation", err))
		return false;
	for (size_t i = 0; matrix->optimisations[i]; i++) {
		if (!word_among(optimisation_names, matrix->optimisations[i]))
			return word_unknown(jx_at(list, i), "optimisation", matrix->optimisations[i],
				optimisation_names, err);
	}
	return true;
}

static bool matches_any_benchmark(const char *glob)
{
	for (const char *const *name = benchmark_names; *name; name++) {
		if (g_pattern_match_simple(glob, *name))
			return true;
	}
	return false;
}

bool matrix_read_benchmarks(struct matrix *matrix, struct jx root, GError **err)
{
	struct jx list;
	if (!jx_strings_or_empty(&matrix->benchmarks, root, "benchmarks", err))
		return false;
	if (!jx_has(root, "benchmarks")) {
		g_strfreev(matrix->benchmarks);
		matrix->benchmarks = g_strsplit("*", " ", -1);
		return true;
	}
	if (!word_list(&list, root, "benchmarks", "benchmark", err))
		return false;
	for (size_t i = 0; matrix->benchmarks[i]; i++) {
		if (!matches_any_benchmark(matrix->benchmarks[i]))
			return word_unknown(
				jx_at(list, i), "benchmark", matrix->benchmarks[i], benchmark_names, err);
	}
	return true;
}

static bool read_block(int *ret, struct jx at, GError **err)
{
	if (!json_is_integer(at.json))
		return jx_fail(at, err, "expected a number of bytes: one of %s", block_sizes_text);
	json_int_t size = json_integer_value(at.json);
	for (size_t i = 0; i < G_N_ELEMENTS(block_sizes); i++) {
		if (block_sizes[i] == size) {
			*ret = block_sizes[i];
			return true;
		}
	}
	return jx_fail(
		at, err, "no block of %" JSON_INTEGER_FORMAT " bytes; it can be %s", size, block_sizes_text);
}

bool matrix_read_blocks(struct matrix *matrix, struct jx root, GError **err)
{
	struct jx list;
	if (!jx_has(root, "blocks")) {
		matrix->blocks = g_new0(int, 2);
		matrix->blocks[0] = 16384;
		return true;
	}
	if (!word_list(&list, root, "blocks", "block", err))
		return false;
	matrix->blocks = g_new0(int, jx_size(list) + 1);
	for (size_t i = 0; i < jx_size(list); i++) {
		if (!read_block(&matrix->blocks[i], jx_at(list, i), err))
			return false;
		for (size_t j = 0; j < i; j++) {
			if (matrix->blocks[j] == matrix->blocks[i])
				return jx_fail(
					jx_at(list, i), err, "block %d is named twice", matrix->blocks[i]);
		}
	}
	return true;
}
