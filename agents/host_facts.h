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
};

/* This machine. `root` stands before /proc, /sys and /etc: "" but in tests; lent. */
void host_view_here(struct host_view *ret, const char *root);

/* Its architecture in the words of the toolchains' files; "" where it is unknown. */
const char *host_arch(const struct host_view *view);

/* The name of its processor, or of its board where processors have none: "AMD EPYC 7B13". Free with g_free().
 */
char *host_cpu_name(const struct host_view *view);

/* Adds cpu, cores, memory, os, kernel, hostname, governor, turbo, clock and temperature; what cannot be read
 * is left out. */
void host_facts_add(struct agent_place *place, const struct host_view *view);

/* Its condition now, as far as it can be read. */
void host_condition(struct agent_condition *ret, const struct host_view *view);

#endif
