#include "build_parts.h"
#include "diag.h"
#include "elf_code.h"
#include "errors.h"
#include "fsx.h"
#include "keys.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#define PROGRAM "bench-core"
#define TOOL	"benchmark"

/* How every program is compiled, beside what toolchain and library ask for. */
static const char *const fixed[] = {"-O2", "-std=gnu99", NULL};

static const char *program_of(const struct build_job *job)
{
	return job->build->tool ? TOOL : PROGRAM;
}

static void add(GStrvBuilder *argv, char **words)
{
	if (words)
		g_strv_builder_addv(argv, (const char **)words);
}

/* The options, with "{build}" for the library's folder. */
static char **compile_words(const struct planned_build *build)
{
	g_autoptr(GStrvBuilder) words = g_strv_builder_new();
	add(words, build->toolchain->cflags);
	g_strv_builder_addv(words, (const char **)fixed);
	add(words, build->library->core_cflags);
	add(words, build->profile->core_cflags);
	if (build->tool)
		add(words, build->tool->cflags);
	for (char **include = build->library->includes; include && *include; include++) {
		g_autofree char *word = strcmp(*include, ".") == 0
						? g_strdup("-I{build}")
						: g_strdup_printf("-I{build}/%s", *include);
		g_strv_builder_add(words, word);
	}
	return g_strv_builder_end(words);
}

/* Where there is no system, its library of threads is none of the compiler's either. */
static void add_libs(GStrvBuilder *words, const struct planned_build *build)
{
	for (char **word = build->library->libs; word && *word; word++)
		if (!build->toolchain->bare || strcmp(*word, "-lpthread") != 0)
			g_strv_builder_add(words, *word);
}

static char **link_words(const struct planned_build *build)
{
	g_autoptr(GStrvBuilder) words = g_strv_builder_new();
	g_autofree char *archive = g_strconcat("{build}/", build->library->archive, NULL);
	for (char **other = build->profile->archives; other && *other; other++) {
		g_autofree char *word = g_strconcat("{build}/", *other, NULL);
		g_strv_builder_add(words, word);
	}
	g_strv_builder_add(words, archive);
	if (build->tool)
		add(words, build->tool->libs);
	else
		add_libs(words, build);
	add(words, build->toolchain->ldflags);
	return g_strv_builder_end(words);
}

/* Paths of this machine must not get into the program, where the compiler can keep them out: equal inputs
 * give equal bytes wherever they are. */
static void map_folder(GStrvBuilder *argv, const struct build_job *job, const char *folder, const char *name)
{
	g_autofree char *map = g_strdup_printf("-ffile-prefix-map=%s=%s", folder, name);
	if (job->identity->maps_folders)
		g_strv_builder_add(argv, map);
}

static void include_folder(GStrvBuilder *argv, const char *folder)
{
	g_autofree char *option = g_strconcat("-I", folder, NULL);
	g_strv_builder_add(argv, option);
}

/* As recipe_expand(), and bench-core's folder for "{core}". */
static char **expand(const struct build_job *job, char *const *words, const char *tree)
{
	char **expanded = recipe_expand((const char *const *)words, tree);
	for (char **word = expanded; *word; word++) {
		GString *text = g_string_new(*word);
		g_string_replace(text, "{core}", job->builder->core, 0);
		g_free(*word);
		*word = g_string_free(text, FALSE);
	}
	return expanded;
}

static void add_core(GStrvBuilder *argv, const struct build_job *job)
{
	const char *adapter = job->build->library->adapter;
	g_autofree char *libs = g_path_get_dirname(adapter);
	map_folder(argv, job, libs, "libs");
	map_folder(argv, job, job->builder->schema, "schema");
	map_folder(argv, job, job->builder->core, "core");
	include_folder(argv, job->builder->schema);
	include_folder(argv, job->builder->core);
	for (guint i = 0; i < job->builder->core_sources->len; i++)
		g_strv_builder_add(argv, job->builder->core_sources->pdata[i]);
	g_strv_builder_add(argv, adapter);
}

static void add_tool(GStrvBuilder *argv, const struct build_job *job)
{
	map_folder(argv, job, job->source->folder, "source");
	for (char **source = job->build->tool->sources; *source; source++) {
		g_autofree char *file = g_build_filename(job->source->folder, *source, NULL);
		g_strv_builder_add(argv, file);
	}
}

static char **program_argv(const struct build_job *job)
{
	const struct planned_build *build = job->build;
	g_autofree char *tree = g_build_filename(job->library, "tree", NULL);
	g_auto(GStrv) compile = compile_words(build);
	g_auto(GStrv) link = link_words(build);
	g_auto(GStrv) compile_here = expand(job, compile, tree);
	g_auto(GStrv) link_here = expand(job, link, tree);
	g_autoptr(GStrvBuilder) argv = g_strv_builder_new();
	g_strv_builder_add(argv, build->toolchain->cc);
	add(argv, compile_here);
	map_folder(argv, job, tree, "library");
	if (build->tool)
		add_tool(argv, job);
	else
		add_core(argv, job);
	add(argv, link_here);
	g_strv_builder_add_many(argv, "-o", program_of(job), NULL);
	return g_strv_builder_end(argv);
}

/* The adapter and the headers beside it, which it may include. */
static bool hash_adapter(GHashTable *ret, const struct library *library, GError **err)
{
	g_autofree char *folder = g_path_get_dirname(library->adapter);
	g_autoptr(GDir) dir = g_dir_open(folder, 0, err);
	const char *name;
	char *hash = dir ? fsx_hash_file(library->adapter, err) : NULL;
	if (!hash)
		return false;
	g_hash_table_insert(ret, g_strdup("adapter"), hash);
	while ((name = g_dir_read_name(dir))) {
		g_autofree char *file = g_build_filename(folder, name, NULL);
		if (!g_str_has_suffix(name, ".h"))
			continue;
		hash = fsx_hash_file(file, err);
		if (!hash)
			return false;
		g_hash_table_insert(ret, g_strconcat("libs/", name, NULL), hash);
	}
	return true;
}

static bool hash_core(GHashTable *ret, const struct build_job *job, GError **err)
{
	GHashTableIter iter;
	gpointer name, hash;
	g_hash_table_iter_init(&iter, job->builder->core_hashes);
	while (g_hash_table_iter_next(&iter, &name, &hash))
		g_hash_table_insert(ret, g_strdup(name), g_strdup(hash));
	return hash_adapter(ret, job->build->library, err);
}

/* What is in them is in the library's key. */
static void name_tool(GHashTable *ret, const struct tool *tool)
{
	for (char **source = tool->sources; *source; source++)
		g_hash_table_insert(ret, g_strdup(*source), g_strdup("source"));
}

static char *program_key(const struct build_job *job, GError **err)
{
	g_autoptr(GHashTable) sources = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	if (job->build->tool)
		name_tool(sources, job->build->tool);
	else if (!hash_core(sources, job, err))
		return NULL;
	g_auto(GStrv) compile = compile_words(job->build);
	g_auto(GStrv) link = link_words(job->build);
	const struct program_inputs inputs = {
		.library = job->facts.key_library,
		.sources = sources,
		.compile = (const char *const *)compile,
		.link = (const char *const *)link,
	};
	return keys_program(&inputs);
}

/* Makes the program in the entry the job's answer. */
static bool take_entry(struct build_job *job)
{
	struct facts found;
	g_autofree char *program = g_build_filename(job->program, program_of(job), NULL);
	g_autofree char *file = entry_file(job->program);
	g_autofree char *library_file = entry_file(job->library);
	if (!cache_use(&job->builder->cache, file) || access(program, X_OK) != 0 ||
		!entry_read(&found, job->program, program_of(job)))
		return false;
	/* The library is the dear part: a program that is used keeps it for the next change of bench-core. */
	cache_use(&job->builder->cache, library_file);
	facts_clear(&job->facts);
	job->facts = found;
	g_string_truncate(job->log, 0);
	entry_read_log(job->log, job->library);
	entry_read_log(job->log, job->program);
	job->result->program = g_steal_pointer(&program);
	return true;
}

static bool look(struct build_job *job)
{
	if (!take_entry(job))
		return false;
	job->result->program_cached = true;
	build_end(job, BUILD_OK, NULL);
	return true;
}

bool build_program_look(struct build_job *job)
{
	GError *err = NULL;
	job->key_program = program_key(job, &err);
	if (!job->key_program) {
		build_fail(job, BUILD_UNSUPPORTED, err);
		return true;
	}
	job->program = cache_path(&job->builder->cache, "programs", job->key_program);
	job->result->library_cached = true;
	if (look(job))
		return true;
	job->result->library_cached = false;
	return false;
}

static bool is_for_target(struct build_job *job, const char *program, GError **err)
{
	const struct toolchain *toolchain = job->build->toolchain;
	g_autofree char *wanted =
		elf_machine_text(toolchain->machine, toolchain->bits, toolchain->big_endian);
	job->facts.machine = elf_machine(program, err);
	if (!job->facts.machine)
		return false;
	if (access(program, X_OK) != 0)
		return diag_set(
			err, DIAG_FAILED, "link: the program cannot be executed: %s", g_strerror(errno));
	return strcmp(wanted, job->facts.machine) == 0 ||
	       diag_set(err, DIAG_FAILED, "link: the program is for %s, but toolchain %s says %s",
		       job->facts.machine, toolchain->name, wanted);
}

static void publish(struct build_job *job)
{
	GError *err = NULL;
	g_autofree char *unfinished = g_build_filename(job->work, "program", NULL);
	g_autofree char *program = g_build_filename(unfinished, program_of(job), NULL);
	if (!is_for_target(job, program, &err)) {
		build_fail(job, BUILD_LINK_FAILED, err);
		return;
	}
	g_autoptr(GString) log = g_string_new(job->log->str + job->program_log);
	double library_seconds = isnan(job->facts.seconds) ? 0 : job->facts.seconds;
	job->facts.seconds = library_seconds + build_clock_stop(job);
	job->facts.key_program = g_strdup(job->key_program);
	/* An entry that is there and was not taken is damaged. */
	bool good = entry_write(unfinished, program_of(job), job->build, &job->facts, log, &err) &&
		    cache_remove(job->builder->cache.root, job->program, &err) &&
		    cache_publish(unfinished, job->program, &err);
	if (good && take_entry(job))
		build_end(job, BUILD_OK, NULL);
	else
		build_fail(job, BUILD_UNSUPPORTED,
			err ? err
			    : g_error_new(DIAG_ERROR, DIAG_FAILED, "%s: cannot be read back", job->program));
}

static void take_lock(struct build_job *job)
{
	GError *err = NULL;
	if (look(job))
		return;
	build_clock_start(job);
	if (!build_make_work(job))
		return;
	g_autofree char *folder = g_build_filename(job->work, "program", NULL);
	if (!fsx_make_folder(folder, &err)) {
		build_fail(job, BUILD_UNSUPPORTED, err);
		return;
	}
	job->program_log = job->log->len;
	GPtrArray *steps = steps_new();
	g_ptr_array_add(steps,
		step_new("link", program_argv(job), folder, job->builder->limits.other_s, BUILD_LINK_FAILED));
	build_run(job, steps, publish);
}

void build_program(struct build_job *job)
{
	build_lock(job, "program", job->key_program, take_lock);
}
