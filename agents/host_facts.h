/* What a Linux machine says of itself. For this folder only. */
#ifndef BM_HOST_FACTS_H
#define BM_HOST_FACTS_H

#include "agent.h"

/* Where the facts come from: its files, and what uname and getconf say there. NULL and 0: unknown. */
struct host_view {
	/* The whole text of a file, NULL where it cannot be read; free with g_free(). */
	char *(*read)(const struct host_view *view, const char *file);
	const void *source; /* for read */
	const char *machine, *release, *node;
	long cores; /* that are on */
	long tick;  /* per second, of /proc/stat */
	long page;  /* bytes */
};

/* This machine. `root` stands before /proc, /sys and /etc: "" but in tests; lent. */
void host_view_here(struct host_view *ret, const char *root);

/* Its architecture in the words of the toolchains' files; "" where it is unknown. */
const char *host_arch(const struct host_view *view);

/* The name of its processor, or of its board where processors have none: "AMD EPYC 7B13". Free with g_free().
 */
char *host_cpu_name(const struct host_view *view);

/* Adds cpu, cores, core-kinds, features, memory, page-size, os, kernel, hostname, virtualisation, governor,
 * turbo, clock, temperature and throttled; what cannot be read is left out. */
void host_facts_add(struct agent_place *place, const struct host_view *view);

/* Its condition now, as far as it can be read. */
void host_condition(struct agent_condition *ret, const struct host_view *view);

/* --- what the files of this share --- */

#define HOST_CPUS	    "/sys/devices/system/cpu"
#define HOST_PROCESSORS_MAX 4096u

/* A text, its last newline and trailing NUL cut off; NULL where it cannot be read or is empty. g_free(). */
char *host_text(const struct host_view *view, const char *file);

/* The same of a file of one processor, "cpufreq/scaling_cur_freq". */
char *host_cpu_text(const struct host_view *view, unsigned processor, const char *file);

/* The value of the first line "key : value" or "key=value", without quotes; NULL where there is none.
 * g_free(). */
char *host_value(const char *text, const char *key);

/* unsigned: the numbers of the processors that are on, the first HOST_PROCESSORS_MAX; 0 alone where none is
 * told. */
GArray *host_online(const struct host_view *view);

/* "4 x Cortex-A72 at 1800 MHz, 4 x Cortex-A53 at 1400 MHz", in the order of the processors; NULL where
 * nothing tells one from another. g_free(). */
char *host_core_kinds(const struct host_view *view);

/* What its processors can do beside the usual, in the kernel's words. Where these are many, those that
 * ciphers and long integers use, and a hash of all. NULL: unknown. g_free(). */
char *host_features(const struct host_view *view);

/* Whose guest it is, "Google Compute Engine", or "none"; NULL: unknown. g_free(). */
char *host_virtualisation(const struct host_view *view);

/* Of the hottest sensor, degrees Celsius; NAN: unknown. */
double host_temperature(const struct host_view *view);

/* "12 times since its start", "now: clock held down; before: too little power"; NULL: unknown. g_free(). */
char *host_throttling(const struct host_view *view);

#endif
