#include "child_harness.h"
#include "diag.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

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

static void the_first_byte_has_a_deadline_of_its_own(void)
{
	static const char *const late[] = {"sleep", "0.6", NULL};
	struct child_spec dumb = spec_of(ARGV("tick", "0", "1")), patient = spec_of(late);
	struct child_spec fluent = spec_of(ARGV("tick", "3", "100"));
	struct outcome o;

	dumb.start_s = 0.3;
	dumb.silence_s = 30;
	run(&o, dumb);
	assert_end(&o, CHILD_SILENT, 1);
	g_assert_cmpfloat(o.end.seconds, <, 10);
	clear(&o);
	patient.start_s = 30;
	patient.silence_s = 0.2;
	run(&o, patient);
	assert_end(&o, CHILD_EXITED, 0);
	clear(&o);
	/* From the first byte on it is the other one's turn. */
	fluent.start_s = 30;
	fluent.silence_s = 1.5;
	run(&o, fluent);
	assert_end(&o, CHILD_SILENT, 2);
	g_assert_cmpfloat(o.end.seconds, <, 15);
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
	TEST(the_first_byte_has_a_deadline_of_its_own);
	TEST(does_not_mistake_a_busy_reader_for_silence);
	TEST(takes_a_program_that_ended_at_its_word);
	TEST(stops_a_flood_at_the_ceiling);
	TEST(cancels_from_within_a_callback);
	TEST(passes_every_byte_through_in_order);
	TEST(keeps_the_two_streams_apart);
	TEST(hands_on_nothing_of_ours);
	TEST(refuses_a_processor_and_a_folder_that_are_not_there);
	TEST(measures_time_and_memory);
	TEST(leaks_no_descriptor_in_200_children);
	TEST(runs_many_at_once);
	TEST(runs_a_probe_to_its_end);
	TEST(says_that_the_supervisor_is_missing);
	TEST(tells_each_end_in_words);
	TEST(scrubs_the_environment_of_tools);
	return g_test_run();
}
