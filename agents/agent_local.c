/* This machine itself. */
#include "agent_common.h"
#include "host_facts.h"

#include <sys/utsname.h>

/* The host's architecture in the words of the toolchains' files. */
static const char *host_arch(void)
{
	static struct utsname host;

	uname(&host);
	return g_str_has_prefix(host.machine, "armv") ? "arm" : host.machine;
}

static char *refuses(const struct agent *agent, const struct agent_target *target)
{
	(void)agent;
	if (g_str_equal(target->arch, host_arch()))
		return NULL;
	return g_strdup_printf("this machine runs %s only, not %s", host_arch(), target->arch);
}

static bool describe(
	struct agent_place **ret, const struct agent *agent, const struct agent_target *target, GError **err)
{
	g_autofree char *cpu = host_cpu_name("");
	(void)agent;
	(void)target;
	(void)err;

	*ret = agent_place_new(agent_slug(cpu));
	host_facts_add(*ret, "");
	return true;
}

static void condition(struct agent_condition *ret)
{
	host_condition(ret, "");
}

static struct agent_process *start(
	char ***ret_argv, const struct agent *agent, const struct agent_job *job, GError **err)
{
	g_autoptr(GPtrArray) argv = g_ptr_array_new_with_free_func(g_free);

	g_ptr_array_add(argv, g_canonicalize_filename(job->program, NULL));
	for (const char *const *argument = job->arguments; *argument; argument++)
		g_ptr_array_add(argv, g_strdup(*argument));
	g_ptr_array_add(argv, NULL);
	return agent_launch(ret_argv, agent, job, argv, err);
}

const struct agent_kind agent_kind_local = {
	.name = "local",
	.summary = "this machine; times",
	.modes = 1u << AGENT_TIME,
	.refuses = refuses,
	.describe = describe,
	.condition = condition,
	.start = start,
};

const struct agent agent_local = {.name = "local", .kind = &agent_kind_local, .pin = -1};
