/* How busy, how fast and how hot it is. */
#include "host_facts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- how busy and how fast --- */

static double load(const struct host_view *view)
{
	g_autofree char *text = host_text(view, "/proc/loadavg");
	char *end;
	double value = text ? g_ascii_strtod(text, &end) : NAN;

	return text && end > text ? value : NAN;
}

/* Sum, number and highest of what was found. */
struct clocks {
	double sum, highest;
	unsigned n;
};

static void add_clock(struct clocks *clocks, const char *text, double unit_hz)
{
	double value = text ? g_ascii_strtod(text, NULL) * unit_hz : 0;

	if (value > 0) {
		clocks->sum += value;
		clocks->highest = fmax(clocks->highest, value);
		clocks->n++;
	}
}

/* What /proc/cpuinfo says of each processor; it lists those that are on. */
static void add_told(struct clocks *clocks, const char *cpuinfo)
{
	g_auto(GStrv) lines = g_strsplit(cpuinfo, "\n", -1);

	for (char **line = lines; *line; line++) {
		g_autofree char *mhz = host_value(*line, "cpu MHz");
		add_clock(clocks, mhz, 1e6);
	}
}

static struct clocks clocks_of(const struct host_view *view, const GArray *online)
{
	struct clocks clocks = {0};

	for (guint i = 0; i < online->len; i++) {
		g_autofree char *khz =
			host_cpu_text(view, g_array_index(online, unsigned, i), "cpufreq/scaling_cur_freq");
		add_clock(&clocks, khz, 1e3);
	}
	if (clocks.n == 0) {
		g_autofree char *cpuinfo = host_text(view, "/proc/cpuinfo");
		add_told(&clocks, cpuinfo ? cpuinfo : "");
	}
	return clocks;
}

/* proc(5): the first line of /proc/stat is "cpu user nice system idle iowait irq softirq steal ...", in
 * clock ticks; what guests use is in user already. */
static double busy_s(const struct host_view *view)
{
	g_autofree char *text = host_text(view, "/proc/stat");
	unsigned long long user, nice, system, irq, softirq, steal;

	if (!text || view->tick <= 0 ||
		sscanf(text, "cpu %llu %llu %llu %*u %*u %llu %llu %llu", &user, &nice, &system, &irq,
			&softirq, &steal) != 6)
		return NAN;
	return (double)(user + nice + system + irq + softirq + steal) / (double)view->tick;
}

/* --- heat --- */

#define ZONES_MAX   32
#define COOLERS_MAX 64

/* An integer of a file; false where there is none. */
static bool read_number(double *ret, const struct host_view *view, const char *file)
{
	g_autofree char *text = host_text(view, file);
	char *end;

	if (!text)
		return false;
	*ret = (double)g_ascii_strtoll(text, &end, 10);
	return end > text;
}

/* Sensors tell thousandths; one that is off tells 0 or less. */
double host_temperature(const struct host_view *view)
{
	double hottest = NAN, value;

	for (int i = 0; i < ZONES_MAX; i++) {
		g_autofree char *file = g_strdup_printf("/sys/class/thermal/thermal_zone%d/temp", i);
		if (read_number(&value, view, file) && value > 0)
			hottest = fmax(hottest, value / 1000);
	}
	return hottest;
}

/* --- whether the clock is held down --- */

/* How often each processor's clock was held down since the start: x86. NAN where nobody counts. */
static double counted_throttles(const struct host_view *view, const GArray *online)
{
	static const char *const files[] = {
		"thermal_throttle/core_throttle_count", "thermal_throttle/package_throttle_count"};
	double sum = NAN;

	for (guint i = 0; i < online->len * G_N_ELEMENTS(files); i++) {
		unsigned processor = g_array_index(online, unsigned, i / G_N_ELEMENTS(files));
		g_autofree char *text = host_cpu_text(view, processor, files[i % G_N_ELEMENTS(files)]);
		if (text)
			sum = (isnan(sum) ? 0 : sum) + (double)g_ascii_strtoull(text, NULL, 10);
	}
	return sum;
}

/* What the firmware of a Raspberry Pi says, a hexadecimal number: bit 0 too little power, 1 clock capped, 2
 * throttled, 3 soft limit of heat; the same 16 bits higher: so once since its start. False: it is none. */
#define PI_LOW_POWER 1u
#define PI_HELD	     (2u | 4u | 8u)
static bool pi_throttled(unsigned *ret, const struct host_view *view)
{
	g_autofree char *text = host_text(view, "/sys/devices/platform/soc/soc:firmware/get_throttled");

	*ret = text ? (unsigned)g_ascii_strtoull(text, NULL, 16) : 0;
	return text != NULL;
}

/* 1 where the kernel holds the processors' clock down now, as a way to cool; NAN where it has no such way. */
static double cooled(const struct host_view *view)
{
	double held = NAN, state;

	for (int i = 0; i < COOLERS_MAX; i++) {
		g_autofree char *type = g_strdup_printf("/sys/class/thermal/cooling_device%d/type", i);
		g_autofree char *now = g_strdup_printf("/sys/class/thermal/cooling_device%d/cur_state", i);
		g_autofree char *name = host_text(view, type);
		if (name && (strstr(name, "cpufreq") || g_str_equal(name, "Processor")) &&
			read_number(&state, view, now))
			held = fmax(held, state > 0);
	}
	return held;
}

/* How often, or how many of its kinds there were. */
static double throttles(const struct host_view *view, const GArray *online)
{
	unsigned bits;

	if (pi_throttled(&bits, view))
		return __builtin_popcount(bits >> 16 & PI_HELD);
	return counted_throttles(view, online);
}

static double held_down(const struct host_view *view)
{
	double held = cooled(view);
	unsigned bits;

	return pi_throttled(&bits, view) ? fmax(held, (bits & PI_HELD) != 0) : held;
}

/* Bits of the Pi's in words. */
static const char *pi_words(unsigned bits)
{
	if (bits & PI_HELD)
		return bits & PI_LOW_POWER ? "clock held down, too little power" : "clock held down";
	return bits & PI_LOW_POWER ? "too little power" : "no";
}

char *host_throttling(const struct host_view *view)
{
	g_autoptr(GArray) online = host_online(view);
	double count = counted_throttles(view, online), now = cooled(view);
	unsigned bits;

	if (pi_throttled(&bits, view))
		return g_strdup_printf("now: %s; since its start: %s", pi_words(bits), pi_words(bits >> 16));
	if (!isnan(count))
		return g_strdup_printf("%.0f times since its start", count);
	return isnan(now) ? NULL : g_strdup(now > 0 ? "now" : "not now");
}

/* --- all of it --- */

void host_condition(struct agent_condition *ret, const struct host_view *view)
{
	g_autoptr(GArray) online = host_online(view);
	struct clocks clocks = clocks_of(view, online);

	*ret = (struct agent_condition){
		.load = load(view),
		.frequency_hz = clocks.n > 0 ? clocks.sum / clocks.n : NAN,
		.fastest_hz = clocks.n > 0 ? clocks.highest : NAN,
		.busy_s = busy_s(view),
		.temperature = host_temperature(view),
		.throttles = throttles(view, online),
		.held_down = held_down(view),
	};
}
