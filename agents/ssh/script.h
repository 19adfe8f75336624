/* What remote.sh tells of a program's end. For this folder only. */
#ifndef BM_SSH_SCRIPT_H
#define BM_SSH_SCRIPT_H

#include "child.h"

/* env(1), setsid(1) and taskset(1) exit so where the program is there and cannot be run; one more: it is not
 * there. */
#define SCRIPT_NOT_EXECUTED 126

/* "exit STATUS" or "signal NUMBER NAME": end and status; CHILD_LOST where it is none of these. Numbers of
 * signals differ between architectures, names do not. */
void script_end(struct child_exit *ret, const char *line);

/* The second line of times(1), "0m1.230000s 0m0.040000s": of user and system together; NAN where it is none.
 */
double script_cpu_s(const char *line);

/* "0x8" for processor 3: what taskset(1) takes everywhere. New text. */
char *script_mask(int cpu);

#endif
