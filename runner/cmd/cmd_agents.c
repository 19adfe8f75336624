#include "agents_probe.h"
#include "catalog.h"
#include "cmd.h"
#include "diag.h"

#include <stdio.h>
#include <string.h>

/* What asking an agent about all toolchains has brought. */
struct answer {
	struct agent_place *place; /* NULL: it runs none of their programs, or cannot be used */
	GString *runs;		   /* toolchains, one after the other */
	GPtrArray *toolchains;	   /* the same: const struct toolchain * */
	struct probe *probe;	   /* NULL: none of our programs was asked */
	char *trouble;		   /* why it cannot be used; NULL: it can */
	char *refusal;		   /* why it runs nothing; NULL: it was not refused */
	double seconds;		   /* of the slowest answer: the others are known by then */
};

/* False where the others need not be asked. */
static bool ask(struct answer *answer, const struct agent *agent, const struct toolchain *toolchain)
{
	g_autofree char *refused = agent_refuses(agent, &toolchain->target);
	g_autoptr(GError) error = NULL;
	struct agent_place *place;
	gint64 began = g_get_monotonic_time();

	if (refused != NULL)
		return true;
	bool ok = agent_describe(&place, agent, &toolchain->target, &error);
	answer->seconds = MAX(answer->seconds, (double)(g_get_monotonic_time() - began) / G_USEC_PER_SEC);
	if (!ok) {
		char **why = error->code == DIAG_INPUT ? &answer->refusal : &answer->trouble;
		g_free(*why);
		*why = g_strdup(error->message);
		return !agent->kind->elsewhere || error->code == DIAG_INPUT;
	}
	if (answer->place == NULL)
		answer->place = place;
	else
		agent_place_free(place);
	g_string_append_printf(answer->runs, " %s", toolchain->name);
	g_ptr_array_add(answer->toolchains, (gpointer)toolchain);
	return true;
}

static void print_line(const char *key, const char *value)
{
	g_autofree char *safe = diag_printable(value, -1);

	printf("  %-14s %s\n", key, safe);
}

static void print_place(const struct agent_place *place)
{
	g_autoptr(GList) keys = g_hash_table_get_keys(place->facts);

	print_line("platform", place->platform);
	keys = g_list_sort(keys, (GCompareFunc)strcmp);
	for (GList *link = keys; link != NULL; link = link->next)
		print_line(link->data, g_hash_table_lookup(place->facts, link->data));
}

static void print_if_told(const char *key, const char *value)
{
	if (value != NULL)
		print_line(key, value);
}

static void print_probe(const struct probe *probe)
{
	if (probe == NULL)
		return;
	print_line("asked there", probe->program);
	print_if_told("but", probe->trouble);
	print_if_told("it finds", probe->features);
	print_if_told("its clock", probe->clock);
	print_if_told("its counter", probe->counter);
	print_if_told("its memory", probe->memory);
}

/* Whether it can be used. */
static bool print_answer(const struct agent *agent, const struct answer *answer)
{
	printf("%s (%s)\n", agent->name, agent->kind->name);
	if (answer->place == NULL) {
		const char *why = answer->trouble ? answer->trouble : answer->refusal;
		print_line("cannot", why ? why : "run programs of any toolchain");
		return false;
	}
	print_place(answer->place);
	if (agent->kind->elsewhere)
		printf("  %-14s %.2f s, with the connection made anew\n", "round trip", answer->seconds);
	print_line("runs", answer->runs->str + 1);
	print_probe(answer->probe);
	if (answer->trouble != NULL)
		print_line("but", answer->trouble);
	return true;
}

static bool check(const struct catalog *catalog, const struct agent *agent, const char *cache)
{
	struct answer answer = {.runs = g_string_new(NULL), .toolchains = g_ptr_array_new()};

	for (guint i = 0; i < catalog->toolchains->len; i++)
		if (!ask(&answer, agent, catalog->toolchains->pdata[i]))
			break;
	if (answer.place != NULL)
		answer.probe = probe_agent(cache, agent, answer.toolchains);
	bool ok = print_answer(agent, &answer);
	fflush(stdout);
	agent_place_free(answer.place);
	g_string_free(answer.runs, TRUE);
	g_ptr_array_unref(answer.toolchains);
	probe_free(answer.probe);
	g_free(answer.trouble);
	g_free(answer.refusal);
	return ok;
}

static int check_all(const struct catalog *catalog, const char *cache)
{
	int status = 0;

	for (guint i = 0; i < catalog->agents->all->len; i++)
		if (!check(catalog, catalog->agents->all->pdata[i], cache))
			status = DIAG_FAILED;
	return status;
}

static int check_one(const struct catalog *catalog, const char *name, const char *cache, GError **err)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	const struct agent *agent = agents_find(catalog->agents, name);

	if (agent != NULL)
		return check(catalog, agent, cache) ? 0 : DIAG_FAILED;
	for (guint i = 0; i < catalog->agents->all->len; i++)
		g_ptr_array_add(names, (char *)((const struct agent *)catalog->agents->all->pdata[i])->name);
	g_ptr_array_add(names, NULL);
	const char *nearest = diag_nearest(name, (const char *const *)names->pdata);
	g_autofree char *all = g_strjoinv(" ", (char **)names->pdata);
	diag_set(err, DIAG_USAGE, "there is no agent \"%s\"%s%s%s: it is one of %s", name,
		nearest ? "; did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "", all);
	return DIAG_USAGE;
}

static int run(const struct paths *paths, char **arguments, GError **err)
{
	struct catalog *catalog;

	if (strcmp(arguments[0], "check") != 0) {
		diag_set(err, DIAG_USAGE,
			"unknown action \"%s\": it is `benchmatrix agents check [NAME]`; `benchmatrix list "
			"agents` lists them",
			arguments[0]);
		return DIAG_USAGE;
	}
	if (!catalog_load(&catalog, paths->data, paths->user, err))
		return DIAG_INPUT;
	int status = arguments[1] ? check_one(catalog, arguments[1], paths->cache, err)
				  : check_all(catalog, paths->cache);
	catalog_free(catalog);
	return status;
}

const struct cmd cmd_agents = {
	.name = "agents",
	.arguments = "check [NAME]",
	.summary = "contact the places where programs run",
	.description =
		"check: contacts each agent, or the one named, and says what it is, how long an answer "
		"takes, "
		"and programs of which toolchains would run there. Exit status 1 where one cannot be used: "
		"the "
		"message says why and what to do. Where the cache has one of our programs for it, the one "
		"used last is run there with --probe, and tells processor features, clock, counter and page "
		"size as it finds them; nothing is built for it.\n\n"
		"local, qemu-user and qemu-system are always there. Others stand in agents.json in the "
		"user's "
		"configuration "
		"folder ($XDG_CONFIG_HOME/benchmatrix), a list \"agents\" of objects: \"name\"; \"kind\": "
		"\"ssh\"; \"host\", as ssh knows it. May be given: \"config\" (an ssh configuration file), "
		"\"folder\" (over there; .cache/benchmatrix where not given), \"arch\", \"toolchains\" "
		"(names; "
		"else those of its architecture), \"pin\" (the one processor to run on), \"facts\" (what it "
		"says "
		"of itself is added to or stands back: \"name\", \"board\", \"flash\", \"RAM\" as \"ram\", "
		"\"link\"), \"settings\" (\"governor\", \"turbo\": made while it times, then put back), "
		"\"deadlines\" in seconds (\"connect\", \"upload\", \"start\", \"silence\", \"total\", "
		"\"lock\", "
		"\"gone\").\n\n"
		"Kind \"command\" is for boards that ssh does not reach: \"command\" is a list, a script of "
		"the user's and "
		"its arguments, to which the program's path and arguments are added; \"arch\" or "
		"\"toolchains\" must be "
		"given.",
	.min = 1,
	.max = 2,
	.run = run,
};
