/* An agent for tests: its program is a script that says what happens. Any architecture, both modes.
 *
 * A script is lines; blank ones and those that begin with # do nothing:
 *
 *     out TEXT               prints TEXT and a newline on standard output
 *     part TEXT              prints TEXT alone: half a line
 *     err TEXT               prints TEXT and a newline on standard error
 *     flood BYTES            prints that many bytes on standard output
 *     wait SECONDS           decimals allowed
 *     hang                   stays, silently
 *     exit STATUS            ends; so does the end of the script, with 0
 *     signal NUMBER          dies of that signal
 *     when ARGUMENT VALUE    what follows is played only where ARGUMENT was given and followed by VALUE
 *     turn N                 what follows is played only the Nth time that the script runs (counted in
 * SCRIPT.turns) always                 ends `when` and `turn`
 *
 * In TEXT, %{ARGUMENT} stands for what followed ARGUMENT on the command line.
 *
 * The exact key is "fake " and the target's CPU, so that tests choose it by naming a CPU; without one there
 * is none. */
#include "agent_common.h"
#include "diag.h"
#include "fsx.h"

static char *refuses(const struct agent *agent, const struct agent_target *target)
{
	(void)agent;
	(void)target;
	return NULL;
}

static bool describe(
	struct agent_place **ret, const struct agent *agent, const struct agent_target *target, GError **err)
{
	g_autofree char *platform = g_strdup_printf("fake-%s", target->arch);
	(void)agent;
	(void)err;

	*ret = agent_place_new(agent_slug(platform));
	(*ret)->exact = target->cpu ? g_strdup_printf("fake %s", target->cpu) : NULL;
	agent_place_add(*ret, "cpu", target->cpu);
	return true;
}

/* The player lies beside the supervisor. */
static char *find_player(GError **err)
{
	g_autofree char *folder = g_path_get_dirname(child_supervisor() ? child_supervisor() : "");
	g_autofree char *player = g_build_filename(folder, "bm-play", NULL);

	if (g_file_test(player, G_FILE_TEST_IS_EXECUTABLE))
		return g_steal_pointer(&player);
	diag_set(err, DIAG_LACKS, "%s is not there: the agent fake is for tests in a build tree", player);
	return NULL;
}

static struct agent_process *start(
	char ***ret_argv, const struct agent *agent, const struct agent_job *job, GError **err)
{
	g_autoptr(GPtrArray) argv = g_ptr_array_new_with_free_func(g_free);
	char *player = find_player(err);

	if (!player)
		return NULL;
	g_ptr_array_add(argv, player);
	g_ptr_array_add(argv, g_canonicalize_filename(job->program, NULL));
	for (const char *const *argument = job->arguments; *argument; argument++)
		g_ptr_array_add(argv, g_strdup(*argument));
	g_ptr_array_add(argv, NULL);
	return agent_launch(ret_argv, agent, job, argv, err);
}

const struct agent_kind agent_kind_fake = {
	.name = "fake",
	.summary = "plays a script; for tests",
	.modes = 1u << AGENT_TIME | 1u << AGENT_COUNT,
	.refuses = refuses,
	.describe = describe,
	.start = start,
};

const struct agent agent_fake = {.name = "fake", .kind = &agent_kind_fake, .pin = -1};
