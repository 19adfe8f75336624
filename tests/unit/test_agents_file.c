#include "agent_harness.h"
#include "diag.h"

/* The agents of a file with this list. */
static struct agents *load(const char *list, GError **err)
{
	g_autofree char *text = g_strdup_printf("{\"agents\": [%s]}", list);
	g_autofree char *file = g_build_filename(scratch, "agents.json", NULL);
	struct agents *agents = NULL;

	put(scratch, "agents.json", text);
	agents_load(&agents, file, err);
	return agents;
}

static void a_file_that_is_not_there_leaves_the_built_in_ones(void)
{
	g_autofree char *file = g_build_filename(scratch, "none.json", NULL);
	struct agents *agents;

	g_assert_true(agents_load(&agents, file, NULL));
	g_assert_cmpuint(agents->all->len, ==, 3);
	agents_free(agents);
}

static void every_field_is_read(void)
{
	struct agents *agents = load(
		"{\"name\": \"pi\", \"kind\": \"ssh\", \"host\": \"pi@desk\", \"config\": \"ssh_config\","
		" \"folder\": \"/tmp/b m\", \"arch\": \"aarch64\", \"toolchains\": [\"one\", \"two\"],"
		" \"pin\": 3, \"facts\": {\"name\": \"Desk\", \"flash\": \"32 GB\"},"
		" \"settings\": {\"governor\": \"performance\", \"turbo\": \"off\"},"
		" \"deadlines\": {\"connect\": 1, \"upload\": 2, \"start\": 3, \"silence\": 4, \"total\": 5,"
		" \"lock\": 6, \"gone\": 7}}, {\"name\": \"cpu1\", \"kind\": \"local\", \"pin\": 1}",
		NULL);
	const struct agent *pi = agents_find(agents, "pi"), *cpu1 = agents_find(agents, "cpu1");
	g_autofree char *config = g_build_filename(scratch, "ssh_config", NULL);

	g_assert_true(pi->kind == &agent_kind_ssh);
	g_assert_cmpstr(pi->host, ==, "pi@desk");
	g_assert_cmpstr(pi->config, ==, config);
	g_assert_cmpstr(pi->folder, ==, "/tmp/b m");
	g_assert_cmpstr(pi->arch, ==, "aarch64");
	g_assert_cmpstr(pi->toolchains[1], ==, "two");
	g_assert_cmpint(pi->pin, ==, 3);
	g_assert_cmpstr(g_hash_table_lookup(pi->facts, "flash"), ==, "32 GB");
	g_assert_cmpstr(pi->settings, ==, "governor=performance,turbo=off");
	g_assert_cmpint(pi->deadlines.connect, ==, 1);
	g_assert_cmpint(pi->deadlines.upload, ==, 2);
	g_assert_cmpint(pi->deadlines.start, ==, 3);
	g_assert_cmpint(pi->deadlines.silence, ==, 4);
	g_assert_cmpint(pi->deadlines.total, ==, 5);
	g_assert_cmpint(pi->deadlines.lock, ==, 6);
	g_assert_cmpint(pi->deadlines.gone, ==, 7);
	g_assert_true(cpu1->kind == &agent_kind_local);
	g_assert_cmpint(cpu1->pin, ==, 1);
	g_assert_cmpuint(agents->all->len, ==, 5);
	agents_free(agents);
}

static void what_is_wrong_is_told_with_its_place(void)
{
	static const char *const cases[][2] = {
		{"{\"kind\": \"ssh\", \"host\": \"a\"}", "$.agents[0]: "},
		{"{\"name\": \"a\", \"kind\": \"sssh\"}", "$.agents[0].kind: unknown kind of agent \"sssh\""},
		{"{\"name\": \"a\", \"kind\": \"ssh\"}", "$.agents[0]: an agent of kind ssh needs \"host\""},
		{"{\"name\": \"a b\", \"kind\": \"local\"}", "$.agents[0].name: "},
		{"{\"name\": \"local\", \"kind\": \"local\"}",
			"$.agents[0].name: there is an agent \"local\" already"},
		{"{\"name\": \"a\", \"kind\": \"local\", \"host\": \"b\"}", "$.agents[0]"},
		{"{\"name\": \"a\", \"kind\": \"ssh\", \"host\": \"-oProxyCommand=x\"}",
			"$.agents[0].host: it must not be empty, begin with a dash"},
		{"{\"name\": \"a\", \"kind\": \"ssh\", \"host\": \"b\\nc\"}", "$.agents[0].host: "},
		{"{\"name\": \"a\", \"kind\": \"ssh\", \"host\": \"b\", \"pin\": -1}", "$.agents[0].pin: "},
		{"{\"name\": \"a\", \"kind\": \"local\", \"facts\": {\"Cpu\": \"b\"}}", "$.agents[0].facts"},
		{"{\"name\": \"a\", \"kind\": \"local\", \"facts\": {\"cpu\": \"\\u001b[1m\"}}",
			"$.agents[0].facts"},
		{"{\"name\": \"a\", \"kind\": \"local\", \"deadlines\": {\"total\": 0}}",
			"$.agents[0].deadlines.total: "},
		{"{\"name\": \"a\", \"kind\": \"ssh\", \"host\": \"b\", \"settings\": {\"turbo\": \"up\"}}",
			"turbo: it can be"},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GError) error = NULL;
		g_assert_null(load(cases[i][0], &error));
		g_assert_error(error, DIAG_ERROR, DIAG_INPUT);
		if (!strstr(error->message, cases[i][1]))
			g_error("\"%s\" does not tell \"%s\"", error->message, cases[i][1]);
	}
}

static void named_toolchains_are_the_only_ones(void)
{
	struct agents *agents =
		load("{\"name\": \"a\", \"kind\": \"ssh\", \"host\": \"b\", \"toolchains\": [\"one\"]},"
		     "{\"name\": \"c\", \"kind\": \"ssh\", \"host\": \"b\", \"arch\": \"arm\"}",
			NULL);
	const struct agent_target one = {.toolchain = "one", .arch = "arm"},
				  two = {.toolchain = "two", .arch = "mips"};
	const struct agent *a = agents_find(agents, "a"), *c = agents_find(agents, "c");

	g_assert_null(agent_refuses(a, &one));
	g_autofree char *why = agent_refuses(a, &two), *other = agent_refuses(c, &two);
	g_assert_cmpstr(why, ==, "it runs programs of one only");
	g_assert_null(agent_refuses(c, &one));
	g_assert_cmpstr(other, ==, "it runs arm only, not mips");
	agents_free(agents);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	scratch = fsx_unique_folder(g_get_tmp_dir(), "test-agents-file", NULL);
#define TEST(name) g_test_add_func("/agents_file/" #name, name)
	TEST(a_file_that_is_not_there_leaves_the_built_in_ones);
	TEST(every_field_is_read);
	TEST(what_is_wrong_is_told_with_its_place);
	TEST(named_toolchains_are_the_only_ones);
	int status = g_test_run();
	fsx_remove_tree(scratch, NULL);
	g_free(scratch);
	return status;
}
