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

/* Whether the program holds the word, as it does where it compares with it. */
static bool has_word(GMappedFile *program, const char *word)
{
	return memmem(g_mapped_file_get_contents(program), g_mapped_file_get_length(program), word,
		       strlen(word) + 1) != NULL;
}

/* Leaves out words of choices that the program does not have, where it has one of them. */
static void drop_unknown(GPtrArray *chosen, const char *file)
{
	g_autoptr(GMappedFile) program = g_mapped_file_new(file, FALSE, NULL);
	g_autoptr(GPtrArray) known = g_ptr_array_new();

	for (guint i = 0; program && i < chosen->len; i++)
		if (has_word(program, chosen->pdata[i]))
			g_ptr_array_add(known, chosen->pdata[i]);
	if (known->len == 0)
		return;
	g_ptr_array_set_size(chosen, 0);
	g_ptr_array_extend(chosen, known, NULL, NULL);
}

char **tool_arguments(const struct matrix *matrix, int block, const char *program)
{
	const struct tool *tool = matrix->library->tool;
	g_autoptr(GStrvBuilder) arguments = g_strv_builder_new();
	g_autoptr(GPtrArray) chosen = g_ptr_array_new();
	g_autofree char *bytes = g_strdup_printf("%d", block);
	const bool all = wants_all(matrix) || tool->choices->len == 0;

	for (guint i = 0; i < tool->choices->len && !all; i++) {
		const struct tool_choice *choice = tool->choices->pdata[i];
		if (is_chosen(choice, matrix))
			g_ptr_array_add(chosen, (gpointer)choice->argument);
	}
	if (!all && chosen->len == 0)
		return NULL;
	if (program)
		drop_unknown(chosen, program);
	for (guint i = 0; i < chosen->len; i++)
		g_strv_builder_add(arguments, chosen->pdata[i]);
	for (char **argument = tool->arguments; *argument; argument++)
		g_strv_builder_add(arguments, strcmp(*argument, "{block}") == 0 ? bytes : *argument);
	return g_strv_builder_end(arguments);
}
