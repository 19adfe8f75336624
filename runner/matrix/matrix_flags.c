#include "library_flags.h"
#include "matrix_lists.h"
#include "words.h"

#include <string.h>

enum { MOST_FLAGS_COMBINED = 12 }; /* 4096 sets: more is a mistake, and a week of compiling */

/* The library as this matrix sees it: a copy that borrows all but its array of flags. */
bool matrix_read_extra_flags(struct matrix *matrix, struct jx root, GError **err)
{
	struct jx list;
	const struct library *base = matrix->library;
	if (!jx_has(root, "extra_flags"))
		return true;
	if (!jx_array(&list, root, "extra_flags", err) ||
		!(matrix->extra_flags = flags_read(base->flags, list, err)))
		return false;
	matrix->extended = g_memdup2(base, sizeof(*base));
	matrix->extended->flags = g_ptr_array_copy(base->flags, NULL, NULL);
	g_ptr_array_set_free_func(matrix->extended->flags, NULL); /* the copy lends, the original owns */
	g_ptr_array_extend(matrix->extended->flags, matrix->extra_flags, NULL, NULL);
	matrix->library = matrix->extended;
	return true;
}

/* The names of all flags of a library, in its order; the strings are lent. */
static GPtrArray *flag_names(const struct library *library)
{
	GPtrArray *names = g_ptr_array_new();
	for (guint i = 0; i < library->flags->len; i++)
		g_ptr_array_add(names, (char *)((const struct flag *)library->flags->pdata[i])->name);
	g_ptr_array_add(names, NULL);
	return names;
}

/* Reads a list of flags' names. *ret is a new vector (g_strfreev). */
static bool read_flag_names(char ***ret, struct matrix *matrix, struct jx list, GError **err)
{
	g_autoptr(GStrvBuilder) names = g_strv_builder_new();
	g_autoptr(GPtrArray) known = flag_names(matrix->library);
	for (size_t i = 0; i < jx_size(list); i++) {
		const char *name;
		if (!jx_as_string(&name, jx_at(list, i), err))
			return false;
		if (!library_flag(matrix->library, name))
			return word_unknown(
				jx_at(list, i), "flag", name, (const char *const *)known->pdata, err);
		g_strv_builder_add(names, name);
	}
	if (!word_once(list, "flag", err))
		return false;
	*ret = g_strv_builder_end(names);
	return true;
}

static char **in_order_of(const struct library *library, char *const *names)
{
	g_autoptr(GStrvBuilder) ordered = g_strv_builder_new();
	for (guint i = 0; i < library->flags->len; i++) {
		const struct flag *flag = library->flags->pdata[i];
		if (!names || word_among((const char *const *)names, flag->name))
			g_strv_builder_add(ordered, flag->name);
	}
	return g_strv_builder_end(ordered);
}

/* "all", or {"all": ["fastmath", "sp"]}. */
static bool read_all_flags(struct matrix *matrix, struct jx at, GError **err)
{
	static const char *const keys[] = {"all", NULL};
	g_auto(GStrv) names = NULL;
	if (json_is_object(at.json)) {
		struct jx list;
		if (!jx_only(at, keys, err) || !word_list(&list, at, "all", "flag", err) ||
			!read_flag_names(&names, matrix, list, err))
			return false;
	}
	matrix->all_flags = true;
	matrix->flags_of = in_order_of(matrix->library, names);
	if (g_strv_length(matrix->flags_of) > MOST_FLAGS_COMBINED)
		return jx_fail(at, err,
			"%u flags are too many to combine: name at most %d in {\"all\": [...]}",
			g_strv_length(matrix->flags_of), MOST_FLAGS_COMBINED);
	return true;
}

static void free_request(gpointer data)
{
	struct flag_request *request = data;
	g_strfreev(request->names);
	g_free(request);
}

static bool read_flag_sets(struct matrix *matrix, struct jx list, GError **err)
{
	if (jx_size(list) == 0)
		return jx_fail(list, err, "name at least one set of flags; [] within it is the set of none");
	for (size_t i = 0; i < jx_size(list); i++) {
		struct jx at = jx_at(list, i);
		if (!json_is_array(at.json))
			return jx_fail(at, err, "expected a set of flags such as [\"%s\"]",
				json_is_string(at.json) ? json_string_value(at.json) : "fastmath");
		struct flag_request *request = g_new0(struct flag_request, 1);
		g_ptr_array_add(matrix->flag_sets, request);
		if (!read_flag_names(&request->names, matrix, at, err))
			return false;
	}
	return true;
}

bool matrix_read_flags(struct matrix *matrix, struct jx root, GError **err)
{
	struct jx at;
	matrix->flag_sets = g_ptr_array_new_with_free_func(free_request);
	if (!jx_has(root, "flags")) {
		struct flag_request *none = g_new0(struct flag_request, 1);
		none->names = g_new0(char *, 1);
		g_ptr_array_add(matrix->flag_sets, none);
		return true;
	}
	if (!jx_get(&at, root, "flags", err))
		return false;
	const char *word = json_string_value(at.json);
	if (json_is_object(at.json) || (word && strcmp(word, "all") == 0))
		return read_all_flags(matrix, at, err);
	if (json_is_array(at.json))
		return read_flag_sets(matrix, at, err);
	return jx_fail(at, err, "expected \"all\", {\"all\": [flags]} or a list of sets of flags");
}
