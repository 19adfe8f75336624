/* What one of our programs finds out on an agent. */
#ifndef BM_AGENTS_PROBE_H
#define BM_AGENTS_PROBE_H

#include "catalog.h"

struct probe {
	char *program; /* what was run: "aarch64-gcc wolfssl-5.5.4 sp crypto -O2" */
	char *trouble; /* why it told nothing; NULL: it did */
	char *features, *counter, *clock, *memory; /* in words; NULL: not told */
};

/* Runs the program that was used last of those which the cache has for these toolchains (struct toolchain *)
 * there, and waits for its end. NULL where the cache has none that can be asked, or the agent's programs are
 * not asked: nothing is built for it. */
struct probe *probe_agent(const char *cache, const struct agent *agent, const GPtrArray *toolchains);
void probe_free(struct probe *probe); /* takes NULL */

#endif
