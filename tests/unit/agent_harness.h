/* How the tests of the agents run jobs. */
#ifndef AGENT_HARNESS_H
#define AGENT_HARNESS_H

#include "agent.h"
#include "fsx.h"

#include <glib.h>
#include <string.h>

static char *scratch; /* a folder of this run */
/* How one job went. */
struct outcome {
	GString *out, *errors;
	char **argv;
	struct child_exit end;
	bool ended;
};

static inline void on_output(int stream, const char *bytes, size_t length, void *user)
{
	struct outcome *outcome = user;

	g_string_append_len(stream == 1 ? outcome->out : outcome->errors, bytes, (gssize)length);
}

static inline void on_exit_of_job(const struct agent_end *end, void *user)
{
	struct outcome *outcome = user;

	outcome->end = end->exit;
	outcome->ended = true;
}

static inline void run(struct outcome *ret, const struct agent *agent, struct agent_job job)
{
	static const char *const none[] = {NULL};
	g_autoptr(GError) error = NULL;

	*ret = (struct outcome){.out = g_string_new(NULL), .errors = g_string_new(NULL)};
	job.on_output = on_output;
	job.on_exit = on_exit_of_job;
	job.user = ret;
	if (!job.arguments)
		job.arguments = none;
	g_assert_nonnull(agent_start(&ret->argv, agent, &job, &error));
	g_assert_no_error(error);
	while (!ret->ended)
		g_main_context_iteration(NULL, TRUE);
}

static inline void clear(struct outcome *outcome)
{
	g_string_free(outcome->out, TRUE);
	g_string_free(outcome->errors, TRUE);
	g_strfreev(outcome->argv);
}

static inline void assert_end(const struct outcome *outcome, enum child_end end, int status)
{
	g_assert_cmpint(outcome->end.end, ==, end);
	g_assert_cmpint(outcome->end.status, ==, status);
}

static inline const char *fact(const struct agent_place *place, const char *key)
{
	return g_hash_table_lookup(place->facts, key);
}

/* Writes a file, with its folders. */
static inline void put(const char *root, const char *file, const char *text)
{
	g_autofree char *path = g_build_filename(root, file, NULL);
	g_autofree char *folder = g_path_get_dirname(path);

	g_assert_true(fsx_make_folder(folder, NULL));
	g_assert_true(fsx_write(path, text, strlen(text), NULL));
}

#endif
