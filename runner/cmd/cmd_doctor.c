#include "catalog.h"
#include "child.h"
#include "cmd.h"
#include "diag.h"
#include "fsx.h"
#include "host_settings.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Average of one minute, above which a machine is not left to itself: its usual services stay below. */
#define QUIET_LOAD 0.5

/* What is missing, gathered so that one command installs it. */
struct findings {
	GPtrArray *packages; /* lent, each once */
	int faults;	     /* what was told to be missing or wrong; no package may help */
	int usable;	     /* toolchains that can build, and whose programs run on some agent here */
};

static void want(struct findings *findings, const char *package)
{
	if (!g_ptr_array_find_with_equal_func(findings->packages, package, g_str_equal, NULL))
		g_ptr_array_add(findings->packages, (gpointer)package);
}

static bool have_program(const char *name)
{
	g_autofree char *path = fsx_find_program(name, NULL);

	return path != NULL;
}

/* Whether dpkg knows the package as installed. */
static bool have_package(const char *package)
{
	g_auto(GStrv) environment = child_clean_environment(NULL);
	g_autoptr(GString) out = g_string_new(NULL);
	const char *argv[] = {"dpkg-query", "--show", "--showformat=${db:Status-Status}", package, NULL};
	const struct child_spec spec = {
		.argv = argv, .environment = (const char *const *)environment, .timeout_s = 30, .cpu = -1};
	struct child_exit end;

	return child_run(&end, out, NULL, &spec, NULL) && end.end == CHILD_EXITED && end.status == 0 &&
	       strcmp(out->str, "installed") == 0;
}

static void check_library(const struct library *library, struct findings *findings)
{
	g_autoptr(GString) missing = g_string_new(NULL);

	for (char **package = library->packages; *package != NULL; package++) {
		if (have_package(*package))
			continue;
		g_string_append_printf(missing, " %s", *package);
		findings->faults++;
		want(findings, *package);
	}
	printf("%-16s %s%s\n", library->name,
		missing->len ? "cannot be built: missing" : "can be fetched and built", missing->str);
}

static void check_agents(const struct agents *agents, const struct toolchain *toolchain, bool buildable,
	struct findings *findings)
{
	bool runs = false;

	for (guint i = 0; i < agents->all->len; i++) {
		const struct agent *agent = agents->all->pdata[i];
		g_autofree char *refused = agent_refuses(agent, &toolchain->target);
		g_autoptr(GError) error = NULL;
		struct agent_place *place;

		if (agent->kind->elsewhere)
			continue;

		if (refused != NULL) {
			printf("  %-14s no: %s\n", agent->name, refused);
		} else if (!agent_describe(&place, agent, &toolchain->target, &error)) {
			printf("  %-14s no: %s\n", agent->name, error->message);
			findings->faults++;
			if (error->code == DIAG_LACKS && toolchain->target.package != NULL &&
				!have_package(toolchain->target.package))
				want(findings, toolchain->target.package);
		} else {
			printf("  %-14s %s on %s\n", agent->name, place->emulated ? "counts" : "times",
				place->platform);
			agent_place_free(place);
			runs = true;
		}
	}
	findings->usable += buildable && runs;
}

static void check_toolchain(
	const struct agents *agents, const struct toolchain *toolchain, struct findings *findings)
{
	bool compiler = have_program(toolchain->cc);

	printf("%-16s %s %s\n", toolchain->name, toolchain->cc, compiler ? "is there" : "is missing");
	if (!compiler) {
		findings->faults++;
		for (char **package = toolchain->packages; *package != NULL; package++)
			want(findings, *package);
	}
	check_agents(agents, toolchain, compiler, findings);
}

/* One setting that makes timing vary; a virtual machine has none of them, which is no fault. */
static void print_setting(const char *name, const char *wanted, const char *sysfs)
{
	g_autofree char *now = host_settings_now(name, sysfs);
	g_autofree char *safe = now ? diag_printable(now, -1) : NULL;

	if (safe == NULL)
		printf("%-16s unknown: this machine has no switch for it, as most virtual machines\n", name);
	else if (strcmp(safe, wanted) == 0)
		printf("%-16s %s\n", name, safe);
	else
		printf("%-16s %s: times vary with the clock; `run --host %s=%s` changes it while it times\n",
			name, safe, name, wanted);
}

/* What makes times vary on this machine. Notes, not faults: the counts do not depend on it. */
static void print_quiet(void)
{
	const char *sysfs = g_getenv("BENCHMATRIX_SYSFS");
	struct agent_condition now = agent_condition_unknown;

	printf("\nTiming on this machine\n");
	print_setting("governor", "performance", sysfs && *sysfs ? sysfs : "/sys");
	print_setting("turbo", "off", sysfs && *sysfs ? sysfs : "/sys");
	agent_local.kind->condition(&now);
	if (isnan(now.load))
		printf("%-16s unknown\n", "load");
	else
		printf("%-16s %.2f%s\n", "load", now.load,
			now.load > QUIET_LOAD ? ": something else runs; times measured now vary with it"
					      : "");
}

/* Other machines are not contacted here: one that is off would hold this up. */
static void check_boards(const struct agents *agents, struct findings *findings)
{
	guint n = 0;
	bool ssh = have_program("ssh");

	for (guint i = 0; i < agents->all->len; i++)
		n += ((const struct agent *)agents->all->pdata[i])->kind->elsewhere;
	printf("\nOther machines\n%-16s %s\n", "ssh",
		ssh ? "is there" : "is missing: agents of kind ssh need it");
	printf("%-16s %u in agents.json%s\n", "agents", n,
		n > 0 ? "; `benchmatrix agents check` contacts them" : "");
	if (ssh || n == 0)
		return;
	findings->faults++;
	want(findings, "openssh-client");
}

static void print_advice(const struct findings *findings)
{
	if (findings->faults == 0)
		printf("\nNothing is missing.\n");
	else if (findings->packages->len == 0)
		printf("\nNo package is known that mends what is said above.\n");
	if (findings->packages->len == 0)
		return;
	printf("\nTo install what is missing:\n  apt-get install --no-install-recommends");
	for (guint i = 0; i < findings->packages->len; i++)
		printf(" %s", (const char *)findings->packages->pdata[i]);
	putchar('\n');
}

static int run(const struct paths *paths, char **arguments, GError **err)
{
	struct findings findings = {.packages = g_ptr_array_new()};
	struct catalog *catalog;

	(void)arguments;
	if (!catalog_load(&catalog, paths->data, paths->user, err)) {
		g_ptr_array_unref(findings.packages);
		return DIAG_INPUT;
	}
	printf("Libraries\n");
	for (guint i = 0; i < catalog->libraries->len; i++)
		check_library(catalog->libraries->pdata[i], &findings);
	printf("\nToolchains, and the agents that run what they build\n");
	for (guint i = 0; i < catalog->toolchains->len; i++)
		check_toolchain(catalog->agents, catalog->toolchains->pdata[i], &findings);
	check_boards(catalog->agents, &findings);
	print_quiet();
	printf("\nDatabase: %s\nCache:    %s\n", paths->db, paths->cache);
	print_advice(&findings);

	int status = findings.usable == 0 ? DIAG_LACKS : findings.faults > 0 ? DIAG_FAILED : 0;
	g_ptr_array_unref(findings.packages);
	catalog_free(catalog);
	return status;
}

const struct cmd cmd_doctor = {
	.name = "doctor",
	.arguments = "",
	.summary = "what can be built and run here, and what to install for the rest",
	.description =
		"Looks for the compilers of all toolchains, the emulators and other agents that run "
		"their programs, and the tools that the "
		"libraries' own builds need; says whether the governor, turbo and load of this machine are "
		"as timing wants them; ends with the command that installs what is missing. "
		"Exit status: 0 all is there, 1 something is "
		"missing, 3 nothing can be built and run.",
	.max = 0,
	.run = run,
};
