#include "host_facts.h"

#include "agent_common.h"
#include "fsx.h"

#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#define LARGEST_FACT_FILE (4u << 20) /* /proc/cpuinfo of a machine with 1024 processors is 1.5 MB */

/* The text of a file below root, its last newline and trailing NUL cut off; NULL where it cannot be read or
 * is empty. */
static char *read_text(const char *root, const char *file)
{
	g_autofree char *path = g_strconcat(root, file, NULL);
	g_autofree char *text = NULL;
	size_t length;

	if (!fsx_read(&text, &length, path, LARGEST_FACT_FILE, NULL))
		return NULL;
	g_strchomp(text);
	return *text ? g_steal_pointer(&text) : NULL;
}

/* The value of the first line "key : value" or "key=value", without quotes; NULL where there is none. */
static char *value_of(const char *text, const char *key)
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

char *host_cpu_name(const char *root)
{
	g_autofree char *cpuinfo = read_text(root, "/proc/cpuinfo");
	char *name = value_of(cpuinfo, "model name");
	struct utsname host;

	/* The words of the different architectures; on boards, the device tree knows more than the processor
	 * does. */
	if (!name)
		name = read_text(root, "/proc/device-tree/model");
	if (!name)
		name = value_of(cpuinfo, "cpu model");
	if (!name)
		name = value_of(cpuinfo, "uarch");
	if (name)
		return name;

	g_autofree char *implementer = value_of(cpuinfo, "CPU implementer");
	g_autofree char *part = value_of(cpuinfo, "CPU part");
	uname(&host);
	if (implementer && part)
		return g_strdup_printf("%s %s %s", host.machine, implementer, part);
	return g_strdup(host.machine);
}

/* "15990 MiB" */
static char *memory(const char *root)
{
	g_autofree char *meminfo = read_text(root, "/proc/meminfo");
	g_autofree char *total = value_of(meminfo, "MemTotal");

	if (!total)
		return NULL;
	return g_strdup_printf("%" G_GUINT64_FORMAT " MiB", g_ascii_strtoull(total, NULL, 10) / 1024);
}

/* The highest frequency that the processor is allowed, or where nobody governs it the one that it runs at:
 * "3400 MHz" */
static char *clock_rate(const char *root)
{
	g_autofree char *khz = read_text(root, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_max_freq");
	g_autofree char *cpuinfo = read_text(root, "/proc/cpuinfo");
	g_autofree char *mhz = value_of(cpuinfo, "cpu MHz");

	if (khz)
		return g_strdup_printf("%.0f MHz", g_ascii_strtod(khz, NULL) / 1000);
	return mhz ? g_strdup_printf("%.0f MHz", g_ascii_strtod(mhz, NULL)) : NULL;
}

void host_facts_add(struct agent_place *place, const char *root)
{
	g_autofree char *cpu = host_cpu_name(root);
	g_autofree char *cores = g_strdup_printf("%ld", sysconf(_SC_NPROCESSORS_ONLN));
	g_autofree char *bytes = memory(root);
	g_autofree char *release = read_text(root, "/etc/os-release");
	g_autofree char *os = value_of(release, "PRETTY_NAME");
	g_autofree char *governor = read_text(root, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
	g_autofree char *clock = clock_rate(root);
	struct utsname host;

	uname(&host);
	agent_place_add(place, "cpu", cpu);
	agent_place_add(place, "cores", cores);
	agent_place_add(place, "memory", bytes);
	agent_place_add(place, "os", os);
	agent_place_add(place, "kernel", host.release);
	agent_place_add(place, "hostname", host.nodename);
	agent_place_add(place, "governor", governor);
	agent_place_add(place, "clock", clock);
}
