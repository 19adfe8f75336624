#include "library_tool.h"

#include "words.h"

static const char *const tool_keys[] = {
	"importer", "instrument", "sources", "cflags", "libs", "arguments", "choices", NULL};
static const char *const choice_keys[] = {"benchmarks", "argument", NULL};

static const char *const benchmark_names[] = {
#define BENCHMARK(id, name, algorithm, operation, work) name,
#include "benchmarks.def"
#undef BENCHMARK
	NULL};

static void choice_free(gpointer data)
{
	struct tool_choice *choice = data;
	g_strfreev(choice->benchmarks);
	g_free(choice);
}

static bool matches_some(const char *glob)
{
	for (const char *const *name = benchmark_names; *name; name++)
		if (g_pattern_match_simple(glob, *name))
			return true;
	return false;
}

static bool read_choice(struct tool_choice *choice, struct jx at, GError **err)
{
	struct jx list;
	if (!jx_only(at, choice_keys, err) || !jx_string(&choice->argument, at, "argument", err) ||
		!jx_strings_or_empty(&choice->benchmarks, at, "benchmarks", err) ||
		!word_list(&list, at, "benchmarks", "benchmark", err))
		return false;
	for (size_t i = 0; choice->benchmarks[i]; i++)
		if (!matches_some(choice->benchmarks[i]))
			return word_unknown(
				jx_at(list, i), "benchmark", choice->benchmarks[i], benchmark_names, err);
	return true;
}

static bool read_choices(struct tool *tool, struct jx at, GError **err)
{
	struct jx list;
	if (!jx_has(at, "choices"))
		return true;
	if (!jx_array(&list, at, "choices", err))
		return false;
	for (size_t i = 0; i < jx_size(list); i++) {
		struct tool_choice *choice = g_new0(struct tool_choice, 1);
		g_ptr_array_add(tool->choices, choice);
		if (!read_choice(choice, jx_at(list, i), err))
			return false;
	}
	return true;
}

bool tool_read(struct tool **ret, struct jx library, GError **err)
{
	struct jx at, list;
	*ret = NULL;
	if (!jx_has(library, "own"))
		return true;
	struct tool *tool = *ret = g_new0(struct tool, 1);
	tool->choices = g_ptr_array_new_with_free_func(choice_free);
	return jx_object(&at, library, "own", err) && jx_only(at, tool_keys, err) &&
	       word_string(&tool->importer, at, "importer", "importer", err) &&
	       word_string(&tool->instrument, at, "instrument", "instrument", err) &&
	       word_list(&list, at, "sources", "source", err) &&
	       jx_strings_or_empty(&tool->sources, at, "sources", err) &&
	       words_within(at, "sources", tool->sources, err) &&
	       jx_strings_or_empty(&tool->cflags, at, "cflags", err) &&
	       jx_strings_or_empty(&tool->libs, at, "libs", err) &&
	       jx_strings_or_empty(&tool->arguments, at, "arguments", err) && read_choices(tool, at, err);
}

void tool_free(struct tool *tool)
{
	if (!tool)
		return;
	g_strfreev(tool->sources);
	g_strfreev(tool->cflags);
	g_strfreev(tool->libs);
	g_strfreev(tool->arguments);
	g_ptr_array_unref(tool->choices);
	g_free(tool);
}
