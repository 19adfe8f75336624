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

/* 64-bit machines that run programs of 32 bits: many do, if not all. */
static bool may_run(const char *machine, const char *arch)
{
	static const char *const pairs[][2] = {{"x86_64", "i686"}, {"aarch64", "arm"}, {"ppc64", "ppc"},
		{"mips64", "mips"}, {"mips64el", "mipsel"}, {"sparc64", "sparc"}};

	for (size_t i = 0; i < G_N_ELEMENTS(pairs); i++)
		if (g_str_equal(machine, pairs[i][0]) && g_str_equal(arch, pairs[i][1]))
			return true;
	return false;
}

/* A program of another kind would be taken for a shell script over there. */
static bool check_arch(const struct agent *agent, const struct agent_target *target,
	const struct host_view *view, GError **err)
{
	const char *arch = host_arch(view);
	bool may = may_run(arch, target->arch);

	if (agent->arch || g_str_equal(arch, target->arch) || (agent->toolchains && may))
		return true;
	g_autofree char *shown = diag_printable(arch, -1);
	return diag_set(err, DIAG_INPUT, "%s: the machine runs %s, not %s; %s in agents.json", agent->name,
		shown, target->arch,
		may ? "where it does, name the toolchains that it runs"
		    : "where it does, by an emulator, say so by its \"arch\"");
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
