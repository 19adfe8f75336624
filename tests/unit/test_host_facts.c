/* What machines say of themselves, from files that were written by hand after real ones. */
#include "agent_common.h"
#include "agent_harness.h"
#include "host_facts.h"

#include <math.h>

#define CPUS	 "sys/devices/system/cpu/"
#define FIRMWARE "sys/devices/platform/soc/soc:firmware/get_throttled"

/* A new machine without a file. */
static char *machine(struct host_view *view, const char *arch)
{
	char *root = fsx_unique_folder(scratch, "machine", NULL);

	host_view_here(view, root);
	view->machine = arch;
	return root;
}

static struct agent_place *facts_of(const struct host_view *view)
{
	g_autofree char *cpu = host_cpu_name(view);
	struct agent_place *place = agent_place_new(agent_slug(cpu));

	host_facts_add(place, view);
	return place;
}

static void assert_fact(const struct host_view *view, const char *key, const char *expected)
{
	struct agent_place *place = facts_of(view);

	g_assert_cmpstr(fact(place, key), ==, expected);
	agent_place_free(place);
}

/* An RK3399: four small cores, then two big ones. */
static void tells_the_kinds_of_cores(void)
{
	struct host_view view;
	g_autofree char *root = machine(&view, "aarch64");
	g_autoptr(GString) cpuinfo = g_string_new(NULL);

	for (int i = 0; i < 6; i++) {
		g_autofree char *file = g_strdup_printf(CPUS "cpu%d/cpufreq/cpuinfo_max_freq", i);
		g_string_append_printf(cpuinfo,
			"processor\t: %d\nBogoMIPS\t: 48.00\nFeatures\t: fp asimd aes pmull\n"
			"CPU implementer\t: 0x41\nCPU part\t: %s\n\n",
			i, i < 4 ? "0xd03" : "0xd08");
		put(root, file, i < 4 ? "1416000\n" : "1800000\n");
	}
	put(root, "proc/cpuinfo", cpuinfo->str);
	put(root, CPUS "online", "0-5\n");
	assert_fact(&view, "core-kinds", "4 x Cortex-A53 at 1416 MHz, 2 x Cortex-A72 at 1800 MHz");
	assert_fact(&view, "features", "fp asimd aes pmull");
	put(root, CPUS "online", "0,4-5\n");
	assert_fact(&view, "core-kinds", "1 x Cortex-A53 at 1416 MHz, 2 x Cortex-A72 at 1800 MHz");
}

static void does_not_guess_at_cores(void)
{
	struct host_view view;
	g_autofree char *root = machine(&view, "aarch64");

	assert_fact(&view, "core-kinds", NULL);
	assert_fact(&view, "features", NULL);
	put(root, "proc/cpuinfo", "processor\t: 0\nCPU implementer\t: 0x61\nCPU part\t: 0x022\n");
	assert_fact(&view, "core-kinds", "1 x 0x61 0x022");
	/* As many as a hostile board names. */
	put(root, CPUS "online", "0-999999,0-999999,0-999999\n");
	g_autoptr(GArray) online = host_online(&view);
	g_assert_cmpuint(online->len, ==, HOST_PROCESSORS_MAX);
}

/* The hash is sha256sum's of the line of flags. */
static void shortens_a_long_list_of_features(void)
{
	struct host_view view;
	g_autofree char *root = machine(&view, "x86_64");
	g_autoptr(GString) cpuinfo = g_string_new("flags\t\t: fpu aes");

	for (int i = 0; i < 60; i++)
		g_string_append(cpuinfo, " xxxx");
	g_string_append(cpuinfo, " sha_ni\n");
	put(root, "proc/cpuinfo", cpuinfo->str);
	assert_fact(&view, "features", "aes sha_ni and 61 more (all of them: e108a2fb)");
}

static void tells_whose_guest_it_is(void)
{
	struct host_view view;
	g_autofree char *root = machine(&view, "x86_64");

	assert_fact(&view, "virtualisation", "none");
	put(root, "proc/cpuinfo", "flags\t\t: fpu hypervisor aes\n");
	assert_fact(&view, "virtualisation", "a hypervisor that does not say its name");
	put(root, "sys/class/dmi/id/product_name", "Google Compute Engine\n");
	assert_fact(&view, "virtualisation", "Google Compute Engine");
	put(root, "sys/hypervisor/type", "xen\n");
	assert_fact(&view, "virtualisation", "xen");
	view.machine = "aarch64";
	g_autofree char *other = machine(&view, "aarch64");
	assert_fact(&view, "virtualisation", NULL);
	put(other, "proc/device-tree/hypervisor/compatible", "linux,kvm");
	assert_fact(&view, "virtualisation", "linux,kvm");
}

static void tells_the_hottest_sensor(void)
{
	struct host_view view;
	g_autofree char *root = machine(&view, "aarch64");

	g_assert_true(isnan(host_temperature(&view)));
	put(root, "sys/class/thermal/thermal_zone0/temp", "41500\n");
	put(root, "sys/class/thermal/thermal_zone2/temp", "68250\n");
	put(root, "sys/class/thermal/thermal_zone3/temp", "-273200\n");
	g_assert_cmpfloat(host_temperature(&view), ==, 68.25);
	assert_fact(&view, "temperature", "68 C");
}

/* raspberrypi.com's documentation of get_throttled: 0x50005 is too little power and throttled, now and
 * before. */
static void tells_what_a_pi_is_short_of(void)
{
	struct host_view view;
	g_autofree char *root = machine(&view, "aarch64");
	struct agent_condition now;

	host_condition(&now, &view);
	g_assert_true(isnan(now.held_down) && isnan(now.throttles));
	assert_fact(&view, "throttled", NULL);
	put(root, FIRMWARE, "0\n");
	host_condition(&now, &view);
	g_assert_cmpfloat(now.held_down, ==, 0);
	g_assert_cmpfloat(now.throttles, ==, 0);
	assert_fact(&view, "throttled", "now: no; since its start: no");
	put(root, FIRMWARE, "50005\n");
	host_condition(&now, &view);
	g_assert_cmpfloat(now.held_down, ==, 1);
	g_assert_cmpfloat(now.throttles, ==, 1);
	assert_fact(&view, "throttled",
		"now: clock held down, too little power; since its start: clock held down, too little power");
	put(root, FIRMWARE, "0x10000\n");
	host_condition(&now, &view);
	g_assert_cmpfloat(now.held_down, ==, 0);
	assert_fact(&view, "throttled", "now: no; since its start: too little power");
}

static void adds_up_how_often_processors_were_throttled(void)
{
	struct host_view view;
	g_autofree char *root = machine(&view, "x86_64");
	struct agent_condition now;

	put(root, CPUS "online", "0-1\n");
	put(root, CPUS "cpu0/thermal_throttle/core_throttle_count", "3\n");
	put(root, CPUS "cpu0/thermal_throttle/package_throttle_count", "40\n");
	put(root, CPUS "cpu1/thermal_throttle/core_throttle_count", "500\n");
	host_condition(&now, &view);
	g_assert_cmpfloat(now.throttles, ==, 543);
	g_assert_true(isnan(now.held_down));
	assert_fact(&view, "throttled", "543 times since its start");
}

static void sees_that_the_kernel_cools_by_the_clock(void)
{
	struct host_view view;
	g_autofree char *root = machine(&view, "aarch64");
	struct agent_condition now;

	put(root, "sys/class/thermal/cooling_device0/type", "pwm-fan\n");
	put(root, "sys/class/thermal/cooling_device0/cur_state", "3\n");
	host_condition(&now, &view);
	g_assert_true(isnan(now.held_down));
	put(root, "sys/class/thermal/cooling_device1/type", "thermal-cpufreq-0\n");
	put(root, "sys/class/thermal/cooling_device1/cur_state", "0\n");
	host_condition(&now, &view);
	g_assert_cmpfloat(now.held_down, ==, 0);
	put(root, "sys/class/thermal/cooling_device1/cur_state", "2\n");
	host_condition(&now, &view);
	g_assert_cmpfloat(now.held_down, ==, 1);
	assert_fact(&view, "throttled", "now");
}

/* A reading that drifts is a condition; another processor under the same name is another machine. */
static void its_name_is_its_processor_and_no_reading(void)
{
	static const char told[] =
		"processor : 0\nmodel name : ARMv7 Processor rev 4 (v7l)\nCPU implementer : 0x41\n"
		"CPU part : %s\n";
	struct host_view view;
	g_autofree char *root = machine(&view, "armv7l");
	g_autofree char *a7 = g_strdup_printf(told, "0xc07"), *a15 = g_strdup_printf(told, "0xc0f");

	put(root, "proc/cpuinfo", a7);
	put(root, "sys/class/thermal/thermal_zone0/temp", "41000\n");
	struct agent_place *cold = facts_of(&view);
	put(root, "sys/class/thermal/thermal_zone0/temp", "81000\n");
	put(root, FIRMWARE, "e0008\n");
	put(root, CPUS "cpu0/cpufreq/scaling_governor", "powersave\n");
	struct agent_place *hot = facts_of(&view);
	put(root, "proc/cpuinfo", a15);
	struct agent_place *other = facts_of(&view);
	g_assert_cmpstr(cold->platform, ==, "armv7l-0x41-0xc07");
	g_assert_cmpstr(hot->platform, ==, cold->platform);
	g_assert_cmpstr(fact(hot, "temperature"), ==, "81 C");
	g_assert_cmpstr(other->platform, ==, "armv7l-0x41-0xc0f");
	agent_place_free(cold);
	agent_place_free(hot);
	agent_place_free(other);
}

static void a_watch_keeps_the_worst(void)
{
	struct agent_watch watch = agent_watch_none;
	struct agent_condition now = agent_condition_unknown;

	agent_watch_add(&watch, &now);
	g_assert_true(isnan(watch.load) && isnan(watch.fastest_hz) && isnan(watch.temperature));
	now.fastest_hz = 1.5e9;
	now.temperature = 70;
	agent_watch_add(&watch, &now);
	now.fastest_hz = 0.6e9;
	now.temperature = NAN;
	now.load = 2;
	agent_watch_add(&watch, &now);
	now.fastest_hz = 1.2e9;
	now.temperature = 60;
	now.load = 1;
	agent_watch_add(&watch, &now);
	g_assert_cmpfloat(watch.fastest_hz, ==, 0.6e9);
	g_assert_cmpfloat(watch.fastest_hz_at_best, ==, 1.5e9);
	g_assert_cmpfloat(watch.temperature, ==, 70);
	g_assert_cmpfloat(watch.load, ==, 2);
	g_assert_true(isnan(watch.held_down));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	scratch = fsx_unique_folder(g_get_tmp_dir(), "test-host-facts", NULL);
#define TEST(name) g_test_add_func("/host_facts/" #name, name)
	TEST(tells_the_kinds_of_cores);
	TEST(does_not_guess_at_cores);
	TEST(shortens_a_long_list_of_features);
	TEST(tells_whose_guest_it_is);
	TEST(tells_the_hottest_sensor);
	TEST(tells_what_a_pi_is_short_of);
	TEST(adds_up_how_often_processors_were_throttled);
	TEST(sees_that_the_kernel_cools_by_the_clock);
	TEST(its_name_is_its_processor_and_no_reading);
	TEST(a_watch_keeps_the_worst);
	int status = g_test_run();
	fsx_remove_tree(scratch, NULL);
	g_free(scratch);
	return status;
}
