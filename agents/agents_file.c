/* The user's agents.json: schema/agents.schema.json. */
#include "agent_common.h"
#include "fsx.h"
#include "jsonx.h"
#include "words.h"

#include <limits.h>
#include <string.h>

#define LARGEST_CPU  4095
#define LONGEST_FACT 200 /* characters, as the schema counts them */

static const char *const common_keys[] = {"name", "kind", "toolchains", "facts", "deadlines", NULL};
static const char *const deadline_keys[] = {
	"connect", "upload", "start", "silence", "total", "lock", "gone", NULL};
static const char *const setting_keys[] = {"governor", "turbo", NULL};
static const char *const turbo_words[] = {"on", "off", NULL};

static bool has_control(const char *text)
{
	for (; *text; text++)
		if (g_ascii_iscntrl(*text))
			return true;
	return false;
}

/* A string that is neither empty nor able to become an option or a second line. */
static bool read_plain(const char **ret, struct jx at, const char *key, GError **err)
{
	struct jx member;

	if (!jx_has(at, key))
		return true;
	if (!jx_string(ret, at, key, err) || !jx_get(&member, at, key, err))
		return false;
	if (!**ret || **ret == '-' || has_control(*ret))
		return jx_fail(
			member, err, "it must not be empty, begin with a dash, or hold control characters");
	return true;
}

/* ssh's configuration, as seen from the file that names it. */
static bool read_config(struct agent *agent, struct jx at, GError **err)
{
	const char *config = NULL;

	if (!read_plain(&config, at, "config", err))
		return false;
	agent->config = config ? fsx_beside(jx_file(at), config) : NULL;
	return true;
}

static bool read_toolchains(struct agent *agent, struct jx at, GError **err)
{
	struct jx list;

	if (!jx_has(at, "toolchains"))
		return true;
	if (!word_list(&list, at, "toolchains", "toolchain", err) ||
		!jx_strings_or_empty(&agent->toolchains, at, "toolchains", err))
		return false;
	for (size_t i = 0; i < jx_size(list); i++)
		if (!word_safe(agent->toolchains[i]))
			return jx_fail(jx_at(list, i), err, "it is no name of a toolchain");
	return true;
}

/* argv: a word may come twice. */
static bool read_command(struct agent *agent, struct jx at, GError **err)
{
	struct jx list;

	if (!jx_has(at, "command"))
		return true;
	if (!jx_array(&list, at, "command", err) || !jx_strings_or_empty(&agent->command, at, "command", err))
		return false;
	if (!agent->command[0] || !*agent->command[0])
		return jx_fail(list, err, "it must name a program first");
	return true;
}

static bool fact_key_valid(const char *key)
{
	return g_ascii_islower(*key) &&
	       strspn(key, "abcdefghijklmnopqrstuvwxyz0123456789_-") == strlen(key) && strlen(key) <= 32;
}

static bool read_facts(struct agent *agent, struct jx at, GError **err)
{
	struct jx facts;

	if (!jx_has(at, "facts"))
		return true;
	if (!jx_object(&facts, at, "facts", err))
		return false;
	agent->facts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	for (size_t i = 0; i < jx_size(facts); i++) {
		const char *key, *value;
		struct jx member = jx_member_at(facts, i, &key);
		if (!fact_key_valid(key))
			return jx_fail(member, err,
				"a fact's name is 1 to 32 small letters, digits, _ and -, a letter first");
		if (!jx_as_string(&value, member, err))
			return false;
		if (!*value || g_utf8_strlen(value, -1) > LONGEST_FACT || has_control(value))
			return jx_fail(member, err,
				"a fact is 1 to %d characters of text, none of them a control character",
				LONGEST_FACT);
		g_hash_table_insert(agent->facts, g_strdup(key), g_strdup(value));
	}
	return true;
}

static bool read_settings(struct agent *agent, struct jx at, GError **err)
{
	const char *governor, *turbo;
	struct jx settings;

	if (!jx_has(at, "settings"))
		return true;
	if (!jx_object(&settings, at, "settings", err) || !jx_only(settings, setting_keys, err) ||
		!jx_string_or(&governor, settings, "governor", NULL, err) ||
		!jx_string_or(&turbo, settings, "turbo", NULL, err))
		return false;
	if (governor && !word_safe(governor))
		return jx_fail(settings, err, "governor: no name of a governor, such as \"performance\"");
	if (turbo && !word_among(turbo_words, turbo))
		return jx_fail(settings, err, "turbo: it can be \"on\" or \"off\"");
	agent->settings = g_strconcat(governor ? "governor=" : "", governor ? governor : "",
		governor && turbo ? "," : "", turbo ? "turbo=" : "", turbo ? turbo : "", NULL);
	return true;
}

static bool read_deadlines(struct agent *agent, struct jx at, GError **err)
{
	struct agent_deadlines *d = &agent->deadlines;
	int *const fields[] = {
		&d->connect, &d->upload, &d->start, &d->silence, &d->total, &d->lock, &d->gone};
	struct jx object;

	if (!jx_has(at, "deadlines"))
		return true;
	if (!jx_object(&object, at, "deadlines", err) || !jx_only(object, deadline_keys, err))
		return false;
	for (size_t i = 0; i < G_N_ELEMENTS(fields); i++) {
		int64_t seconds;
		if (!jx_int_or(&seconds, object, deadline_keys[i], 0, jx_has(object, deadline_keys[i]),
			    7 * 86400, err))
			return false;
		*fields[i] = (int)seconds;
	}
	return true;
}

static bool read_kind(struct agent *agent, struct jx at, GError **err)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	const char *word;
	struct jx member;

	if (!jx_string(&word, at, "kind", err) || !jx_get(&member, at, "kind", err))
		return false;
	for (const struct agent_kind *const *kind = agent_kinds; *kind; kind++) {
		if (strcmp((*kind)->name, word) == 0)
			agent->kind = *kind;
		g_ptr_array_add(names, (char *)(*kind)->name);
	}
	g_ptr_array_add(names, NULL);
	return agent->kind ||
	       word_unknown(member, "kind of agent", word, (const char *const *)names->pdata, err);
}

/* What is not given is left out: null would look like it, but be something else to the schema. */
static bool check_values(struct jx at, GError **err)
{
	for (size_t i = 0; i < jx_size(at); i++) {
		const char *key;
		struct jx member = jx_member_at(at, i, &key);
		if (json_is_null(member.json))
			return jx_fail(member, err, "null is no value: leave the key out");
	}
	return true;
}

/* The keys that its kind knows, and those that it must have. */
static bool check_keys(const struct agent *agent, struct jx at, GError **err)
{
	g_autoptr(GPtrArray) known = g_ptr_array_new();

	for (const char *const *key = common_keys; *key; key++)
		g_ptr_array_add(known, (char *)*key);
	for (const char *const *key = agent->kind->keys; key && *key; key++)
		g_ptr_array_add(known, (char *)*key);
	if (!agent->kind->elsewhere)
		g_ptr_array_add(known, (char *)"pin");
	g_ptr_array_add(known, NULL);
	if (!jx_only(at, (const char *const *)known->pdata, err))
		return false;
	for (const char *const *key = agent->kind->needs; key && *key; key++)
		if (!jx_has(at, *key))
			return jx_fail(at, err, "an agent of kind %s needs \"%s\"", agent->kind->name, *key);
	if (agent->kind->told_arch && !jx_has(at, "arch") && !jx_has(at, "toolchains"))
		return jx_fail(
			at, err, "an agent of kind %s needs \"arch\" or \"toolchains\"", agent->kind->name);
	return true;
}

static bool read_pin(struct agent *agent, struct jx at, GError **err)
{
	int64_t pin;

	if (!jx_int_or(&pin, at, "pin", -1, 0, LARGEST_CPU, err))
		return false;
	agent->pin = (int)pin;
	return true;
}

static bool read_agent(struct agent *agent, struct jx at, GError **err)
{
	agent->state = g_new0(struct agent_state *, 1);
	return read_kind(agent, at, err) && check_keys(agent, at, err) && check_values(at, err) &&
	       word_string(&agent->name, at, "name", "agent", err) && read_pin(agent, at, err) &&
	       read_plain(&agent->host, at, "host", err) && read_plain(&agent->folder, at, "folder", err) &&
	       (!jx_has(at, "arch") || word_string(&agent->arch, at, "arch", "architecture", err)) &&
	       read_config(agent, at, err) && read_command(agent, at, err) &&
	       read_toolchains(agent, at, err) && read_facts(agent, at, err) &&
	       read_settings(agent, at, err) && read_deadlines(agent, at, err);
}

static bool add(struct agents *agents, struct jx at, GError **err)
{
	struct agent *agent = g_new0(struct agent, 1);
	struct jx name;

	g_ptr_array_add(agents->own, agent);
	if (!read_agent(agent, at, err) || !jx_get(&name, at, "name", err))
		return false;
	if (agents_find(agents, agent->name))
		return jx_fail(
			name, err, "there is an agent \"%s\" already: give yours another name", agent->name);
	g_ptr_array_add(agents->all, agent);
	return true;
}

bool agents_read(struct agents *agents, const char *file, GError **err)
{
	static const char *const root_keys[] = {"agents", NULL};
	struct jx root, list;

	agents->doc = jx_load(file, err);
	if (!agents->doc)
		return false;
	root = jx_root(agents->doc);
	if (!jx_only(root, root_keys, err) || !jx_array(&list, root, "agents", err))
		return false;
	for (size_t i = 0; i < jx_size(list); i++)
		if (!add(agents, jx_at(list, i), err))
			return false;
	return true;
}
