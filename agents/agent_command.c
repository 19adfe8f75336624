/* A board behind a script of the user's: flashing, a serial line, adb. */
#include "agent_common.h"
#include "diag.h"
#include "fsx.h"

/* Only the user knows what the board is: programs are not tried to see whether they run. */
static char *refuses(const struct agent *agent, const struct agent_target *target)
{
	if (g_str_equal(agent->arch, target->arch))
		return NULL;
	return g_strdup_printf("it runs %s only, not %s", agent->arch, target->arch);
}

static char *find_command(const struct agent *agent, GError **err)
{
	char *program = fsx_find_program(agent->command[0], NULL);

	if (!program)
		diag_set(err, DIAG_LACKS, "%s: its command %s is not there, or cannot be executed",
			agent->name, agent->command[0]);
	return program;
}

static bool describe(
	struct agent_place **ret, const struct agent *agent, const struct agent_target *target, GError **err)
{
	g_autofree char *program = find_command(agent, err);
	(void)target;

	if (!program)
		return false;
	*ret = agent_place_new(agent_slug(agent->name));
	return true;
}

static struct agent_process *start(
	char ***ret_argv, const struct agent *agent, const struct agent_job *job, GError **err)
{
	g_autoptr(GPtrArray) argv = g_ptr_array_new_with_free_func(g_free);
	char *program = find_command(agent, err);

	if (!program)
		return NULL;
	g_ptr_array_add(argv, program);
	for (char **word = agent->command + 1; *word; word++)
		g_ptr_array_add(argv, g_strdup(*word));
	g_ptr_array_add(argv, g_canonicalize_filename(job->program, NULL));
	for (const char *const *argument = job->arguments; *argument; argument++)
		g_ptr_array_add(argv, g_strdup(*argument));
	g_ptr_array_add(argv, NULL);
	return agent_launch(ret_argv, agent, job, argv, err);
}

static const char *const keys[] = {"command", "arch", NULL};
static const char *const needs[] = {"command", NULL};

const struct agent_kind agent_kind_command = {
	.name = "command",
	.summary = "a board behind a script of the user's; times",
	.modes = 1u << AGENT_TIME,
	.elsewhere = true,
	.told_arch = true,
	.keys = keys,
	.needs = needs,
	.refuses = refuses,
	.describe = describe,
	.start = start,
};
