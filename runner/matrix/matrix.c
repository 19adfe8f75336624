#include "matrix.h"

#include "diag.h"
#include "fsx.h"
#include "jsonx.h"
#include "matrix_lists.h"
#include "words.h"

#include <string.h>

enum {
	LARGEST_MATRIX = 1 << 20,
	MOST_INVOCATIONS = 1000,
	LONGEST_BUDGET_MS = 600000,
	LONGEST_DEADLINE_S = 604800
};

static const char *const matrix_keys[] = {"summary", "library", "versions", "toolchains", "profiles",
	"optimisations", "flags", "extra_flags", "agents", "benchmarks", "blocks", "invocations", "budget_ms",
	"deadlines", "timing", "instruments", "functions", NULL};
static const char *const deadline_keys[] = {"start", "silence", "total", NULL};

static bool read_library(struct matrix *matrix, const struct catalog *catalog, struct jx root, GError **err)
{
	const char *name;
	struct jx at;
	if (!jx_string(&name, root, "library", err) || !jx_get(&at, root, "library", err))
		return false;
	g_autoptr(GPtrArray) known = g_ptr_array_new();
	for (guint i = 0; i < catalog->libraries->len; i++) {
		const struct library *library = catalog->libraries->pdata[i];
		if (strcmp(library->name, name) == 0)
			matrix->library = library;
		g_ptr_array_add(known, (char *)library->name);
	}
	g_ptr_array_add(known, NULL);
	return matrix->library || word_unknown(at, "library", name, (const char *const *)known->pdata, err);
}

static bool read_numbers(struct matrix *matrix, struct jx root, GError **err)
{
	int64_t invocations, budget;
	if (!jx_int_or(&invocations, root, "invocations", 8, 1, MOST_INVOCATIONS, err) ||
		!jx_int_or(&budget, root, "budget_ms", 100, 1, LONGEST_BUDGET_MS, err))
		return false;
	matrix->invocations = (int)invocations;
	matrix->budget_ms = (int)budget;
	return true;
}

/* One that lies behind the end of all could never be met. */
static bool check_deadline(const char *name, int seconds, int total, struct jx at, GError **err)
{
	return total == 0 || seconds <= total ||
	       jx_fail(at, err, "%s: %d s is longer than total: %d s", name, seconds, total);
}

static bool read_deadlines(struct matrix_deadlines *ret, struct jx root, GError **err)
{
	int64_t start, silence, total;
	struct jx at;

	*ret = (struct matrix_deadlines){0};
	if (!jx_has(root, "deadlines"))
		return true;
	if (!jx_object(&at, root, "deadlines", err) || !jx_only(at, deadline_keys, err) ||
		!jx_int_or(&start, at, "start", 0, 1, LONGEST_DEADLINE_S, err) ||
		!jx_int_or(&silence, at, "silence", 0, 1, LONGEST_DEADLINE_S, err) ||
		!jx_int_or(&total, at, "total", 0, 1, LONGEST_DEADLINE_S, err))
		return false;
	*ret = (struct matrix_deadlines){(int)start, (int)silence, (int)total};
	return check_deadline("start", ret->start, ret->total, at, err) &&
	       check_deadline("silence", ret->silence, ret->total, at, err);
}

static bool read_timing(struct matrix *matrix, struct jx root, GError **err)
{
	static const char *const words[] = {"always", "once", NULL};
	const char *word;
	struct jx at;
	if (!jx_string_or(&word, root, "timing", words[0], err))
		return false;
	matrix->times_once = strcmp(word, "once") == 0;
	return g_strv_contains(words, word) ||
	       (jx_get(&at, root, "timing", err) && word_unknown(at, "timing", word, words, err));
}

static bool read_instruments(struct matrix *matrix, struct jx root, GError **err)
{
	static const char *const known[] = {"bench-core", "own", NULL};
	g_auto(GStrv) words = NULL;
	struct jx list;
	matrix->bench_core = !jx_has(root, "instruments");
	if (matrix->bench_core)
		return true;
	if (!word_list(&list, root, "instruments", "instrument", err) ||
		!jx_strings_or_empty(&words, root, "instruments", err))
		return false;
	for (size_t i = 0; words[i]; i++)
		if (!word_among(known, words[i]))
			return word_unknown(jx_at(list, i), "instrument", words[i], known, err);
	matrix->bench_core = word_among((const char *const *)words, known[0]);
	matrix->own = word_among((const char *const *)words, known[1]);
	return !matrix->own || matrix->library->tool ||
	       jx_fail(list, err,
		       "the file of library %s names no benchmark of its own (\"own\"): leave out \"own\"",
		       matrix->library->name);
}

static bool read_matrix(struct matrix *matrix, const struct catalog *catalog, GError **err)
{
	struct jx root = jx_root(matrix->doc);
	const char *summary;
	if (!jx_only(root, matrix_keys, err) || !jx_string_or(&summary, root, "summary", "", err))
		return false;
	matrix->summary = g_strdup(summary);
	return read_library(matrix, catalog, root, err) && matrix_read_versions(matrix, root, err) &&
	       matrix_read_toolchains(matrix, catalog, root, err) &&
	       matrix_read_profiles(matrix, root, err) && matrix_read_optimisations(matrix, root, err) &&
	       matrix_read_extra_flags(matrix, root, err) && matrix_read_flags(matrix, root, err) &&
	       matrix_read_agents(matrix, catalog, root, err) && matrix_read_benchmarks(matrix, root, err) &&
	       matrix_read_blocks(matrix, root, err) && read_numbers(matrix, root, err) &&
	       read_deadlines(&matrix->deadlines, root, err) && read_timing(matrix, root, err) &&
	       read_instruments(matrix, root, err) &&
	       jx_bool_or(&matrix->functions, root, "functions", false, err);
}

/* The matrix's name is its file's: "nightly" for nightly.json. NULL where it is not safe to use. */
static char *name_from(const char *file, GError **err)
{
	char *name = g_path_get_basename(file);
	if (g_str_has_suffix(name, ".json"))
		name[strlen(name) - strlen(".json")] = '\0';
	if (word_safe(name))
		return name;
	g_free(name);
	diag_set(err, DIAG_INPUT,
		"%s: rename it: a matrix's file is named by 1 to 64 letters, digits and . _ + -, a letter or "
		"digit first",
		file);
	return NULL;
}

/* Takes over `text`. */
static bool load(struct matrix **ret, const char *file, char *text, size_t length,
	const struct catalog *catalog, GError **err)
{
	struct matrix *matrix = g_new0(struct matrix, 1);

	matrix->file = g_strdup(file);
	matrix->text = text;
	if ((matrix->name = name_from(file, err)) &&
		(matrix->doc = jx_parse(matrix->text, length, file, err)) &&
		read_matrix(matrix, catalog, err)) {
		*ret = matrix;
		return true;
	}
	matrix_free(matrix);
	return false;
}

bool matrix_load(struct matrix **ret, const char *file, const struct catalog *catalog, GError **err)
{
	char *text;
	size_t length;

	return fsx_read(&text, &length, file, LARGEST_MATRIX, err) &&
	       load(ret, file, text, length, catalog, err);
}

bool matrix_load_text(
	struct matrix **ret, const char *file, const char *text, const struct catalog *catalog, GError **err)
{
	return load(ret, file, g_strdup(text), strlen(text), catalog, err);
}

static void unref_array(GPtrArray **array)
{
	g_clear_pointer(array, g_ptr_array_unref);
}

void matrix_free(struct matrix *matrix)
{
	if (!matrix)
		return;
	unref_array(&matrix->versions);
	unref_array(&matrix->toolchains);
	unref_array(&matrix->profiles);
	unref_array(&matrix->flag_sets);
	unref_array(&matrix->agents);
	unref_array(&matrix->owned);
	if (matrix->extended)
		g_ptr_array_unref(matrix->extended->flags);
	g_free(matrix->extended);
	unref_array(&matrix->extra_flags);
	g_strfreev(matrix->optimisations);
	g_strfreev(matrix->flags_of);
	g_strfreev(matrix->benchmarks);
	g_free(matrix->blocks);
	g_free(matrix->name);
	g_free(matrix->file);
	g_free(matrix->summary);
	g_free(matrix->text);
	jx_document_free(matrix->doc);
	g_free(matrix);
}
