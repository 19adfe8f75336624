/* A whole machine below QEMU, with our plugin: counts the instructions of a program without an operating
 * system (bench-core/core/port_mps2.c), which reads its arguments and writes its records by semihosting. */
#include "agent_qemu.h"

#include "fsx.h"

#include <signal.h>
#include <string.h>

#define GUEST_NAME "bench-core"

/* What port_mps2.c ends with where its processor refused to go on. */
#define STATUS_OF_FAULT 139

static char *refuses(const struct agent *agent, const struct agent_target *target)
{
	(void)agent;
	if (!target->emulator)
		return g_strdup("the toolchain names no emulator");
	if (!g_str_has_prefix(target->emulator, "qemu-system-"))
		return g_strdup_printf("%s runs programs of an operating system", target->emulator);
	if (!target->machine)
		return g_strdup_printf("the toolchain names no machine of %s", target->emulator);
	return NULL;
}

/* The program splits its command line at spaces, but for those behind a backslash. */
static char *word_of(const char *argument)
{
	GString *word = g_string_new(argument);

	g_string_replace(word, "\\", "\\\\", 0);
	g_string_replace(word, " ", "\\ ", 0);
	return g_string_free(word, FALSE);
}

static void add_argument(GString *option, const char *argument)
{
	g_autofree char *word = word_of(argument);
	g_autofree char *value = qemu_value(word);

	g_string_append_printf(option, ",arg=%s", value);
}

static char *semihosting(const struct agent_job *job)
{
	GString *option = g_string_new("enable=on,target=native");

	add_argument(option, GUEST_NAME);
	for (const char *const *argument = job->arguments; *argument; argument++)
		add_argument(option, *argument);
	return g_string_free(option, FALSE);
}

/* The job's own ends, while its program runs. */
struct relay {
	void (*on_output)(int stream, const char *bytes, size_t length, void *user);
	void (*on_exit)(const struct agent_end *end, void *user);
	void *user;
};

static void relay_output(int stream, const char *bytes, size_t length, void *user)
{
	const struct relay *relay = user;

	relay->on_output(stream, bytes, length, relay->user);
}

/* A fault of the processor is to such a program what a signal is to another. */
static void relay_exit(const struct agent_end *end, void *user)
{
	g_autofree struct relay *relay = user;
	struct agent_end told = *end;

	if (told.exit.end == CHILD_EXITED && told.exit.status == STATUS_OF_FAULT) {
		told.exit.end = CHILD_SIGNALLED;
		told.exit.status = SIGSEGV;
	}
	relay->on_exit(&told, relay->user);
}

static struct agent_process *launch(char ***ret_argv, const struct agent *agent, const struct agent_job *job,
	GPtrArray *argv, GError **err)
{
	struct relay *relay = g_new(struct relay, 1);
	struct agent_job relayed = *job;

	*relay = (struct relay){job->on_output, job->on_exit, job->user};
	relayed.on_output = job->on_output ? relay_output : NULL;
	relayed.on_exit = relay_exit;
	relayed.user = relay;
	struct agent_process *process = agent_launch(ret_argv, agent, &relayed, argv, err);
	if (!process)
		g_free(relay);
	return process;
}

static struct agent_process *start(
	char ***ret_argv, const struct agent *agent, const struct agent_job *job, GError **err)
{
	g_autoptr(GPtrArray) argv = g_ptr_array_new_with_free_func(g_free);
	const struct agent_target *target = job->target;

	char *emulator = qemu_find(target, err);
	if (!emulator)
		return NULL;
	g_ptr_array_add(argv, emulator);
	const char *const machine[] = {"-M", target->machine, "-cpu", target->cpu, "-display", "none",
		"-monitor", "none", "-serial", "none", "-semihosting-config"};
	for (size_t i = 0; i < G_N_ELEMENTS(machine); i++)
		g_ptr_array_add(argv, g_strdup(machine[i]));
	g_ptr_array_add(argv, semihosting(job));
	if (!qemu_add_plugin(argv, job->functions, err))
		return NULL;
	g_ptr_array_add(argv, g_strdup("-kernel"));
	g_ptr_array_add(argv, g_canonicalize_filename(job->program, NULL));
	g_ptr_array_add(argv, NULL);
	return launch(ret_argv, agent, job, argv, err);
}

const struct agent_kind agent_kind_qemu_system = {
	.name = "qemu-system",
	.summary = "a machine without an operating system below QEMU; counts instructions",
	.modes = 1u << AGENT_COUNT,
	.refuses = refuses,
	.describe = qemu_describe,
	.start = start,
};

const struct agent agent_qemu_system = {.name = "qemu-system", .kind = &agent_kind_qemu_system, .pin = -1};
