#include "build_world.h"

#include "child.h"
#include "fsx.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A compiler that does these lines first where it is to compile the library, and is the real one otherwise.
 * "FOLDER" in them stands for the world's folder. */
static void wrap_compiler(struct world *world, const char *lines)
{
	g_autoptr(GString) text = g_string_new(lines);
	g_string_replace(text, "FOLDER", world->folder, 0);
	g_string_prepend(text, "#!/bin/sh\ncase \"$*\" in *lib/tiny.o*)\n");
	g_string_append(text, "\n;;\nesac\nexec gcc \"$@\"\n");
	g_autofree char *file = g_build_filename(world->folder, "cc", NULL);
	g_assert_true(g_file_set_contents(file, text->str, -1, NULL));
	g_assert_cmpint(chmod(file, 0755), ==, 0);
	/* The world lends its strings: this one lives as long as it. */
	world->toolchain.cc = g_intern_string(file);
}

static void assert_state(const struct build_result *result, enum build_state state, const char *reason)
{
	if (result->state != state)
		g_test_message("%s\n%s", result->reason, result->log);
	g_assert_cmpstr(build_states[result->state].name, ==, build_states[state].name);
	g_assert_cmpstr(result->reason, ==, reason);
}

/* The process whose number was left in the world's folder is gone within two seconds. */
static void assert_gone(const struct world *world)
{
	g_autofree char *file = g_build_filename(world->folder, "pid", NULL);
	g_autofree char *text = NULL;
	g_assert_true(g_file_get_contents(file, &text, NULL, NULL));
	pid_t pid = (pid_t)g_ascii_strtoll(text, NULL, 10);
	g_assert_cmpint(pid, >, 1);
	for (int i = 0; i < 200 && kill(pid, 0) == 0; i++)
		g_usleep(10000);
	g_assert_cmpint(kill(pid, 0), ==, -1);
	g_assert_cmpint(errno, ==, ESRCH);
}

static void a_compiler_that_hangs_is_stopped_at_the_deadline(void)
{
	struct world *world = world_new();
	wrap_compiler(world, "echo $$ > FOLDER/pid; exec sleep 300");
	world->limits.make_s = 2;
	struct build_result *result = world_build(world);
	assert_state(result, BUILD_TIMEOUT, "make: not done after 2 s");
	g_assert_cmpfloat(result->seconds, <, 30);
	assert_gone(world);
	build_result_free(result);
	world_free(world);
}

/* In a session of its own and with our pipes closed, so that nothing but its parentage tells of it. */
static void a_compiler_that_leaves_a_daemon_leaves_none(void)
{
	struct world *world = world_new();
	wrap_compiler(world,
		"setsid sh -c 'echo $$ > FOLDER/pid.new; mv FOLDER/pid.new FOLDER/pid; exec sleep 300' "
		"</dev/null >/dev/null 2>&1 &\n"
		"while ! test -e FOLDER/pid; do sleep 0.05; done");
	struct build_result *result = world_build(world);
	assert_state(result, BUILD_OK, NULL);
	assert_gone(world);
	build_result_free(result);
	world_free(world);
}

static void a_daemon_that_keeps_the_pipe_does_not_hold_up_the_build(void)
{
	struct world *world = world_new();
	wrap_compiler(world,
		"setsid sh -c 'echo $$ > FOLDER/pid.new; mv FOLDER/pid.new FOLDER/pid; exec sleep 300' &\n"
		"while ! test -e FOLDER/pid; do sleep 0.05; done");
	gint64 before = g_get_monotonic_time();
	struct build_result *result = world_build(world);
	assert_state(result, BUILD_OK, NULL);
	g_assert_cmpint((g_get_monotonic_time() - before) / 1000000, <, 60);
	assert_gone(world);
	build_result_free(result);
	world_free(world);
}

static void a_compiler_that_prints_without_end_is_stopped(void)
{
	struct world *world = world_new();
	wrap_compiler(world, "echo $$ > FOLDER/pid; exec yes 'tiny.c: note: again'");
	world->limits.output_ceiling = 1u << 20;
	struct build_result *result = world_build(world);
	g_assert_cmpstr(build_states[result->state].name, ==, "compile-failed");
	g_assert_nonnull(strstr(result->reason, "1048576 bytes"));
	g_assert_cmpuint(strlen(result->log), <, 2u << 20);
	assert_gone(world);
	build_result_free(result);
	world_free(world);
}

static void a_log_of_any_bytes_gives_a_reason_that_is_text(void)
{
	struct world *world = world_new();
	wrap_compiler(world,
		"printf 'one \\000 two\\n\\377\\376 before\\ntiny.c:1:1: error: caf\\351 is not known\\n"
		"after\\n' >&2; exit 1");
	struct build_result *result = world_build(world);
	assert_state(result, BUILD_COMPILE_FAILED, "make: tiny.c:1:1: error: caf\xef\xbf\xbd is not known");
	g_assert_true(g_utf8_validate(result->reason, -1, NULL));
	g_assert_nonnull(strstr(result->log, "one \x1a two\n"));
	g_assert_nonnull(strstr(result->log, "\nafter\n"));
	build_result_free(result);
	world_free(world);
}

static void keeps_the_whole_log_of_a_failure(void)
{
	struct world *world = world_new();
	wrap_compiler(world,
		"seq 1 20000; echo 'tiny.c:7:7: error: the first' >&2; seq 1 20000; echo 'tiny.c:8:8: "
		"error: the second' >&2; exit 1");
	struct build_result *result = world_build(world);
	assert_state(result, BUILD_COMPILE_FAILED, "make: tiny.c:7:7: error: the first");
	g_assert_nonnull(strstr(result->log, "checking for the answer... 42"));
	g_assert_nonnull(strstr(result->log, "\n19999\n20000\n"));
	g_assert_nonnull(strstr(result->log, "error: the second"));
	g_assert_nonnull(strstr(result->log, "[make: exit status 2]"));
	build_result_free(result);
	world_free(world);
}

static void a_compiler_that_crashes_is_told_by_its_signal(void)
{
	struct world *world = world_new();
	wrap_compiler(world, "kill -SEGV $$");
	struct build_result *result = world_build(world);
	g_assert_cmpstr(build_states[result->state].name, ==, "compile-failed");
	g_assert_nonnull(strstr(result->log, "Segmentation fault"));
	build_result_free(result);
	world_free(world);
}

static char *full_disk(const struct world *world)
{
	return g_strdup_printf(
		"the disk of the cache is full (%s): free some space, then run --resume", world->cache);
}

/* The words are a real tool's about a real device that is always full. */
static void a_full_disk_is_no_failure_of_the_library(void)
{
	struct world *world = world_new();
	g_autofree char *reason = full_disk(world);
	wrap_compiler(world,
		"echo 'tiny.c:1:1: error: something that comes of it' >&2; cat \"$0\" > /dev/full; exit 1");
	struct build_result *result = world_build(world);
	assert_state(result, BUILD_CANCELLED, reason);
	g_assert_nonnull(strstr(result->log, "No space left on device"));
	build_result_free(result);
	/* It is made again as soon as there is room. */
	world->toolchain.cc = "gcc";
	result = world_build(world);
	assert_state(result, BUILD_OK, NULL);
	build_result_free(result);
	world_free(world);
}

static void a_full_disk_is_no_failure_of_the_source(void)
{
	struct world *world = world_new();
	g_autofree char *reason = full_disk(world);
	world_edit(world->source, "prepare", "echo prepared > prepared", "cat prepare > /dev/full");
	g_autofree char *prepare = g_build_filename(world->source, "prepare", NULL);
	g_assert_cmpint(chmod(prepare, 0755), ==, 0);
	struct build_result *result = world_build(world);
	assert_state(result, BUILD_CANCELLED, reason);
	build_result_free(result);
	world_free(world);
}

static void temporary_files_go_with_the_work(void)
{
	struct world *world = world_new();
	wrap_compiler(world, "echo \"$TMPDIR\" > FOLDER/where; echo left > \"$TMPDIR\"/left.s");
	struct build_result *result = world_build(world);
	assert_state(result, BUILD_OK, NULL);
	g_autofree char *file = g_build_filename(world->folder, "where", NULL);
	g_autofree char *work = g_build_filename(world->cache, "work", "", NULL);
	g_autofree char *where = NULL;
	g_assert_true(g_file_get_contents(file, &where, NULL, NULL));
	g_assert_true(g_str_has_prefix(g_strchomp(where), work));
	g_assert_false(g_file_test(where, G_FILE_TEST_EXISTS));
	build_result_free(result);
	world_free(world);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/builder/" #name, name)
	TEST(a_compiler_that_hangs_is_stopped_at_the_deadline);
	TEST(a_compiler_that_leaves_a_daemon_leaves_none);
	TEST(a_daemon_that_keeps_the_pipe_does_not_hold_up_the_build);
	TEST(a_compiler_that_prints_without_end_is_stopped);
	TEST(a_log_of_any_bytes_gives_a_reason_that_is_text);
	TEST(keeps_the_whole_log_of_a_failure);
	TEST(a_compiler_that_crashes_is_told_by_its_signal);
	TEST(a_full_disk_is_no_failure_of_the_library);
	TEST(a_full_disk_is_no_failure_of_the_source);
	TEST(temporary_files_go_with_the_work);
	return g_test_run();
}
