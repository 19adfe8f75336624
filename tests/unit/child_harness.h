/* How the tests of child.c start children and look at them. */
#ifndef CHILD_HARNESS_H
#define CHILD_HARNESS_H

#include "child.h"

#include <glib.h>
#include <string.h>

static const char *const no_environment[] = {NULL};

/* How one child went. */
struct outcome {
	GString *out, *errors;
	struct child_exit end;
	struct child *child;
	bool ended;
	size_t cancel_after; /* cancel once so many bytes are there; 0: never */
};

static inline void on_output(int stream, const char *bytes, size_t length, void *user)
{
	struct outcome *outcome = user;

	g_assert_false(outcome->ended);
	g_string_append_len(stream == 1 ? outcome->out : outcome->errors, bytes, (gssize)length);
	if (outcome->cancel_after && outcome->out->len >= outcome->cancel_after)
		child_cancel(outcome->child);
}

static inline void on_exit_of_child(const struct child_exit *end, void *user)
{
	struct outcome *outcome = user;

	g_assert_false(outcome->ended);
	outcome->end = *end;
	outcome->ended = true;
}

static inline struct child_spec spec_of(const char *const *argv)
{
	return (struct child_spec){.argv = argv, .environment = no_environment, .cpu = -1};
}

static inline void start(struct outcome *ret, struct child_spec spec)
{
	g_autoptr(GError) error = NULL;

	ret->out = g_string_new(NULL);
	ret->errors = g_string_new(NULL);
	spec.on_output = on_output;
	spec.on_exit = on_exit_of_child;
	spec.user = ret;
	ret->child = child_start(&spec, &error);
	g_assert_no_error(error);
	g_assert_nonnull(ret->child);
}

static inline void finish(struct outcome *outcome)
{
	while (!outcome->ended)
		g_main_context_iteration(NULL, TRUE);
}

static inline void run(struct outcome *ret, struct child_spec spec)
{
	memset(ret, 0, sizeof *ret);
	start(ret, spec);
	finish(ret);
}

static inline void clear(struct outcome *outcome)
{
	g_string_free(outcome->out, TRUE);
	g_string_free(outcome->errors, TRUE);
}

static inline void assert_end(const struct outcome *outcome, enum child_end end, int status)
{
	g_assert_cmpint(outcome->end.end, ==, end);
	g_assert_cmpint(outcome->end.status, ==, status);
}

#define ARGV(...)                                                                                            \
	(const char *const[])                                                                                \
	{                                                                                                    \
		VICTIM, __VA_ARGS__, NULL                                                                    \
	}

/* The number after "what " in the text. */
static inline int number_after(const GString *text, const char *what)
{
	const char *at = strstr(text->str, what);

	g_assert_nonnull(at);
	return (int)g_ascii_strtoll(at + strlen(what), NULL, 10);
}

static inline int count_descriptors(void)
{
	g_autoptr(GDir) stream = g_dir_open("/proc/self/fd", 0, NULL);
	int n = 0;

	while (g_dir_read_name(stream))
		n++;
	return n;
}

#endif
