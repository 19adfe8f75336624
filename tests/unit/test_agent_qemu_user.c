#include "agent_harness.h"
#include "diag.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct agent_target a72 = {
	.arch = "aarch64", .emulator = "qemu-aarch64", .cpu = "cortex-a72", .package = "qemu-user"};

static void qemu_refuses_targets_without_an_emulator_of_programs(void)
{
	const struct agent_target none = {.arch = "aarch64"};
	const struct agent_target machine = {
		.arch = "arm", .emulator = "qemu-system-arm", .cpu = "cortex-m3"};

	g_assert_null(agent_refuses(&agent_qemu_user, &a72));
	g_autofree char *why = agent_refuses(&agent_qemu_user, &none);
	g_assert_cmpstr(why, ==, "the toolchain names no emulator");
	g_autofree char *other = agent_refuses(&agent_qemu_user, &machine);
	g_assert_cmpstr(other, ==, "qemu-system-arm emulates a whole machine, not a program");
}

/* describe() must fail with this code and message. */
static void assert_lacks(struct agent_target target, enum diag_code code, const char *message)
{
	g_autoptr(GError) error = NULL;
	struct agent_place *place = NULL;

	g_assert_false(agent_describe(&place, &agent_qemu_user, &target, &error));
	g_assert_null(place);
	g_assert_error(error, DIAG_ERROR, (int)code);
	g_assert_cmpstr(error->message, ==, message);
}

static void qemu_says_which_package_to_install(void)
{
	struct agent_target target = a72;

	target.emulator = "qemu-nothing";
	assert_lacks(
		target, DIAG_LACKS, "qemu-nothing is not installed; install the Debian package qemu-user");
	/* A program that prints a help without -plugin, as the statically linked emulators do. */
	target.emulator = "true";
	assert_lacks(target, DIAG_LACKS, "true takes no -plugin; install the Debian package qemu-user");
}

static bool skip_without(const char *program, const char *package)
{
	g_autofree char *file = fsx_find_program(program, NULL);

	if (file)
		return false;
	g_autofree char *why = g_strdup_printf("%s is not installed (Debian package %s)", program, package);
	g_test_skip(why);
	return true;
}

static void qemu_refuses_an_unknown_cpu_model(void)
{
	struct agent_target target = a72;

	if (skip_without("qemu-aarch64", "qemu-user"))
		return;
	target.cpu = "cortex-a7200";
	assert_lacks(target, DIAG_INPUT,
		"qemu-aarch64 has no CPU model \"cortex-a7200\"; `qemu-aarch64 -cpu help` lists them");
}

static void qemu_says_that_the_plugin_is_missing(void)
{
	if (skip_without("qemu-aarch64", "qemu-user"))
		return;
	agent_set_plugin("/nonexistent/plugin.so");
	assert_lacks(a72, DIAG_LACKS,
		"the plugin that counts is not at /nonexistent/plugin.so; build it, or install benchmatrix "
		"again");
	agent_set_plugin(PLUGIN);
}

static char *exact_key(struct agent_target target)
{
	g_autoptr(GError) error = NULL;
	struct agent_place *place = NULL;

	agent_describe(&place, &agent_qemu_user, &target, &error);
	g_assert_no_error(error);
	char *key = g_strdup(place->exact);
	agent_place_free(place);
	return key;
}

static void qemu_describes_the_emulated_machine(void)
{
	g_autoptr(GError) error = NULL;
	struct agent_place *place = NULL;

	if (skip_without("qemu-aarch64", "qemu-user"))
		return;
	agent_describe(&place, &agent_qemu_user, &a72, &error);
	g_assert_no_error(error);
	g_assert_cmpstr(place->platform, ==, "qemu-aarch64-cortex-a72");
	g_assert_true(place->emulated);
	g_assert_cmpstr(fact(place, "cpu"), ==, "cortex-a72");
	g_assert_true(g_str_has_prefix(fact(place, "emulator"), "qemu-aarch64 version "));
	g_autofree char *plugin = fsx_hash_file(PLUGIN, NULL);
	g_assert_cmpstr(fact(place, "plugin"), ==, plugin);
	agent_place_free(place);
}

static void qemu_key_changes_with_emulator_plugin_and_cpu(void)
{
	struct agent_target other_cpu = a72, other_emulator = a72;

	if (skip_without("qemu-aarch64", "qemu-user") || skip_without("qemu-aarch64_be", "qemu-user"))
		return;
	other_cpu.cpu = "cortex-a53";
	other_emulator.emulator = "qemu-aarch64_be";
	g_autofree char *key = exact_key(a72);
	g_autofree char *again = exact_key(a72);
	g_autofree char *cpu = exact_key(other_cpu);
	g_autofree char *emulator = exact_key(other_emulator);
	g_autofree char *changed = g_build_filename(scratch, "changed.so", NULL);
	put(scratch, "changed.so", "another plugin");
	agent_set_plugin(changed);
	g_autofree char *plugin = exact_key(a72);
	agent_set_plugin(PLUGIN);
	g_assert_cmpuint(strlen(key), ==, 64);
	g_assert_cmpstr(key, ==, again);
	g_assert_cmpstr(key, !=, cpu);
	g_assert_cmpstr(key, !=, emulator);
	g_assert_cmpstr(key, !=, plugin);
}

/* A static program for aarch64, or NULL where there is no compiler and the test is skipped. */
static char *build_guest(void)
{
	g_auto(GStrv) environment = child_clean_environment(NULL);
	char *program = g_build_filename(scratch, "guest", NULL);
	const char *const argv[] = {"aarch64-linux-gnu-gcc", "-static", "-o", program,
		BM_SOURCE "/tests/fixtures/base_guest.c", NULL};
	const struct child_spec spec = {
		.argv = argv, .environment = (const char *const *)environment, .timeout_s = 60, .cpu = -1};
	struct child_exit end;

	if (skip_without("qemu-aarch64", "qemu-user") ||
		skip_without("aarch64-linux-gnu-gcc", "gcc-aarch64-linux-gnu")) {
		g_free(program);
		return NULL;
	}
	g_assert_true(child_run(&end, NULL, NULL, &spec, NULL));
	g_assert_cmpint(end.end, ==, CHILD_EXITED);
	g_assert_cmpint(end.status, ==, 0);
	return program;
}

static void qemu_shows_programs_the_same_surroundings_always(void)
{
	g_autofree char *program = build_guest();
	struct outcome o;

	if (!program)
		return;
	struct agent_job job = {.target = &a72,
		.mode = AGENT_COUNT,
		.program = program,
		.arguments = (const char *const[]){"--mode", "count", NULL}};
	g_setenv("BM_TEST_SECRET", "1", TRUE);
	run(&o, &agent_qemu_user, job);
	assert_end(&o, CHILD_EXITED, 0);
	g_assert_cmpstr(o.out->str, ==,
		"argument bench-core\nargument --mode\nargument count\nenvironment LC_ALL=C\n");
	g_assert_cmpstr(o.errors->str, ==, "");
	g_assert_true(g_str_has_suffix(o.argv[0], "/qemu-aarch64"));
	g_assert_cmpstr(o.argv[2], ==, "cortex-a72");
	clear(&o);
}

static void qemu_reports_the_signal_that_a_program_died_of(void)
{
	g_autofree char *program = build_guest();
	struct outcome o;

	if (!program)
		return;
	struct agent_job job = {.target = &a72,
		.mode = AGENT_COUNT,
		.program = program,
		.arguments = (const char *const[]){"signal", "7", NULL}};
	run(&o, &agent_qemu_user, job);
	assert_end(&o, CHILD_SIGNALLED, SIGBUS);
	clear(&o);
}

/* A comma in the path of the plugin would end the option's value. */
static void qemu_takes_a_plugin_whose_path_has_a_comma(void)
{
	g_autofree char *program = build_guest();
	g_autofree char *link = g_build_filename(scratch, "a,b=c.so", NULL);
	struct outcome o;

	if (!program)
		return;
	g_assert_cmpint(symlink(PLUGIN, link), ==, 0);
	agent_set_plugin(link);
	run(&o, &agent_qemu_user,
		(struct agent_job){.target = &a72, .mode = AGENT_COUNT, .program = program});
	agent_set_plugin(PLUGIN);
	assert_end(&o, CHILD_EXITED, 0);
	clear(&o);
}

/* An emulator that notes each time that it is asked, and is old enough to be told from its next version. */
static void write_emulator(const char *file, const char *log, const char *version)
{
	g_autofree char *text = g_strdup_printf(
		"#!/bin/sh\necho \"$1\" >> %s\necho '%s'\necho '-plugin file'\n", log, version);
	struct timespec then[2] = {{.tv_sec = 1000000}, {.tv_sec = 1000000}};

	g_assert_true(g_file_set_contents_full(file, text, -1, G_FILE_SET_CONTENTS_NONE, 0755, NULL));
	g_assert_cmpint(utimensat(AT_FDCWD, file, then, 0), ==, 0);
}

static guint questions(const char *log)
{
	g_autofree char *text = NULL;

	g_assert_true(g_file_get_contents(log, &text, NULL, NULL));
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	return g_strv_length(lines) - 1;
}

static void qemu_is_asked_once_as_long_as_its_files_stay(void)
{
	g_autofree char *emulator = g_build_filename(scratch, "qemu-own", NULL);
	g_autofree char *plugin = g_build_filename(scratch, "plugin.so", NULL);
	g_autofree char *log = g_build_filename(scratch, "asked", NULL);
	g_autofree char *answers = g_build_filename(scratch, "answers", NULL);
	struct agent_target target = a72;

	target.emulator = emulator;
	write_emulator(emulator, log, "own version 1");
	write_emulator(plugin, log, "");
	agent_set_plugin(plugin);
	agent_keep_answers(answers);
	g_autofree char *key = exact_key(target);
	g_assert_cmpuint(questions(log), ==, 3); /* plugins, CPU model, version */
	g_autofree char *again = exact_key(target);
	g_assert_cmpstr(again, ==, key);
	g_assert_cmpuint(questions(log), ==, 3);

	/* Another model is another question; another emulator or plugin of the same name is another one. */
	target.cpu = "cortex-a53";
	g_autofree char *cpu = exact_key(target);
	g_assert_cmpstr(cpu, !=, key);
	g_assert_cmpuint(questions(log), ==, 6);
	target.cpu = a72.cpu;
	write_emulator(emulator, log, "own version 2");
	g_autofree char *later = exact_key(target);
	g_assert_cmpstr(later, !=, key);
	g_assert_cmpuint(questions(log), ==, 9);
	write_emulator(plugin, log, "another");
	g_autofree char *other = exact_key(target);
	g_assert_cmpstr(other, !=, later);
	g_assert_cmpuint(questions(log), ==, 12);

	agent_keep_answers(NULL);
	agent_set_plugin(PLUGIN);
}

static void qemu_that_lacks_something_is_asked_again(void)
{
	g_autofree char *answers = g_build_filename(scratch, "answers", NULL);
	struct agent_target target = a72;

	agent_keep_answers(answers);
	target.emulator = "true";
	for (int i = 0; i < 2; i++)
		assert_lacks(
			target, DIAG_LACKS, "true takes no -plugin; install the Debian package qemu-user");
	agent_keep_answers(NULL);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	child_set_supervisor(SUPERVISOR);
	agent_set_plugin(PLUGIN);
	scratch = fsx_unique_folder(g_get_tmp_dir(), "test-agents", NULL);
#define TEST(name) g_test_add_func("/agent_qemu_user/" #name, name)
	TEST(qemu_refuses_targets_without_an_emulator_of_programs);
	TEST(qemu_says_which_package_to_install);
	TEST(qemu_refuses_an_unknown_cpu_model);
	TEST(qemu_says_that_the_plugin_is_missing);
	TEST(qemu_describes_the_emulated_machine);
	TEST(qemu_key_changes_with_emulator_plugin_and_cpu);
	TEST(qemu_is_asked_once_as_long_as_its_files_stay);
	TEST(qemu_that_lacks_something_is_asked_again);
	TEST(qemu_shows_programs_the_same_surroundings_always);
	TEST(qemu_reports_the_signal_that_a_program_died_of);
	TEST(qemu_takes_a_plugin_whose_path_has_a_comma);
	int status = g_test_run();
	fsx_remove_tree(scratch, NULL);
	g_free(scratch);
	return status;
}
