#include "attempt_words.h"

#include <jansson.h>

static int n_blocks(const struct matrix *matrix)
{
	int n = 0;

	while (matrix->blocks[n] != 0)
		n++;
	return n;
}

/* A count is exact: one invocation tells all. A foreign program measures at one block in a process. */
int attempt_invocations(const struct attempt_spec *spec)
{
	if (spec->cell->build->tool != NULL)
		return spec->matrix->invocations * n_blocks(spec->matrix);
	return spec->cell->mode == AGENT_COUNT ? 1 : spec->matrix->invocations;
}

/* Of an undisturbed process. */
static GStrvBuilder *arguments_of(const struct attempt_spec *spec, int invocation)
{
	const struct matrix *matrix = spec->matrix;
	GStrvBuilder *arguments = g_strv_builder_new();
	g_autofree char *benchmarks = g_strjoinv(",", matrix->benchmarks);
	g_autofree char *budget = g_strdup_printf("%d", matrix->budget_ms);
	g_autofree char *number = g_strdup_printf("%d", invocation);
	g_autoptr(GString) blocks = g_string_new(NULL);

	for (const int *block = matrix->blocks; *block != 0; block++)
		g_string_append_printf(blocks, "%s%d", blocks->len ? "," : "", *block);
	g_strv_builder_add_many(arguments, spec->cell->mode == AGENT_COUNT ? "--count" : "--time", "--build",
		spec->key_program, "--benchmarks", benchmarks, "--block", blocks->str, "--invocation", number,
		NULL);
	if (spec->cell->mode == AGENT_TIME)
		g_strv_builder_add_many(arguments, "--budget-ms", budget, NULL);
	return arguments;
}

static char **foreign_arguments(const struct attempt_spec *spec, int invocation)
{
	const struct matrix *matrix = spec->matrix;

	return tool_arguments(matrix, matrix->blocks[invocation % n_blocks(matrix)], spec->program);
}

/* On such a machine what one benchmark has touched is not there for the next one. */
#define SMALL_MIB 64
static bool is_small(const struct attempt_spec *spec)
{
	const char *memory =
		spec->place->what != NULL ? g_hash_table_lookup(spec->place->what->facts, "memory") : NULL;
	char *unit;
	guint64 mib = memory != NULL ? g_ascii_strtoull(memory, &unit, 10) : 0;

	return spec->cell->mode == AGENT_TIME && mib > 0 && mib <= SMALL_MIB && g_str_equal(unit, " MiB");
}

char **attempt_arguments(const struct attempt_spec *spec, const struct course *course)
{
	if (spec->cell->build->tool != NULL)
		return foreign_arguments(spec, course_invocation(course));

	g_autoptr(GStrvBuilder) arguments = arguments_of(spec, course_invocation(course));
	const char *from = course_from(course);
	g_autofree char *skip = course_skip(course);

	if (from != NULL)
		g_strv_builder_add_many(arguments, "--from", from, NULL);
	if (is_small(spec))
		g_strv_builder_add(arguments, "--one");
	if (skip != NULL)
		g_strv_builder_add_many(arguments, "--skip", skip, NULL);
	return g_strv_builder_end(arguments);
}

char *attempt_list(char **strings)
{
	json_t *list = json_array();

	for (char **s = strings; *s != NULL; s++)
		json_array_append_new(list, json_string(*s));

	char *text = json_dumps(list, JSON_COMPACT);
	char *copy = g_strdup(text);
	free(text);
	json_decref(list);
	return copy;
}

/* What times depend on beside program and arguments, as far as the place tells. Its clock, where nobody
 * governs it, moves by itself. */
static char *timing_of(const struct attempt_spec *spec)
{
	static const char *const facts[] = {
		"cpu", "cores", "os", "kernel", "hostname", "governor", "turbo", NULL};
	const struct agent *agent = spec->cell->agent;
	const char *host = agent->kind->elsewhere ? agent->settings : spec->host;
	g_autoptr(GString) text = g_string_new("timed\n");

	g_string_append_printf(text, "platform %s\ninvocations %d\nhost %s\n", spec->place->what->platform,
		attempt_invocations(spec), host != NULL ? host : "");
	for (const char *const *fact = facts; *fact != NULL; fact++) {
		const char *value = g_hash_table_lookup(spec->place->what->facts, *fact);
		g_string_append_printf(text, "%s %s\n", *fact, value != NULL ? value : "");
	}
	return g_compute_checksum_for_string(G_CHECKSUM_SHA256, text->str, -1);
}

/* What equal results need beside equal arguments; NULL where each run measures anew. */
static char *surroundings_of(const struct attempt_spec *spec)
{
	const char *exact = spec->place->what->exact;

	/* Counts are the same, but what they were of is told only where it was asked for. */
	if (spec->cell->mode == AGENT_COUNT)
		return exact != NULL && spec->matrix->functions ? g_strconcat(exact, " functions", NULL)
								: g_strdup(exact);
	return spec->matrix->times_once ? timing_of(spec) : NULL;
}

/* The program's arguments hold its own key. */
char *attempt_exact_key_of(const struct attempt_spec *spec)
{
	g_autofree char *exact = surroundings_of(spec);

	if (exact == NULL)
		return NULL;

	g_autoptr(GStrvBuilder) builder = arguments_of(spec, 0);
	g_auto(GStrv) arguments = g_strv_builder_end(builder);
	g_autofree char *list = attempt_list(arguments);
	g_autofree char *input = g_strdup_printf("{\"arguments\":%s,\"exact\":\"%s\"}", list, exact);
	return g_compute_checksum_for_string(G_CHECKSUM_SHA256, input, -1);
}
