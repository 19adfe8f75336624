/* Asking a board what it is without waiting for the answer. */
#include "link.h"

#include "diag.h"

#include <unistd.h>

struct look {
	struct agent_process process;
	const struct agent *agent;
	struct child *child;
	char *nonce;
	int input;
	GString *out, *errors;
	void (*on_end)(const char *why, void *user);
	void *user;
};

static void look_free(struct look *look)
{
	if (look->input >= 0)
		close(look->input);
	g_free(look->nonce);
	g_string_free(look->out, TRUE);
	g_string_free(look->errors, TRUE);
	g_free(look);
}

static void on_output(int stream, const char *bytes, size_t length, void *user)
{
	struct look *look = user;

	g_string_append_len(stream == 1 ? look->out : look->errors, bytes, (gssize)length);
}

static void on_exit_(const struct child_exit *end, void *user)
{
	struct look *look = user;
	struct agent_state *state = link_state(look->agent);
	struct dump *facts = link_read_answer(look->nonce, look->out);
	g_autofree char *why = facts ? NULL : link_trouble(look->agent, look->errors->str, end);

	if (facts) {
		dump_free(state->facts);
		state->facts = facts;
		state->round_trip_s = end->seconds;
	}
	look->on_end(why, look->user);
	look_free(look);
}

static void cancel(struct agent_process *process)
{
	child_cancel(((struct look *)process)->child);
}

struct agent_process *link_look(
	const struct agent *agent, void (*on_end)(const char *why, void *user), void *user, GError **err)
{
	static const char *const words[] = {"facts", NULL};
	struct look *look = g_new0(struct look, 1);

	*look = (struct look){.process = {.cancel = cancel},
		.agent = agent,
		.nonce = link_nonce(),
		.out = g_string_new(NULL),
		.errors = g_string_new(NULL),
		.on_end = on_end,
		.user = user};
	look->input = link_pipe_with(look->nonce, err);
	const struct child_spec spec = {.timeout_s = link_answer_s(agent),
		.output_ceiling = LINK_ANSWER_CEILING,
		.input = &look->input,
		.on_output = on_output,
		.on_exit = on_exit_,
		.user = look};
	look->child = look->input >= 0 ? link_start(agent, words, &spec, err) : NULL;
	if (look->child)
		return &look->process;
	look_free(look);
	return NULL;
}
