/* Nothing that a program started survives it, or us. */
#include "child_harness.h"

#include <math.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* A zombie that nobody reaps is dead, though kill() still reaches it. */
static bool is_alive(int pid)
{
	g_autofree char *file = g_strdup_printf("/proc/%d/stat", pid);
	g_autofree char *text = NULL;

	if (!g_file_get_contents(file, &text, NULL, NULL))
		return false;
	return !strstr(text, ") Z ");
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

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	child_set_supervisor(CHECKED_SUPERVISOR);
#define TEST(name) g_test_add_func("/child_tree/" #name, name)
	TEST(leaves_no_daemon_behind_a_program_that_ended);
	TEST(leaves_no_daemon_behind_a_cancelled_program);
	TEST(tells_of_the_death_of_the_supervisor);
	TEST(keeps_what_was_printed_before_the_supervisor_died);
	TEST(kills_everything_within_a_second_of_our_own_death);
	return g_test_run();
}
