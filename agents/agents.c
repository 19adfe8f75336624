#include "agent.h"
#include "agent_common.h"
#include "diag.h"
#include "jsonx.h"

#include <math.h>

const char *const agent_mode_names[AGENT_MODE_COUNT] = {"time", "count"};

const struct agent_condition agent_condition_unknown = {NAN, NAN, NAN, NAN, NAN, NAN, NAN};
const struct agent_watch agent_watch_none = {NAN, NAN, NAN, NAN, NAN};

/* fmax() and fmin() leave out what is unknown. */
void agent_watch_add(struct agent_watch *watch, const struct agent_condition *now)
{
	watch->load = fmax(watch->load, now->load);
	watch->temperature = fmax(watch->temperature, now->temperature);
	watch->held_down = fmax(watch->held_down, now->held_down);
	watch->fastest_hz = fmin(watch->fastest_hz, now->fastest_hz);
	watch->fastest_hz_at_best = fmax(watch->fastest_hz_at_best, now->fastest_hz);
}

const struct agent_kind *const agent_kinds[] = {&agent_kind_local, &agent_kind_qemu_user,
	&agent_kind_qemu_system, &agent_kind_ssh, &agent_kind_command, NULL};

/* The agents of kinds that need no settings. */
static const struct agent *const built_in[] = {&agent_local, &agent_qemu_user, &agent_qemu_system, NULL};

static const char *plugin_path, *answers_folder;

/* --- all of them --- */

static void agent_free(gpointer data)
{
	struct agent *agent = data;

	if (agent->kind && agent->kind->forget && *agent->state)
		agent->kind->forget(*agent->state);
	g_strfreev(agent->command);
	g_strfreev(agent->toolchains);
	if (agent->facts)
		g_hash_table_unref(agent->facts);
	g_free(agent->config);
	g_free((char *)agent->settings);
	g_free(agent->state);
	g_free(agent);
}

bool agents_load(struct agents **ret, const char *file, GError **err)
{
	struct agents *agents = g_new0(struct agents, 1);

	agents->all = g_ptr_array_new();
	agents->own = g_ptr_array_new_with_free_func(agent_free);
	for (const struct agent *const *agent = built_in; *agent; agent++)
		g_ptr_array_add(agents->all, (gpointer)*agent);
	if (file && g_file_test(file, G_FILE_TEST_EXISTS) && !agents_read(agents, file, err)) {
		agents_free(agents);
		return false;
	}
	*ret = agents;
	return true;
}

void agents_free(struct agents *agents)
{
	if (!agents)
		return;
	g_ptr_array_unref(agents->all);
	g_ptr_array_unref(agents->own);
	jx_document_free(agents->doc);
	g_free(agents);
}

const struct agent *agents_find(const struct agents *agents, const char *name)
{
	for (guint i = 0; i < agents->all->len; i++) {
		const struct agent *agent = agents->all->pdata[i];
		if (g_str_equal(agent->name, name))
			return agent;
	}
	return g_str_equal(agent_fake.name, name) ? &agent_fake : NULL;
}

/* --- one of them --- */

char *agent_refuses(const struct agent *agent, const struct agent_target *target)
{
	const char *const *toolchains = (const char *const *)agent->toolchains;

	if (!toolchains)
		return agent->kind->refuses(agent, target);
	if (target->toolchain && g_strv_contains(toolchains, target->toolchain))
		return NULL;
	g_autofree char *all = g_strjoinv(", ", agent->toolchains);
	return g_strdup_printf("it runs programs of %s only", all);
}

static void add_given_facts(struct agent_place *place, GHashTable *facts)
{
	GHashTableIter iter;
	gpointer key, value;

	g_hash_table_iter_init(&iter, facts);
	while (g_hash_table_iter_next(&iter, &key, &value))
		agent_place_add(place, key, value);
}

/* Another processor under the name that the user gave is another platform. */
static void rename_place(struct agent_place *place, const char *name)
{
	g_autofree char *text = g_strdup_printf("%s %s", name, place->platform);

	g_free(place->platform);
	place->platform = agent_slug(text);
}

bool agent_describe(
	struct agent_place **ret, const struct agent *agent, const struct agent_target *target, GError **err)
{
	if (!agent->kind->describe(ret, agent, target, err))
		return false;
	if (!agent->facts)
		return true;
	const char *name = g_hash_table_lookup(agent->facts, "name");
	if (name)
		rename_place(*ret, name);
	add_given_facts(*ret, agent->facts);
	return true;
}

static double or_own(int own, double usual)
{
	return own > 0 ? own : usual;
}

struct agent_process *agent_start(
	char ***ret_argv, const struct agent *agent, const struct agent_job *job, GError **err)
{
	struct agent_job own = *job;

	if (!(agent->kind->modes & 1u << job->mode)) {
		diag_set(err, DIAG_INPUT, "the agent %s has no mode %s", agent->name,
			agent_mode_names[job->mode]);
		return NULL;
	}
	own.start_s = or_own(agent->deadlines.start, job->start_s);
	own.silence_s = or_own(agent->deadlines.silence, job->silence_s);
	own.timeout_s = or_own(agent->deadlines.total, job->timeout_s);
	return agent->kind->start(ret_argv, agent, &own, err);
}

void agent_cancel(struct agent_process *process)
{
	process->cancel(process);
}

void agent_place_free(struct agent_place *place)
{
	if (!place)
		return;
	g_free(place->platform);
	g_hash_table_unref(place->facts);
	g_free(place->exact);
	g_free(place);
}

void agent_set_plugin(const char *path)
{
	plugin_path = path;
}

const char *agent_plugin(void)
{
	return plugin_path;
}

void agent_keep_answers(const char *folder)
{
	answers_folder = folder;
}

const char *agent_answers(void)
{
	return answers_folder;
}
