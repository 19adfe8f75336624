/* This machine itself. */
#include "agent_common.h"
#include "host_facts.h"

static struct host_view here(void)
{
	struct host_view view;

	host_view_here(&view, "");
	return view;
}

static char *refuses(const struct agent *agent, const struct agent_target *target)
{
	struct host_view view = here();
	(void)agent;

	if (g_str_equal(target->arch, host_arch(&view)))
		return NULL;
	return g_strdup_printf("this machine runs %s only, not %s", host_arch(&view), target->arch);
}

static bool describe(
	struct agent_place **ret, const struct agent *agent, const struct agent_target *target, GError **err)
{
	struct host_view view = here();
	g_autofree char *cpu = host_cpu_name(&view);
	(void)agent;
	(void)target;
	(void)err;

	*ret = agent_place_new(agent_slug(cpu));
	host_facts_add(*ret, &view);
	return true;
}

static void condition(struct agent_condition *ret)
{
	struct host_view view = here();

	host_condition(ret, &view);
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
