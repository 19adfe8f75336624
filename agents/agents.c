#include "agent.h"
#include "agent_common.h"

#include <math.h>

const char *const agent_mode_names[AGENT_MODE_COUNT] = {"time", "count"};

const struct agent_condition agent_condition_unknown = {NAN, NAN, NAN};

const struct agent_kind *const agent_kinds[] = {&agent_local, &agent_qemu_user, NULL};

static const char *plugin_path, *answers_folder;

const struct agent_kind *agent_kind_find(const char *name)
{
	for (const struct agent_kind *const *kind = agent_kinds; *kind; kind++)
		if (g_str_equal((*kind)->name, name))
			return *kind;
	return g_str_equal(agent_fake.name, name) ? &agent_fake : NULL;
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
