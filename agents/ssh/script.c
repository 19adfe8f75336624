#include "script.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#define SIGNALS 65

/* The number here of a name such as "SEGV", else the one over there. */
static int signal_number(const char *name, int there)
{
	for (int i = 1; i < SIGNALS; i++) {
		const char *known = sigabbrev_np(i);
		if (known && strcmp(known, name) == 0)
			return i;
	}
	return there;
}

void script_end(struct child_exit *ret, const char *line)
{
	char name[16] = "";
	int status;

	*ret = (struct child_exit){
		.end = CHILD_LOST, .seconds = NAN, .cpu_seconds = NAN, .max_rss_bytes = -1};
	if (sscanf(line, "signal %3d %15s", &status, name) >= 1 && status > 0) {
		ret->end = CHILD_SIGNALLED;
		ret->status = signal_number(name, status);
	} else if (sscanf(line, "exit %3d", &status) == 1 && status >= 0) {
		bool ran = status != SCRIPT_NOT_EXECUTED && status != SCRIPT_NOT_EXECUTED + 1;
		ret->end = ran ? CHILD_EXITED : CHILD_NOT_RUN;
		ret->status = status;
	}
}

double script_cpu_s(const char *line)
{
	unsigned user_m, system_m;
	double user_s, system_s;

	if (sscanf(line, "%9um%9lfs %9um%9lfs", &user_m, &user_s, &system_m, &system_s) != 4)
		return NAN;
	return user_m * 60.0 + user_s + system_m * 60.0 + system_s;
}

char *script_mask(int cpu)
{
	g_autofree char *zeros = g_strnfill((gsize)(cpu / 4), '0');

	return g_strdup_printf("0x%d%s", 1 << cpu % 4, zeros);
}
