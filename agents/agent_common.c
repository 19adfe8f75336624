#include "agent_common.h"

#include "diag.h"

#include <string.h>
#include <sysexits.h>

/* What a place says of itself is cut there: bytes. A platform's name becomes one of a file. */
#define LONGEST_SLUG  100
#define LONGEST_VALUE 4096

static bool says_nothing(const char *word)
{
	static const char *const empty[] = {"", "r", "tm", "c", "cpu", "processor", NULL};

	return g_strv_contains(empty, word);
}

char *agent_slug(const char *text)
{
	g_autofree char *lower = g_ascii_strdown(text, -1);
	GString *slug = g_string_new(NULL);

	for (char *c = lower; *c; c++)
		if (!g_ascii_isalnum(*c))
			*c = ' ';
	g_auto(GStrv) words = g_strsplit(lower, " ", -1);
	for (char **word = words; *word; word++) {
		if (says_nothing(*word))
			continue;
		g_string_append_printf(slug, "%s%s", slug->len ? "-" : "", *word);
	}
	if (slug->len > LONGEST_SLUG)
		g_string_truncate(slug, LONGEST_SLUG);
	return g_string_free(slug, FALSE);
}

struct agent_place *agent_place_new(char *platform)
{
	struct agent_place *place = g_new0(struct agent_place, 1);

	place->platform = platform;
	place->facts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	return place;
}

void agent_place_add(struct agent_place *place, const char *key, const char *value)
{
	if (!value)
		return;
	/* Within a character it is cut before that. */
	g_autofree char *cut = g_strndup(value, LONGEST_VALUE);
	const char *end;
	if (!g_utf8_validate(cut, -1, &end) && strlen(value) > LONGEST_VALUE && strlen(end) < 4)
		cut[end - cut] = '\0';
	g_hash_table_replace(place->facts, g_strdup(key), g_utf8_make_valid(cut, -1));
}

/* --- a program on this machine --- */

struct launched {
	struct agent_process process;
	const struct agent *agent;
	struct child *child;
	struct agent_job job; /* its callbacks */
};

static void on_output(int stream, const char *bytes, size_t length, void *user)
{
	const struct launched *launched = user;

	if (launched->job.on_output)
		launched->job.on_output(stream, bytes, length, launched->job.user);
}

static void on_exit_(const struct child_exit *exit, void *user)
{
	struct launched *launched = user;
	struct agent_end end = {.exit = *exit,
		.before = agent_condition_unknown,
		.after = agent_condition_unknown,
		.meanwhile = agent_watch_none};

	if (launched->agent->kind->elsewhere && exit->end == CHILD_EXITED && exit->status == EX_TEMPFAIL)
		end.exit.end = CHILD_LOST;
	launched->job.on_exit(&end, launched->job.user);
	g_free(launched);
}

static void cancel(struct agent_process *process)
{
	child_cancel(((struct launched *)process)->child);
}

struct agent_process *agent_launch(char ***ret_argv, const struct agent *agent, const struct agent_job *job,
	GPtrArray *argv, GError **err)
{
	static const char *const alone[] = {"LC_ALL=C", NULL};
	g_auto(GStrv) tools = child_clean_environment(NULL);
	bool elsewhere = agent->kind->elsewhere;
	struct launched *launched = g_new0(struct launched, 1);
	const struct child_spec spec = {
		.argv = (const char *const *)argv->pdata,
		.environment = elsewhere ? (const char *const *)tools : alone,
		.timeout_s = job->timeout_s,
		.silence_s = job->silence_s,
		.start_s = job->start_s,
		.output_ceiling = job->output_ceiling,
		.cpu = elsewhere ? -1 : agent->pin,
		.on_output = on_output,
		.on_exit = on_exit_,
		.user = launched,
	};

	*launched = (struct launched){.process = {.cancel = cancel}, .agent = agent, .job = *job};
	launched->child = child_start(&spec, err);
	if (!launched->child) {
		g_free(launched);
		return NULL;
	}
	*ret_argv = g_strdupv((char **)argv->pdata);
	return &launched->process;
}
