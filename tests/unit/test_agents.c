#include "agent.h"
#include "agent_common.h"
#include "diag.h"
#include "fsx.h"
#include "host_facts.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

static char *scratch; /* a folder of this run */
static struct utsname host;

/* How one job went. */
struct outcome {
	GString *out, *errors;
	char **argv;
	struct child_exit end;
	bool ended;
};

static void on_output(int stream, const char *bytes, size_t length, void *user)
{
	struct outcome *outcome = user;

	g_string_append_len(stream == 1 ? outcome->out : outcome->errors, bytes, (gssize)length);
}

static void on_exit_of_job(const struct child_exit *end, void *user)
{
	struct outcome *outcome = user;

	outcome->end = *end;
	outcome->ended = true;
}

static void run(struct outcome *ret, const struct agent_kind *kind, struct agent_job job)
{
	static const char *const none[] = {NULL};
	g_autoptr(GError) error = NULL;

	*ret = (struct outcome){.out = g_string_new(NULL), .errors = g_string_new(NULL)};
	job.on_output = on_output;
	job.on_exit = on_exit_of_job;
	job.user = ret;
	if (!job.arguments)
		job.arguments = none;
	g_assert_nonnull(kind->start(&ret->argv, &job, &error));
	g_assert_no_error(error);
	while (!ret->ended)
		g_main_context_iteration(NULL, TRUE);
}

static void clear(struct outcome *outcome)
{
	g_string_free(outcome->out, TRUE);
	g_string_free(outcome->errors, TRUE);
	g_strfreev(outcome->argv);
}

static void assert_end(const struct outcome *outcome, enum child_end end, int status)
{
	g_assert_cmpint(outcome->end.end, ==, end);
	g_assert_cmpint(outcome->end.status, ==, status);
}

static const char *fact(const struct agent_place *place, const char *key)
{
	return g_hash_table_lookup(place->facts, key);
}

static void are_found_by_name_and_the_fake_is_not_listed(void)
{
	g_assert_true(agent_kind_find("local") == &agent_local);
	g_assert_true(agent_kind_find("qemu-user") == &agent_qemu_user);
	g_assert_true(agent_kind_find("fake") == &agent_fake);
	g_assert_null(agent_kind_find("qemu"));
	for (size_t i = 0; agent_kinds[i]; i++)
		g_assert_true(agent_kinds[i] != &agent_fake);
	g_assert_cmpstr(agent_mode_names[AGENT_TIME], ==, "time");
	g_assert_cmpstr(agent_mode_names[AGENT_COUNT], ==, "count");
}

static void name_platforms_in_lower_case_and_dashes(void)
{
	static const char *const cases[][2] = {
		{"AMD EPYC 7B13", "amd-epyc-7b13"},
		{"Intel(R) Xeon(R) CPU @ 2.20GHz", "intel-xeon-2-20ghz"},
		{"AMD Ryzen 7 5800X 8-Core Processor", "amd-ryzen-7-5800x-8-core"},
		{"Raspberry Pi 4 Model B Rev 1.1", "raspberry-pi-4-model-b-rev-1-1"},
		{"qemu-aarch64-cortex-a72", "qemu-aarch64-cortex-a72"},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *slug = agent_slug(cases[i][0]);
		g_assert_cmpstr(slug, ==, cases[i][1]);
	}
}

/* Writes a file of a machine that is not this one. */
static void put(const char *root, const char *file, const char *text)
{
	g_autofree char *path = g_build_filename(root, file, NULL);
	g_autofree char *folder = g_path_get_dirname(path);

	g_assert_true(fsx_make_folder(folder, NULL));
	g_assert_true(fsx_write(path, text, strlen(text), NULL));
}

static void read_the_facts_of_a_pc(void)
{
	g_autofree char *root = fsx_unique_folder(scratch, "pc", NULL);

	put(root, "proc/cpuinfo",
		"processor\t: 0\nmodel\t\t: 1\nmodel name\t: AMD EPYC 7B13\ncpu MHz\t\t: 2449.998\n\n"
		"processor\t: 1\nmodel name\t: other\n");
	put(root, "proc/meminfo", "MemTotal:        8137564 kB\nMemFree: 1 kB\n");
	put(root, "etc/os-release", "NAME=\"Debian\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n");
	put(root, "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
	put(root, "sys/devices/system/cpu/cpu0/cpufreq/scaling_max_freq", "3500000\n");
	struct agent_place *place = agent_place_new(g_strdup("pc"));
	host_facts_add(place, root);
	g_assert_cmpstr(fact(place, "cpu"), ==, "AMD EPYC 7B13");
	g_assert_cmpstr(fact(place, "memory"), ==, "7946 MiB"); /* 8137564 / 1024 = 7946.8 */
	g_assert_cmpstr(fact(place, "os"), ==, "Debian GNU/Linux 12 (bookworm)");
	g_assert_cmpstr(fact(place, "governor"), ==, "performance");
	g_assert_cmpstr(fact(place, "clock"), ==, "3500 MHz");
	g_assert_cmpstr(fact(place, "kernel"), ==, host.release);
	g_assert_cmpstr(fact(place, "hostname"), ==, host.nodename);
	agent_place_free(place);
}

static void read_the_facts_of_a_board(void)
{
	g_autofree char *root = fsx_unique_folder(scratch, "board", NULL);

	put(root, "proc/cpuinfo", "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd08\n");
	g_autofree char *part = host_cpu_name(root);
	g_autofree char *expected = g_strdup_printf("%s 0x41 0xd08", host.machine);
	g_assert_cmpstr(part, ==, expected);
	put(root, "proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.1");
	g_autofree char *model = host_cpu_name(root);
	g_assert_cmpstr(model, ==, "Raspberry Pi 4 Model B Rev 1.1");
	/* What is not known is not there, rather than 0 or empty. */
	struct agent_place *place = agent_place_new(g_strdup("board"));
	host_facts_add(place, root);
	g_assert_null(fact(place, "memory"));
	g_assert_null(fact(place, "governor"));
	g_assert_null(fact(place, "clock"));
	g_assert_null(fact(place, "os"));
	agent_place_free(place);
}

static void local_refuses_what_this_machine_cannot_run(void)
{
	const struct agent_target own = {.arch = host.machine}, other = {.arch = "s390x"};

	g_assert_null(agent_local.refuses(&own));
	if (g_str_equal(host.machine, "s390x"))
		return;
	g_autofree char *why = agent_local.refuses(&other);
	g_autofree char *expected = g_strdup_printf("this machine runs %s only, not s390x", host.machine);
	g_assert_cmpstr(why, ==, expected);
}

static void local_describes_this_machine(void)
{
	const struct agent_target own = {.arch = host.machine};
	struct agent_place *place = NULL;

	g_assert_true(agent_local.describe(&place, &own, NULL));
	g_assert_false(place->emulated);
	g_assert_null(place->exact);
	g_autofree char *platform = agent_slug(fact(place, "cpu"));
	g_assert_cmpstr(place->platform, ==, platform);
	g_assert_cmpint(g_ascii_strtoll(fact(place, "cores"), NULL, 10), ==, sysconf(_SC_NPROCESSORS_ONLN));
	agent_place_free(place);
}

static void local_starts_a_program_with_an_empty_environment(void)
{
	const struct agent_target own = {.arch = host.machine};
	struct agent_job job = {
		.target = &own, .program = VICTIM, .arguments = (const char *const[]){"self", "x y", NULL}};
	struct outcome o;

	run(&o, &agent_local, job);
	assert_end(&o, CHILD_EXITED, 0);
	g_assert_true(g_str_has_suffix(o.out->str, "\nstdin -1\nenvironment LC_ALL=C\n"));
	g_assert_cmpuint(g_strv_length(o.argv), ==, 3);
	g_assert_cmpstr(o.argv[0], ==, VICTIM);
	g_assert_cmpstr(o.argv[2], ==, "x y");
	clear(&o);
}

static void local_does_not_count(void)
{
	const struct agent_target own = {.arch = host.machine};
	const struct agent_job job = {.target = &own, .mode = AGENT_COUNT, .program = VICTIM};
	g_autoptr(GError) error = NULL;
	char **argv = NULL;

	g_assert_false(agent_local.modes & 1u << AGENT_COUNT);
	g_assert_null(agent_local.start(&argv, &job, &error));
	g_assert_cmpstr(error->message, ==, "the agent local has no mode count");
	g_assert_null(argv);
}

static const struct agent_target a72 = {
	.arch = "aarch64", .emulator = "qemu-aarch64", .cpu = "cortex-a72", .package = "qemu-user"};

static void qemu_refuses_targets_without_an_emulator_of_programs(void)
{
	const struct agent_target none = {.arch = "aarch64"};
	const struct agent_target machine = {
		.arch = "arm", .emulator = "qemu-system-arm", .cpu = "cortex-m3"};

	g_assert_null(agent_qemu_user.refuses(&a72));
	g_autofree char *why = agent_qemu_user.refuses(&none);
	g_assert_cmpstr(why, ==, "the toolchain names no emulator");
	g_autofree char *other = agent_qemu_user.refuses(&machine);
	g_assert_cmpstr(other, ==, "qemu-system-arm emulates a whole machine, not a program");
}

/* describe() must fail with this code and message. */
static void assert_lacks(struct agent_target target, enum diag_code code, const char *message)
{
	g_autoptr(GError) error = NULL;
	struct agent_place *place = NULL;

	g_assert_false(agent_qemu_user.describe(&place, &target, &error));
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

	agent_qemu_user.describe(&place, &target, &error);
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
	agent_qemu_user.describe(&place, &a72, &error);
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

/* Plays a script with arguments as bench-core gets them. */
static void play(struct outcome *ret, const char *script, enum agent_mode mode, double silence_s)
{
	static const struct agent_target target = {.arch = "m68k", .cpu = "one"};
	g_autofree char *file = g_build_filename(scratch, "script", NULL);

	put(scratch, "script", script);
	run(ret, &agent_fake,
		(struct agent_job){.target = &target,
			.mode = mode,
			.program = file,
			.arguments = (const char *const[]){"--mode", agent_mode_names[mode], "--build",
				"0f3a", NULL},
			.silence_s = silence_s});
}

static void fake_prints_and_exits_as_its_script_says(void)
{
	struct outcome o;

	play(&o,
		"# comment\n\nout {\"build\":\"%{--build}\",\"x\":\"%{--none}\"}\nerr trouble\npart "
		"half\nexit 3\nout no\n",
		AGENT_TIME, 0);
	assert_end(&o, CHILD_EXITED, 3);
	g_assert_cmpstr(o.out->str, ==, "{\"build\":\"0f3a\",\"x\":\"\"}\nhalf");
	g_assert_cmpstr(o.errors->str, ==, "trouble\n");
	clear(&o);
	play(&o, "flood 1000\n", AGENT_TIME, 0);
	assert_end(&o, CHILD_EXITED, 0);
	g_assert_cmpuint(o.out->len, ==, 1000);
	clear(&o);
}

static void fake_dies_and_hangs_as_its_script_says(void)
{
	struct outcome o;

	play(&o, "out a\nsignal 11\n", AGENT_TIME, 0);
	assert_end(&o, CHILD_SIGNALLED, SIGSEGV);
	clear(&o);
	play(&o, "out a\nwait 0.3\nout b\nhang\n", AGENT_TIME, 1);
	assert_end(&o, CHILD_SILENT, 1);
	g_assert_cmpstr(o.out->str, ==, "a\nb\n");
	clear(&o);
}

static void fake_plays_by_mode_and_turn(void)
{
	const char *script = "when --mode count\nout counted\nwhen --mode time\nout timed\nalways\n"
			     "turn 1\nexit 9\nturn 2\nout second\nalways\nout end\n";
	g_autofree char *turns = g_build_filename(scratch, "script.turns", NULL);
	struct outcome o;

	unlink(turns);
	play(&o, script, AGENT_COUNT, 0);
	assert_end(&o, CHILD_EXITED, 9);
	g_assert_cmpstr(o.out->str, ==, "counted\n");
	clear(&o);
	play(&o, script, AGENT_TIME, 0);
	assert_end(&o, CHILD_EXITED, 0);
	g_assert_cmpstr(o.out->str, ==, "timed\nsecond\nend\n");
	clear(&o);
}

static void fake_names_a_line_that_it_does_not_know(void)
{
	struct outcome o;

	play(&o, "out a\nprint b\n", AGENT_TIME, 0);
	assert_end(&o, CHILD_EXITED, 125);
	g_assert_true(g_str_has_suffix(o.errors->str, "/script:2: no such line: print\n"));
	clear(&o);
}

static void fake_has_the_exact_key_that_its_target_names(void)
{
	struct agent_target target = {.arch = "m68k", .cpu = "one"};
	struct agent_place *place = NULL;

	g_assert_null(agent_fake.refuses(&target));
	g_assert_true(agent_fake.describe(&place, &target, NULL));
	g_assert_cmpstr(place->platform, ==, "fake-m68k");
	g_assert_cmpstr(place->exact, ==, "fake one");
	agent_place_free(place);
	target.cpu = NULL;
	g_assert_true(agent_fake.describe(&place, &target, NULL));
	g_assert_null(place->exact);
	agent_place_free(place);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	uname(&host);
	child_set_supervisor(SUPERVISOR);
	agent_set_plugin(PLUGIN);
	scratch = fsx_unique_folder(g_get_tmp_dir(), "test-agents", NULL);
#define TEST(name) g_test_add_func("/agents/" #name, name)
	TEST(are_found_by_name_and_the_fake_is_not_listed);
	TEST(name_platforms_in_lower_case_and_dashes);
	TEST(read_the_facts_of_a_pc);
	TEST(read_the_facts_of_a_board);
	TEST(local_refuses_what_this_machine_cannot_run);
	TEST(local_describes_this_machine);
	TEST(local_starts_a_program_with_an_empty_environment);
	TEST(local_does_not_count);
	TEST(qemu_refuses_targets_without_an_emulator_of_programs);
	TEST(qemu_says_which_package_to_install);
	TEST(qemu_refuses_an_unknown_cpu_model);
	TEST(qemu_says_that_the_plugin_is_missing);
	TEST(qemu_describes_the_emulated_machine);
	TEST(qemu_key_changes_with_emulator_plugin_and_cpu);
	TEST(qemu_shows_programs_the_same_surroundings_always);
	TEST(qemu_reports_the_signal_that_a_program_died_of);
	TEST(qemu_takes_a_plugin_whose_path_has_a_comma);
	TEST(fake_prints_and_exits_as_its_script_says);
	TEST(fake_dies_and_hangs_as_its_script_says);
	TEST(fake_plays_by_mode_and_turn);
	TEST(fake_names_a_line_that_it_does_not_know);
	TEST(fake_has_the_exact_key_that_its_target_names);
	int status = g_test_run();
	fsx_remove_tree(scratch, NULL);
	g_free(scratch);
	return status;
}
