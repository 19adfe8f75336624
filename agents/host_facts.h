/* What a Linux machine says of itself. For this folder only. */
#ifndef BM_HOST_FACTS_H
#define BM_HOST_FACTS_H

#include "agent.h"

/* The name of its processor, or of its board where processors have none: "AMD EPYC 7B13". `root` stands
 * before /proc, /sys and /etc: "" but in tests. Free with g_free(). */
char *host_cpu_name(const char *root);

/* Adds cpu, cores, memory, os, kernel, hostname, governor, turbo and clock; what cannot be read is left out.
 */
void host_facts_add(struct agent_place *place, const char *root);

/* Its condition now, as far as it can be read. */
void host_condition(struct agent_condition *ret, const char *root);

#endif
