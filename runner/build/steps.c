#include "steps.h"

#include <string.h>

#define SUBSTITUTE '\x1a' /* ASCII's own sign for a character that could not be kept */

const struct build_limits build_limits_default = {
	.configure_s = 600,
	.make_s = 1800,
	.other_s = 300,
	.output_ceiling = 64u << 20,
};

struct steps_run {
	struct steps_spec spec;
	char **environment;
	guint next;
	struct child *child;
	guint idle;
	GError *err;
	bool cancelled;
};

struct step *step_new(
	const char *name, char **argv, const char *folder, double timeout_s, enum build_state fails_as)
{
	struct step *step = g_new0(struct step, 1);
	step->name = g_strdup(name);
	step->argv = argv;
	step->folder = g_strdup(folder);
	step->timeout_s = timeout_s;
	step->fails_as = fails_as;
	return step;
}

void step_free(struct step *step)
{
	g_free(step->name);
	g_strfreev(step->argv);
	g_free(step->folder);
	g_free(step);
}

static void free_step(gpointer step)
{
	step_free(step);
}

GPtrArray *steps_new(void)
{
	return g_ptr_array_new_with_free_func(free_step);
}

static bool is_plain(const char *word)
{
	for (; *word; word++)
		if (!g_ascii_isalnum(*word) && !strchr("-_=+./:,@%", *word))
			return false;
	return true;
}

char *steps_line(const char *const *argv)
{
	GString *line = g_string_new(NULL);
	for (size_t i = 0; argv[i]; i++) {
		g_autofree char *quoted = g_shell_quote(argv[i]);
		g_string_append_printf(
			line, "%s%s", i ? " " : "", *argv[i] && is_plain(argv[i]) ? argv[i] : quoted);
	}
	return g_string_free(line, FALSE);
}

static void finish(struct steps_run *run, const struct step *failed, const struct child_exit *end)
{
	run->spec.done(failed, end, run->err, run->spec.user);
	g_clear_error(&run->err);
	g_strfreev(run->environment);
	g_free(run);
}

static void take_output(int stream, const char *bytes, size_t length, void *user)
{
	(void)stream;
	struct steps_run *run = user;
	GString *log = run->spec.log;
	gsize from = log->len;
	g_string_append_len(log, bytes, (gssize)length);
	/* A log is a text, which a NUL in what a tool prints would cut short. */
	for (char *c; (c = memchr(log->str + from, '\0', log->len - from)) != NULL;)
		*c = SUBSTITUTE;
}

static void start_next(struct steps_run *run);

static void take_exit(const struct child_exit *end, void *user)
{
	struct steps_run *run = user;
	run->child = NULL;
	const struct step *step = run->spec.steps->pdata[run->next - 1];
	struct child_exit as_seen = *end;
	if (run->cancelled)
		as_seen.end = CHILD_CANCELLED;
	if (as_seen.end != CHILD_EXITED || as_seen.status != 0) {
		g_autofree char *words = child_end_text(&as_seen);
		g_string_append_printf(run->spec.log, "\n[%s: %s]\n", step->name, words);
		finish(run, step, &as_seen);
		return;
	}
	start_next(run);
}

static gboolean report_later(gpointer user)
{
	struct steps_run *run = user;
	const struct child_exit cancelled = {.end = CHILD_CANCELLED, .max_rss_bytes = -1};
	const struct step *step = run->next ? run->spec.steps->pdata[run->next - 1] : NULL;
	run->idle = 0;
	finish(run, run->err || run->cancelled ? step : NULL, run->err ? NULL : &cancelled);
	return G_SOURCE_REMOVE;
}

static void start_next(struct steps_run *run)
{
	if (run->next == run->spec.steps->len) {
		run->idle = g_idle_add(report_later, run);
		return;
	}
	struct step *step = run->spec.steps->pdata[run->next++];
	g_autofree char *line = steps_line((const char *const *)step->argv);
	g_string_append_printf(run->spec.log, "$ %s\n", line);
	step->output_from = run->spec.log->len;
	if (run->spec.on_step)
		run->spec.on_step(step->name, run->spec.user);
	const struct child_spec child = {
		.argv = (const char *const *)step->argv,
		.environment = (const char *const *)run->environment,
		.folder = step->folder,
		.timeout_s = step->timeout_s,
		.output_ceiling = run->spec.output_ceiling,
		.cpu = -1,
		.on_output = take_output,
		.on_exit = take_exit,
		.user = run,
	};
	run->child = child_start(&child, &run->err);
	if (!run->child)
		run->idle = g_idle_add(report_later, run);
}

struct steps_run *steps_start(const struct steps_spec *spec)
{
	struct steps_run *run = g_new0(struct steps_run, 1);
	run->spec = *spec;
	run->environment = g_strdupv((char **)spec->environment);
	if (spec->temporary)
		run->environment = g_environ_setenv(run->environment, "TMPDIR", spec->temporary, TRUE);
	start_next(run);
	return run;
}

void steps_cancel(struct steps_run *run)
{
	run->cancelled = true;
	if (run->child)
		child_cancel(run->child);
}
