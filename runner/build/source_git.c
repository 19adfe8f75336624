#include "diag.h"
#include "fsx.h"
#include "keys.h"
#include "source_parts.h"

#include <string.h>

/* A repository of the job's own, with the one commit and the names of its parents: nothing is shared, so
 * nothing has to be locked. Hooks, filters and submodules play no part. */
static void add_git(struct source_job *job, GPtrArray *steps, const char *name, const char *const *arguments)
{
	g_autoptr(GStrvBuilder) argv = g_strv_builder_new();
	g_autofree char *repository = g_build_filename(job->work, "repository", NULL);
	g_autofree char *tree = g_build_filename(job->work, "entry", "tree", NULL);
	g_strv_builder_add_many(argv, "git", "-c", "core.hooksPath=/dev/null", "-c", "core.autocrlf=false",
		"--git-dir", repository, "--work-tree", tree, NULL);
	g_strv_builder_addv(argv, (const char **)arguments);
	g_ptr_array_add(steps, step_new(name, g_strv_builder_end(argv), job->work,
				       job->sources->limits->other_s, BUILD_UNSUPPORTED));
}

void source_git_begin(struct source_job *job)
{
	const struct origin *origin = &job->version->origin;
	if (!origin->commit) {
		source_fail(
			job, g_error_new(DIAG_ERROR, DIAG_LACKS, "source of %s %s: %s", job->library->name,
				     job->version->name,
				     origin->unresolved ? origin->unresolved : "its ref was not looked up"));
		return;
	}
	g_autoptr(GStrvBuilder) words = g_strv_builder_new();
	g_strv_builder_add_many(words, "git", job->library->name, origin->commit, NULL);
	g_strv_builder_addv(words, (const char **)job->library->prepare);
	g_auto(GStrv) list = g_strv_builder_end(words);
	job->request = keys_of_texts((const char *const *)list);
	job->revision = g_strdup(origin->commit);
	job->content = g_strconcat("git:", origin->commit, NULL);
	source_look_or_lock(job);
}

/* `git log` has printed the parents' names, the first one first; none for a first commit. */
static void checked_out(struct source_job *job)
{
	const struct step *log = g_ptr_array_index(job->steps, job->steps->len - 1);
	const char *line = job->log->str + log->output_from;
	size_t length = strspn(line, "0123456789abcdef");
	if (length >= 40)
		job->parent = g_strndup(line, length);
	source_prepare(job, steps_new());
}

void source_git_make(struct source_job *job)
{
	const struct origin *origin = &job->version->origin;
	g_autofree char *tree = g_build_filename(job->work, "entry", "tree", NULL);
	GError *err = NULL;
	if (!fsx_make_folder(tree, &err)) {
		source_fail(job, err);
		return;
	}
	GPtrArray *steps = steps_new();
	const char *const init[] = {"init", "--quiet", NULL};
	const char *const fetch[] = {
		"fetch", "--quiet", "--depth=2", "--no-tags", "--", origin->repository, origin->commit, NULL};
	const char *const checkout[] = {"checkout", "--quiet", "--detach", origin->commit, NULL};
	const char *const log[] = {"log", "-1", "--format=%P", origin->commit, NULL};
	add_git(job, steps, "init", init);
	add_git(job, steps, "fetch", fetch);
	add_git(job, steps, "checkout", checkout);
	add_git(job, steps, "parent", log);
	source_run(job, steps, checked_out);
}
