/* Preloaded: two seconds after the start, the time of day steps a day back. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define DAY 86400

static time_t began(void)
{
	static time_t when;
	struct timespec now;

	if (when == 0 && syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now) == 0)
		when = now.tv_sec;
	return when;
}

int clock_gettime(clockid_t clock, struct timespec *ret)
{
	struct timespec now;
	long status = syscall(SYS_clock_gettime, clock, ret);

	syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
	if ((clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) && now.tv_sec - began() >= 2)
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
