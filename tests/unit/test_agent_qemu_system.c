#include "agent_harness.h"
#include "diag.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct agent_target m3 = {.arch = "armv7-m",
	.emulator = "qemu-system-arm",
	.cpu = "cortex-m3",
	.machine = "mps2-an385",
	.package = "qemu-system-arm"};

static void assert_refused(struct agent_target target, const char *why)
{
	g_autofree char *text = agent_refuses(&agent_qemu_system, &target);

	g_assert_cmpstr(text, ==, why);
}

static void takes_targets_that_name_a_machine(void)
{
	struct agent_target target = m3;

	assert_refused(target, NULL);
	target.machine = NULL;
	assert_refused(target, "the toolchain names no machine of qemu-system-arm");
	target.emulator = "qemu-arm";
	assert_refused(target, "qemu-arm runs programs of an operating system");
	target.emulator = NULL;
	assert_refused(target, "the toolchain names no emulator");
}

static bool skip_without_qemu(void)
{
	g_autofree char *file = fsx_find_program("qemu-system-arm", NULL);

	if (!file)
		g_test_skip("qemu-system-arm is not installed (Debian package qemu-system-arm)");
	return !file;
}

static void assert_wrong(struct agent_target target, const char *message)
{
	g_autoptr(GError) error = NULL;
	struct agent_place *place = NULL;

	g_assert_false(agent_describe(&place, &agent_qemu_system, &target, &error));
	g_assert_error(error, DIAG_ERROR, (int)DIAG_INPUT);
	g_assert_cmpstr(error->message, ==, message);
}

static void says_what_the_emulator_does_not_know(void)
{
	struct agent_target target = m3;

	if (skip_without_qemu())
		return;
	target.machine = "mps9";
	assert_wrong(target, "qemu-system-arm has no machine \"mps9\"; `qemu-system-arm -M help` lists them");
	target = m3;
	target.cpu = "cortex-m33";
	assert_wrong(target, "qemu-system-arm: the machine \"mps2-an385\" takes no CPU model \"cortex-m33\"");
	target.cpu = "cortex-m3000";
	assert_wrong(target,
		"qemu-system-arm has no CPU model \"cortex-m3000\"; `qemu-system-arm -cpu help` lists them");
}

static struct agent_place *describe(const struct agent_target *target)
{
	g_autoptr(GError) error = NULL;
	struct agent_place *place = NULL;

	agent_describe(&place, &agent_qemu_system, target, &error);
	g_assert_no_error(error);
	return place;
}

static void describes_the_machine(void)
{
	struct agent_target m4 = m3;

	if (skip_without_qemu())
		return;
	m4.cpu = "cortex-m4";
	m4.machine = "mps2-an386";
	struct agent_place *place = describe(&m3), *other = describe(&m4);
	g_assert_cmpstr(place->platform, ==, "qemu-armv7-m-cortex-m3");
	g_assert_cmpstr(fact(place, "machine"), ==, "mps2-an385");
	g_assert_true(place->emulated);
	g_assert_cmpuint(strlen(place->exact), ==, 64);
	g_assert_cmpstr(place->exact, !=, other->exact);
	agent_place_free(place);
	agent_place_free(other);
}

/* An emulator that does nothing but this. */
static struct agent_target stand_in(const char *script)
{
	static char *path;
	struct agent_target target = m3;

	g_free(path);
	put(scratch, "qemu-system-stand-in", script);
	path = g_build_filename(scratch, "qemu-system-stand-in", NULL);
	g_assert_cmpint(chmod(path, 0700), ==, 0);
	target.emulator = path;
	return target;
}

static void hands_arguments_over_as_one_option(void)
{
	const struct agent_target target = stand_in("#!/bin/sh\nexit 0\n");
	const char *const arguments[] = {"--benchmarks", "sha*,rsa-2048 public", "back\\slash", NULL};
	struct outcome o;

	run(&o, &agent_qemu_system,
		(struct agent_job){.target = &target,
			.mode = AGENT_COUNT,
			.program = "/bin/true",
			.arguments = arguments});
	assert_end(&o, CHILD_EXITED, 0);
	g_assert_true(g_strv_contains((const char *const *)o.argv,
		"enable=on,target=native,arg=bench-core,arg=--benchmarks,arg=sha*,,rsa-2048\\ "
		"public,arg=back\\\\slash"));
	g_autofree char *line = g_strjoinv(" ", o.argv + 1);
	g_assert_true(g_str_has_prefix(line, "-M mps2-an385 -cpu cortex-m3 -display none "));
	g_assert_true(g_str_has_suffix(line, "-plugin file=" PLUGIN " -kernel /bin/true"));
	clear(&o);
}

static void a_fault_of_the_processor_is_a_crash(void)
{
	struct outcome o;
	struct agent_target target = stand_in("#!/bin/sh\nexit 139\n");
	struct agent_job job = {.target = &target, .mode = AGENT_COUNT, .program = "/bin/true"};

	run(&o, &agent_qemu_system, job);
	assert_end(&o, CHILD_SIGNALLED, SIGSEGV);
	clear(&o);
	target = stand_in("#!/bin/sh\nexit 2\n");
	run(&o, &agent_qemu_system, job);
	assert_end(&o, CHILD_EXITED, 2);
	clear(&o);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	child_set_supervisor(SUPERVISOR);
	agent_set_plugin(PLUGIN);
	scratch = g_dir_make_tmp("agent-XXXXXX", NULL);
	g_test_add_func(
		"/agent_qemu_system/takes_targets_that_name_a_machine", takes_targets_that_name_a_machine);
	g_test_add_func("/agent_qemu_system/says_what_the_emulator_does_not_know",
		says_what_the_emulator_does_not_know);
	g_test_add_func("/agent_qemu_system/describes_the_machine", describes_the_machine);
	g_test_add_func(
		"/agent_qemu_system/hands_arguments_over_as_one_option", hands_arguments_over_as_one_option);
	g_test_add_func("/agent_qemu_system/a_fault_of_the_processor_is_a_crash",
		a_fault_of_the_processor_is_a_crash);
	int status = g_test_run();
	fsx_remove_tree(scratch, NULL);
	return status;
}
