#include "agents_probe.h"

#include "cache_entries.h"
#include "diag.h"
#include "jsonx.h"

#include <string.h>

#define ANSWER_MAX	(64u << 10) /* bytes: a line of the wire format is less */
#define ANSWER_S	60
#define WRONG_USAGE	2 /* exit status of a program from before --probe */
#define SHORTEST_LOCK_S 1

void probe_free(struct probe *probe)
{
	if (!probe)
		return;
	g_free(probe->program);
	g_free(probe->trouble);
	g_free(probe->features);
	g_free(probe->counter);
	g_free(probe->clock);
	g_free(probe->memory);
	g_free(probe);
}

/* --- which program --- */

static const struct toolchain *toolchain_of(const GPtrArray *toolchains, const struct cache_entry *entry)
{
	for (guint i = 0; entry->kind == CACHE_PROGRAMS && entry->build && i < toolchains->len; i++) {
		const struct toolchain *toolchain = toolchains->pdata[i];
		size_t length = strlen(toolchain->name);
		if (strncmp(entry->build, toolchain->name, length) == 0 && entry->build[length] == ' ')
			return toolchain;
	}
	return NULL;
}

/* Of programs that are not ours, none can be asked. */
static char *file_of(const struct cache_entry *entry, const char *cache)
{
	g_autofree char *folder = cache_entry_path(entry, cache);
	char *file = g_build_filename(folder, "bench-core", NULL);

	if (g_file_test(file, G_FILE_TEST_IS_REGULAR))
		return file;
	g_free(file);
	return NULL;
}

/* The path of the program; NULL: there is none. */
static char *find_program(char **ret_build, const struct toolchain **ret_toolchain, const char *cache,
	const GPtrArray *toolchains)
{
	g_autoptr(GPtrArray) entries = NULL;
	int64_t latest = -1;
	char *found = NULL;

	if (!cache_entries(&entries, cache, NULL))
		return NULL;
	for (guint i = 0; i < entries->len; i++) {
		const struct cache_entry *entry = entries->pdata[i];
		const struct toolchain *toolchain = toolchain_of(toolchains, entry);
		char *file = toolchain && entry->used_at > latest ? file_of(entry, cache) : NULL;
		if (!file)
			continue;
		g_free(found);
		found = file;
		g_free(*ret_build);
		*ret_build = g_strdup(entry->build);
		*ret_toolchain = toolchain;
		latest = entry->used_at;
	}
	return found;
}

/* --- running it --- */

struct asking {
	GString *out;
	struct child_exit end;
	char *why;
	bool ended;
};

static void on_output(int stream, const char *bytes, size_t length, void *user)
{
	struct asking *asking = user;

	if (stream == 1)
		g_string_append_len(asking->out, bytes, (gssize)length);
}

static void on_exit_(const struct agent_end *end, void *user)
{
	struct asking *asking = user;

	asking->end = end->exit;
	asking->why = end->why ? g_strdup(end->why) : child_end_text(&end->exit);
	asking->ended = true;
}

/* The board is neither changed for it nor waited for. */
static bool ask(struct asking *asking, const struct agent *agent, const struct agent_target *target,
	const char *program)
{
	static const char *const arguments[] = {"--probe", NULL};
	struct agent own = *agent;
	g_auto(GStrv) argv = NULL;
	g_autoptr(GError) error = NULL;
	const struct agent_job job = {.target = target,
		.mode = AGENT_TIME,
		.program = program,
		.arguments = arguments,
		.timeout_s = ANSWER_S,
		.output_ceiling = ANSWER_MAX,
		.on_output = on_output,
		.on_exit = on_exit_,
		.user = asking};

	own.settings = NULL;
	own.deadlines.lock = SHORTEST_LOCK_S;
	if (!agent_start(&argv, &own, &job, &error)) {
		asking->why = g_strdup(error->message);
		return false;
	}
	while (!asking->ended)
		g_main_context_iteration(NULL, TRUE);
	return asking->end.end == CHILD_EXITED && asking->end.status == 0;
}

/* --- what it says --- */

static char *joined(struct jx header, const char *key)
{
	g_auto(GStrv) words = NULL;

	return jx_strings_or_empty(&words, header, key, NULL) && words[0] ? g_strjoinv(" ", words) : NULL;
}

static int64_t number(struct jx header, const char *key)
{
	int64_t value = 0;

	return jx_int_or(&value, header, key, 0, 0, INT64_C(1) << 53, NULL) ? value : 0;
}

/* "CLOCK_MONOTONIC, 1 ns" */
static char *clock_of(struct jx header)
{
	const char *name = NULL;
	int64_t step = number(header, "clock_resolution_ns");

	if (!jx_string_or(&name, header, "clock", NULL, NULL) || !name)
		return NULL;
	return step > 0 ? g_strdup_printf("%s, steps of %" G_GINT64_FORMAT " ns", name, (gint64)step)
			: g_strdup(name);
}

/* "cntvct, 54.0 MHz" */
static char *counter_of(struct jx header)
{
	const char *name = NULL;
	int64_t hz = number(header, "counter_hz");

	if (!jx_string_or(&name, header, "counter", NULL, NULL) || !name)
		return NULL;
	return hz > 0 ? g_strdup_printf("%s, %.1f MHz", name, (double)hz / 1e6) : g_strdup(name);
}

/* "64 bits, little-endian, pages of 4096 bytes" */
static char *memory_of(struct jx header)
{
	const char *endian = NULL;
	int64_t bits = number(header, "pointer_bits"), page = number(header, "page_size");

	if (bits == 0 || !jx_string_or(&endian, header, "endian", NULL, NULL) || !endian)
		return NULL;
	g_autofree char *pages =
		page > 0 ? g_strdup_printf(", pages of %" G_GINT64_FORMAT " bytes", (gint64)page)
			 : g_strdup("");
	return g_strdup_printf(
		"pointers of %" G_GINT64_FORMAT " bits, %s-endian%s", (gint64)bits, endian, pages);
}

static void take_header(struct probe *probe, const GString *out)
{
	size_t length = strcspn(out->str, "\n");
	struct jx_document *document = jx_parse(out->str, length, "the header", NULL);

	if (document) {
		struct jx header = jx_root(document);
		probe->features = joined(header, "cpu_features");
		probe->clock = clock_of(header);
		probe->counter = counter_of(header);
		probe->memory = memory_of(header);
	}
	jx_document_free(document);
	if (!probe->clock)
		probe->trouble = g_strdup("what it printed is no header of ours");
}

struct probe *probe_agent(const char *cache, const struct agent *agent, const GPtrArray *toolchains)
{
	const struct toolchain *toolchain = NULL;
	struct probe *probe;
	g_autofree char *build = NULL;
	/* An emulator tells of itself; a user's script may write flash. */
	bool asked = agent->kind->look != NULL || agent->kind->condition != NULL;
	g_autofree char *program = asked ? find_program(&build, &toolchain, cache, toolchains) : NULL;

	if (!program)
		return NULL;
	struct asking asking = {.out = g_string_new(NULL)};
	bool ok = ask(&asking, agent, &toolchain->target, program);
	bool older = asking.ended && asking.end.end == CHILD_EXITED && asking.end.status == WRONG_USAGE;
	probe = older ? NULL : g_new0(struct probe, 1);
	if (probe)
		probe->program = g_steal_pointer(&build);
	if (probe && ok)
		take_header(probe, asking.out);
	else if (probe)
		probe->trouble = g_steal_pointer(&asking.why);
	g_string_free(asking.out, TRUE);
	g_free(asking.why);
	return probe;
}
