#include "agent_common.h"
#include "agent_harness.h"
#include "diag.h"
#include "host_facts.h"

#include <math.h>
#include <signal.h>
#include <sys/utsname.h>
#include <unistd.h>

static struct utsname host;

static struct host_view below(const char *root)
{
	struct host_view view;

	host_view_here(&view, root);
	return view;
}

static void are_found_by_name_and_the_fake_is_not_listed(void)
{
	struct agents *agents = NULL;

	g_assert_true(agents_load(&agents, NULL, NULL));
	g_assert_true(agents_find(agents, "local") == &agent_local);
	g_assert_true(agents_find(agents, "qemu-user") == &agent_qemu_user);
	g_assert_true(agents_find(agents, "fake") == &agent_fake);
	g_assert_null(agents_find(agents, "qemu"));
	for (guint i = 0; i < agents->all->len; i++)
		g_assert_true(agents->all->pdata[i] != &agent_fake);
	agents_free(agents);
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

static void read_the_facts_of_a_pc(void)
{
	g_autofree char *root = fsx_unique_folder(scratch, "pc", NULL);
	struct host_view view = below(root);

	put(root, "proc/cpuinfo",
		"processor\t: 0\nmodel\t\t: 1\nmodel name\t: AMD EPYC 7B13\ncpu MHz\t\t: 2449.998\n\n"
		"processor\t: 1\nmodel name\t: other\n");
	put(root, "proc/meminfo", "MemTotal:        8137564 kB\nMemFree: 1 kB\n");
	put(root, "etc/os-release", "NAME=\"Debian\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n");
	put(root, "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
	put(root, "sys/devices/system/cpu/cpu0/cpufreq/scaling_max_freq", "3500000\n");
	struct agent_place *place = agent_place_new(g_strdup("pc"));
	host_facts_add(place, &view);
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
	struct host_view view = below(root);

	put(root, "proc/cpuinfo", "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd08\n");
	g_autofree char *part = host_cpu_name(&view);
	g_autofree char *expected = g_strdup_printf("%s 0x41 0xd08", host.machine);
	g_assert_cmpstr(part, ==, expected);
	put(root, "proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.1");
	g_autofree char *model = host_cpu_name(&view);
	g_assert_cmpstr(model, ==, "Raspberry Pi 4 Model B Rev 1.1");
	/* What is not known is not there, rather than 0 or empty. */
	struct agent_place *place = agent_place_new(g_strdup("board"));
	host_facts_add(place, &view);
	g_assert_null(fact(place, "memory"));
	g_assert_null(fact(place, "governor"));
	g_assert_null(fact(place, "clock"));
	g_assert_null(fact(place, "os"));
	agent_place_free(place);
}

/* 3 of 4 processors are on; clocks and times by hand. */
static void read_the_condition_of_a_machine(void)
{
	g_autofree char *root = fsx_unique_folder(scratch, "busy", NULL);
	struct host_view view = below(root);
	double tick = 1.0 / (double)sysconf(_SC_CLK_TCK);
	struct agent_condition now;

	put(root, "proc/loadavg", "1.75 0.98 0.55 2/345 6789\n");
	/* 1000 + 200 + 300 + 4 + 50 + 6 = 1560: without idle, iowait and guests */
	put(root, "proc/stat", "cpu  1000 200 300 9000 800 4 50 6 70 8\ncpu0 1 1 1 1 1 1 1 1 1 1\n");
	put(root, "proc/cpuinfo", "processor\t: 0\ncpu MHz\t\t: 999.0\n");
	put(root, "sys/devices/system/cpu/online", "0-1,3\n");
	put(root, "sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "1200000\n");
	put(root, "sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq", "2400000\n");
	put(root, "sys/devices/system/cpu/cpu2/cpufreq/scaling_cur_freq", "800000\n");
	put(root, "sys/devices/system/cpu/cpu3/cpufreq/scaling_cur_freq", "3000000\n");
	host_condition(&now, &view);
	g_assert_cmpfloat(now.load, ==, 1.75);
	g_assert_cmpfloat(now.frequency_hz, ==, 2.2e9); /* (1.2 + 2.4 + 3.0) / 3 GHz */
	g_assert_cmpfloat_with_epsilon(now.busy_s, 1560 * tick, 1e-9);
}

static void read_the_clocks_that_cpuinfo_tells(void)
{
	g_autofree char *root = fsx_unique_folder(scratch, "told", NULL);
	struct host_view view = below(root);
	struct agent_condition now;

	put(root, "proc/cpuinfo",
		"processor\t: 0\ncpu MHz\t\t: 2000.000\n\nprocessor\t: 1\ncpu MHz\t\t: 3000.000\n");
	host_condition(&now, &view);
	g_assert_cmpfloat(now.frequency_hz, ==, 2.5e9);
	g_assert_true(isnan(now.load));
	g_assert_true(isnan(now.busy_s));
}

static void do_not_know_what_cannot_be_read(void)
{
	g_autofree char *root = fsx_unique_folder(scratch, "odd", NULL);
	struct host_view view = below(root);
	struct agent_condition now;

	put(root, "proc/loadavg", "none\n");
	put(root, "proc/stat", "cpu  1000 200\n");
	put(root, "sys/devices/system/cpu/online", "all\n");
	put(root, "sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "<unknown>\n");
	host_condition(&now, &view);
	g_assert_true(isnan(now.load) && isnan(now.frequency_hz) && isnan(now.busy_s));
	g_assert_true(isnan(agent_condition_unknown.load) && isnan(agent_condition_unknown.frequency_hz) &&
		      isnan(agent_condition_unknown.busy_s));
}

/* A second of work is a second more that the machine was busy; it cannot be busy for longer than all of its
 * processors are there. */
static void local_tells_its_condition(void)
{
	struct agent_condition before, after;
	gint64 began = g_get_monotonic_time();

	agent_local.kind->condition(&before);
	while (g_get_monotonic_time() - began < G_USEC_PER_SEC)
		;
	agent_local.kind->condition(&after);
	double passed = (double)(g_get_monotonic_time() - began) / G_USEC_PER_SEC;
	double busy = after.busy_s - before.busy_s;
	g_assert_cmpfloat(after.load, >=, 0);
	g_assert_cmpfloat(busy, >, 0.2);
	g_assert_cmpfloat(busy, <, (passed + 0.5) * (double)sysconf(_SC_NPROCESSORS_CONF));
	g_assert_null(agent_qemu_user.kind->condition);
	g_assert_null(agent_fake.kind->condition);
}

static void read_whether_the_clock_may_go_above_its_base(void)
{
	static const struct {
		const char *file, *text, *expected;
	} cases[] = {
		{"intel_pstate/no_turbo", "0\n", "on"},
		{"intel_pstate/no_turbo", "1\n", "off"},
		{"cpufreq/boost", "0\n", "off"},
		{"cpufreq/boost", "1\n", "on"},
		{"cpufreq/other", "1\n", NULL},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *root = fsx_unique_folder(scratch, "turbo", NULL);
		struct host_view view = below(root);
		g_autofree char *file = g_strconcat("sys/devices/system/cpu/", cases[i].file, NULL);
		put(root, file, cases[i].text);
		struct agent_place *place = agent_place_new(g_strdup("pc"));
		host_facts_add(place, &view);
		g_assert_cmpstr(fact(place, "turbo"), ==, cases[i].expected);
		agent_place_free(place);
	}
}

static void local_refuses_what_this_machine_cannot_run(void)
{
	const struct agent_target own = {.arch = host.machine}, other = {.arch = "s390x"};

	g_assert_null(agent_refuses(&agent_local, &own));
	if (g_str_equal(host.machine, "s390x"))
		return;
	g_autofree char *why = agent_refuses(&agent_local, &other);
	g_autofree char *expected = g_strdup_printf("this machine runs %s only, not s390x", host.machine);
	g_assert_cmpstr(why, ==, expected);
}

static void local_describes_this_machine(void)
{
	const struct agent_target own = {.arch = host.machine};
	struct agent_place *place = NULL;

	g_assert_true(agent_describe(&place, &agent_local, &own, NULL));
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

	g_assert_false(agent_local.kind->modes & 1u << AGENT_COUNT);
	g_assert_null(agent_start(&argv, &agent_local, &job, &error));
	g_assert_cmpstr(error->message, ==, "the agent local has no mode count");
	g_assert_null(argv);
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

	g_assert_null(agent_refuses(&agent_fake, &target));
	g_assert_true(agent_describe(&place, &agent_fake, &target, NULL));
	g_assert_cmpstr(place->platform, ==, "fake-m68k");
	g_assert_cmpstr(place->exact, ==, "fake one");
	agent_place_free(place);
	target.cpu = NULL;
	g_assert_true(agent_describe(&place, &agent_fake, &target, NULL));
	g_assert_null(place->exact);
	agent_place_free(place);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	child_set_supervisor(SUPERVISOR);
	uname(&host);
	scratch = fsx_unique_folder(g_get_tmp_dir(), "test-agents", NULL);
#define TEST(name) g_test_add_func("/agents/" #name, name)
	TEST(are_found_by_name_and_the_fake_is_not_listed);
	TEST(name_platforms_in_lower_case_and_dashes);
	TEST(read_the_facts_of_a_pc);
	TEST(read_the_facts_of_a_board);
	TEST(read_the_condition_of_a_machine);
	TEST(read_the_clocks_that_cpuinfo_tells);
	TEST(do_not_know_what_cannot_be_read);
	TEST(read_whether_the_clock_may_go_above_its_base);
	TEST(local_tells_its_condition);
	TEST(local_refuses_what_this_machine_cannot_run);
	TEST(local_describes_this_machine);
	TEST(local_starts_a_program_with_an_empty_environment);
	TEST(local_does_not_count);
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
