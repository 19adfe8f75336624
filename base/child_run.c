#include "child.h"

#include <signal.h>
#include <string.h>

struct collected {
	GString *text[3]; /* by stream number */
	struct child_exit *end;
	bool ended;
};

static void collect(int stream, const char *bytes, size_t length, void *user)
{
	struct collected *collected = user;

	if (collected->text[stream])
		g_string_append_len(collected->text[stream], bytes, (gssize)length);
}

static void note_end(const struct child_exit *end, void *user)
{
	struct collected *collected = user;

	*collected->end = *end;
	collected->ended = true;
}

bool child_run(struct child_exit *ret, GString *ret_out, GString *ret_errors, const struct child_spec *spec,
	GError **err)
{
	struct collected collected = {.text = {NULL, ret_out, ret_errors}, .end = ret};
	struct child_spec own = *spec;
	g_autoptr(GMainContext) context = g_main_context_new();

	own.on_output = collect;
	own.on_exit = note_end;
	own.user = &collected;
	g_main_context_push_thread_default(context);
	bool ok = child_start(&own, err) != NULL;
	while (ok && !collected.ended)
		g_main_context_iteration(context, TRUE);
	g_main_context_pop_thread_default(context);
	return ok;
}

char *child_end_text(const struct child_exit *end)
{
	switch (end->end) {
	case CHILD_EXITED:
		return g_strdup_printf("exit status %d", end->status);
	case CHILD_SIGNALLED:
		if (!sigabbrev_np(end->status))
			return g_strdup_printf("signal %d", end->status);
		return g_strdup_printf("signal %d (%s)", end->status, child_signal_name(end->status));
	case CHILD_TIMEOUT:
		return g_strdup_printf("not done after %d s", end->status);
	case CHILD_SILENT:
		return g_strdup_printf("no output for %d s", end->status);
	case CHILD_FLOODED:
		return g_strdup_printf("more than %d bytes of output", end->status);
	case CHILD_CANCELLED:
		return g_strdup("cancelled");
	case CHILD_NOT_RUN:
		return g_strdup_printf("cannot be executed: %s", g_strerror(end->status));
	case CHILD_LOST:
		return g_strdup("the machine was lost");
	}
	return g_strdup("unknown end");
}

const char *child_signal_name(int number)
{
	const char *name = sigabbrev_np(number);
	g_autofree char *text = name ? g_strconcat("SIG", name, NULL) : g_strdup_printf("signal %d", number);

	return g_intern_string(text);
}

char **child_clean_environment(const char *const *extra)
{
	const char *path = g_getenv("PATH");
	const char *home = g_getenv("HOME");
	char **environment = NULL;

	environment =
		g_environ_setenv(environment, "PATH", path ? path : "/usr/local/bin:/usr/bin:/bin", TRUE);
	environment = g_environ_setenv(environment, "HOME", home ? home : "/", TRUE);
	environment = g_environ_setenv(environment, "LC_ALL", "C", TRUE);
	environment = g_environ_setenv(environment, "TZ", "UTC", TRUE);
	for (; extra && *extra; extra++) {
		g_auto(GStrv) parts = g_strsplit(*extra, "=", 2);
		if (parts[0] && parts[1])
			environment = g_environ_setenv(environment, parts[0], parts[1], TRUE);
	}
	return environment;
}
