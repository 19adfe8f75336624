#include "host_facts.h"

#include "agent_common.h"
#include "fsx.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#define CPU		  "/sys/devices/system/cpu"
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
	};
}

const char *host_arch(const struct host_view *view)
{
	const char *machine = view->machine ? view->machine : "";

	return g_str_has_prefix(machine, "armv") ? "arm" : machine;
}

/* A text, its last newline and trailing NUL cut off; NULL where it cannot be read or is empty. */
static char *read_text(const struct host_view *view, const char *file)
{
	g_autofree char *text = view->read(view, file);

	if (!text)
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

char *host_cpu_name(const struct host_view *view)
{
	g_autofree char *cpuinfo = read_text(view, "/proc/cpuinfo");
	char *name = value_of(cpuinfo, "model name");

	/* The words of the different architectures; on boards, the device tree knows more than the processor
	 * does. */
	if (!name)
		name = read_text(view, "/proc/device-tree/model");
	if (!name)
		name = value_of(cpuinfo, "cpu model");
	if (!name)
		name = value_of(cpuinfo, "uarch");
	if (name)
		return name;

	g_autofree char *implementer = value_of(cpuinfo, "CPU implementer");
	g_autofree char *part = value_of(cpuinfo, "CPU part");
	const char *machine = view->machine ? view->machine : "unknown";
	if (implementer && part)
		return g_strdup_printf("%s %s %s", machine, implementer, part);
	return g_strdup(machine);
}

/* "15990 MiB" */
static char *memory(const struct host_view *view)
{
	g_autofree char *meminfo = read_text(view, "/proc/meminfo");
	g_autofree char *total = value_of(meminfo, "MemTotal");

	if (!total)
		return NULL;
	return g_strdup_printf("%" G_GUINT64_FORMAT " MiB", g_ascii_strtoull(total, NULL, 10) / 1024);
}

/* The highest frequency that the processor is allowed, or where nobody governs it the one that it runs at:
 * "3400 MHz" */
static char *clock_rate(const struct host_view *view)
{
	g_autofree char *khz = read_text(view, CPU "/cpu0/cpufreq/scaling_max_freq");
	g_autofree char *cpuinfo = read_text(view, "/proc/cpuinfo");
	g_autofree char *mhz = value_of(cpuinfo, "cpu MHz");

	if (khz)
		return g_strdup_printf("%.0f MHz", g_ascii_strtod(khz, NULL) / 1000);
	return mhz ? g_strdup_printf("%.0f MHz", g_ascii_strtod(mhz, NULL)) : NULL;
}

/* "on" or "off"; Intel's switch says it the other way around. */
static const char *turbo(const struct host_view *view)
{
	g_autofree char *no_turbo = read_text(view, CPU "/intel_pstate/no_turbo");
	g_autofree char *boost = read_text(view, CPU "/cpufreq/boost");

	if (no_turbo)
		return g_str_equal(no_turbo, "0") ? "on" : "off";
	if (boost)
		return g_str_equal(boost, "0") ? "off" : "on";
	return NULL;
}

/* --- how busy and how fast it is --- */

static double load(const struct host_view *view)
{
	g_autofree char *text = read_text(view, "/proc/loadavg");
	char *end;
	double value = text ? g_ascii_strtod(text, &end) : NAN;

	return text && end > text ? value : NAN;
}

/* A sum of what was found, and how much was. */
struct mean {
	double sum;
	unsigned n;
};

static void add_frequency(struct mean *mean, const char *text, double unit_hz)
{
	double value = text ? g_ascii_strtod(text, NULL) : 0;

	if (value > 0) {
		mean->sum += value * unit_hz;
		mean->n++;
	}
}

/* The present clocks of the processors that are on: a list such as "0-3,6". */
static void add_governed(struct mean *mean, const struct host_view *view, const char *online)
{
	g_auto(GStrv) ranges = g_strsplit(online, ",", -1);

	for (char **range = ranges; *range; range++) {
		unsigned first, last;
		int found = sscanf(*range, "%6u-%6u", &first, &last);
		for (unsigned i = first; found > 0 && i <= (found == 2 ? last : first); i++) {
			g_autofree char *file = g_strdup_printf(CPU "/cpu%u/cpufreq/scaling_cur_freq", i);
			g_autofree char *khz = read_text(view, file);
			add_frequency(mean, khz, 1e3);
		}
	}
}

/* What /proc/cpuinfo says of each processor; it lists those that are on. */
static void add_told(struct mean *mean, const char *cpuinfo)
{
	g_auto(GStrv) lines = g_strsplit(cpuinfo, "\n", -1);

	for (char **line = lines; *line; line++) {
		g_autofree char *mhz = value_of(*line, "cpu MHz");
		add_frequency(mean, mhz, 1e6);
	}
}

static double frequency_hz(const struct host_view *view)
{
	g_autofree char *online = read_text(view, CPU "/online");
	struct mean mean = {0};

	add_governed(&mean, view, online ? online : "0");
	if (mean.n == 0) {
		g_autofree char *cpuinfo = read_text(view, "/proc/cpuinfo");
		add_told(&mean, cpuinfo ? cpuinfo : "");
	}
	return mean.n > 0 ? mean.sum / mean.n : NAN;
}

/* proc(5): the first line of /proc/stat is "cpu user nice system idle iowait irq softirq steal ...", in
 * clock ticks; what guests use is in user already. */
static double busy_s(const struct host_view *view)
{
	g_autofree char *text = read_text(view, "/proc/stat");
	unsigned long long user, nice, system, irq, softirq, steal;

	if (!text || view->tick <= 0 ||
		sscanf(text, "cpu %llu %llu %llu %*u %*u %llu %llu %llu", &user, &nice, &system, &irq,
			&softirq, &steal) != 6)
		return NAN;
	return (double)(user + nice + system + irq + softirq + steal) / (double)view->tick;
}

void host_condition(struct agent_condition *ret, const struct host_view *view)
{
	*ret = (struct agent_condition){
		.load = load(view), .frequency_hz = frequency_hz(view), .busy_s = busy_s(view)};
}

/* "47 C", of the first sensor, which tells thousandths */
static char *temperature(const struct host_view *view)
{
	g_autofree char *text = read_text(view, "/sys/class/thermal/thermal_zone0/temp");
	double value = text ? g_ascii_strtod(text, NULL) / 1000 : 0;

	return value > 0 ? g_strdup_printf("%.0f C", value) : NULL;
}

void host_facts_add(struct agent_place *place, const struct host_view *view)
{
	g_autofree char *cpu = host_cpu_name(view);
	g_autofree char *cores = view->cores > 0 ? g_strdup_printf("%ld", view->cores) : NULL;
	g_autofree char *bytes = memory(view);
	g_autofree char *release = read_text(view, "/etc/os-release");
	g_autofree char *os = value_of(release, "PRETTY_NAME");
	g_autofree char *governor = read_text(view, CPU "/cpu0/cpufreq/scaling_governor");
	g_autofree char *clock = clock_rate(view);
	g_autofree char *heat = temperature(view);

	agent_place_add(place, "cpu", cpu);
	agent_place_add(place, "cores", cores);
	agent_place_add(place, "memory", bytes);
	agent_place_add(place, "os", os);
	agent_place_add(place, "kernel", view->release);
	agent_place_add(place, "hostname", view->node);
	agent_place_add(place, "governor", governor);
	agent_place_add(place, "turbo", turbo(view));
	agent_place_add(place, "clock", clock);
	agent_place_add(place, "temperature", heat);
}
