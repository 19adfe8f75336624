#include "host_facts.h"

#include "agent_common.h"
#include "fsx.h"

#include <math.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#define LARGEST_FACT_FILE (4u << 20) /* /proc/cpuinfo of a machine with 1024 processors is 1.5 MB */

/* --- where they come from --- */

static char *read_here(const struct host_view *view, const char *file)
{
	g_autofree char *path = g_strconcat(view->source, file, NULL);
	char *text;
	size_t length;

	return fsx_read(&text, &length, path, LARGEST_FACT_FILE, NULL) ? text : NULL;
}

void host_view_here(struct host_view *ret, const char *root)
{
	static struct utsname host;

	uname(&host);
	*ret = (struct host_view){
		.read = read_here,
		.source = root,
		.machine = host.machine,
		.release = host.release,
		.node = host.nodename,
		.cores = sysconf(_SC_NPROCESSORS_ONLN),
		.tick = sysconf(_SC_CLK_TCK),
		.page = sysconf(_SC_PAGESIZE),
	};
}

const char *host_arch(const struct host_view *view)
{
	const char *machine = view->machine ? view->machine : "";

	return g_str_has_prefix(machine, "armv") ? "arm" : machine;
}

char *host_text(const struct host_view *view, const char *file)
{
	g_autofree char *text = view->read(view, file);

	if (!text)
		return NULL;
	g_strchomp(text);
	return *text ? g_steal_pointer(&text) : NULL;
}

char *host_cpu_text(const struct host_view *view, unsigned processor, const char *file)
{
	g_autofree char *path = g_strdup_printf(HOST_CPUS "/cpu%u/%s", processor, file);

	return host_text(view, path);
}

char *host_value(const char *text, const char *key)
{
	g_auto(GStrv) lines = g_strsplit(text ? text : "", "\n", -1);

	for (char **line = lines; *line; line++) {
		if (!g_str_has_prefix(*line, key))
			continue;
		char *rest = g_strchug(*line + strlen(key));
		if (*rest != ':' && *rest != '=')
			continue;
		rest = g_strstrip(rest + 1);
		size_t length = strlen(rest);
		if (length >= 2 && rest[0] == '"' && rest[length - 1] == '"')
			return g_strndup(rest + 1, length - 2);
		return *rest ? g_strdup(rest) : NULL;
	}
	return NULL;
}

char *host_cpu_name(const struct host_view *view)
{
	g_autofree char *cpuinfo = host_text(view, "/proc/cpuinfo");
	char *name = host_value(cpuinfo, "model name");

	/* "ARMv7 Processor rev 4 (v7l)" names no processor: many have it. */
	if (name && (g_str_has_prefix(name, "ARMv") || g_str_has_prefix(name, "AArch64 Processor")))
		g_clear_pointer(&name, g_free);
	/* The words of the different architectures; on boards, the device tree knows more than the processor
	 * does. */
	if (!name)
		name = host_text(view, "/proc/device-tree/model");
	if (!name)
		name = host_value(cpuinfo, "cpu model");
	if (!name)
		name = host_value(cpuinfo, "uarch");
	if (name)
		return name;

	g_autofree char *implementer = host_value(cpuinfo, "CPU implementer");
	g_autofree char *part = host_value(cpuinfo, "CPU part");
	const char *machine = view->machine ? view->machine : "unknown";
	if (implementer && part)
		return g_strdup_printf("%s %s %s", machine, implementer, part);
	return g_strdup(machine);
}

/* "15990 MiB" */
static char *memory(const struct host_view *view)
{
	g_autofree char *meminfo = host_text(view, "/proc/meminfo");
	g_autofree char *total = host_value(meminfo, "MemTotal");

	if (!total)
		return NULL;
	return g_strdup_printf("%" G_GUINT64_FORMAT " MiB", g_ascii_strtoull(total, NULL, 10) / 1024);
}

/* The highest frequency that the processor is allowed, or where nobody governs it the one that it runs at:
 * "3400 MHz" */
static char *clock_rate(const struct host_view *view)
{
	g_autofree char *khz = host_text(view, HOST_CPUS "/cpu0/cpufreq/scaling_max_freq");
	g_autofree char *cpuinfo = host_text(view, "/proc/cpuinfo");
	g_autofree char *mhz = host_value(cpuinfo, "cpu MHz");

	if (khz)
		return g_strdup_printf("%.0f MHz", g_ascii_strtod(khz, NULL) / 1000);
	return mhz ? g_strdup_printf("%.0f MHz", g_ascii_strtod(mhz, NULL)) : NULL;
}

/* "on" or "off"; Intel's switch says it the other way around. */
static const char *turbo(const struct host_view *view)
{
	g_autofree char *no_turbo = host_text(view, HOST_CPUS "/intel_pstate/no_turbo");
	g_autofree char *boost = host_text(view, HOST_CPUS "/cpufreq/boost");

	if (no_turbo)
		return g_str_equal(no_turbo, "0") ? "on" : "off";
	if (boost)
		return g_str_equal(boost, "0") ? "off" : "on";
	return NULL;
}

void host_facts_add(struct agent_place *place, const struct host_view *view)
{
	g_autofree char *cpu = host_cpu_name(view), *kinds = host_core_kinds(view);
	g_autofree char *cores = view->cores > 0 ? g_strdup_printf("%ld", view->cores) : NULL;
	g_autofree char *features = host_features(view), *bytes = memory(view);
	g_autofree char *page = view->page > 0 ? g_strdup_printf("%ld B", view->page) : NULL;
	g_autofree char *release = host_text(view, "/etc/os-release");
	g_autofree char *os = host_value(release, "PRETTY_NAME");
	g_autofree char *guest = host_virtualisation(view);
	g_autofree char *governor = host_text(view, HOST_CPUS "/cpu0/cpufreq/scaling_governor");
	g_autofree char *clock = clock_rate(view), *throttled = host_throttling(view);
	double degrees = host_temperature(view);
	g_autofree char *heat = isnan(degrees) ? NULL : g_strdup_printf("%.0f C", degrees);

	agent_place_add(place, "cpu", cpu);
	agent_place_add(place, "cores", cores);
	agent_place_add(place, "core-kinds", kinds);
	agent_place_add(place, "features", features);
	agent_place_add(place, "memory", bytes);
	agent_place_add(place, "page-size", page);
	agent_place_add(place, "os", os);
	agent_place_add(place, "kernel", view->release);
	agent_place_add(place, "hostname", view->node);
	agent_place_add(place, "virtualisation", guest);
	agent_place_add(place, "governor", governor);
	agent_place_add(place, "turbo", turbo(view));
	agent_place_add(place, "clock", clock);
	agent_place_add(place, "temperature", heat);
	agent_place_add(place, "throttled", throttled);
}
