#include "link.h"

#include "diag.h"
#include "fsx.h"
#include "link_folder.h"
#include "marks.h"
#include "quote.h"
#include "remote_text.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#define CONNECT_S      20
#define DEFAULT_FOLDER ".cache/benchmatrix"

const char *link_sys(void)
{
	const char *sys = g_getenv("BENCHMATRIX_SYSFS");

	return sys && *sys ? sys : "/sys";
}

char *link_nonce(void)
{
	g_autofree char *one = g_uuid_string_random(), *two = g_uuid_string_random();

	return g_strconcat(one, two, NULL);
}

struct agent_state *link_state(const struct agent *agent)
{
	if (!*agent->state) {
		struct agent_state *state = g_new0(struct agent_state, 1);
		state->folder = link_folder_new(&state->held);
		state->programs = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
		state->round_trip_s = NAN;
		*agent->state = state;
	}
	return *agent->state;
}

void link_forget(struct agent_state *state)
{
	if (state->master)
		child_cancel(state->master);
	while (state->master)
		g_main_context_iteration(NULL, TRUE);
	if (state->folder)
		fsx_remove_tree(state->folder, NULL);
	if (state->held >= 0)
		close(state->held);
	g_free(state->folder);
	dump_free(state->facts);
	g_hash_table_unref(state->programs);
	g_free(state);
}

/* --- ssh's argv --- */

static void add(GPtrArray *argv, const char *word)
{
	g_ptr_array_add(argv, g_strdup(word));
}

/* What no configuration of the user's may change: nobody is there to answer questions, and nothing of ours is
 * handed on to the board. */
static GPtrArray *options(const struct agent *agent, const char *master)
{
	static const char *const fixed[] = {"ssh", "-T", "-oBatchMode=yes", "-oServerAliveInterval=10",
		"-oServerAliveCountMax=3", "-oForwardAgent=no", "-oForwardX11=no",
		"-oClearAllForwardings=yes", "-oRequestTTY=no", "-oLogLevel=ERROR", NULL};
	const struct agent_state *state = link_state(agent);
	int connect_s = agent->deadlines.connect > 0 ? agent->deadlines.connect : CONNECT_S;
	GPtrArray *argv = g_ptr_array_new_with_free_func(g_free);

	for (const char *const *word = fixed; *word; word++)
		add(argv, *word);
	g_ptr_array_add(argv, g_strdup_printf("-oConnectTimeout=%d", connect_s));
	g_ptr_array_add(argv, g_strdup_printf("-oControlMaster=%s", master));
	g_ptr_array_add(argv, state->folder ? g_strdup_printf("-oControlPath=%s/s", state->folder)
					    : g_strdup("-oControlPath=none"));
	if (agent->config) {
		add(argv, "-F");
		add(argv, agent->config);
	}
	return argv;
}

/* ssh asks the user's key agent, and nothing else of ours. */
static char **environment(void)
{
	const char *socket = g_getenv("SSH_AUTH_SOCK");
	g_autofree char *agent = socket ? g_strconcat("SSH_AUTH_SOCK=", socket, NULL) : NULL;
	const char *const extra[] = {agent, NULL};

	return child_clean_environment(extra);
}

static struct child *start(GPtrArray *argv, const struct child_spec *spec, GError **err)
{
	g_auto(GStrv) env = environment();
	struct child_spec own = *spec;

	g_ptr_array_add(argv, NULL);
	own.argv = (const char *const *)argv->pdata;
	own.environment = (const char *const *)env;
	own.cpu = -1;
	return child_start(&own, err);
}

/* argv for the script with its words. */
static GPtrArray *script_argv(const struct agent *agent, const char *const *words)
{
	GPtrArray *argv = options(agent, "no");
	g_autoptr(GPtrArray) all = g_ptr_array_new();

	g_ptr_array_add(all, (char *)"sh");
	g_ptr_array_add(all, (char *)"-c");
	g_ptr_array_add(all, (char *)remote_text);
	g_ptr_array_add(all, (char *)"bm-remote");
	g_ptr_array_add(all, (char *)*words++);
	g_ptr_array_add(all, (char *)(agent->folder ? agent->folder : DEFAULT_FOLDER));
	g_ptr_array_add(all, (char *)link_sys());
	for (; *words; words++)
		g_ptr_array_add(all, (char *)*words);
	g_ptr_array_add(all, NULL);
	g_autofree char *line = ssh_quote((const char *const *)all->pdata);
	add(argv, "--");
	add(argv, agent->host);
	g_ptr_array_add(argv, g_strconcat("exec ", line, NULL));
	return argv;
}

struct child *link_start(
	const struct agent *agent, const char *const *words, const struct child_spec *spec, GError **err)
{
	g_autoptr(GPtrArray) argv = script_argv(agent, words);

	return start(argv, spec, err);
}

/* --- the shared connection --- */

static void on_master_gone(const struct child_exit *end, void *user)
{
	struct agent_state *state = user;
	g_autofree char *socket = g_build_filename(state->folder, "s", NULL);
	(void)end;

	state->master = NULL;
	unlink(socket);
}

void link_share(const struct agent *agent)
{
	struct agent_state *state = link_state(agent);
	const struct child_spec spec = {.on_exit = on_master_gone, .user = state};

	if (state->master || !state->folder)
		return;
	g_autoptr(GPtrArray) argv = options(agent, "yes");
	add(argv, "-N");
	add(argv, "--");
	add(argv, agent->host);
	state->master = start(argv, &spec, NULL);
}

/* --- what it is --- */

static void on_text(const char *bytes, size_t length, void *user)
{
	dump_text(user, bytes, length);
}

static void on_mark(const char *line, void *user)
{
	dump_mark(user, line, link_sys());
}

struct dump *link_read_answer(const char *nonce, const GString *out)
{
	struct dump *dump = dump_new();
	struct marks *marks = marks_new(nonce, on_text, on_mark, dump);

	marks_push(marks, out->str, out->len);
	marks_free(marks);
	if (g_hash_table_contains(dump->words, "machine"))
		return dump;
	dump_free(dump);
	return NULL;
}

int link_pipe_with(const char *nonce, GError **err)
{
	g_autofree char *line = g_strconcat(nonce, "\n", NULL);
	int ends[2];

	if (!g_unix_open_pipe(ends, FD_CLOEXEC, err))
		return -1;
	bool ok = write(ends[1], line, strlen(line)) == (ssize_t)strlen(line);
	close(ends[1]);
	if (ok)
		return ends[0];
	close(ends[0]);
	diag_set(err, DIAG_FAILED, "a pipe cannot be written: %s", g_strerror(errno));
	return -1;
}

double link_answer_s(const struct agent *agent)
{
	return (agent->deadlines.connect > 0 ? agent->deadlines.connect : CONNECT_S) + 20;
}

/* Waiting does not help: somebody has to do something here. */
static bool needs_a_hand(const char *printed)
{
	return strstr(printed, "Host key verification failed") || strstr(printed, "Permission denied (");
}

static bool ask(const struct agent *agent, const char *nonce, int input, GError **err)
{
	static const char *const words[] = {"facts", NULL};
	struct agent_state *state = link_state(agent);
	g_autoptr(GPtrArray) argv = script_argv(agent, words);
	g_auto(GStrv) env = environment();
	g_autoptr(GString) out = g_string_new(NULL), errors = g_string_new(NULL);
	struct child_exit end;

	g_ptr_array_add(argv, NULL);
	const struct child_spec spec = {.argv = (const char *const *)argv->pdata,
		.environment = (const char *const *)env,
		.timeout_s = link_answer_s(agent),
		.output_ceiling = LINK_ANSWER_CEILING,
		.cpu = -1,
		.input = &input};
	if (!child_run(&end, out, errors, &spec, err))
		return false;
	state->round_trip_s = end.seconds;
	state->facts = link_read_answer(nonce, out);
	if (state->facts)
		return true;
	g_autofree char *why = link_trouble(agent, errors->str, &end);
	return diag_set(err, end.end == CHILD_NOT_RUN || needs_a_hand(errors->str) ? DIAG_LACKS : DIAG_FAILED,
		"%s", why);
}

bool link_ask(const struct agent *agent, GError **err)
{
	g_autofree char *nonce = link_nonce();
	int input = link_pipe_with(nonce, err);

	if (input < 0)
		return false;
	bool ok = ask(agent, nonce, input, err);
	close(input);
	return ok;
}

/* --- what went wrong --- */

/* The line that ssh itself gives for taking an old key away, or NULL. */
static char *removal(const char *printed)
{
	const char *command = strstr(printed, "ssh-keygen -f");

	return command ? g_strndup(command, strcspn(command, "\r\n")) : NULL;
}

static char *last_line(const char *printed)
{
	g_autofree char *text = g_strchomp(g_strdup(printed));
	const char *line = strrchr(text, '\n');

	return diag_printable(line ? line + 1 : text, -1);
}

char *link_trouble(const struct agent *agent, const char *printed, const struct child_exit *end)
{
	const char *name = agent->name, *host = agent->host;
	g_autofree char *how = child_end_text(end), *last = last_line(printed), *remove = removal(printed);
	g_autofree char *shown = diag_printable(host, -1);

	if (end->end == CHILD_NOT_RUN)
		return g_strdup_printf("%s: ssh %s; install the Debian package openssh-client", name, how);
	if (strstr(printed, "REMOTE HOST IDENTIFICATION HAS CHANGED"))
		return g_strdup_printf(
			"%s: the host key of %s has changed: it was set up anew, or another "
			"machine answers in its place; nothing was sent to it. Where you know why, "
			"remove the old key with `%s`, then connect once by hand",
			name, shown, remove ? remove : "ssh-keygen -R HOST");
	if (strstr(printed, "Host key verification failed"))
		return g_strdup_printf(
			"%s: the host key of %s is not known yet: connect once by hand with `ssh "
			"%s`, and compare the fingerprint",
			name, shown, shown);
	if (strstr(printed, "Permission denied ("))
		return g_strdup_printf(
			"%s: %s lets us not in (%s): it must take a key without a question, see "
			"ssh-copy-id(1) and ssh-add(1)",
			name, shown, last);
	return g_strdup_printf("%s: %s cannot be used: %s", name, shown, *last ? last : how);
}
