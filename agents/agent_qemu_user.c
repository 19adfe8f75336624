/* QEMU's user mode with our plugin: counts instructions. Times measured below it are not hardware's and not
 * asked for. */
#include "agent_qemu.h"

/* So that what a program sees of itself does not depend on where it was built: counts were seen to move with
 * it. */
#define GUEST_NAME "bench-core"

static char *refuses(const struct agent *agent, const struct agent_target *target)
{
	(void)agent;
	if (!target->emulator)
		return g_strdup("the toolchain names no emulator");
	if (g_str_has_prefix(target->emulator, "qemu-system-"))
		return g_strdup_printf("%s emulates a whole machine, not a program", target->emulator);
	return NULL;
}

static struct agent_process *start(
	char ***ret_argv, const struct agent *agent, const struct agent_job *job, GError **err)
{
	g_autoptr(GPtrArray) argv = g_ptr_array_new_with_free_func(g_free);

	char *emulator = qemu_find(job->target, err);
	if (!emulator)
		return NULL;
	g_ptr_array_add(argv, emulator);
	g_ptr_array_add(argv, g_strdup("-cpu"));
	g_ptr_array_add(argv, g_strdup(job->target->cpu));
	if (!qemu_add_plugin(argv, job->functions, err))
		return NULL;
	g_ptr_array_add(argv, g_strdup("-0"));
	g_ptr_array_add(argv, g_strdup(GUEST_NAME));
	g_ptr_array_add(argv, g_canonicalize_filename(job->program, NULL));
	for (const char *const *argument = job->arguments; *argument; argument++)
		g_ptr_array_add(argv, g_strdup(*argument));
	g_ptr_array_add(argv, NULL);
	return agent_launch(ret_argv, agent, job, argv, err);
}

const struct agent_kind agent_kind_qemu_user = {
	.name = "qemu-user",
	.summary = "QEMU user mode on this machine; counts instructions",
	.modes = 1u << AGENT_COUNT,
	.refuses = refuses,
	.describe = qemu_describe,
	.start = start,
};

const struct agent agent_qemu_user = {.name = "qemu-user", .kind = &agent_kind_qemu_user, .pin = -1};
