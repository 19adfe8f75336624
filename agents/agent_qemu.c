#include "agent_qemu.h"

#include "diag.h"
#include "fsx.h"
#include "kept.h"

#include <string.h>

#define PROBE_SECONDS 20
#define PROBE_CEILING 65536 /* bytes: its help is 3 KiB */

static bool fail_lacking(const struct agent_target *target, const char *what, GError **err)
{
	return diag_set(err, DIAG_LACKS, "%s %s; install the Debian package %s", target->emulator, what,
		target->package ? target->package : "qemu-user");
}

/* What the emulator prints, on both streams, when asked something; NULL where it could not be started. */
static GString *ask(const char *emulator, const char *const *arguments, GError **err)
{
	static const char *const environment[] = {"LC_ALL=C", NULL};
	g_autoptr(GPtrArray) argv = g_ptr_array_new();
	GString *text = g_string_new(NULL);
	struct child_exit end;

	g_ptr_array_add(argv, (char *)emulator);
	for (; *arguments; arguments++)
		g_ptr_array_add(argv, (char *)*arguments);
	g_ptr_array_add(argv, NULL);
	const struct child_spec spec = {.argv = (const char *const *)argv->pdata,
		.environment = environment,
		.timeout_s = PROBE_SECONDS,
		.output_ceiling = PROBE_CEILING,
		.cpu = -1};
	if (child_run(&end, text, text, &spec, err))
		return text;
	g_string_free(text, TRUE);
	return NULL;
}

/* Debian's statically linked emulators know no plugins. */
static bool check_plugins(const struct agent_target *target, const char *emulator, GError **err)
{
	g_autoptr(GString) help = ask(emulator, (const char *const[]){"--help", NULL}, err);

	if (!help)
		return false;
	return strstr(help->str, "\n-plugin ") || fail_lacking(target, "takes no -plugin", err);
}

static bool check_cpu(const struct agent_target *target, const char *emulator, GError **err)
{
	/* The model is looked at before it is seen that there is no program. */
	const char *const of_program[] = {"-cpu", target->cpu, "/dev/null", NULL};
	const char *const of_machine[] = {"-M", target->machine ? target->machine : "none", "-cpu",
		target->cpu, "-nographic", "-kernel", "/dev/null/none", NULL};
	g_autoptr(GString) text = ask(emulator, target->machine ? of_machine : of_program, err);

	if (!text)
		return false;
	if (strstr(text->str, "unsupported machine type"))
		return diag_set(err, DIAG_INPUT, "%s has no machine \"%s\"; `%s -M help` lists them",
			target->emulator, target->machine, target->emulator);
	if (strstr(text->str, "can only be used with CPU"))
		return diag_set(err, DIAG_INPUT, "%s: the machine \"%s\" takes no CPU model \"%s\"",
			target->emulator, target->machine, target->cpu);
	if (!strstr(text->str, "unable to find CPU model"))
		return true;
	return diag_set(err, DIAG_INPUT, "%s has no CPU model \"%s\"; `%s -cpu help` lists them",
		target->emulator, target->cpu, target->emulator);
}

/* The first line of --version. */
static char *version_text(const char *emulator)
{
	g_autoptr(GString) text = ask(emulator, (const char *const[]){"--version", NULL}, NULL);

	if (!text || !text->len)
		return NULL;
	return g_strndup(text->str, strcspn(text->str, "\n"));
}

char *qemu_find(const struct agent_target *target, GError **err)
{
	char *emulator = fsx_find_program(target->emulator, NULL);

	if (!emulator)
		fail_lacking(target, "is not installed", err);
	return emulator;
}

static char *hash_plugin(GError **err)
{
	if (!agent_plugin() || !g_file_test(agent_plugin(), G_FILE_TEST_IS_REGULAR)) {
		diag_set(err, DIAG_LACKS,
			"the plugin that counts is not at %s; build it, or install benchmatrix again",
			agent_plugin() ? agent_plugin() : "any place that was named");
		return NULL;
	}
	return fsx_hash_file(agent_plugin(), err);
}

/* What an emulator is. */
struct found {
	char *emulator, *plugin; /* SHA-256 */
	char *version;		 /* NULL: unknown */
};

static void found_clear(struct found *found)
{
	g_free(found->emulator);
	g_free(found->plugin);
	g_free(found->version);
}

static bool probe(struct found *ret, const struct agent_target *target, const char *emulator, GError **err)
{
	if (!check_plugins(target, emulator, err) || !check_cpu(target, emulator, err) ||
		!(ret->plugin = hash_plugin(err)) || !(ret->emulator = fsx_hash_file(emulator, err)))
		return false;
	ret->version = version_text(emulator);
	return true;
}

#define GROUP "emulator"

static bool recall(struct found *ret, const char *const *words)
{
	g_autoptr(GKeyFile) kept = agent_answers() ? kept_find(agent_answers(), words) : NULL;

	if (!kept)
		return false;
	ret->emulator = g_key_file_get_string(kept, GROUP, "emulator", NULL);
	ret->plugin = g_key_file_get_string(kept, GROUP, "plugin", NULL);
	ret->version = g_key_file_get_string(kept, GROUP, "version", NULL);
	if (ret->emulator && ret->plugin && ret->version)
		return true;
	found_clear(ret);
	*ret = (struct found){0};
	return false;
}

static void keep(const struct found *found, const char *const *words, const char *const *files)
{
	g_autoptr(GKeyFile) kept = g_key_file_new();

	if (!agent_answers() || !found->version)
		return;
	g_key_file_set_string(kept, GROUP, "emulator", found->emulator);
	g_key_file_set_string(kept, GROUP, "plugin", found->plugin);
	g_key_file_set_string(kept, GROUP, "version", found->version);
	kept_put(agent_answers(), words, kept, files);
}

/* Only what is good is kept: what is missing may be installed the next moment. */
static bool find(struct found *ret, const struct agent_target *target, GError **err)
{
	g_autofree char *emulator = qemu_find(target, err);

	if (!emulator)
		return false;

	const char *const words[] = {
		"1", emulator, agent_plugin() ? agent_plugin() : "", target->cpu, target->machine, NULL};
	const char *const files[] = {emulator, agent_plugin(), NULL};
	if (recall(ret, words))
		return true;
	if (!probe(ret, target, emulator, err)) {
		found_clear(ret);
		return false;
	}
	keep(ret, words, files);
	return true;
}

bool qemu_describe(
	struct agent_place **ret, const struct agent *agent, const struct agent_target *target, GError **err)
{
	struct found found = {0};
	(void)agent;

	if (!find(&found, target, err))
		return false;
	g_autofree char *platform = g_strdup_printf("qemu-%s-%s", target->arch, target->cpu);
	g_autofree char *key = g_strdup_printf("emulator %s\nplugin %s\ncpu %s\n%s%s%s", found.emulator,
		found.plugin, target->cpu, target->machine ? "machine " : "",
		target->machine ? target->machine : "", target->machine ? "\n" : "");

	*ret = agent_place_new(agent_slug(platform));
	(*ret)->emulated = true;
	(*ret)->exact = g_compute_checksum_for_string(G_CHECKSUM_SHA256, key, -1);
	agent_place_add(*ret, "emulator", found.version);
	agent_place_add(*ret, "cpu", target->cpu);
	agent_place_add(*ret, "machine", target->machine);
	agent_place_add(*ret, "plugin", found.plugin);
	found_clear(&found);
	return true;
}

char *qemu_value(const char *text)
{
	g_auto(GStrv) parts = g_strsplit(text, ",", -1);

	return g_strjoinv(",,", parts);
}

bool qemu_add_plugin(GPtrArray *argv, const char *functions, GError **err)
{
	if (!agent_plugin())
		return diag_set(err, DIAG_LACKS, "no plugin that counts was named");
	g_autofree char *path = qemu_value(agent_plugin());
	g_autofree char *table = functions ? qemu_value(functions) : NULL;
	g_ptr_array_add(argv, g_strdup("-plugin"));
	g_ptr_array_add(argv, g_strconcat("file=", path, table ? ",functions=" : NULL, table, NULL));
	return true;
}
