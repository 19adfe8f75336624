/* QEMU's user mode with our plugin: counts instructions. Times measured below it are not hardware's and not
 * asked for. */
#include "agent_common.h"
#include "diag.h"
#include "fsx.h"
#include "kept.h"

#include <string.h>

/* So that what a program sees of itself does not depend on where it was built: counts were seen to move with
 * it. */
#define GUEST_NAME "bench-core"

#define PROBE_SECONDS 20
#define PROBE_CEILING 65536 /* bytes: its help is 3 KiB */

static char *refuses(const struct agent *agent, const struct agent_target *target)
{
	(void)agent;
	if (!target->emulator)
		return g_strdup("the toolchain names no emulator");
	if (g_str_has_prefix(target->emulator, "qemu-system-"))
		return g_strdup_printf("%s emulates a whole machine, not a program", target->emulator);
	return NULL;
}

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
	/* The model is looked at before it is seen that an empty file is no program. */
	const char *const arguments[] = {"-cpu", target->cpu, "/dev/null", NULL};
	g_autoptr(GString) text = ask(emulator, arguments, err);

	if (!text)
		return false;
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

static char *find_emulator(const struct agent_target *target, GError **err)
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
	g_autofree char *emulator = find_emulator(target, err);

	if (!emulator)
		return false;

	const char *const words[] = {"1", emulator, agent_plugin() ? agent_plugin() : "", target->cpu, NULL};
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

static bool describe(
	struct agent_place **ret, const struct agent *agent, const struct agent_target *target, GError **err)
{
	struct found found = {0};
	(void)agent;

	if (!find(&found, target, err))
		return false;
	g_autofree char *platform = g_strdup_printf("qemu-%s-%s", target->arch, target->cpu);
	g_autofree char *key = g_strdup_printf(
		"emulator %s\nplugin %s\ncpu %s\n", found.emulator, found.plugin, target->cpu);

	*ret = agent_place_new(agent_slug(platform));
	(*ret)->emulated = true;
	(*ret)->exact = g_compute_checksum_for_string(G_CHECKSUM_SHA256, key, -1);
	agent_place_add(*ret, "emulator", found.version);
	agent_place_add(*ret, "cpu", target->cpu);
	agent_place_add(*ret, "plugin", found.plugin);
	found_clear(&found);
	return true;
}

/* The path as an option's value, in which a comma would end it. */
static char *plugin_option(void)
{
	g_auto(GStrv) parts = g_strsplit(agent_plugin(), ",", -1);
	g_autofree char *escaped = g_strjoinv(",,", parts);

	return g_strconcat("file=", escaped, NULL);
}

static struct agent_process *start(
	char ***ret_argv, const struct agent *agent, const struct agent_job *job, GError **err)
{
	g_autoptr(GPtrArray) argv = g_ptr_array_new_with_free_func(g_free);

	char *emulator = find_emulator(job->target, err);
	if (!emulator)
		return NULL;
	g_ptr_array_add(argv, emulator);
	if (!agent_plugin()) {
		diag_set(err, DIAG_LACKS, "no plugin that counts was named");
		return NULL;
	}
	g_ptr_array_add(argv, g_strdup("-cpu"));
	g_ptr_array_add(argv, g_strdup(job->target->cpu));
	g_ptr_array_add(argv, g_strdup("-plugin"));
	g_ptr_array_add(argv, plugin_option());
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
	.describe = describe,
	.start = start,
};

const struct agent agent_qemu_user = {.name = "qemu-user", .kind = &agent_kind_qemu_user, .pin = -1};
