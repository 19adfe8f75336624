/* What child.c and bm-supervise say to each other. Nobody else includes this.
 *
 *     bm-supervise TIMEOUT_MS CPU FOLDER PROGRAM ARGUMENT...
 *
 * TIMEOUT_MS 0 is none, CPU -1 any, FOLDER "" the current one. Its environment is the program's, its standard
 * output and error go to the program. One report comes back; the end of that pipe means that nothing below is
 * left. */
#ifndef BM_SUPERVISE_H
#define BM_SUPERVISE_H

#include <stdint.h>

#define SUPERVISE_LIFELINE 3 /* descriptor to read: its end orders the kill */
#define SUPERVISE_REPORT   4 /* descriptor to write the report to */

enum supervise_cause {
	SUPERVISE_ENDED,   /* by itself; `status` is as of waitpid() */
	SUPERVISE_NOT_RUN, /* `status` is errno */
	SUPERVISE_TIMEOUT, /* killed at the deadline */
	SUPERVISE_ORDERED, /* killed since the lifeline ended, or the supervisor was told to go */
};

struct supervise_report {
	int32_t cause;
	int32_t status;
	double seconds;	       /* from the start to the end of the program */
	double cpu_seconds;    /* user and system time of everything below */
	int64_t max_rss_bytes; /* the largest single process */
};

#endif
