/* The time that a library under test sees: the linker puts these in the place of time() and gettimeofday()
 * (--wrap). Certificates and tickets are then as old on every machine, and counts repeat. What measures asks
 * clock_gettime(). */
#ifndef CORE_TLS_TIME_H
#define CORE_TLS_TIME_H

#include "tls.h"

#include <time.h>

#include <sys/time.h>

time_t __wrap_time(time_t *ret);
time_t __wrap_time(time_t *ret)
{
	if (ret != NULL)
		*ret = TLS_TIME;
	return TLS_TIME;
}

int __wrap_gettimeofday(struct timeval *ret, void *zone);
int __wrap_gettimeofday(struct timeval *ret, void *zone)
{
	(void)zone;
	ret->tv_sec = TLS_TIME;
	ret->tv_usec = 0;
	return 0;
}

#endif
