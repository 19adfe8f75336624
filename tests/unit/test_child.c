#include "child.h"
#include "diag.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const no_environment[] = {NULL};

/* How one child went. */
struct outcome {
	GString *out, *errors;
	struct child_exit end;
	struct child *child;
	bool ended;
	size_t cancel_after; /* cancel once so many bytes are there; 0: never */
};

static void on_output(int stream, const char *bytes, size_t length, void *user)
{
	struct outcome *outcome = user;

	g_assert_false(outcome->ended);
	g_string_append_len(stream == 1 ? outcome->out : outcome->errors, bytes, (gssize)length);
	if (outcome->cancel_after && outcome->out->len >= outcome->cancel_after)
		child_cancel(outcome->child);
}

static void on_exit_of_child(const struct child_exit *end, void *user)
{
	struct outcome *outcome = user;

	g_assert_false(outcome->ended);
	outcome->end = *end;
	outcome->ended = true;
}

static struct child_spec spec_of(const char *const *argv)
{
	return (struct child_spec){.argv = argv, .environment = no_environment, .cpu = -1};
}

static void start(struct outcome *ret, struct child_spec spec)
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

static void finish(struct outcome *outcome)
{
	while (!outcome->ended)
		g_main_context_iteration(NULL, TRUE);
}

static void run(struct outcome *ret, struct child_spec spec)
{
	memset(ret, 0, sizeof *ret);
	start(ret, spec);
	finish(ret);
}

static void clear(struct outcome *outcome)
{
	g_string_free(outcome->out, TRUE);
	g_string_free(outcome->errors, TRUE);
}

static void assert_end(const struct outcome *outcome, enum child_end end, int status)
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
static int number_after(const GString *text, const char *what)
{
	const char *at = strstr(text->str, what);

	g_assert_nonnull(at);
	return (int)g_ascii_strtoll(at + strlen(what), NULL, 10);
}

/* A zombie that nobody reaps is dead, though kill() still reaches it. */
static bool is_alive(int pid)
{
	g_autofree char *file = g_strdup_printf("/proc/%d/stat", pid);
	g_autofree char *text = NULL;

	if (!g_file_get_contents(file, &text, NULL, NULL))
		return false;
	return !strstr(text, ") Z ");
}

static void reports_the_exit_status(void)
{
	struct outcome o;

	run(&o, spec_of(ARGV("exit", "7")));
	assert_end(&o, CHILD_EXITED, 7);
	g_assert_cmpfloat(o.end.seconds, <, 5);
	clear(&o);
}

static void reports_the_signal_and_its_name(void)
{
	struct outcome o;

	run(&o, spec_of(ARGV("signal", "7")));
	assert_end(&o, CHILD_SIGNALLED, 7);
	g_autofree char *text = child_end_text(&o.end);
	g_assert_cmpstr(text, ==, "signal 7 (SIGBUS)");
	g_assert_cmpstr(child_signal_name(99), ==, "signal 99");
	clear(&o);
}

static void reports_why_a_program_was_not_executed(void)
{
	g_autofree char *script = NULL;
	struct outcome o;
	int fd = g_file_open_tmp("child-XXXXXX", &script, NULL);

	g_assert_cmpint(write(fd, "echo a shell ran this\n", 22), ==, 22);
	close(fd);
	run(&o, spec_of((const char *const[]){"/nonexistent/program", NULL}));
	assert_end(&o, CHILD_NOT_RUN, ENOENT);
	g_assert_cmpint(o.end.max_rss_bytes, ==, -1);
	clear(&o);
	run(&o, spec_of((const char *const[]){script, NULL}));
	assert_end(&o, CHILD_NOT_RUN, EACCES);
	clear(&o);
	/* A text without a magic number must not be handed to a shell. */
	g_assert_cmpint(g_chmod(script, 0700), ==, 0);
	run(&o, spec_of((const char *const[]){script, NULL}));
	assert_end(&o, CHILD_NOT_RUN, ENOEXEC);
	g_assert_cmpstr(o.out->str, ==, "");
	clear(&o);
	unlink(script);
}

static void looks_programs_up_in_the_path_of_the_environment(void)
{
	g_autofree char *folder = g_path_get_dirname(VICTIM);
	g_autofree char *name = g_path_get_basename(VICTIM);
	g_autofree char *path = g_strdup_printf("PATH=/nonexistent:%s", folder);
	const char *const environment[] = {path, NULL};
	struct child_spec spec = spec_of((const char *const[]){name, "name", NULL});
	struct outcome o;

	spec.environment = environment;
	run(&o, spec);
	assert_end(&o, CHILD_EXITED, 0);
	g_assert_cmpstr(o.out->str, ==, "base_victim\n");
	clear(&o);
	spec.environment = no_environment;
	run(&o, spec);
	assert_end(&o, CHILD_NOT_RUN, ENOENT);
	clear(&o);
}

static void kills_at_the_total_deadline(void)
{
	struct child_spec spec = spec_of(ARGV("tick", "1000", "50"));
	struct outcome o;

	spec.timeout_s = 0.4;
	spec.silence_s = 5;
	run(&o, spec);
	assert_end(&o, CHILD_TIMEOUT, 1);
	g_assert_cmpfloat(o.end.seconds, >=, 0.4);
	g_assert_cmpfloat(o.end.seconds, <, 2);
	g_assert_cmpuint(o.out->len, >, 0);
	clear(&o);
}

static void kills_after_silence_but_not_while_bytes_come(void)
{
	struct child_spec spec = spec_of(ARGV("tick", "10", "150"));
	struct outcome o;

	spec.silence_s = 1;
	run(&o, spec);
	assert_end(&o, CHILD_SILENT, 1);
	g_assert_cmpuint(o.out->len, ==, 10 * strlen("tick\n"));
	g_assert_cmpfloat(o.end.seconds, >, 2.2); /* 1.35 s of ticks and 1 s of silence */
	g_autofree char *text = child_end_text(&o.end);
	g_assert_cmpstr(text, ==, "no output for 1 s");
	clear(&o);
}

/* Time that we spend elsewhere is not the child's silence. */
static void does_not_mistake_a_busy_reader_for_silence(void)
{
	struct child_spec spec = spec_of(ARGV("tick", "8", "150"));
	struct outcome o = {0};

	spec.silence_s = 0.5;
	start(&o, spec);
	g_usleep(700000);
	finish(&o);
	assert_end(&o, CHILD_SILENT, 1);
	g_assert_cmpuint(o.out->len, ==, 8 * strlen("tick\n"));
	clear(&o);
}

/* Between its last byte and the kill it may have ended by itself; then that is what happened. */
static void takes_a_program_that_ended_at_its_word(void)
{
	struct child_spec spec = spec_of(ARGV("both"));
	struct outcome o = {0};

	spec.silence_s = 0.2;
	start(&o, spec);
	g_usleep(600000);
	finish(&o);
	assert_end(&o, CHILD_EXITED, 0);
	g_assert_cmpstr(o.out->str, ==, "to out\n");
	clear(&o);
}

static void stops_a_flood_at_the_ceiling(void)
{
	struct child_spec spec = spec_of(ARGV("write", "100000000"));
	struct outcome o;

	spec.output_ceiling = 100000;
	run(&o, spec);
	assert_end(&o, CHILD_FLOODED, 100000);
	g_assert_cmpuint(o.out->len, ==, 100000);
	clear(&o);
	spec.argv = ARGV("write", "100000");
	run(&o, spec);
	assert_end(&o, CHILD_EXITED, 0);
	g_assert_cmpuint(o.out->len, ==, 100000);
	clear(&o);
}

static void cancels_from_within_a_callback(void)
{
	struct outcome o = {.cancel_after = 1};

	start(&o, spec_of(ARGV("tick", "1", "1")));
	finish(&o);
	assert_end(&o, CHILD_CANCELLED, 0);
	g_assert_cmpstr(o.out->str, ==, "tick\n");
	clear(&o);
}

static void passes_every_byte_through_in_order(void)
{
	const size_t n = 10000000;
	struct outcome o;

	run(&o, spec_of(ARGV("write", "10000000")));
	assert_end(&o, CHILD_EXITED, 0);
	g_assert_cmpuint(o.out->len, ==, n);
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)o.out->str[i] != i % 251)
			g_error("byte %zu is wrong", i);
	clear(&o);
}

static void keeps_the_two_streams_apart(void)
{
	struct outcome o;

	run(&o, spec_of(ARGV("both")));
	g_assert_cmpstr(o.out->str, ==, "to out\n");
	g_assert_cmpstr(o.errors->str, ==, "to errors\n");
	clear(&o);
}

static void hands_on_nothing_of_ours(void)
{
	const char *const environment[] = {"LC_ALL=C", NULL};
	struct child_spec spec = spec_of(ARGV("self"));
	struct outcome o;

	signal(SIGUSR1, SIG_IGN);
	spec.environment = environment;
	spec.folder = "/";
	spec.cpu = 0;
	run(&o, spec);
	signal(SIGUSR1, SIG_DFL);
	g_assert_cmpstr(o.out->str, ==,
		"descriptors 3\nprocessors 1\nfolder /\nsigusr1 default\nsigchld open\nstdin -1\n"
		"environment LC_ALL=C\n");
	clear(&o);
}

static void refuses_a_processor_and_a_folder_that_are_not_there(void)
{
	struct child_spec spec = spec_of(ARGV("exit", "0"));
	struct outcome o;

	spec.cpu = 1000;
	run(&o, spec);
	assert_end(&o, CHILD_NOT_RUN, EINVAL);
	clear(&o);
	spec.cpu = -1;
	spec.folder = "/nonexistent";
	run(&o, spec);
	assert_end(&o, CHILD_NOT_RUN, ENOENT);
	clear(&o);
}

static void measures_time_and_memory(void)
{
	struct outcome o;

	run(&o, spec_of(ARGV("burn", "50000000")));
	g_assert_cmpfloat(o.end.cpu_seconds, >=, 0.15);
	g_assert_cmpfloat(o.end.cpu_seconds, <, 3);
	g_assert_cmpint(o.end.max_rss_bytes, >=, 50000000);
	g_assert_cmpint(o.end.max_rss_bytes, <, 200000000);
	clear(&o);
}

static void assert_tree_is_dead(const GString *out)
{
	g_assert_false(is_alive(number_after(out, "main ")));
	g_assert_false(is_alive(number_after(out, "session ")));
	g_assert_false(is_alive(number_after(out, "daemon ")));
}

static bool is_tree_complete(const char *text)
{
	return strstr(text, "supervisor ") && strstr(text, "daemon ") && strstr(text, "session ") &&
	       g_str_has_suffix(text, "\n");
}

static void wait_for_tree(struct outcome *outcome)
{
	while (!is_tree_complete(outcome->out->str))
		g_main_context_iteration(NULL, TRUE);
}

/* The daemon keeps the output open, so waiting for its end would hang as well. */
static void leaves_no_daemon_behind_a_program_that_ended(void)
{
	struct outcome o;

	run(&o, spec_of(ARGV("leave")));
	assert_end(&o, CHILD_EXITED, 0);
	assert_tree_is_dead(o.out);
	g_assert_cmpfloat(o.end.seconds, <, 5);
	clear(&o);
}

static void leaves_no_daemon_behind_a_cancelled_program(void)
{
	struct outcome o = {0};

	start(&o, spec_of(ARGV("stay")));
	wait_for_tree(&o);
	g_assert_true(is_alive(number_after(o.out, "daemon ")));
	child_cancel(o.child);
	finish(&o);
	assert_end(&o, CHILD_CANCELLED, 0);
	assert_tree_is_dead(o.out);
	clear(&o);
}

static bool wait_for_death(int pid, double seconds)
{
	gint64 end = g_get_monotonic_time() + (gint64)(seconds * G_USEC_PER_SEC);

	while (is_alive(pid) && g_get_monotonic_time() < end)
		g_usleep(5000);
	return !is_alive(pid);
}

static void tells_of_the_death_of_the_supervisor(void)
{
	struct outcome o = {0};

	prctl(PR_SET_CHILD_SUBREAPER, 1); /* so that the orphans come to us, who reap them */
	start(&o, spec_of(ARGV("stay")));
	wait_for_tree(&o);
	int program = number_after(o.out, "main ");
	kill(number_after(o.out, "supervisor "), SIGKILL);
	finish(&o);
	assert_end(&o, CHILD_SIGNALLED, SIGKILL);
	g_assert_true(isnan(o.end.cpu_seconds));
	g_assert_true(wait_for_death(program, 1));
	/* What it had started is out of reach then, and has to be removed by hand. */
	kill(number_after(o.out, "session "), SIGKILL);
	kill(number_after(o.out, "daemon "), SIGKILL);
	while (waitpid(-1, NULL, 0) > 0)
		;
	prctl(PR_SET_CHILD_SUBREAPER, 0);
	clear(&o);
}

/* Whatever is in the pipes still counts, though nothing but their end is to be waited for. */
static void keeps_what_was_printed_before_the_supervisor_died(void)
{
	struct outcome o = {0};

	start(&o, spec_of(ARGV("orphan")));
	g_usleep(400000);
	finish(&o);
	assert_end(&o, CHILD_SIGNALLED, SIGKILL);
	g_assert_cmpstr(o.out->str, ==, "last words\n");
	clear(&o);
}

static void print_on(int stream, const char *bytes, size_t length, void *user)
{
	(void)stream;
	g_assert_cmpint(write(*(int *)user, bytes, length), ==, (ssize_t)length);
}

/* A parent that starts a tree, tells its numbers on `fd` and is killed meanwhile. */
static void be_a_parent(int fd)
{
	struct child_spec spec = spec_of(ARGV("stay"));

	spec.on_output = print_on;
	spec.user = &fd;
	if (!child_start(&spec, NULL))
		_exit(1);
	for (;;)
		g_main_context_iteration(NULL, TRUE);
}

static void kills_everything_within_a_second_of_our_own_death(void)
{
	char text[512] = "";
	size_t length = 0;
	int fds[2];

	g_assert_cmpint(pipe(fds), ==, 0);
	pid_t parent = fork();
	if (parent == 0)
		be_a_parent(fds[1]);
	close(fds[1]);
	while (!is_tree_complete(text)) {
		ssize_t got = read(fds[0], text + length, sizeof text - 1 - length);
		g_assert_cmpint(got, >, 0);
		length += (size_t)got;
	}
	g_autoptr(GString) numbers = g_string_new(text);
	g_assert_true(is_alive(number_after(numbers, "daemon ")));
	kill(parent, SIGKILL);
	waitpid(parent, NULL, 0);
	g_assert_true(wait_for_death(number_after(numbers, "supervisor "), 1));
	assert_tree_is_dead(numbers);
	close(fds[0]);
}

static int count_descriptors(void)
{
	g_autoptr(GDir) stream = g_dir_open("/proc/self/fd", 0, NULL);
	int n = 0;

	while (g_dir_read_name(stream))
		n++;
	return n;
}

static void leaks_no_descriptor_in_200_children(void)
{
	struct outcome o;

	child_set_supervisor(SUPERVISOR);
	run(&o, spec_of(ARGV("exit", "0")));
	clear(&o);
	int before = count_descriptors();
	for (int i = 0; i < 200; i++) {
		run(&o, spec_of(i % 2 ? ARGV("exit", "0") : (const char *const[]){"/nonexistent", NULL}));
		assert_end(&o, i % 2 ? CHILD_EXITED : CHILD_NOT_RUN, i % 2 ? 0 : ENOENT);
		clear(&o);
	}
	g_assert_cmpint(count_descriptors(), ==, before);
	g_assert_cmpint(waitpid(-1, NULL, WNOHANG), ==, -1);
	g_assert_cmpint(errno, ==, ECHILD);
	child_set_supervisor(CHECKED_SUPERVISOR);
}

/* Each must see its own end, although all of them are open at once. */
static void runs_many_at_once(void)
{
	struct outcome o[20] = {0};
	char status[20][4];

	for (int i = 0; i < 20; i++) {
		g_snprintf(status[i], sizeof status[i], "%d", i);
		start(&o[i], spec_of(ARGV("exit", status[i])));
	}
	for (int i = 0; i < 20; i++) {
		finish(&o[i]);
		assert_end(&o[i], CHILD_EXITED, i);
		clear(&o[i]);
	}
}

static void runs_a_probe_to_its_end(void)
{
	g_autoptr(GString) out = g_string_new(NULL);
	g_autoptr(GString) errors = g_string_new(NULL);
	g_autoptr(GError) error = NULL;
	struct child_spec spec = spec_of(ARGV("both"));
	struct child_exit end;

	g_assert_true(child_run(&end, out, errors, &spec, &error));
	g_assert_no_error(error);
	g_assert_cmpint(end.end, ==, CHILD_EXITED);
	g_assert_cmpstr(out->str, ==, "to out\n");
	g_assert_cmpstr(errors->str, ==, "to errors\n");
	g_assert_true(child_run(&end, NULL, NULL, &spec, NULL));
}

static void says_that_the_supervisor_is_missing(void)
{
	g_autoptr(GError) error = NULL;
	struct child_spec spec = spec_of(ARGV("exit", "0"));
	int before = count_descriptors();

	child_set_supervisor("/nonexistent/bm-supervise");
	g_assert_null(child_start(&spec, &error));
	g_assert_nonnull(error);
	g_assert_nonnull(strstr(error->message, "/nonexistent/bm-supervise"));
	child_set_supervisor(CHECKED_SUPERVISOR);
	g_assert_cmpint(count_descriptors(), ==, before);
}

static void tells_each_end_in_words(void)
{
	static const struct {
		struct child_exit end;
		const char *text;
	} cases[] = {
		{{.end = CHILD_EXITED, .status = 2}, "exit status 2"},
		{{.end = CHILD_SIGNALLED, .status = 11}, "signal 11 (SIGSEGV)"},
		{{.end = CHILD_SIGNALLED, .status = 99}, "signal 99"},
		{{.end = CHILD_TIMEOUT, .status = 60}, "not done after 60 s"},
		{{.end = CHILD_SILENT, .status = 60}, "no output for 60 s"},
		{{.end = CHILD_FLOODED, .status = 1000}, "more than 1000 bytes of output"},
		{{.end = CHILD_CANCELLED}, "cancelled"},
		{{.end = CHILD_NOT_RUN, .status = ENOENT}, "cannot be executed: No such file or directory"},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *text = child_end_text(&cases[i].end);
		g_assert_cmpstr(text, ==, cases[i].text);
	}
}

static void scrubs_the_environment_of_tools(void)
{
	const char *const extra[] = {"CCACHE_DIR=/c=d", "TZ=CET", NULL};

	g_setenv("BM_TEST_SECRET", "1", TRUE);
	g_auto(GStrv) environment = child_clean_environment(extra);
	g_assert_cmpuint(g_strv_length(environment), ==, 5);
	g_assert_cmpstr(g_environ_getenv(environment, "CCACHE_DIR"), ==, "/c=d");
	g_assert_cmpstr(g_environ_getenv(environment, "TZ"), ==, "CET");
	g_assert_cmpstr(g_environ_getenv(environment, "LC_ALL"), ==, "C");
	g_assert_cmpstr(g_environ_getenv(environment, "PATH"), ==, g_getenv("PATH"));
	g_assert_nonnull(g_environ_getenv(environment, "HOME"));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	child_set_supervisor(CHECKED_SUPERVISOR);
#define TEST(name) g_test_add_func("/child/" #name, name)
	TEST(reports_the_exit_status);
	TEST(reports_the_signal_and_its_name);
	TEST(reports_why_a_program_was_not_executed);
	TEST(looks_programs_up_in_the_path_of_the_environment);
	TEST(kills_at_the_total_deadline);
	TEST(kills_after_silence_but_not_while_bytes_come);
	TEST(does_not_mistake_a_busy_reader_for_silence);
	TEST(takes_a_program_that_ended_at_its_word);
	TEST(stops_a_flood_at_the_ceiling);
	TEST(cancels_from_within_a_callback);
	TEST(passes_every_byte_through_in_order);
	TEST(keeps_the_two_streams_apart);
	TEST(hands_on_nothing_of_ours);
	TEST(refuses_a_processor_and_a_folder_that_are_not_there);
	TEST(measures_time_and_memory);
	TEST(leaves_no_daemon_behind_a_program_that_ended);
	TEST(leaves_no_daemon_behind_a_cancelled_program);
	TEST(tells_of_the_death_of_the_supervisor);
	TEST(keeps_what_was_printed_before_the_supervisor_died);
	TEST(kills_everything_within_a_second_of_our_own_death);
	TEST(leaks_no_descriptor_in_200_children);
	TEST(runs_many_at_once);
	TEST(runs_a_probe_to_its_end);
	TEST(says_that_the_supervisor_is_missing);
	TEST(tells_each_end_in_words);
	TEST(scrubs_the_environment_of_tools);
	return g_test_run();
}
