#include "build_parts.h"
#include "diag.h"
#include "elf_code.h"
#include "errors.h"
#include "fsx.h"
#include "keys.h"
#include "tree.h"

#include <string.h>
#include <unistd.h>

#define CONFIG_LOG_CEILING (4u << 20)

static struct recipe_input input_of(const struct build_job *job, const char *folder)
{
	/* A build that is alone may have all processors; several keep them busy between them. */
	int jobs = job->builder->jobs->len == 1 ? (int)g_get_num_processors() : 1;
	return (struct recipe_input){
		job->build, folder, job->builder->build_triple, jobs, &job->builder->limits};
}

static char *folder_of(const struct build_job *job)
{
	return g_build_filename(job->work, "build", NULL);
}

/* Where the entry keeps the archive, relative to itself. */
static char *archive_of(const struct build_job *job)
{
	return g_build_filename("tree", job->build->library->archive, NULL);
}

static bool look(struct build_job *job)
{
	g_autofree char *archive = archive_of(job);
	g_autofree char *file = entry_file(job->library);
	struct facts found;
	if (!cache_use(&job->builder->cache, file) || !entry_read(&found, job->library, archive))
		return false;
	facts_clear(&job->facts);
	job->facts = found;
	g_string_truncate(job->log, 0);
	entry_read_log(job->log, job->library);
	return true;
}

/* Findings of configure are shared by builds that have its script, tools and compiler flags in common: what
 * it looks at is the machine, and most patches leave it as it is. */
static char *cache_file(const struct build_job *job)
{
	const struct recipe_input in = input_of(job, NULL);
	g_autofree char *script = g_build_filename(job->source->folder, "configure", NULL);
	g_autofree char *hash = fsx_hash_file(script, NULL);
	g_auto(GStrv) words = job->recipe->cache_words(&in);
	g_autoptr(GStrvBuilder) all = g_strv_builder_new();
	g_strv_builder_addv(all, (const char **)words);
	g_strv_builder_add_many(all, hash ? hash : job->source->content, job->identity->compiler_sha256,
		job->identity->libc_sha256, NULL);
	g_auto(GStrv) list = g_strv_builder_end(all);
	g_autofree char *key = keys_of_texts((const char *const *)list);
	return cache_path(&job->builder->cache, "configure", key);
}

static bool lend_findings(const struct build_job *job, GError **err)
{
	if (!job->recipe->cache_file)
		return true;
	g_autofree char *shared = cache_file(job);
	g_autofree char *own = g_build_filename(job->work, "build", job->recipe->cache_file, NULL);
	return !cache_use(&job->builder->cache, shared) || tree_copy_file(shared, own, err);
}

/* The first build that got through leaves its findings to the others; that they cannot be kept is no failure
 * of the build. */
static void keep_findings(const struct build_job *job)
{
	if (!job->recipe->cache_file)
		return;
	g_autofree char *shared = cache_file(job);
	g_autofree char *own = g_build_filename(job->work, "build", job->recipe->cache_file, NULL);
	g_autofree char *text = NULL;
	size_t length;
	if (access(shared, F_OK) != 0 && fsx_read(&text, &length, own, CONFIG_LOG_CEILING, NULL))
		fsx_write(shared, text, length, NULL);
}

/* All marks that the archive holds are in force. */
static char *math_of(const struct library *library, GHashTable *symbols)
{
	g_autoptr(GString) text = g_string_new(NULL);
	for (guint i = 0; library->math && i < library->math->len; i++) {
		const struct math_mark *mark = library->math->pdata[i];
		if (g_hash_table_contains(symbols, mark->symbol))
			g_string_append_printf(text, "%s%s", text->len ? " + " : "", mark->name);
	}
	return text->len ? g_strdup(text->str) : NULL;
}

static bool read_archive(struct build_job *job, const char *archive, GError **err)
{
	struct elf_archive read;
	if (!elf_read_archive(&read, archive, err))
		return false;
	g_free(job->facts.code_sha256);
	g_free(job->facts.math);
	job->facts.code_sha256 = g_strdup(read.code_sha256);
	job->facts.math = math_of(job->build->library, read.symbols);
	elf_archive_clear(&read);
	return true;
}

/* Everything keeps its place relative to the build folder, so that "{build}" means the same for the program.
 */
static bool collect(const struct build_job *job, const char *from, const char *to, GError **err)
{
	const struct library *library = job->build->library;
	g_autoptr(GPtrArray) files = g_ptr_array_new();
	g_ptr_array_add(files, (gpointer)library->archive);
	if (library->config_header)
		g_ptr_array_add(files, (gpointer)library->config_header);
	for (char **archive = job->build->profile->archives; archive && *archive; archive++)
		g_ptr_array_add(files, *archive);
	for (char **include = library->includes; include && *include; include++) {
		g_autofree char *source = g_build_filename(from, *include, NULL);
		g_autofree char *target = g_build_filename(to, *include, NULL);
		if (!tree_copy(source, target, tree_takes_headers, err))
			return false;
	}
	for (guint i = 0; i < files->len; i++) {
		g_autofree char *source = g_build_filename(from, files->pdata[i], NULL);
		g_autofree char *target = g_build_filename(to, files->pdata[i], NULL);
		if (!tree_copy_file(source, target, err))
			return false;
	}
	return true;
}

static void publish(struct build_job *job)
{
	GError *err = NULL;
	g_autofree char *folder = folder_of(job);
	g_autofree char *unfinished = g_build_filename(job->work, "library", NULL);
	g_autofree char *tree = g_build_filename(unfinished, "tree", NULL);
	g_autofree char *archive = archive_of(job);
	g_autofree char *built = g_build_filename(unfinished, archive, NULL);
	const struct step *make = job->steps->pdata[job->steps->len - 1];
	job->facts.optimisation_effective = errors_optimisation(job->log->str + make->output_from);
	job->facts.seconds = build_clock_stop(job);
	if (!collect(job, folder, tree, &err) || !read_archive(job, built, &err)) {
		build_fail(job, BUILD_COMPILE_FAILED, err);
		return;
	}
	keep_findings(job);
	/* An entry that is there and was not taken is damaged. */
	bool good = entry_write(unfinished, archive, job->build, &job->facts, job->log, &err) &&
		    cache_remove(job->builder->cache.root, job->library, &err) &&
		    cache_publish(unfinished, job->library, &err) && fsx_remove_tree(folder, &err);
	build_unlock(job);
	if (good)
		build_program(job);
	else
		build_fail(job, BUILD_UNSUPPORTED, err);
}

static void configure_and_make(struct build_job *job)
{
	GError *err = NULL;
	g_autofree char *folder = folder_of(job);
	if (!lend_findings(job, &err)) {
		build_fail(job, BUILD_UNSUPPORTED, err);
		return;
	}
	const struct recipe_input in = input_of(job, folder);
	if (job->recipe->write && !job->recipe->write(&in, &err)) {
		build_fail(job, BUILD_UNSUPPORTED, err);
		return;
	}
	build_run(job, job->recipe->steps(&in), publish);
}

static void take_lock(struct build_job *job)
{
	if (look(job)) {
		job->result->library_cached = true;
		build_unlock(job);
		build_program(job);
		return;
	}
	build_clock_start(job);
	if (!build_make_work(job))
		return;
	g_autoptr(GStrvBuilder) argv = g_strv_builder_new();
	g_autofree char *folder = folder_of(job);
	g_strv_builder_add_many(argv, "cp", "-a", "--reflink=auto", job->source->folder, folder, NULL);
	GPtrArray *steps = steps_new();
	g_ptr_array_add(steps, step_new("copy", g_strv_builder_end(argv), job->work,
				       job->builder->limits.other_s, BUILD_UNSUPPORTED));
	build_run(job, steps, configure_and_make);
}

static char *library_key(const struct build_job *job, const char *const *words)
{
	const struct library_inputs inputs = {
		.source = job->source->content,
		.recipe = job->recipe->name,
		.recipe_version = job->recipe->version,
		.recipe_canonical = job->build->library->recipe_canonical,
		.words = words,
		.archives = (const char *const *)job->build->profile->archives,
		.toolchain = job->build->toolchain->canonical,
		.identity = job->identity,
		.environment = (const char *const *)job->builder->environment,
	};
	return keys_library(&inputs);
}

void build_library(struct build_job *job)
{
	const struct recipe_input in = input_of(job, NULL);
	g_auto(GStrv) words = job->recipe->words(&in);
	job->facts.revision = g_strdup(job->source->revision);
	job->facts.parent = g_strdup(job->source->parent);
	job->facts.compiler = g_strdup(job->identity->compiler);
	job->facts.configure_line = steps_line((const char *const *)words);
	job->facts.key_library = library_key(job, (const char *const *)words);
	job->library = cache_path(&job->builder->cache, "libraries", job->facts.key_library);
	if (build_program_look(job))
		return;
	if (look(job)) {
		job->result->library_cached = true;
		build_program(job);
	} else {
		build_lock(job, "library", job->facts.key_library, take_lock);
	}
}
