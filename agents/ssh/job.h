/* One invocation on a board. For this folder only. */
#ifndef BM_SSH_JOB_H
#define BM_SSH_JOB_H

#include "agent_common.h"

/* As struct agent_kind's start(). A program that is not over there yet is sent first. Where it has to be
 * stopped, on_exit is called when nothing of it is left over there, as far as the board answers. */
struct agent_process *ssh_job_start(
	char ***ret_argv, const struct agent *agent, const struct agent_job *job, GError **err);

#endif
