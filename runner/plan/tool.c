#include "plan.h"

#include <string.h>

static const char *const benchmark_names[] = {
#define BENCHMARK(id, name, algorithm, operation, work) name,
#include "benchmarks.def"
#undef BENCHMARK
	NULL};

const char *planned_instrument(const struct planned_build *build)
{
	return build->tool ? build->tool->instrument : "bench-core";
}

static bool matches(char **globs, const char *name)
{
	for (; *globs; globs++)
		if (g_pattern_match_simple(*globs, name))
			return true;
	return false;
}

/* Whether the matrix wants one of its benchmarks. */
static bool is_chosen(const struct tool_choice *choice, const struct matrix *matrix)
{
	for (const char *const *name = benchmark_names; *name; name++)
		if (matches(choice->benchmarks, *name) && matches(matrix->benchmarks, *name))
			return true;
	return false;
}

static bool wants_all(const struct matrix *matrix)
{
	for (const char *const *name = benchmark_names; *name; name++)
		if (!matches(matrix->benchmarks, *name))
			return false;
	return true;
}

char **tool_arguments(const struct matrix *matrix, int block)
{
	const struct tool *tool = matrix->library->tool;
	g_autoptr(GStrvBuilder) arguments = g_strv_builder_new();
	g_autofree char *bytes = g_strdup_printf("%d", block);
	bool all = wants_all(matrix) || tool->choices->len == 0, some = all;
	for (guint i = 0; i < tool->choices->len && !all; i++) {
		const struct tool_choice *choice = tool->choices->pdata[i];
		if (!is_chosen(choice, matrix))
			continue;
		g_strv_builder_add(arguments, choice->argument);
		some = true;
	}
	for (char **argument = tool->arguments; *argument; argument++)
		g_strv_builder_add(arguments, strcmp(*argument, "{block}") == 0 ? bytes : *argument);
	return some ? g_strv_builder_end(arguments) : NULL;
}
