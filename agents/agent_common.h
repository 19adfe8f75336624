/* What the kinds of agents share. For this folder only. */
#ifndef BM_AGENT_COMMON_H
#define BM_AGENT_COMMON_H

#include "agent.h"

/* Kinds that nobody else names. */
extern const struct agent_kind agent_kind_command;

/* As told by agent_set_plugin(); NULL where it was not. */
const char *agent_plugin(void);
/* As told by agent_keep_answers(); NULL where it was not. */
const char *agent_answers(void);

/* Lower case letters, digits and single dashes: what a label can hold. "AMD EPYC 7B13" gives "amd-epyc-7b13";
 * marks such as "(R)" and the words "CPU" and "Processor" say nothing and are left out. Free with g_free().
 */
char *agent_slug(const char *text);

/* Adds the agents of a file to `agents`. */
bool agents_read(struct agents *agents, const char *file, GError **err);

/* A place with no facts. Takes over `platform`. */
struct agent_place *agent_place_new(char *platform);
/* Adds a fact; does nothing where value is NULL. */
void agent_place_add(struct agent_place *place, const char *key, const char *value);

/* Starts argv (NULL-terminated, of char *) on this machine for a job: a program in an environment that holds
 * only LC_ALL=C; what speaks to another machine in a tool's, and its exit status 75 (EX_TEMPFAIL) means that
 * the machine does not answer. */
struct agent_process *agent_launch(char ***ret_argv, const struct agent *agent, const struct agent_job *job,
	GPtrArray *argv, GError **err);

#endif
