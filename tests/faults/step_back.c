/* Preloaded: as soon as the file that STEPS_WITH names has grown, the time of day steps a day back. */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define DAY 86400

static bool has_stepped(void)
{
	static bool stepped;
	static off_t at_first = -1;
	const char *file = getenv("STEPS_WITH");
	struct stat facts;

	if (stepped || file == NULL || stat(file, &facts) != 0)
		return stepped;
	if (at_first < 0)
		at_first = facts.st_size;
	stepped = facts.st_size > at_first;
	return stepped;
}

int clock_gettime(clockid_t clock, struct timespec *ret)
{
	long status = syscall(SYS_clock_gettime, clock, ret);

	if ((clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) && has_stepped())
		ret->tv_sec -= DAY;
	return (int)status;
}

int gettimeofday(struct timeval *restrict ret, void *restrict zone)
{
	struct timespec now;

	(void)zone;
	clock_gettime(CLOCK_REALTIME, &now);
	*ret = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
	return 0;
}

time_t time(time_t *ret)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	if (ret != NULL)
		*ret = now.tv_sec;
	return now.tv_sec;
}
