#define _DEFAULT_SOURCE

#include "counter.h"

#if defined(__linux__)

#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int descriptor = -1;

static bool start(void)
{
	struct perf_event_attr attributes;

	memset(&attributes, 0, sizeof(attributes));
	attributes.type = PERF_TYPE_HARDWARE;
	attributes.size = sizeof(attributes);
	attributes.config = PERF_COUNT_HW_CPU_CYCLES;
	attributes.exclude_kernel = 1;
	attributes.exclude_hv = 1;
	/* Shared with another event its figure would be an estimate. */
	attributes.pinned = 1;
	if (descriptor < 0)
		descriptor = (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0ul);
	return descriptor >= 0;
}

static uint64_t read_cycles(void)
{
	uint64_t cycles = 0;

	return read(descriptor, &cycles, sizeof(cycles)) == (ssize_t)sizeof(cycles) ? cycles : 0;
}

const struct counter counter_perf = {"perf", "cycles", 64, start, read_cycles, NULL};

#else

const struct counter counter_perf = {.name = "perf"};

#endif
