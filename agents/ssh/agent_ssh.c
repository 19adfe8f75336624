/* A machine behind ssh: needs nothing over there but sshd, a POSIX shell and a folder that can be written to.
 */
#include "agent_common.h"
#include "diag.h"
#include "job.h"
#include "link.h"

static char *refuses(const struct agent *agent, const struct agent_target *target)
{
	if (!agent->arch || g_str_equal(agent->arch, target->arch))
		return NULL;
	return g_strdup_printf("it runs %s only, not %s", agent->arch, target->arch);
}

/* Whoever names toolchains knows what runs there: a 64-bit machine often runs 32-bit programs, too. */
static bool check_arch(const struct agent *agent, const struct agent_target *target,
	const struct host_view *view, GError **err)
{
	const char *arch = host_arch(view);

	if (agent->toolchains || agent->arch || g_str_equal(arch, target->arch))
		return true;
	g_autofree char *shown = diag_printable(arch, -1);
	return diag_set(err, DIAG_INPUT,
		"%s: the machine runs %s, not %s; name the toolchains that it runs nevertheless in "
		"agents.json",
		agent->name, shown, target->arch);
}

static bool describe(
	struct agent_place **ret, const struct agent *agent, const struct agent_target *target, GError **err)
{
	struct host_view view;

	if (!link_state(agent)->facts && !link_ask(agent, err))
		return false;
	dump_view(&view, link_state(agent)->facts, NULL);
	if (!check_arch(agent, target, &view, err))
		return false;
	g_autofree char *cpu = host_cpu_name(&view);
	*ret = agent_place_new(agent_slug(cpu));
	host_facts_add(*ret, &view);
	return true;
}

static const char *const keys[] = {"host", "config", "folder", "arch", "pin", "settings", NULL};
static const char *const needs[] = {"host", NULL};

const struct agent_kind agent_kind_ssh = {
	.name = "ssh",
	.summary = "another machine, over ssh; times",
	.modes = 1u << AGENT_TIME,
	.elsewhere = true,
	.sends = true,
	.keys = keys,
	.needs = needs,
	.refuses = refuses,
	.describe = describe,
	.look = link_look,
	.start = ssh_job_start,
	.forget = link_forget,
};
